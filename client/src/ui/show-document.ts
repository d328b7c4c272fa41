/** Shows documents in tabs. */
import * as vscode from 'vscode';
import { queryEnding } from '#core/sync/format/layout.ts';
import { uriOfTab } from './shown-uris.ts';

/** Shows a document in its existing tab, or in the active group if it has none. */
export async function showDocument(
  document: vscode.TextDocument,
  selection: vscode.Range | undefined,
): Promise<vscode.TextEditor> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  return await vscode.window.showTextDocument(document, {
    ...(shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn }),
    ...(selection === undefined ? {} : { selection }),
  });
}

/** Opens a new query, unsaved, in the group in which queries are open already. */
export async function showNewQuery(language: string, content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  const viewColumn = columnOf(language) ?? columnBesidePage();
  // Not a preview, which the next tab would replace.
  const options = { preview: false, ...(viewColumn === undefined ? {} : { viewColumn }) };
  await vscode.window.showTextDocument(document, options);
  return document;
}

/** Returns the group that has documents of a language; undefined if the active one has, or none. */
function columnOf(language: string): vscode.ViewColumn | undefined {
  const ofLanguage = new Set(
    vscode.workspace.textDocuments
      .filter((document) => document.languageId === language)
      .map(({ uri }) => uri.toString()),
  );
  // The text of a restored tab is read when it is shown.
  const isOfLanguage = (uri: vscode.Uri) => ofLanguage.has(uri.toString()) || uri.path.endsWith(queryEnding);
  const hasOne = ({ tabs }: vscode.TabGroup) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && isOfLanguage(input.uri));
  const { activeTabGroup, all } = vscode.window.tabGroups;
  return hasOne(activeTabGroup) ? undefined : all.find(hasOne)?.viewColumn;
}

/**
 * Returns the group for a query that is opened while a page such as a result is active: beside the page, if there is a
 * group with texts, so that the query does not cover it. Undefined for the active group.
 */
export function columnBesidePage(): vscode.ViewColumn | undefined {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  if (!(activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview)) return undefined;
  return all.find(
    (group) => group !== activeTabGroup && group.tabs.some((tab) => uriOfTab(tab) !== undefined),
  )?.viewColumn;
}

/**
 * Shows a document that opens from the rows of a query, in a preview tab. A preview of another kind, such as the query,
 * keeps its tab: the editor would replace it.
 */
export async function showFromRows(
  target: vscode.TextDocument | vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const document = target instanceof vscode.Uri ? await vscode.workspace.openTextDocument(target) : target;
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview === true && uriOfTab(tab)?.scheme !== document.uri.scheme)
    await vscode.commands.executeCommand('workbench.action.keepEditor');
  await vscode.window.showTextDocument(document, { preview: true, ...options });
}
