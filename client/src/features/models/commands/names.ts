/** Inserts the names of models, tables and columns at the cursor, drags them into an editor, or copies them. */
import * as vscode from 'vscode';
import { quoteIdentifier } from '#base/sql-names.ts';
import { commands } from '#client/contributions.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ModelsNode, SchemaNode } from '../model-nodes.ts';

/** Returns a name as written in a query for this model: tables in other models are qualified with their model. */
export function nameIn(node: SchemaNode, model: string | undefined): string {
  switch (node.kind) {
    case 'model':
      return quoteIdentifier(node.model);
    case 'table':
      return node.model === model || model === undefined
        ? quoteIdentifier(node.table.name)
        : qualifiedName(node);
    case 'column':
      return quoteIdentifier(node.column.name);
    default:
      return node satisfies never;
  }
}

/** Returns the qualified name: `model.table` or `table.column`. */
export function qualifiedName(node: SchemaNode): string {
  switch (node.kind) {
    case 'model':
      return quoteIdentifier(node.model);
    case 'table':
      return `${quoteIdentifier(node.model)}.${quoteIdentifier(node.table.name)}`;
    case 'column':
      return `${quoteIdentifier(node.table.name)}.${quoteIdentifier(node.column.name)}`;
    default:
      return node satisfies never;
  }
}

export function listOfNames(nodes: readonly SchemaNode[], nameOf: (node: SchemaNode) => string): string {
  return nodes.map(nameOf).join(', ');
}

/** Replaces the selection and focuses the editor, so that the user can continue typing after the name. */
export async function insertNames(
  nodes: readonly SchemaNode[],
  modelOf: (document: vscode.TextDocument) => string,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    throw new ExpectedError(vscode.l10n.t('Open the query to insert the name into.'), [
      { title: vscode.l10n.t('New Query'), command: commands.queryNew },
    ]);
  }
  const model = modelOf(editor.document);
  const text = listOfNames(nodes, (node) => nameIn(node, model));
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) {
    throw new ExpectedError(
      vscode.l10n.t('{0} cannot be changed, so nothing was inserted.', nameOfFile(editor)),
    );
  }
  editor.selections = editor.selections.map(({ end }) => new vscode.Selection(end, end));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

function nameOfFile({ document }: vscode.TextEditor): string {
  return document.uri.path.split('/').at(-1) ?? document.uri.path;
}

/** Provides rows of the view as text that can be dropped into any editor. */
export const namesAsText: vscode.TreeDragAndDropController<ModelsNode> = {
  dragMimeTypes: ['text/plain'],
  dropMimeTypes: [],
  handleDrag(source, data) {
    const nodes = source.filter((node) => node.kind !== 'message');
    if (nodes.length === 0) return;
    data.set(
      'text/plain',
      new vscode.DataTransferItem(listOfNames(nodes, (node) => nameIn(node, undefined))),
    );
  },
};
