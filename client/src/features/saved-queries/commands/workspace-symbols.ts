/** Finds saved queries by name in Ctrl+T, as workspace symbols. */
import * as vscode from 'vscode';
import { forLabel } from '#base/shown-text/for-places.ts';
import { splitName } from '#core/saved-queries/arrange-queries.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';

/** Maximum number of results; the editor ranks them, so more would not help. */
const maxSymbols = 500;

export function registerWorkspaceSymbols(deps: {
  readonly list: () => readonly KnownQuery[];
  readonly uriOf: (query: KnownQuery) => vscode.Uri | undefined;
}): vscode.Disposable {
  return vscode.languages.registerWorkspaceSymbolProvider({
    provideWorkspaceSymbols: (words) =>
      deps
        .list()
        .filter(({ name }) => holdsInOrder(name.toLowerCase(), words.toLowerCase()))
        .slice(0, maxSymbols)
        .flatMap((query) => {
          const uri = deps.uriOf(query);
          return uri === undefined ? [] : [symbolOf(query, uri)];
        }),
  });
}

function symbolOf({ name }: KnownQuery, uri: vscode.Uri): vscode.SymbolInformation {
  const at = new vscode.Location(uri, new vscode.Position(0, 0));
  // The editor shows the path beside the name, so the folder is not given a second time.
  return new vscode.SymbolInformation(forLabel(splitName(name).label), vscode.SymbolKind.File, '', at);
}

/** Returns whether all letters occur in order, as the editor's ranking requires. */
function holdsInOrder(name: string, words: string): boolean {
  let from = 0;
  for (const letter of words.replace(/\s+/g, '')) {
    const at = name.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
