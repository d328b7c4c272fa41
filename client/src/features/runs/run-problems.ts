/** Shows the service's errors as diagnostics, until the next edit or run. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import type { RunFailure } from '../../../../core/src/runs/run-failure.ts';

export class RunProblems implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #collection = this.#disposables.add(
    vscode.languages.createDiagnosticCollection('identity-queries-run'),
  );

  constructor() {
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)));
  }

  /** Reports a failure if it is a service error about the query itself. */
  report(document: vscode.TextDocument, failure: RunFailure, statement: vscode.Range): void {
    const isAboutQuery = failure.place !== undefined || failure.reasons.length > 0;
    if (!isAboutQuery) return;
    const range = failure.place === undefined ? statement : placeRange(document, failure.place);
    const lines = [
      failure.message,
      ...failure.reasons.map((reason) => reason.message),
      ...(failure.hint === undefined ? [] : [vscode.l10n.t('Hint: {0}', failure.hint)]),
    ];
    const diagnostic = new vscode.Diagnostic(range, lines.join('\n'), vscode.DiagnosticSeverity.Error);
    diagnostic.source = vscode.l10n.t('Identity service');
    if (failure.code !== undefined) diagnostic.code = failure.code;
    // Several statements in a document may have failed.
    this.#collection.set(document.uri, [...(this.#collection.get(document.uri) ?? []), diagnostic]);
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** Returns the range of the word at a position, or of one character, so that the marker is visible. */
function placeRange(
  document: vscode.TextDocument,
  place: { readonly line: number; readonly column: number },
): vscode.Range {
  const at = document.validatePosition(new vscode.Position(place.line - 1, place.column - 1));
  const word = document.getWordRangeAtPosition(at);
  return word ?? document.validateRange(new vscode.Range(at, at.translate(0, 1)));
}
