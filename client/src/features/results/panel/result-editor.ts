/** A result in its own editor tab, beside the query or in the query's group. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { createWebviewPanel } from '#client/ui/shown/webview-panels.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { runTitle } from '#core/runs/run-title.ts';
import type { Result } from '../result.ts';
import type { PanelServices } from './panel-services.ts';
import { ResultsPanel } from './results-panel.ts';
import { connectWebview, webviewOptions, type WebviewDependencies } from './webview-connection.ts';

/** Also used in an activation event, since the editor restores these tabs with the window. */
export const resultViewType = 'identityQueries.result';

export class ResultEditor implements vscode.Disposable {
  readonly panel: ResultsPanel;
  readonly result: Result;
  readonly #disposables = new DisposableStore();
  readonly #editor: vscode.WebviewPanel;

  constructor(
    result: Result,
    options: {
      /** The column for a new tab, or the restored tab. */
      readonly place: vscode.ViewColumn | vscode.WebviewPanel;
      readonly services: PanelServices;
      readonly webview: WebviewDependencies;
      /** Called when the user closes the tab. */
      readonly closed: (editor: ResultEditor) => void;
    },
  ) {
    this.result = result;
    this.panel = new ResultsPanel(options.services, { isNamed: true });
    this.panel.show(result);
    const { place } = options;
    this.#editor = this.#disposables.add(
      typeof place === 'number'
        ? createWebviewPanel(
            resultViewType,
            editorTitleOf(result),
            { viewColumn: place, preserveFocus: true },
            { ...webviewOptions(options.webview), enableFindWidget: false },
          )
        : place,
    );
    this.#editor.webview.options = webviewOptions(options.webview);
    this.#editor.iconPath = vscode.Uri.joinPath(options.webview.extensionUri, 'media', 'icon.svg');
    const connection = this.#disposables.add(
      connectWebview(this.#editor.webview, this.panel, options.webview),
    );
    // The first report about a new tab without the focus may come after the request to focus it.
    let wasActive = false;
    this.#disposables.add(
      this.#editor.onDidChangeViewState(({ webviewPanel }) => {
        connection.setVisible(webviewPanel.visible);
        if (wasActive && !webviewPanel.active) this.panel.leave();
        wasActive = webviewPanel.active;
      }),
    );
    this.#disposables.add(this.#editor.onDidDispose(() => options.closed(this)));
  }

  get isVisible(): boolean {
    return this.#editor.visible;
  }

  get isActive(): boolean {
    return this.#editor.active;
  }

  draw(): void {
    this.#editor.title = editorTitleOf(this.result);
    this.panel.draw();
  }

  reveal(takeFocus: boolean): void {
    if (!this.#editor.visible || takeFocus) this.#editor.reveal(undefined, !takeFocus);
    if (takeFocus) this.panel.focus();
  }

  /** Closes the tab; the result moves to another panel. */
  release(): void {
    this.panel.release(this.result);
    this.dispose();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.panel.remove(this.result);
  }
}

export function editorTitleOf({ header }: { readonly header: RunHeader }): string {
  return vscode.l10n.t('Result: {0}', runTitle(header));
}
