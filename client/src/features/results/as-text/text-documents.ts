/** Results as read-only text documents, opened on request or if the panel's page does not load. */
import * as vscode from 'vscode';
import { rowWords } from '#client/ui/format-row-count.ts';
import { showFromRows } from '#client/ui/show-document.ts';
import { MadeDocuments } from '#client/ui/shown/made-documents.ts';
import { fileTitle } from '#core/runs/run-title.ts';
import type { Result } from '../result.ts';
import { textRowsMax, textTable } from './text-table.ts';

export class TextDocuments implements vscode.Disposable {
  readonly #documents = new MadeDocuments('identity-query-rows', () => '');

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
      fileTitle(header),
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
    await showFromRows(this.#documents.add(`${header.title}.txt`, text), options);
    return true;
  }

  dispose(): void {
    this.#documents.dispose();
  }
}
