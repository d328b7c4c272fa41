/**
 * Splits a pasted list into items. The form's page also uses this module, so it must not depend on the editor or Node.
 */
import { bracedList } from './braced-list.ts';

/**
 * Splits at commas and line breaks. Quotes preserve commas, line breaks and surrounding whitespace; a quote inside them
 * is doubled. Blank items are dropped, so a trailing comma or line break is harmless. `""` is an empty item. A whole
 * array of PostgreSQL (`{a,"b c",NULL}`) or of JSON (`["a", null]`) has its own items; null is NULL.
 */
export function splitList(text: string): (string | null)[] {
  const array = arrayItems(text.trim());
  if (array !== undefined) return array;
  const items: string[] = [];
  for (const match of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\r\n]*))\s*?(?:,|\r\n|\r|\n|$)/g)) {
    const [, quoted, bare = ''] = match;
    if (quoted !== undefined) items.push(quoted.replaceAll('""', '"'));
    else if (bare.trim() !== '') items.push(bare.trim());
  }
  return items;
}

/** Quotes an item that would otherwise be split, trimmed or taken for an array. */
export function listItem(text: string): string {
  return /[",\r\n]|^[{[]/.test(text) || text.trim() !== text || text === ''
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Undefined if the text is no array, or one of more dimensions. */
function arrayItems(text: string): (string | null)[] | undefined {
  const list = text.startsWith('{') ? bracedList(text) : text.startsWith('[') ? jsonItems(text) : undefined;
  const items = list?.flatMap((item) => (item === null || typeof item === 'string' ? [item] : []));
  return items?.length === list?.length ? items : undefined;
}

/** Numbers keep all their digits. */
function jsonItems(text: string): readonly unknown[] | undefined {
  const digits = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' || typeof value === 'boolean' ? (context?.source ?? String(value)) : value;
  try {
    const list: unknown = JSON.parse(text, digits);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined; // not JSON, so its brackets belong to the items
  }
}
