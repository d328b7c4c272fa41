/** Results as read-only text documents, opened on request or if the panel's page does not load. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { rowWords } from '#client/ui/row-words.ts';
import { showFromRows } from '#client/ui/show-document.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { versionTitle } from '#core/runs/run-title.ts';
import type { Result } from '../result.ts';
import { textRowsMax, textTable } from './text-table.ts';

const scheme = 'identity-query-rows';

export class TextDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    this.#disposables.add(registerTextDocumentContentProvider(scheme, this));
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Opens the current rows of a result. @returns false if the result has no rows. */
  async show(result: Result, options: vscode.TextDocumentShowOptions): Promise<boolean> {
    const { state, data, header } = result;
    if (state.kind !== 'rows' || data === undefined) return false;
    const table = await textTable({
      columns: state.columns,
      order: result.shownColumns,
      rowCount: state.viewRowCount,
      data,
    });
    const text = [
      versionTitle(header),
      ...[header.connection, header.model].filter((fact) => fact !== undefined),
      rowWords(state.viewRowCount),
      ...(state.viewRowCount > textRowsMax
        ? [vscode.l10n.t('The first {0} rows follow. Export to get all of them.', textRowsMax)]
        : []),
      ...(state.extent === 'complete' ? [] : [vscode.l10n.t('The service has more rows than were loaded.')]),
      '',
      ...table,
      '',
    ].join('\n');
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme,
      path: `/${this.#count}/${forFileName(header.title).replaceAll('/', '-')}.txt`,
    });
    this.#texts.set(uri.toString(), text);
    await showFromRows(uri, options);
    return true;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
