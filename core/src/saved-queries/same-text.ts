/** Compares text, ignoring the editor's own normalization. */

/** The editor normalizes mixed line endings and hides a byte order mark, so neither counts as a difference. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plainText(a) === plainText(b);
}

/** Removes the byte order mark and converts line endings to LF. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
