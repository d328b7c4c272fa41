/** Compares texts ignoring the editor's own normalisation. */

/** The editor normalises mixed line endings and hides a byte order mark; neither makes a text different. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plainText(a) === plainText(b);
}

/** The normalised text. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
