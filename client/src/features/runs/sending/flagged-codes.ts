/** Collects the codes of the findings for a statement, to compare them later with the service's response. */
import * as vscode from 'vscode';
import { rangeOf, type Prepared } from './prepared-run.ts';

/** Returns the codes of the statement's errors, and of all findings shown for it while the document is unchanged. */
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
