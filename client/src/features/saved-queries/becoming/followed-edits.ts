/** Follows the edits and the cursors of a document from the moment its text was taken. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { plainText } from '#core/saved-queries/same-text.ts';
import type { Edit } from './replayed-edits.ts';

export class FollowedEdits implements DisposableLike {
  readonly document: vscode.TextDocument;
  /** The text at the start, with LF line endings. */
  readonly text: string;
  readonly #disposables = new DisposableStore();
  readonly #edits: Edit[] = [];
  #cursors: readonly vscode.Selection[];

  constructor(document: vscode.TextDocument) {
    this.document = document;
    this.text = plainText(document.getText());
    this.#cursors = editorOf(document)?.selections ?? [];
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument((event) => this.#note(event)));
    this.#disposables.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor.document === document) this.#cursors = selections;
      }),
    );
  }

  /** In order; each in the positions that the document had before it. */
  get edits(): readonly Edit[] {
    return this.#edits;
  }

  /**
   * The editor reports a cursor after the key that moved it, so a key that was just reported places the cursor behind
   * its own text.
   */
  get cursors(): readonly vscode.Selection[] {
    return this.#cursors;
  }

  /** Drops the oldest edits. */
  forget(count: number): void {
    this.#edits.splice(0, count);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #note({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.document) return;
    // Their positions are all those of the text before the event, so the last one comes first.
    const changes = [...contentChanges].sort((a, b) => b.rangeOffset - a.rangeOffset);
    for (const { range, text } of changes) {
      const edit = { start: range.start, end: range.end, text: plainText(text) };
      this.#edits.push(edit);
      const lines = edit.text.split('\n');
      const end = new vscode.Position(
        range.start.line + lines.length - 1,
        (lines.length === 1 ? range.start.character : 0) + (lines.at(-1)?.length ?? 0),
      );
      this.#cursors = [new vscode.Selection(end, end)];
    }
  }
}

export function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (activeTextEditor?.document === document) return activeTextEditor;
  return visibleTextEditors.find((editor) => editor.document === document);
}
