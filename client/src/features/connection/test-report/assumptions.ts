/** The assumptions part of a connection test, which sends only read requests. */
import type { ExamineOptions } from '#api/client/doctor/examine.ts';
import type { Finding, Verdict } from '#api/client/doctor/finding.ts';
import { UserAbort } from '#api/client/errors.ts';
import { findingWords, summaryOf, verdictWord } from '#core/doctor/finding-messages.ts';
import { failureOf } from '#core/failures/failure.ts';

export interface AssumptionRow {
  readonly id: string;
  readonly verdict: Verdict;
  /** Display text of the verdict. */
  readonly word: string;
  readonly title: string;
  /** The observation and its consequence; empty if the assumption holds. */
  readonly text: string;
}

export interface AssumptionsReport {
  readonly summary: string;
  readonly rows: readonly AssumptionRow[];
}

/** @throws UserAbort if cancelled; other failures are reported in the summary. */
export async function askAssumptions(options: ExamineOptions): Promise<AssumptionsReport> {
  const { examine } = await import('#api/client/doctor/examine.ts');
  try {
    const findings: Finding[] = [];
    for await (const finding of examine(options)) findings.push(finding);
    return assumptionsReport(findings);
  } catch (error) {
    if (error instanceof UserAbort) throw error;
    const failure = failureOf(error);
    if (failure.kind === 'cancelled') throw error;
    return { summary: failure.message, rows: [] };
  }
}

/** Lists differences first, then unknowns. */
export function assumptionsReport(findings: readonly Finding[]): AssumptionsReport {
  const order: readonly Verdict[] = ['differs', 'unknown', 'holds'];
  const rows = order.flatMap((verdict) =>
    findings.filter((finding) => finding.verdict === verdict).map(rowOf),
  );
  return { summary: summaryOf(findings), rows };
}

function rowOf(finding: Finding): AssumptionRow {
  const { id, verdict } = finding;
  const { title, found, meaning = '' } = findingWords(finding);
  const text = verdict === 'holds' ? '' : `${found} ${meaning}`.trim();
  return { id, verdict, word: verdictWord(verdict), title, text };
}
