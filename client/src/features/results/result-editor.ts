/** One result in an editor tab of its own, beside the query or in its group. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposables.ts';
import type { Result } from './result.ts';
import { ResultsPanel, type PanelServices } from './results-panel.ts';
import { connectWebview, webviewOptions, type WebviewDependencies } from './webview-connection.ts';

const viewType = 'identityQueries.result';

export class ResultEditor implements vscode.Disposable {
  readonly panel: ResultsPanel;
  readonly result: Result;
  readonly #disposables = new DisposableStore();
  readonly #editor: vscode.WebviewPanel;

  constructor(
    result: Result,
    options: {
      readonly column: vscode.ViewColumn;
      readonly services: PanelServices;
      readonly webview: WebviewDependencies;
      /** The person closed the tab. */
      readonly closed: (editor: ResultEditor) => void;
    },
  ) {
    this.result = result;
    this.panel = new ResultsPanel(options.services);
    this.panel.show(result);
    this.#editor = this.#disposables.add(
      vscode.window.createWebviewPanel(
        viewType,
        titleOf(result),
        { viewColumn: options.column, preserveFocus: true },
        { ...webviewOptions(options.webview), enableFindWidget: false },
      ),
    );
    this.#editor.iconPath = vscode.Uri.joinPath(options.webview.extensionUri, 'media', 'icon.svg');
    this.#disposables.add(connectWebview(this.#editor.webview, this.panel, options.webview));
    this.#disposables.add(this.#editor.onDidDispose(() => options.closed(this)));
  }

  get isActive(): boolean {
    return this.#editor.active;
  }

  draw(): void {
    this.#editor.title = titleOf(this.result);
    this.panel.draw();
  }

  reveal(takeFocus: boolean): void {
    if (!this.#editor.visible || takeFocus) this.#editor.reveal(undefined, !takeFocus);
    if (takeFocus) this.panel.focus();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.panel.remove(this.result);
  }
}

function titleOf(result: Result): string {
  return vscode.l10n.t('Result: {0}', result.tab().title);
}
