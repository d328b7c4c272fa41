/** Findings with positions for users and programs: 1-based lines, 1-based columns in UTF-16 units. */
import { cutMiddle } from '#base/shown-text/cut.ts';
import { maxLengths } from '#base/shown-text/for-places.ts';
import type { Finding } from '#server/language/checks/finding.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import type { ResultTypes } from './result-types.ts';

export interface ReportedDiagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface CheckedFile {
  readonly file: string;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Set if result types were requested. */
  readonly results?: readonly ResultTypes[];
}

export function report(text: string, findings: readonly Finding[]): readonly ReportedDiagnostic[] {
  const lines = new LineIndex(text);
  return findings.map(({ code, severity, message, start, end }) => {
    const from = lines.positionAt(start);
    const to = lines.positionAt(end);
    return {
      code,
      severity,
      // A name in a text may be as long as the text.
      message: cutMiddle(message, maxLengths.details),
      line: from.line + 1,
      column: from.character + 1,
      endLine: to.line + 1,
      endColumn: to.character + 1,
    };
  });
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
