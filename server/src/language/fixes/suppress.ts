/** Inserts comments that suppress a finding, for its line or for the whole text. */
import { t } from '#base/texts.ts';
import type { Finding } from '../checks/finding.ts';
import { neverSuppressed } from '../checks/suppressions.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { endOfLineAt } from '../text/lines.ts';
import type { Action } from './action.ts';

const reason = 'reason';

export function suppress(lexed: LexedText, finding: Finding): readonly Action[] {
  const { code, start } = finding;
  if (neverSuppressed.has(code) || code === 'UNUSED_SUPPRESSION') return [];
  const { text } = lexed;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const write = (title: string, at: number, comment: string): Action => ({
    title,
    kind: 'quickfix',
    finding,
    edits: [{ start: at, end: at, newText: `${comment}: ${reason}${lineEnd}` }],
    placeholder: reason,
  });
  const file = write(t('Ignore {0} in this text', code), 0, `-- identity-queries-ignore-file ${code}`);
  const lineStart = startOfLine(text, start);
  if (!hasCode(lexed, lineStart, start) || isInsideToken(lexed, lineStart)) return [file];
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  return [write(t('Ignore {0} here', code), lineStart, `${indent}-- identity-queries-ignore ${code}`), file];
}

function startOfLine(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return start;
}

/** A comment applies to the next line of SQL, which must be the line of the finding. */
function hasCode({ text, code }: LexedText, lineStart: number, offset: number): boolean {
  const next = code.start(code.at(lineStart));
  return next >= lineStart && next <= endOfLineAt(text, offset) && next < text.length;
}

/** Inside a multi-line string or comment, a new line would become part of it. */
function isInsideToken({ all }: LexedText, offset: number): boolean {
  const token = all.at(offset);
  return all.start(token) < offset && all.kind(token) !== TokenKind.whitespace;
}
