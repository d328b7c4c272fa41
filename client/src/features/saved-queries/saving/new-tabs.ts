/** Tells tabs that were opened in this window from those that the editor restored. */
import * as vscode from 'vscode';
import { allTabs, uriOfTab } from '#client/ui/shown-uris.ts';

export class NewTabs implements vscode.Disposable {
  /** URIs of the restored tabs that are still open. */
  readonly #restored = new Set(allTabs().map((tab) => uriOfTab(tab)?.toString()));
  readonly #listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const tab of closed) this.#restored.delete(uriOfTab(tab)?.toString());
  });

  /** Returns a tab that shows this text alone and was opened in this window. */
  of(uri: vscode.Uri): vscode.Tab | undefined {
    return this.#restored.has(uri.toString()) ? undefined : tabsOfText(uri)[0];
  }

  dispose(): void {
    this.#listener.dispose();
  }
}

export function tabsOfText(uri: vscode.Uri): readonly vscode.Tab[] {
  const address = uri.toString();
  return allTabs().filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address,
  );
}
