/** Texts as they are told apart: without what the editor changes by itself. */

/** The editor normalises mixed line ends and hides a byte order mark; neither makes a text another one. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plainText(a) === plainText(b);
}

/** Without those. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
