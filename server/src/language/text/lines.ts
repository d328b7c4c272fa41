/** Line positions in text. As in the Language Server Protocol, CR LF, LF and CR each end a line. */

export interface LinePosition {
  /** 0-based line and character; the character is a UTF-16 offset in the line. */
  readonly line: number;
  readonly character: number;
}

export class LineIndex {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = lineStarts(text);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  positionAt(offset: number): LinePosition {
    const clamped = Math.min(Math.max(offset, 0), this.#text.length);
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= clamped) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return { line: low, character: clamped - (this.#starts[low] ?? 0) };
  }

  /** Clamps positions past the end of a line or of the text. */
  offsetAt({ line, character }: LinePosition): number {
    const start = this.#starts[line];
    if (start === undefined) return line < 0 ? 0 : this.#text.length;
    return Math.min(start + Math.max(character, 0), endOfLineAt(this.#text, start));
  }
}

/** Returns the end of the line that contains the offset, without its line break. Looks no further than `limit`. */
export function endOfLineAt(text: string, offset: number, limit = text.length): number {
  const last = Math.min(limit, text.length);
  let end = offset;
  while (end < last && text[end] !== '\n' && text[end] !== '\r') end++;
  return end;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    return starts;
  }
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 10 || (character === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}
