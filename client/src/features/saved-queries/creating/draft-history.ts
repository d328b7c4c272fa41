/** Records the steps of open drafts, so that typed text can be undone after a draft was saved as a query. */
import * as vscode from 'vscode';
import { languageId } from '../../../../../server/src/protocol.ts';
import { DraftSteps } from '../../../../../core/src/saved-queries/draft-steps.ts';
import { DisposableStore } from '../../../../../core/src/util/disposables.ts';

export class DraftHistory implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  /** By URI. */
  readonly #drafts = new Map<string, DraftSteps>();

  constructor() {
    for (const document of vscode.workspace.textDocuments) this.#begin(document);
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument((document) => this.#begin(document)));
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument((event) => this.#note(event)));
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // A change of the language closes nothing.
        if (isClosed) this.#drafts.delete(uri.toString());
      }),
    );
  }

  /** Returns the earlier texts of a draft, oldest first. */
  earlierTexts({ uri }: vscode.TextDocument): readonly string[] {
    return this.#drafts.get(uri.toString())?.earlier ?? [];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #begin(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (document.isUntitled && document.languageId === languageId && !this.#drafts.has(key))
      this.#drafts.set(key, new DraftSteps(document.getText()));
  }

  #note({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const steps = this.#drafts.get(document.uri.toString());
    if (steps === undefined || contentChanges.length === 0) return;
    if (reason === vscode.TextDocumentChangeReason.Undo) {
      steps.noteUndo(document.getText());
      return;
    }
    const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      offset: rangeOffset,
      removed: rangeLength,
      text,
    }));
    steps.note(document.getText(), changes);
  }
}
