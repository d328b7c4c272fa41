/**
 * Keeps the findings of the last second pass visible until the next one finishes. An edit moves findings, and removes
 * those it touches. Otherwise, diagnostics in a large statement would flicker on every keystroke.
 */
import type { FindingCode } from '#base/finding-severities.ts';
import { editBetween } from '../text/lexer/edited-text.ts';
import type { Analysis } from './analysis.ts';
import type { Finding } from './finding.ts';
import { inspectionCodes } from './inspections/model.ts';

/** Codes that only the second pass reports. */
const ofSecondLook: ReadonlySet<FindingCode> = new Set<FindingCode>([
  ...inspectionCodes,
  'UNKNOWN_TABLE',
  'UNKNOWN_COLUMN',
  'AMBIGUOUS_COLUMN',
  'PARAMETER_TYPE',
  'UNUSED_SUPPRESSION',
]);

/** Findings shown for a document. */
export interface Shown {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Returns the findings of a first pass, plus earlier second-pass findings that have not been rechecked yet. */
export function withCarriedOver({ lexed, statements, findings }: Analysis, shown: Shown): readonly Finding[] {
  const edit = editBetween(shown.text, lexed.text);
  if (edit === undefined) return findings;
  const shift = lexed.text.length - shown.text.length;
  const behind = shown.text.length - edit.suffix;
  const isOpen = ({ code, start }: Finding): boolean =>
    code === 'UNUSED_SUPPRESSION' ||
    statements.some(
      (statement) => statement.isPartial === true && statement.start <= start && start <= statement.end,
    );
  const carried = shown.findings.flatMap((finding): readonly Finding[] => {
    if (!ofSecondLook.has(finding.code) || (finding.end > edit.prefix && finding.start < behind)) return [];
    const by = finding.end <= edit.prefix ? 0 : shift;
    const { code, severity, message, start, end } = finding;
    // The fix is dropped, since its edits may be stale.
    const moved = { code, severity, message, start: start + by, end: end + by };
    return isOpen(moved) ? [moved] : [];
  });
  return [...findings, ...carried].toSorted((a, b) => a.start - b.start);
}
