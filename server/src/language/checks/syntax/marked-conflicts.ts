/** Reports conflict markers once, in place of the syntax errors that they cause. */
import { t } from '#base/texts.ts';
import { findConflictMarkers } from '#server/language/text/conflict-markers.ts';
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { finding, type Finding } from '../finding.ts';

const isSyntaxError = ({ code }: Finding): boolean => code === 'QUERY_PARSE_ERROR';

/** Returns the statements unchanged if those with markers parse. */
export function withMarkedConflicts(
  lexed: LexedText,
  statements: readonly AnalysedStatement[],
): readonly AnalysedStatement[] {
  const marked = findConflictMarkers(lexed);
  if (marked === undefined) return statements;
  let isReported = false;
  return statements.map((statement) => {
    const error = statement.findings.find(isSyntaxError);
    if (error === undefined || statement.end <= marked.start || statement.start >= marked.last)
      return statement;
    const others = statement.findings.filter((found) => !isSyntaxError(found));
    if (isReported) return { ...statement, findings: others };
    isReported = true;
    const message = t('The text still contains conflict markers (<<<<<<<). Resolve each conflict first.');
    const found = finding('QUERY_PARSE_ERROR', message, marked.start, marked.end);
    return { ...statement, findings: [{ ...found, severity: error.severity }, ...others] };
  });
}
