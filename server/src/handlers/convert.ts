/** Converts analysis offsets and messages to the protocol's types. */
import { DiagnosticSeverity, type Diagnostic, type Range } from 'vscode-languageserver-types';
import type { Severity } from '#base/finding-severities.ts';
import { forLines } from '#base/shown-text/for-places.ts';
import type { Finding } from '../language/checks/finding.ts';
import type { LineIndex } from '../language/text/lines.ts';
import type { Explain } from './explanations.ts';

/** Shown next to every diagnostic to identify its source. */
const source = 'Identity Queries';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** @param base offset of the analyzed text in the document */
export function toRange(lines: LineIndex, start: number, end: number, base = 0): Range {
  return { start: lines.positionAt(base + start), end: lines.positionAt(base + end) };
}

export function toDiagnostic(lines: LineIndex, finding: Finding, explain: Explain, base = 0): Diagnostic {
  const href = explain(finding.code);
  return {
    range: toRange(lines, finding.start, finding.end, base),
    severity: severities[finding.severity],
    code: finding.code,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    source,
    // The message may quote untrusted names from the text.
    message: forLines(finding.message),
  };
}
