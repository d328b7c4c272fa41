/** Converts PostgreSQL's positions (1-based code points) to lines and columns as in an editor. */
export interface LineColumn {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in Unicode code points. */
  readonly column: number;
}

/** Converts PostgreSQL's 1-based position in code points to a UTF-16 offset. */
export function offsetOfPosition(text: string, position: number): number {
  let offset = 0;
  for (let count = 1; count < position && offset < text.length; count += 1)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/** Converts an offset. As in an editor, a line ends with \n, \r\n or a lone \r. */
export function lineColumnOf(text: string, offset: number): LineColumn {
  const before = text.slice(0, offset);
  const breaks = [...before.matchAll(/\r\n|\r|\n/g)];
  const last = breaks.at(-1);
  const lineStart = last === undefined ? 0 : last.index + last[0].length;
  return { line: breaks.length + 1, column: Array.from(before.slice(lineStart)).length + 1 };
}
