/**
 * Splits a pasted list into items. The form's page also uses this module, so it must not depend on the editor or Node.
 */

/**
 * Splits at commas and line breaks. Quotes preserve commas, line breaks and surrounding whitespace; a quote inside them
 * is doubled. Blank items are dropped, so a trailing comma or line break is harmless. `""` is an empty item.
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
