/** The results view in the panel below the editors, with one tab per result. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { views } from '#client/contributions.ts';
import type { Result } from '../result.ts';
import type { PanelServices } from './panel-services.ts';
import { ResultsPanel } from './results-panel.ts';
import {
  connectWebview,
  webviewOptions,
  type WebviewConnection,
  type WebviewDependencies,
} from './webview-connection.ts';

export class ResultsView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly panel: ResultsPanel;
  readonly #disposables = new DisposableStore();
  readonly #webview: WebviewDependencies;
  #view: vscode.WebviewView | undefined;
  #connection: WebviewConnection | undefined;
  readonly #resolved: () => void;

  /** @param resolved called when the view is created, before its page loads. */
  constructor(services: PanelServices, webview: WebviewDependencies, resolved: () => void) {
    this.#resolved = resolved;
    this.panel = new ResultsPanel(services);
    this.#webview = webview;
    this.#disposables.add(vscode.window.registerWebviewViewProvider(views.results, this));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#connection?.dispose();
    this.#view = view;
    this.#resolved();
    view.webview.options = webviewOptions(this.#webview);
    const connection = connectWebview(view.webview, this.panel, this.#webview);
    this.#connection = connection;
    view.onDidChangeVisibility(() => connection.setVisible(view.visible));
    view.onDidDispose(() => {
      connection.dispose();
      if (this.#view === view) this.#view = undefined;
    });
  }

  get isVisible(): boolean {
    return this.#view?.visible ?? false;
  }

  async reveal(result: Result, takeFocus: boolean): Promise<void> {
    this.panel.show(result);
    if (this.#view !== undefined) this.#view.show(!takeFocus);
    // The view does not exist yet. Only this command creates it, and it can preserve the focus.
    else await vscode.commands.executeCommand(`${views.results}.focus`, { preserveFocus: !takeFocus });
    if (takeFocus) this.panel.focus();
  }

  dispose(): void {
    this.#connection?.dispose();
    this.#disposables.dispose();
    for (const result of [...this.panel.results]) this.panel.remove(result);
  }
}
