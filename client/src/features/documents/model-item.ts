/** Status bar item with the active query's model. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import { languageId } from '#server/protocol.ts';
import type { DocumentModels } from './document-models.ts';

export class ModelItem implements vscode.Disposable {
  readonly #documentModels: Pick<DocumentModels, 'modelOf'>;
  readonly #item = createStatusBarItem('identityQueries.model', vscode.StatusBarAlignment.Right, 100);

  constructor(documentModels: Pick<DocumentModels, 'modelOf'>) {
    this.#documentModels = documentModels;
    this.#item.name = vscode.l10n.t('Model of the Query');
    this.#item.command = commands.querySelectModel;
  }

  draw(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== languageId) {
      this.#item.hide();
      return;
    }
    const model = this.#documentModels.modelOf(document);
    this.#item.text = `$(database) ${model}`;
    this.#item.tooltip = vscode.l10n.t('Model of this query. Click to change it.');
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Model {0}', model), role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
