/** Maps positions in the sent text back to the document. */

export interface TextPosition {
  /** 0-based. */
  readonly line: number;
  /** 0-based, in UTF-16 code units. */
  readonly character: number;
}

export interface SentText {
  /** The text that was sent. */
  readonly sent: string;
  /** The original text, if the sent text contains literals. */
  readonly typed?: string | undefined;
  /** Maps an offset in the sent text to the original text. */
  readonly toTyped?: ((offset: number) => number) | undefined;
}

/**
 * @param start the position of the text in the document.
 * @param named the position reported by the service: 1-based, with columns in characters. Positions outside the text
 * are clamped to it.
 */
export function positionInDocument(
  { sent, typed = sent, toTyped = (offset) => offset }: SentText,
  start: TextPosition,
  named: { readonly line: number; readonly column: number },
): TextPosition {
  const offset = toTyped(offsetOf(sent, named));
  const before = typed.slice(0, offset);
  const lines = before.split(/\r\n|\n|\r/);
  const last = lines.at(-1) ?? '';
  const isFirst = lines.length === 1;
  return {
    line: start.line + lines.length - 1,
    character: isFirst ? start.character + last.length : last.length,
  };
}

function offsetOf(text: string, named: { readonly line: number; readonly column: number }): number {
  const lineStarts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length)];
  const index = Math.max(0, Math.min(lineStarts.length - 1, named.line - 1));
  const lineStart = lineStarts[index] ?? 0;
  const line = /^[^\r\n]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const characters = [...line].slice(0, Math.max(0, named.column - 1));
  return lineStart + characters.join('').length;
}

/** Returns the UTF-16 offset of a document position within text that starts at `start`. */
export function offsetWithin(text: string, start: TextPosition, position: TextPosition): number {
  const skipped = position.line - start.line;
  if (skipped === 0) return position.character - start.character;
  let offset = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    offset += 1;
    if (offset === skipped) return match.index + match[0].length + position.character;
  }
  return text.length;
}

/**
 * Finds a position in a statement again after edits around it, using the statement's nearest match. Undefined if the
 * statement itself changed.
 */
export function relocate(
  place: TextPosition,
  at: { readonly statement: string; readonly start: TextPosition; readonly text: string },
): TextPosition | undefined {
  const places: TextPosition[] = [];
  for (let from = at.text.indexOf(at.statement); from >= 0; from = at.text.indexOf(at.statement, from + 1)) {
    const before = at.text.slice(0, from).split(/\r\n|\n|\r/);
    places.push({ line: before.length - 1, character: before.at(-1)?.length ?? 0 });
    if (places.length === 100) break;
  }
  const distance = (start: TextPosition) => Math.abs(start.line - at.start.line);
  const [nearest] = places.sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined) return undefined;
  const line = place.line - at.start.line;
  return {
    line: nearest.line + line,
    character: line === 0 ? place.character - at.start.character + nearest.character : place.character,
  };
}
