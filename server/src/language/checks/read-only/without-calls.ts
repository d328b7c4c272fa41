/** Removes calls that turn out to be none once the models are known, with what was found about them. */
import type { CalledPart } from '#server/protocol.ts';
import type { AnalysedStatement } from '../analysis.ts';

/** @param text the statement as it was parsed */
export function withoutCalls(
  statement: AnalysedStatement,
  text: string,
  none: readonly CalledPart[],
): AnalysedStatement {
  const { verdict, calls = [], findings, start } = statement;
  if (none.length === 0) return statement;
  const left = calls.filter((call) => !none.includes(call));
  const kept = new Set(left.map(lastName));
  const gone = new Set(none.map(lastName).filter((name) => !kept.has(name)));
  const isGone = (finding: { readonly start: number; readonly end: number }): boolean => {
    const own = text.slice(finding.start - start, finding.end - start);
    return gone.has(own.startsWith('"') ? own.slice(1, -1).replaceAll('""', '"') : own.toLowerCase());
  };
  return {
    ...statement,
    verdict: left.length === 0 ? 'read-only' : verdict,
    calls: left,
    findings: findings.filter((found) => found.code !== 'UNKNOWN_FUNCTION' || !isGone(found)),
  };
}

const lastName = ({ name }: CalledPart): string => name.slice(name.lastIndexOf('.') + 1);
