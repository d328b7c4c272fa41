/**
 * Renders values as literals in a query, for services without parameter support. Each value becomes one self-contained
 * expression, and offsets in the rendered SQL map back to the original SQL.
 */
import type { ParameterValue } from '#api/contract/execute.ts';
import { elementTypeOf, isListType } from '#base/values/value-types.ts';
import type { Placeholder } from '#server/language/text/placeholders.ts';

export interface LiteralValue {
  readonly value: ParameterValue;
  /** The type, if known; the literal is then cast to it. */
  readonly type?: string | undefined;
}

export interface Rendered {
  readonly text: string;
  /**
   * Maps an offset in the rendered SQL to the original SQL. An offset inside a literal maps to the start of its
   * placeholder.
   */
  readonly toTyped: (offset: number) => number;
}

/** Thrown for an empty list among other items in `IN (...)`, which cannot be rendered. */
export class EmptyListError extends Error {
  readonly parameter: string;

  constructor(parameter: string) {
    super(`The empty list :${parameter} shares its brackets with other values.`);
    this.name = 'EmptyListError';
    this.parameter = parameter;
  }
}

/**
 * Replaces placeholders with literals. A placeholder without a value is kept, so that the service reports it.
 * @throws EmptyListError.
 */
export function renderLiterals(
  statement: string,
  places: readonly Placeholder[],
  values: ReadonlyMap<string, LiteralValue>,
): Rendered {
  let text = '';
  let typedEnd = 0;
  const pieces: {
    readonly at: number;
    readonly length: number;
    readonly start: number;
    readonly end: number;
  }[] = [];
  const replace = (start: number, end: number, by: string) => {
    text += statement.slice(typedEnd, start);
    pieces.push({ at: text.length, length: by.length, start, end });
    text += by;
    typedEnd = end;
  };
  for (const { name, start, end } of [...places].sort((a, b) => a.start - b.start)) {
    const given = values.get(name);
    if (given === undefined) continue;
    if (!Array.isArray(given.value)) {
      replace(start, end, apart(statement, start, end, scalarLiteral(given.value, given.type)));
      continue;
    }
    const place = listPlace(statement, start, end);
    switch (place.kind) {
      case 'array':
        replace(start, end, apart(statement, start, end, arrayLiteral(given.value, given.type)));
        break;
      case 'in-alone':
        // Rewrite `x IN (list)` as `x = ANY (array)`, which also works for an empty list.
        if (given.value.length === 0) {
          replace(place.operator.start, place.operator.end, place.operator.isNot ? '<> ALL' : '= ANY');
          replace(start, end, arrayLiteral(given.value, given.type));
        } else
          replace(
            start,
            end,
            given.value.map((item) => scalarLiteral(item, elementOf(given.type))).join(', '),
          );
        break;
      case 'in-mixed':
        if (given.value.length === 0) throw new EmptyListError(name);
        replace(start, end, given.value.map((item) => scalarLiteral(item, elementOf(given.type))).join(', '));
        break;
      default:
        place satisfies never;
    }
  }
  text += statement.slice(typedEnd);
  return { text, toTyped };

  function toTyped(offset: number): number {
    let shift = 0;
    for (const piece of pieces) {
      if (offset < piece.at) break;
      if (offset < piece.at + piece.length) return piece.start;
      shift = piece.end - (piece.at + piece.length);
    }
    return Math.min(offset + shift, statement.length);
  }
}

type Scalar = Exclude<ParameterValue, readonly unknown[]>;

/** Renders one expression that is valid, and means the same, wherever a parameter is: a cast is a function call. */
function scalarLiteral(value: Scalar, type?: string): string {
  const cast = castType(type);
  if (value === null) return cast === undefined ? 'NULL' : `CAST(NULL AS ${cast})`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' && (cast === undefined || cast === 'int4')) {
    // Parentheses, because two adjacent minus signs would start a comment.
    return value < 0 || Object.is(value, -0) ? `(${String(value)})` : String(value);
  }
  const quoted = quote(String(value));
  return cast === undefined ? quoted : `CAST(${quoted} AS ${cast})`;
}

function arrayLiteral(values: readonly Scalar[], type: string | undefined): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, (character) => `\\${character}`)}"`,
  );
  const quoted = quote(`{${items.join(',')}}`);
  const cast = castType(elementOf(type));
  // Without parentheses, a following `[1]` would be a syntax error.
  return cast === undefined ? quoted : `(CAST(${quoted} AS ${cast}[]))`;
}

/**
 * Quotes a string exactly. A string with a backslash needs the E form, which has the same meaning with and without
 * standard_conforming_strings.
 */
function quote(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** Returns the type name for a cast; undefined for text, and for anything that is not clearly a type name. */
function castType(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  const element = elementTypeOf(type);
  if (element === 'text' || !/^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/.test(element)) return undefined;
  const size = /\(\s*\d+\s*(?:,\s*-?\d+\s*)?\)/.exec(type)?.[0] ?? '';
  return element === 'numeric' ? `${element}${size}` : element;
}

function elementOf(type: string | undefined): string | undefined {
  return type !== undefined && isListType(type) ? type.trimEnd().slice(0, -2) : type;
}

/** Adds spaces where the literal would merge with an adjacent word: `x:a` is two tokens, but `x'a'` may be one. */
function apart(statement: string, start: number, end: number, literal: string): string {
  const before = /[\p{L}\p{N}_$&-]$/u.test(statement.slice(Math.max(0, start - 2), start)) ? ' ' : '';
  const after = /^[\p{L}\p{N}_$']/u.test(statement.slice(end, end + 2)) ? ' ' : '';
  return `${before}${literal}${after}`;
}

type ListPlace =
  | { readonly kind: 'array' }
  | { readonly kind: 'in-mixed' }
  | {
      readonly kind: 'in-alone';
      readonly operator: { readonly start: number; readonly end: number; readonly isNot: boolean };
    };

/** Whitespace and comments between two tokens. */
const gap = String.raw`(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*`;
const inAlone = new RegExp(String.raw`\b((?:(NOT)${gap})?IN)${gap}\(${gap}$`, 'diu');
const inMixed = new RegExp(String.raw`\bIN${gap}\([^()]*,${gap}$`, 'iu');
const closing = new RegExp(String.raw`^${gap}\)`, 'u');
/** Number of characters to search on each side of a list. */
const lookAroundChars = 2_000;

function listPlace(statement: string, start: number, end: number): ListPlace {
  const from = Math.max(0, start - lookAroundChars);
  const before = statement.slice(from, start);
  const first = inAlone.exec(before);
  const [operatorStart, operatorEnd] = first?.indices?.[1] ?? [];
  if (first === null || operatorStart === undefined || operatorEnd === undefined)
    return { kind: inMixed.test(before) ? 'in-mixed' : 'array' };
  if (!closing.test(statement.slice(end, end + lookAroundChars))) return { kind: 'in-mixed' };
  const operator = { start: from + operatorStart, end: from + operatorEnd, isNot: first[2] !== undefined };
  return { kind: 'in-alone', operator };
}
