/**
 * Types inferred from tokens, so they are immediate and work in broken text. They only rank and mark
 * completions; findings never use them.
 */
import type { NameContext } from '../names/name-context.ts';
import { visibleAt } from '../names/over-tokens/visible.ts';
import { nameAt } from '../text/identifiers.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { knownFunctions } from './functions.ts';

export type TypeKind = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'array' | 'uuid' | 'interval';

/** Undefined for a type of another kind, or of several. */
export function kindOfType(type: string | undefined): TypeKind | undefined {
  const plain = type?.toLowerCase() ?? '';
  if (plain.endsWith(']') || /^any(?:compatible)?array/.test(plain)) return 'array';
  if (/^(?:text|character|varchar|char|name|citext|bpchar)\b/.test(plain)) return 'text';
  if (/^(?:integer|bigint|smallint|numeric|decimal|real|double|int\d?|float\d?)\b/.test(plain))
    return 'number';
  if (/^(?:timestamp|date|timestamptz)\b/.test(plain)) return 'time';
  if (/^bool/.test(plain)) return 'boolean';
  if (/^jsonb?\b/.test(plain)) return 'json';
  if (plain === 'uuid') return 'uuid';
  return plain === 'interval' ? 'interval' : undefined;
}

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=']);
const comparingWords = new Set(['like', 'ilike', 'between', 'from']);

export class TokenTypes {
  readonly #code: TokenList;
  readonly #first: number;
  readonly #relations: () => ReturnType<typeof visibleAt>['scopes'];
  #scopes: ReturnType<typeof visibleAt>['scopes'] | undefined;

  constructor(code: TokenList, span: StatementSpan, at: number, context: NameContext) {
    this.#code = code;
    this.#first = span.firstToken;
    this.#relations = () => (this.#scopes ??= visibleAt(code, span, at, context).scopes);
  }

  /** The kind of value expected at the token. */
  wantedAt(at: number): TypeKind | undefined {
    const code = this.#code;
    const before = at - 1;
    if (before < this.#first) return undefined;
    if (comparisons.has(code.textOf(before))) return kindOfType(this.typeBefore(before));
    const word = code.word(before);
    if (comparingWords.has(word) && (word !== 'from' || code.word(before - 1) === 'distinct')) {
      const end = word === 'from' ? before - (code.word(before - 2) === 'not' ? 3 : 2) : before;
      return kindOfType(this.typeBefore(code.word(end - 1) === 'not' ? end - 1 : end));
    }
    if (!code.is(before, '(') && !code.is(before, ',')) return undefined;
    const call = this.#callAround(before);
    if (call === undefined) return undefined;
    if (code.word(call.open - 1) === 'in') {
      const isNot = code.word(call.open - 2) === 'not';
      return kindOfType(this.typeBefore(call.open - (isNot ? 2 : 1)));
    }
    const known = knownFunctions.find(({ name }) => name === nameAt(code, call.open - 1));
    return kindOfType(known && argumentTypes(known.signature)[call.argument]);
  }

  /** The type of the operand that ends before the token; undefined if the tokens do not reveal it. */
  typeBefore(end: number): string | undefined {
    const code = this.#code;
    const last = end - 1;
    if (last < this.#first) return undefined;
    if (code.kind(last) === TokenKind.number) return 'numeric';
    if (code.is(last, ')')) {
      const open = this.#openOf(last);
      const known = knownFunctions.find(({ name }) => name === nameAt(code, open - 1));
      return known?.result;
    }
    const name = nameAt(code, last);
    if (name === undefined) return undefined;
    if (code.is(last - 1, '::')) return name;
    const qualifier = code.is(last - 1, '.') ? nameAt(code, last - 2) : undefined;
    for (const relations of this.#relations()) {
      for (const { alias, columns } of relations) {
        if (qualifier !== undefined && alias !== qualifier) continue;
        const column = columns().find((own) => own.name === name);
        if (column !== undefined) return column.catalogue?.type ?? column.typeOf?.();
      }
    }
    return undefined;
  }

  /** The parenthesis open before the token, and which of its items ends with the token. */
  #callAround(at: number): { readonly open: number; readonly argument: number } | undefined {
    const code = this.#code;
    let depth = 0;
    let argument = 0;
    for (let index = at; index >= this.#first; index--) {
      if (code.is(index, ')')) depth++;
      else if (code.is(index, '(') && depth-- === 0) return { open: index, argument };
      else if (depth === 0 && code.is(index, ',')) argument++;
    }
    return undefined;
  }

  #openOf(close: number): number {
    let depth = 0;
    for (let index = close; index >= this.#first; index--) {
      if (this.#code.is(index, ')')) depth++;
      else if (this.#code.is(index, '(') && --depth === 0) return index;
    }
    return this.#first;
  }
}

/** The types in `(text, VARIADIC "any")`. */
function argumentTypes(signature: string): readonly string[] {
  return signature.slice(1, -1).split(', ');
}
