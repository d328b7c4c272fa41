/** Code lens above a query's first line with its model; a click changes the model. */
import * as vscode from 'vscode';
import { forLabel } from '#base/shown-text/for-places.ts';
import { languageId } from '#server/protocol.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';

/** @param onDidChange fires when a document's model may have changed but its text has not. */
export function registerModelLens(
  modelOf: (document: vscode.TextDocument) => string,
  onDidChange: vscode.Event<void>,
): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(languageId, {
    onDidChangeCodeLenses: onDidChange,
    provideCodeLenses(document) {
      const isOn = vscode.workspace
        .getConfiguration(settingsSection, document)
        .get<unknown>(settings.codeLensEnabled);
      if (isOn === false) return [];
      return [
        new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
          // The editor drops a plain space after an icon.
          title: `$(database)\u00a0${forLabel(modelOf(document))}`,
          tooltip: vscode.l10n.t('Model of this query. Click to change it.'),
          command: commands.querySelectModel,
          arguments: [document.uri],
        }),
      ];
    },
  });
}
