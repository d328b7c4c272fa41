/** Findings about the document as a whole: empty, too long, or more than one statement. */
import { locale, t } from '#base/texts.ts';
import { findConflictMarkers } from '#server/language/text/conflict-markers.ts';
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import { endOfLineAt } from '#server/language/text/lines.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { queryLengthMax, type AnalysisOptions } from '../analysis.ts';
import { finding, type Finding } from '../finding.ts';
import { limitFinding, limitOf } from '../text-limits.ts';

export function checkWhole(
  lexed: LexedText,
  spans: readonly StatementSpan[],
  { isSavedQuery }: AnalysisOptions,
): readonly Finding[] {
  const { text, code } = lexed;
  const findings: Finding[] = [];
  const limit = limitOf(lexed);
  if (limit !== undefined) findings.push(limitFinding(text, limit));
  if (spans.length === 0) {
    const empty = finding(
      'EMPTY_QUERY',
      t('There is no statement here. Write a SELECT.'),
      0,
      endOfLineAt(text, 0),
    );
    findings.push(isSavedQuery ? empty : { ...empty, severity: 'hint' });
  }
  const second = spans[1];
  // Conflict markers are reported instead, since one of the statements will go.
  if (isSavedQuery && second !== undefined && findConflictMarkers(lexed) === undefined) {
    const message = t(
      'A saved query is a single statement, but this text has {0}. Save each as its own query.',
      spans.length,
    );
    findings.push(finding('MULTIPLE_STATEMENTS', message, second.start, code.end(second.firstToken)));
  }
  return [...findings, ...lengthFindings(text)];
}

export function lengthFindings(text: string): readonly Finding[] {
  const limit = offsetPastLimit(text);
  if (limit === undefined) return [];
  const message = t(
    'The text is longer than {0} characters, the limit of the service. Shorten it.',
    queryLengthMax.toLocaleString(locale()),
  );
  return [finding('QUERY_TOO_LONG', message, limit, Math.max(limit + 1, endOfLineAt(text, limit)))];
}

/** Returns the offset at which the text exceeds the limit, which counts code points; undefined if it does not. */
function offsetPastLimit(text: string): number | undefined {
  if (text.length <= queryLengthMax) return undefined;
  let offset = 0;
  for (let characters = 0; characters < queryLengthMax; characters++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset < text.length ? offset : undefined;
}
