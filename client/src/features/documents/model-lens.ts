/** Code lenses above a query's first line: its model and its connection, with a warning if another one is connected. */
import * as vscode from 'vscode';
import { forLabel } from '#base/shown-text/for-places.ts';
import { commands } from '#client/contributions.ts';
import { foreignHomeOf, type QueryHome } from '#core/policy/query-home.ts';
import { languageId } from '#server/protocol.ts';

/** @param onDidChange fires when a document's model may have changed but its text has not. */
export function registerModelLens(
  modelOf: (document: vscode.TextDocument) => string,
  homeOf: (document: vscode.TextDocument) => QueryHome | undefined,
  onDidChange: vscode.Event<void>,
): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(languageId, {
    onDidChangeCodeLenses: onDidChange,
    provideCodeLenses(document) {
      const home = homeOf(document);
      const foreign = foreignHomeOf(home);
      const words = [modelOf(document), ...(home?.isHere === true ? [home.connection] : [])];
      return [
        ...(foreign === undefined ? [] : [homeLens(foreign)]),
        new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
          // The editor drops a plain space after an icon.
          title: `$(database)\u00a0${words.map(forLabel).join(' · ')}`,
          tooltip: vscode.l10n.t('Model of this query. Click to change it.'),
          command: commands.querySelectModel,
          arguments: [document.uri],
        }),
      ];
    },
  });
}

/** Says that the query belongs to a connection that is not the current one; a click connects to it. */
const homeLens = (home: string) =>
  new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
    title: `$(warning)\u00a0${forLabel(vscode.l10n.t('Query of {0}', home))}`,
    tooltip: vscode.l10n.t('This query belongs to {0}. Click to connect to it.', forLabel(home)),
    command: commands.connectionConnect,
    arguments: [home],
  });
