/** Places the service names in the text it was sent, found again in the document that text was taken from. */

export interface TextPosition {
  /** 0-based. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly character: number;
}

/**
 * @param sent the text as it was sent.
 * @param start where it begins in the document.
 * @param named the service's place: 1-based, columns counted in characters. What lies outside is moved to the nearest
 *   place inside.
 */
export function positionInDocument(
  sent: string,
  start: TextPosition,
  named: { readonly line: number; readonly column: number },
): TextPosition {
  const lines = sent.split(/\r\n|\n|\r/);
  const index = Math.max(0, Math.min(lines.length - 1, named.line - 1));
  const characters = [...(lines[index] ?? '')].slice(0, Math.max(0, named.column - 1));
  const units = characters.join('').length;
  return { line: start.line + index, character: index === 0 ? start.character + units : units };
}
