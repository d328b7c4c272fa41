/** What the checks say of a statement, as codes: compared afterwards with what the service did. */
import * as vscode from 'vscode';
import { rangeOf, type Prepared } from './prepared-run.ts';

/** Errors that came with the statement, and everything the editor shows on it while the document is as it was. */
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
