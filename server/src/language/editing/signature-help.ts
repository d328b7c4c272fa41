/** Finds the call around the cursor, its current argument, and the best matching overload. */
import type { NameContext } from '../names/name-context.ts';
import { nameAt } from '../text/identifiers.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';
import type { FunctionFact, TypeCatalogue } from '../types/catalogue/catalogue.ts';
import { knownFunctions } from './functions.ts';
import type { Place } from './rename.ts';
import { FunctionKinds } from './function-kinds.ts';
import { TokenTypes } from './token-types.ts';
import { kindOfType, type TypeKind } from './type-kinds.ts';

export interface Signature {
  readonly label: string;
  readonly documentation: string;
  /** Ranges of the parameters in the label. */
  readonly parameters: readonly Place[];
}

export interface Signatures {
  /** At least one. */
  readonly signatures: readonly Signature[];
  /** Index of the signature that fits the written arguments. */
  readonly active: number;
  readonly activeParameter: number;
}

export interface SignatureContext {
  readonly names: NameContext;
  /** PostgreSQL's functions; undefined: only those that completion offers. */
  readonly catalogue: () => TypeCatalogue | undefined;
}

export function signatureAt(
  lexed: LexedText,
  offset: number,
  context: SignatureContext,
): Signatures | undefined {
  const { code } = lexed;
  // A parenthesis or comma counts once the cursor is after it.
  let index = code.at(offset) - 1;
  const end = index + 1;
  let depth = 0;
  /** The end of each argument, last first. */
  const ends = [end];
  for (; index >= 0; index--) {
    if (code.is(index, ';')) {
      return undefined;
    }
    if (code.is(index, ')') || code.is(index, ']')) {
      depth++;
    } else if (code.is(index, '(') || code.is(index, '[')) {
      if (depth > 0) {
        depth--;
      } else {
        const name = code.is(index, '[') ? undefined : nameAt(code, index - 1);
        return name === undefined
          ? undefined
          : signaturesOf(name, kindsOf(lexed, ends.toReversed(), index, context), context);
      }
    } else if (depth === 0 && code.is(index, ',')) {
      ends.push(index);
    }
  }
  return undefined;
}

type Kinds = readonly (TypeKind | undefined)[];

/** The kind of each written argument, the one at the cursor last; undefined if tokens do not tell. */
function kindsOf(
  { code, ...lexed }: LexedText,
  ends: readonly number[],
  open: number,
  { names, catalogue }: SignatureContext,
): Kinds {
  const span = splitStatements({ code, ...lexed }).findLast(({ firstToken }) => firstToken <= open);
  if (span === undefined) return ends.map(() => undefined);
  const types = new TokenTypes(code, span, open, { names, functions: new FunctionKinds(catalogue) });
  return ends.map((end, index) => (end - 1 > (ends[index - 1] ?? open) ? types.kindBefore(end) : undefined));
}

/** Maximum listed overloads: no one reads more. */
const overloadsMax = 12;

function signaturesOf(name: string, kinds: Kinds, { catalogue }: SignatureContext): Signatures | undefined {
  const known = knownFunctions.find((each) => each.name === name);
  const facts = catalogue()?.functions(name) ?? [];
  const written = facts.map((fact) => signatureOfFact(fact, catalogue()));
  const labels = [...(known === undefined ? [] : [`${known.signature} → ${known.result}`]), ...written];
  const signatures = [...new Set(labels)].slice(0, overloadsMax).map((text): Signature => ({
    label: `${name}${text}`,
    documentation: known?.description ?? '',
    parameters: parametersOf(text.slice(0, text.lastIndexOf(' → '))).map(({ start, end }) => ({
      start: start + name.length,
      end: end + name.length,
    })),
  }));
  if (signatures.length === 0) return undefined;
  const scores = signatures.map((signature) => scoreOf(signature, kinds));
  const most = scores.reduce((best, own) => Math.max(best, own), -Infinity);
  const active = scores.indexOf(most);
  const { label, parameters } = signatures[active] ?? { label: '', parameters: [] };
  const argument = kinds.length - 1;
  const last = parameters.at(-1);
  const isVariadic = last !== undefined && label.startsWith('VARIADIC', last.start);
  return {
    signatures,
    active,
    activeParameter: isVariadic ? Math.min(argument, parameters.length - 1) : argument,
  };
}

function signatureOfFact(
  { args, argNames, isVariadic, result, givesSet }: FunctionFact,
  catalogue: TypeCatalogue | undefined,
): string {
  const shown = (type: string): string => catalogue?.type(type)?.shown ?? type;
  const parts = args.map((type, index) => {
    const name = argNames[index];
    const own = `${name === undefined || name === '' ? '' : `${name} `}${shown(type)}`;
    return isVariadic && index === args.length - 1 ? `VARIADIC ${own}` : own;
  });
  return `(${parts.join(', ')}) → ${givesSet ? 'SETOF ' : ''}${shown(result)}`;
}

/** How well a signature fits the written arguments: each differing type counts against it. */
function scoreOf({ label, parameters }: Signature, kinds: Kinds): number {
  const isVariadic = label.includes('VARIADIC');
  let score = isVariadic || kinds.length <= Math.max(parameters.length, 1) ? 0 : -10;
  for (const [index, kind] of kinds.entries()) {
    const place = parameters[Math.min(index, parameters.length - 1)];
    const type = place === undefined ? '' : label.slice(place.start, place.end).replace(/^VARIADIC /, '');
    const wanted = kindOfType(type) ?? kindOfType(type.slice(type.indexOf(' ') + 1));
    if (kind !== undefined && wanted !== undefined) score += kind === wanted ? 2 : -3;
  }
  return score;
}

/** The arguments between the outer parentheses. */
function parametersOf(signature: string): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  let start = 1;
  for (let index = 0; index < signature.length; index++) {
    const character = signature[index];
    if (character === '(') {
      depth++;
    } else if (character === ')') {
      depth--;
    }
    const isEnd = depth === 0 || (depth === 1 && character === ',');
    if (isEnd && index > start) {
      places.push({ start, end: index });
      start = index + 2;
    }
  }
  return places;
}
