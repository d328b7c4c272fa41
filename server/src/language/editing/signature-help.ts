/** Finds the call around the cursor, its active argument, and the best matching overload. */
import type { NameContext } from '../names/name-context.ts';
import { nameAt } from '../text/identifiers.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';
import type { TypeCatalogue } from '../types/catalogue/catalogue.ts';
import { FunctionKinds } from './function-kinds.ts';
import { knownFunctions } from './functions.ts';
import { overloadsWritten } from './overloads.ts';
import type { Place } from './rename.ts';
import { TokenTypes } from './token-types.ts';
import { kindOfType } from './type-kinds.ts';

export interface Signature {
  readonly label: string;
  readonly documentation: string;
  /** The parameters' ranges in the label. */
  readonly parameters: readonly Place[];
}

export interface Signatures {
  /** Never empty. */
  readonly signatures: readonly Signature[];
  /** Index of the signature that best matches the written arguments. */
  readonly active: number;
  readonly activeParameter: number;
}

export interface SignatureContext {
  readonly names: NameContext;
  /** Returns PostgreSQL's functions; if undefined, only the functions that completion offers are known. */
  readonly catalogue: () => TypeCatalogue | undefined;
}

export function signatureAt(
  lexed: LexedText,
  offset: number,
  context: SignatureContext,
): Signatures | undefined {
  const { code } = lexed;
  const tools = { ...context, functions: new FunctionKinds(context.catalogue) };
  // A parenthesis or comma counts only once the cursor is after it.
  let index = code.at(offset) - 1;
  const end = index + 1;
  let depth = 0;
  /** The end of each argument, in reverse order. */
  const ends = [end];
  for (; index >= 0; index--) {
    if (code.is(index, ';')) return undefined;
    if (code.is(index, ')') || code.is(index, ']')) {
      depth++;
    } else if (code.is(index, '(') || code.is(index, '[')) {
      if (depth > 0) {
        depth--;
      } else {
        const name = code.is(index, '[') ? undefined : nameAt(code, index - 1);
        return name === undefined
          ? undefined
          : signaturesOf(
              name,
              {
                types: typesOf(lexed, ends.toReversed(), index, tools),
                names: namesOf(lexed, ends.toReversed(), index),
              },
              tools,
            );
      }
    } else if (depth === 0 && code.is(index, ',')) {
      ends.push(index);
    }
  }
  return undefined;
}

interface SignatureTools extends SignatureContext {
  readonly functions: FunctionKinds;
}

type Types = readonly (string | undefined)[];

interface Given {
  readonly types: Types;
  /** The name of each argument written as `name => value`. */
  readonly names: Types;
}

function namesOf({ code }: LexedText, ends: readonly number[], open: number): Types {
  return ends.map((end, index) => {
    const first = (ends[index - 1] ?? open) + 1;
    const isNamed = end > first + 1 && (code.is(first + 1, '=>') || code.is(first + 1, ':='));
    return isNamed ? nameAt(code, first) : undefined;
  });
}

/** Returns the type of each written argument up to the cursor; undefined where the tokens do not determine it. */
function typesOf(
  { code, ...lexed }: LexedText,
  ends: readonly number[],
  open: number,
  tools: SignatureTools,
): Types {
  const span = splitStatements({ code, ...lexed }).findLast(({ firstToken }) => firstToken <= open);
  if (span === undefined) return ends.map(() => undefined);
  const types = new TokenTypes(code, span, open, tools);
  return ends.map((end, index) => {
    const written = (ends[index - 1] ?? open) + 1;
    const isNamed = code.is(written + 1, '=>') || code.is(written + 1, ':=');
    const first = isNamed ? written + 2 : written;
    return end > first ? tools.functions.shown(types.typeBetween(first, end)) : undefined;
  });
}

/** Maximum number of overloads in the list. */
const overloadsMax = 12;

function signaturesOf(
  name: string,
  { types, names }: Given,
  { functions, catalogue: read }: SignatureTools,
): Signatures | undefined {
  const known = knownFunctions.find((each) => each.name === name);
  const all = overloadsWritten(name, read()).map((text): Signature => ({
    label: `${name}${text}`,
    documentation: known?.description ?? '',
    parameters: parametersOf(text.slice(0, text.lastIndexOf(' → '))).map(({ start, end }) => ({
      start: start + name.length,
      end: end + name.length,
    })),
  }));
  const scores = all.map((signature) => {
    const places = placesOf(signature, names);
    const given = signature.parameters.map((_, place) => types[places.indexOf(place)]);
    const plain = names.every((each) => each === undefined) ? types : given;
    return scoreOf(signature, plain, functions) - (places.includes(-1) ? 100 : 0);
  });
  const most = scores.reduce((best, own) => Math.max(best, own), -Infinity);
  const best = all[scores.indexOf(most)];
  if (best === undefined) return undefined;
  const first = all.slice(0, overloadsMax);
  const signatures = first.includes(best) ? first : [...first.slice(0, -1), best];
  const argument = placesOf(best, names).at(-1) ?? 0;
  const last = best.parameters.at(-1);
  const isVariadic = last !== undefined && best.label.startsWith('VARIADIC', last.start);
  return {
    signatures,
    active: signatures.indexOf(best),
    activeParameter: isVariadic ? Math.min(argument, best.parameters.length - 1) : Math.max(argument, 0),
  };
}

/** Returns which parameter each argument is for; -1 if the signature has none of its name. */
function placesOf({ label, parameters }: Signature, names: Types): readonly number[] {
  const own = parameters.map(({ start, end }) => label.slice(start, end).replace(/^(?:VARIADIC|INOUT) /, ''));
  const given = names.map((name) =>
    name === undefined ? undefined : own.findIndex((each) => each.startsWith(`${name} `)),
  );
  const hasNames = names.some((name) => name !== undefined);
  const taken = new Set(given);
  return given.map((place, index) => {
    if (place !== undefined) return place;
    // Behind a named argument, only another named one can follow: the next parameter that has no value yet.
    const isBehind = hasNames && names.slice(0, index).some((name) => name !== undefined);
    const positional = names.findIndex((name) => name !== undefined);
    const free = isBehind
      ? own.findIndex((_, parameter) => parameter >= positional && !taken.has(parameter))
      : index;
    return Math.max(free, 0);
  });
}

/**
 * Scores how well a signature matches the written arguments. An equal type counts most, then the preferred type of the
 * same kind; a different kind counts against the signature.
 */
function scoreOf({ label, parameters }: Signature, given: Types, functions: FunctionKinds): number {
  const isVariadic = label.includes('VARIADIC');
  let score = isVariadic || given.length <= Math.max(parameters.length, 1) ? 0 : -100;
  for (const [index, type] of given.entries()) {
    const place = parameters[Math.min(index, parameters.length - 1)];
    const own = place === undefined ? '' : label.slice(place.start, place.end).replace(/^VARIADIC /, '');
    const plain = kindOfType(own) === undefined ? own.slice(own.indexOf(' ') + 1) : own;
    const kind = kindOfType(type);
    const wanted = kindOfType(plain);
    if (type === plain) score += 4;
    else if (kind !== undefined && wanted !== undefined) {
      score += kind !== wanted ? -6 : functions.isPreferred(plain) ? 3 : 2;
    }
  }
  return score;
}

/** Returns the ranges of the parameters inside the outer parentheses. */
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
