/**
 * Infers kinds of types from tokens, which is fast and works in incomplete text. The kinds only rank and filter
 * completions; findings never depend on them.
 */
import type { NameContext } from '../names/name-context.ts';
import { visibleAt } from '../names/over-tokens/visible.ts';
import { nameAt } from '../text/identifiers.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import type { FunctionKinds } from './function-kinds.ts';
import { kindOfType, type TypeKind } from './type-kinds.ts';

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=']);
/** Maximum depth of nested calls to analyze. Deeper calls are not worth the time while typing. */
const callsMax = 4;
const comparingWords = new Set(['like', 'ilike', 'between', 'from']);

export interface TokenTypesContext {
  readonly names: NameContext;
  readonly functions: FunctionKinds;
}

export class TokenTypes {
  readonly #code: TokenList;
  readonly #span: StatementSpan;
  readonly #relations: () => ReturnType<typeof visibleAt>['scopes'];
  readonly #functions: FunctionKinds;
  #scopes: ReturnType<typeof visibleAt>['scopes'] | undefined;
  #depth = 0;

  constructor(code: TokenList, span: StatementSpan, at: number, { names, functions }: TokenTypesContext) {
    this.#code = code;
    this.#span = span;
    this.#relations = () => (this.#scopes ??= visibleAt(code, span, at, names).scopes);
    this.#functions = functions;
  }

  /** Returns the kinds of values expected at the token, or undefined if unknown. */
  wantedAt(at: number): ReadonlySet<TypeKind> | undefined {
    const code = this.#code;
    const before = at - 1;
    if (before < this.#span.firstToken) return undefined;
    if (comparisons.has(code.textOf(before))) return only(this.kindBefore(before));
    const word = code.word(before);
    if (comparingWords.has(word) && (word !== 'from' || code.word(before - 1) === 'distinct')) {
      const end = word === 'from' ? before - (code.word(before - 2) === 'not' ? 3 : 2) : before;
      return only(this.kindBefore(code.word(end - 1) === 'not' ? end - 1 : end));
    }
    if (code.is(before, '(') || code.is(before, ',')) {
      const call = this.#callAround(before);
      if (call === undefined) return undefined;
      if (code.word(call.open - 1) === 'in') {
        const isNot = code.word(call.open - 2) === 'not';
        return only(this.kindBefore(call.open - (isNot ? 2 : 1)));
      }
      const name = nameAt(code, call.open - 1);
      return name === undefined ? undefined : this.#functions.kindsOfArgument(name, call.argument);
    }
    return undefined;
  }

  /**
   * Like `wantedAt`, but for the left operand of a comparison with an existing right operand.
   * @param end index of the operator
   */
  wantedBefore(end: number): ReadonlySet<TypeKind> | undefined {
    const code = this.#code;
    if (end > this.#span.lastToken || !comparisons.has(code.textOf(end))) return undefined;
    const name = end + 1;
    const last = code.is(name + 1, '.') ? name + 2 : name;
    return code.is(last + 1, '(') ? undefined : only(this.kindBefore(last + 1));
  }

  /** Returns the kind of the operand that ends before the token; undefined if the tokens do not determine it. */
  kindBefore(end: number): TypeKind | undefined {
    return kindOfType(this.typeBefore(end));
  }

  /** Like `kindBefore`, but returns the type's name as written in the model, the text or the catalog. */
  typeBefore(end: number): string | undefined {
    const code = this.#code;
    const last = end - 1;
    if (last < this.#span.firstToken) return undefined;
    if (code.kind(last) === TokenKind.number) return /^\d+$/.test(code.textOf(last)) ? 'integer' : 'numeric';
    if (code.is(last, ')')) return this.#typeOfCall(last);
    const name = nameAt(code, last);
    if (name === undefined) return undefined;
    return code.is(last - 1, '::') ? name : this.#typeOfColumn(last, name);
  }

  /**
   * Returns the types of a call's arguments, undefined where the tokens do not determine them.
   * @param open index of the opening parenthesis
   */
  argumentsOf(open: number): readonly (string | undefined)[] {
    const code = this.#code;
    const types: (string | undefined)[] = [];
    let depth = 0;
    for (let index = open, first = open + 1; index <= this.#span.lastToken; index++) {
      if (code.is(index, '(') || code.is(index, '[')) depth++;
      const isEnd = (code.is(index, ')') || code.is(index, ']')) && --depth === 0;
      if (isEnd || (depth === 1 && code.is(index, ','))) {
        if (index > first || types.length > 0) types.push(this.typeBetween(first, index));
        first = index + 1;
      }
      if (isEnd) break;
    }
    return types;
  }

  /** Returns the type of an operand that is a single name, number or call; operators may change the type. */
  typeBetween(first: number, end: number): string | undefined {
    const code = this.#code;
    const last = end - 1;
    const start = code.is(last, ')') ? this.#openOf(last) - 1 : last;
    const isWhole =
      start === first || (start === first + 2 && (code.is(first + 1, '.') || code.is(first + 1, '::')));
    return isWhole ? this.typeBefore(end) : undefined;
  }

  #typeOfColumn(at: number, name: string): string | undefined {
    const code = this.#code;
    const qualifier = code.is(at - 1, '.') ? nameAt(code, at - 2) : undefined;
    for (const relations of this.#relations()) {
      for (const { alias, columns } of relations) {
        if (qualifier !== undefined && alias !== qualifier) continue;
        const column = columns().find((own) => own.name === name);
        if (column !== undefined) return column.catalogue?.type ?? column.typeOf?.();
      }
    }
    return undefined;
  }

  /** Returns undefined if the overloads for these arguments return different kinds. */
  #typeOfCall(close: number): string | undefined {
    const open = this.#openOf(close);
    const name = nameAt(this.#code, open - 1);
    if (name === undefined || this.#depth >= callsMax) return undefined;
    this.#depth++;
    const type = this.#functions.resultOf(name, () => this.argumentsOf(open));
    this.#depth--;
    return type;
  }

  /** Returns the innermost parenthesis open before the token, and the index of the item that ends with the token. */
  #callAround(at: number): { readonly open: number; readonly argument: number } | undefined {
    const code = this.#code;
    let depth = 0;
    let argument = 0;
    for (let index = at; index >= this.#span.firstToken; index--) {
      if (code.is(index, ')')) depth++;
      else if (code.is(index, '(') && depth-- === 0) return { open: index, argument };
      else if (depth === 0 && code.is(index, ',')) argument++;
    }
    return undefined;
  }

  #openOf(close: number): number {
    let depth = 0;
    for (let index = close; index >= this.#span.firstToken; index--) {
      if (this.#code.is(index, ')')) depth++;
      else if (this.#code.is(index, '(') && --depth === 0) return index;
    }
    return this.#span.firstToken;
  }
}

const only = (kind: TypeKind | undefined): ReadonlySet<TypeKind> | undefined =>
  kind === undefined ? undefined : new Set([kind]);
