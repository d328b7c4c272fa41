/** Parses arrays and ranges, as PostgreSQL and as JSON write them. */
import { ExactNumber, jsonText, type JsonValue } from '#api/client/json.ts';
import { bracedList, type Nested } from '#base/values/braced-list.ts';

export interface ParsedList {
  /** The elements of all dimensions. */
  readonly items: readonly (string | null)[];
  readonly sizes: readonly number[];
}

export function listOf(text: string, parse: (text: string) => JsonValue): ParsedList | undefined {
  const nested =
    text.startsWith('[') && !/^\[-?\d+:-?\d+\]/.test(text) ? jsonList(text, parse) : bracedList(text);
  if (nested === undefined) return undefined;
  const sizes: number[] = [];
  for (let level: Nested = nested; typeof level === 'object' && level !== null; level = level[0] ?? null)
    sizes.push(level.length);
  const items: (string | null)[] = [];
  const flatten = (one: Nested): void => {
    if (Array.isArray(one)) for (const each of one as readonly Nested[]) flatten(each);
    else items.push(one as string | null); // not an array
  };
  flatten(nested);
  return { items, sizes: items.length === 0 ? [] : sizes };
}

function jsonList(text: string, parse: (text: string) => JsonValue): readonly Nested[] | undefined {
  try {
    const value = parse(text);
    return Array.isArray(value) ? value.map(nestedOf) : undefined;
  } catch {
    return undefined; // not JSON
  }
}

function nestedOf(value: JsonValue): Nested {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(nestedOf);
  return value instanceof ExactNumber ? value.text : jsonText(value);
}

export interface Range {
  readonly isEmpty: boolean;
  /** Undefined without a bound. */
  readonly lower: string | undefined;
  readonly upper: string | undefined;
  readonly hasLower: boolean;
  readonly hasUpper: boolean;
}

const bound = String.raw`("(?:[^"\\]|\\.|"")*"|[^",()[\]]*)`;
const range = new RegExp(String.raw`(empty)|([[(])${bound},${bound}([\])])`, 'y');

/** Parses `[1,5)` or `empty`, or the ranges of `{[1,5),[7,9)}`. */
export function rangesOf(text: string): readonly Range[] | undefined {
  const isMany = text.startsWith('{') && text.endsWith('}');
  const ranges: Range[] = [];
  const end = isMany ? text.length - 1 : text.length;
  let at = isMany ? 1 : 0;
  while (at < end) {
    range.lastIndex = at;
    const found = range.exec(text);
    if (found === null) return undefined;
    const [whole, empty, open, lower = '', upper = '', close] = found;
    ranges.push({
      isEmpty: empty !== undefined,
      lower: lower === '' ? undefined : plain(lower),
      upper: upper === '' ? undefined : plain(upper),
      hasLower: open === '[',
      hasUpper: close === ']',
    });
    at += whole.length;
    if (at < end && isMany && text[at] === ',') at += 1;
    else if (at < end) return undefined;
  }
  return isMany || ranges.length === 1 ? ranges : undefined;
}

function plain(text: string): string {
  return text.startsWith('"')
    ? text.slice(1, -1).replaceAll(/\\(.)|""/gs, (_, one?: string) => one ?? '"')
    : text;
}
