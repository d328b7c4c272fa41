/** Status bar item with the sum, average and count of the selected cells, as in spreadsheets. */
import * as vscode from 'vscode';
import type { Aggregate } from '../../../../core/src/rows/rows.ts';
import { createStatusBarItem } from '../../ui/shown/status-items.ts';
import { aggregateWords } from './aggregate-words.ts';

export class SelectionStatus implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(aggregate: Aggregate | undefined): void {
    if (aggregate === undefined) {
      this.#item?.hide();
      return;
    }
    // Created on first use: most windows never select cells.
    this.#item ??= createStatusBarItem('identityQueries.selection', vscode.StatusBarAlignment.Right, 200);
    const words = aggregateWords(aggregate, {
      language: vscode.env.language,
      translate: (message, ...values) => vscode.l10n.t(message, ...values),
    });
    this.#item.name = vscode.l10n.t('Selected Cells of the Result');
    this.#item.text = words.short;
    this.#item.tooltip = words.all.join('\n');
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}
