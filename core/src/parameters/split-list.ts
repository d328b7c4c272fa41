/** Splits a pasted list into items. The form's page uses it, so this uses neither editor nor Node. */

/**
 * The items of a pasted list: one per line, or separated by commas. Quotes keep commas, line breaks and outer blanks;
 * doubled quotes inside mean one. Blank items are dropped, so a trailing comma or line is harmless; `""` is an empty
 * item.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  for (const match of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\r\n]*))\s*?(?:,|\r\n|\r|\n|$)/g)) {
    const [, quoted, bare = ''] = match;
    if (quoted !== undefined) items.push(quoted.replaceAll('""', '"'));
    else if (bare.trim() !== '') items.push(bare.trim());
  }
  return items;
}
