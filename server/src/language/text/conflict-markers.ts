/** Finds the markers that a merge leaves around two versions of the same lines. */
import { TokenKind, type LexedText } from './lexer/tokens.ts';
import { endOfLineAt } from './lines.ts';

export interface MarkedText {
  /** UTF-16 offsets of the line with the first marker. */
  readonly start: number;
  readonly end: number;
  /** UTF-16 offset of the end of the last marker. */
  readonly last: number;
}

/**
 * Returns undefined if the text has no markers outside strings and comments. PostgreSQL allows operators with such
 * names, so only a text that does not parse is known to be in conflict.
 */
export function findConflictMarkers({ text, code }: LexedText): MarkedText | undefined {
  if (!text.includes('<<<<<<<')) return undefined;
  for (const { index: start } of text.matchAll(/^<{7}(?![^ \t\r\n])/gm)) {
    const token = code.at(start);
    if (code.start(token) === start && code.kind(token) === TokenKind.operator) {
      // The names of the versions follow the markers and may contain quotes, so later markers may be part of strings.
      const later = [...text.slice(start).matchAll(/^(?:={7}|>{7})(?![^ \t\r\n])/gm)].at(-1);
      return later && { start, end: endOfLineAt(text, start), last: start + later.index + later[0].length };
    }
  }
  return undefined;
}
