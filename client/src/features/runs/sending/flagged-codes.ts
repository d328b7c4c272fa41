/** The checks' finding codes for a statement: later compared with the service's response. */
import * as vscode from 'vscode';
import { rangeOf, type Prepared } from './prepared-run.ts';

/** Errors of the statement, and all findings shown on it while the document is unchanged. */
export function flaggedCodes({ document, documentVersion, statement }: Prepared): readonly string[] {
  const range = rangeOf(statement);
  const shown =
    document.version === documentVersion
      ? vscode.languages
          .getDiagnostics(document.uri)
          .filter((one) => one.severity !== vscode.DiagnosticSeverity.Hint && range.contains(one.range))
      : [];
  const codes = [...statement.errors, ...shown].map(({ code }) =>
    typeof code === 'object' ? code.value : code,
  );
  return [...new Set(codes.filter((code) => typeof code === 'string'))];
}
