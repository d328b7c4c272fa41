/** Converts PostgreSQL's positions (1-based code points) to an editor's lines and columns. */
export interface LineColumn {
  /** From 1. */
  readonly line: number;
  /** 1-based, in characters (Unicode code points). */
  readonly column: number;
}

/** The UTF-16 offset of PostgreSQL's 1-based position in code points. */
export function offsetOfPosition(text: string, position: number): number {
  let offset = 0;
  for (let count = 1; count < position && offset < text.length; count += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** A line ends with \n, \r\n or a lone \r, as in an editor. */
export function lineColumnOf(text: string, offset: number): LineColumn {
  const before = text.slice(0, offset);
  const breaks = [...before.matchAll(/\r\n|\r|\n/g)];
  const last = breaks.at(-1);
  const lineStart = last === undefined ? 0 : last.index + last[0].length;
  return { line: breaks.length + 1, column: Array.from(before.slice(lineStart)).length + 1 };
}
