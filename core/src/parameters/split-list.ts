/** A pasted list, item by item. The form's page counts with it, so this knows neither editor nor Node. */

/**
 * The items of a pasted list: one a line, or separated by commas. Quotes keep commas, line breaks and outer blanks;
 * doubled quotes inside them mean one. Blank items are dropped, so that a trailing comma or line is harmless; an empty
 * item is written `""`.
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
