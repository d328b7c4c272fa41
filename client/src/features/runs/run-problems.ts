/**
 * Shows the service's errors as diagnostics, until the next edit or run. A mistake that a check already marks as an error
 * is not shown twice.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import { predictsRejection } from '#core/runs/disagreements.ts';

/** An error of the service; `isPlaced` if it marks a word rather than the statement. */
interface Reported {
  readonly diagnostic: vscode.Diagnostic;
  readonly isPlaced: boolean;
}

export class RunProblems implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #collection = this.#disposables.add(
    vscode.languages.createDiagnosticCollection('identity-queries-run'),
  );
  /** By URI. Several statements in a document may have failed. */
  readonly #reported = new Map<string, readonly Reported[]>();

  constructor() {
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)));
    this.#disposables.add(
      // The checks may finish after the run.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#show(uri);
      }),
    );
  }

  /** Reports a failure if it is a service error about the query itself. */
  report(document: vscode.TextDocument, failure: RunFailure, statement: vscode.Range): void {
    const isAboutQuery = failure.place !== undefined || (failure.details?.reasons.length ?? 0) > 0;
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
    const key = document.uri.toString();
    const isPlaced = failure.place !== undefined;
    this.#reported.set(key, [...(this.#reported.get(key) ?? []), { diagnostic, isPlaced }]);
    this.#show(document.uri);
  }

  clear(uri: vscode.Uri): void {
    this.#reported.delete(uri.toString());
    this.#collection.delete(uri);
  }

  #show(uri: vscode.Uri): void {
    const reported = this.#reported.get(uri.toString());
    if (reported === undefined) return;
    const marked = vscode.languages.getDiagnostics(uri).filter(isPredicted);
    const shown = reported
      .filter(({ diagnostic, isPlaced }) => !isPlaced || !marked.some((one) => overlap(one, diagnostic)))
      .map(({ diagnostic }) => diagnostic);
    // Each write is an event, so only a difference is written.
    const before = this.#collection.get(uri) ?? [];
    const isSame = (one: vscode.Diagnostic, index: number) =>
      one.message === before[index]?.message && one.range.isEqual(before[index].range);
    if (shown.length !== before.length || !shown.every(isSame)) this.#collection.set(uri, shown);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** Returns whether a finding of the checks is an error that the service reports as well. */
function isPredicted({ source, severity, code }: vscode.Diagnostic): boolean {
  return (
    source === checksSource &&
    severity === vscode.DiagnosticSeverity.Error &&
    predictsRejection(String(typeof code === 'object' ? code.value : code))
  );
}

const checksSource = 'Identity Queries';

const overlap = (one: vscode.Diagnostic, other: vscode.Diagnostic): boolean =>
  one.range.intersection(other.range)?.isEmpty === false;

/** Returns the range of the word at a position, or of one character, so that the marker is visible. */
function placeRange(
  document: vscode.TextDocument,
  place: { readonly line: number; readonly column: number },
): vscode.Range {
  const at = document.validatePosition(new vscode.Position(place.line - 1, place.column - 1));
  const word = document.getWordRangeAtPosition(at);
  return word ?? document.validateRange(new vscode.Range(at, at.translate(0, 1)));
}
