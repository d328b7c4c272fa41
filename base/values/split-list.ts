/**
 * Splits a pasted list into items. The form's page also uses this module, so it must not depend on the editor or Node.
 */
import { bracedList } from './braced-list.ts';

export interface ReadList {
  readonly items: readonly (string | null)[];
  /** The number of the first item that begins like an array or a quoted text and is none. */
  readonly oddItem?: number;
}

/**
 * Splits at commas and line breaks. Quotes preserve commas, line breaks and surrounding whitespace; a quote inside them
 * is doubled. Blank items are dropped, so a trailing comma or line break is harmless. `""` is an empty item. A whole
 * array of PostgreSQL (`{a,"b c",NULL}`) or of JSON (`["a", null]`) has its own items; null is NULL. A whole object of
 * JSON is one item. Any other item that looks like an array, a list of SQL or
 * a quoted text must be in quotes.
 */
export function readList(text: string): ReadList {
  const array = arrayItems(text.trim());
  if (array !== undefined) return { items: array };
  const items: string[] = [];
  let oddItem: number | undefined;
  for (const match of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\r\n]*))\s*?(?:,|\r\n|\r|\n|$)/g)) {
    const [, quoted, bare = ''] = match;
    if (quoted === undefined && bare.trim() === '') continue;
    items.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'));
    if (quoted === undefined && isOdd.test(bare.trim())) oddItem ??= items.length;
  }
  return { items, ...(oddItem === undefined ? {} : { oddItem }) };
}

/** What begins like an array, a quoted text, a text of SQL in its quotes, or a list of SQL. A name may begin with an apostrophe. */
const isOdd = /^(?:[{["]|'.*'$|\([^)]*$|\('|array\s*\[)/is;

/** The items of `readList`, odd or not. */
export function splitList(text: string): readonly (string | null)[] {
  return readList(text).items;
}

/** Quotes an item that would otherwise be split, trimmed or taken for an array. */
export function listItem(text: string): string {
  return /[",\r\n]/.test(text) || isOdd.test(text) || text.trim() !== text || text === ''
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Undefined if the text is no array, or one of more dimensions. */
function arrayItems(text: string): readonly (string | null)[] | undefined {
  const list = /^[{[]/.test(text) ? (bracedList(text) ?? jsonItems(text)) : undefined;
  const items = list?.flatMap((item) => (item === null || typeof item === 'string' ? [item] : []));
  return items?.length === list?.length ? items : undefined;
}

/** Numbers keep all their digits. An object is one item. */
function jsonItems(text: string): readonly unknown[] | undefined {
  const digits = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' || typeof value === 'boolean' ? (context?.source ?? String(value)) : value;
  try {
    const list: unknown = JSON.parse(text, digits);
    return Array.isArray(list) ? (list as readonly unknown[]) : [text];
  } catch {
    return undefined; // not JSON, so its brackets belong to the items
  }
}
