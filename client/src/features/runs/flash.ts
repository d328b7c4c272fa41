/** Briefly highlights the executed part of a document. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';

const shownMs = 700;

export class Flash implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #decoration = this.#disposables.add(
    vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
      border: '1px solid',
      borderColor: new vscode.ThemeColor('editor.rangeHighlightBorder'),
    }),
  );
  #timer: NodeJS.Timeout | undefined;

  show(document: vscode.TextDocument, range: vscode.Range): void {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    for (const editor of editors) editor.setDecorations(this.#decoration, [range]);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.#decoration, []);
    }, shownMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }
}
