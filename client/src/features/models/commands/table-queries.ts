/** Creates queries over a whole table: a new document, a preview of its first rows, or a statement on the clipboard. */
import * as vscode from 'vscode';
import { pathSegment } from '#base/files/path-segment.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { showNewQuery } from '#client/ui/show-document.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { previewRows, selectAll } from '#core/models/sql-text.ts';
import { languageId } from '#server/protocol.ts';
import type { TableNode } from '../model-nodes.ts';
import type { ModelsStore } from '../models-store.ts';

export async function openQueryOf(node: TableNode): Promise<void> {
  await showNewQuery(languageId, selectAll(node.model, node.table));
}

const previewScheme = 'identity-queries-preview';

/** Provides preview queries as read-only documents, created from the currently known columns. */
export function registerPreviewDocuments(store: ModelsStore): vscode.Disposable {
  return registerTextDocumentContentProvider(previewScheme, {
    async provideTextDocumentContent(uri) {
      const [, model = '', name = ''] = uri.path.split('/', 3).map((segment) => decodeURIComponent(segment));
      const schema = await store.ensure(model);
      const table =
        schema !== undefined && 'tables' in schema
          ? schema.tables.find((each) => each.name === name)
          : undefined;
      return table === undefined
        ? vscode.l10n.t('-- {0} is no longer in the model. Close this tab and refresh the models.', name)
        : selectAll(model, table);
    },
  });
}

/** @throws ExpectedError if the table no longer exists. */
export async function previewDocument(node: TableNode, store: ModelsStore): Promise<vscode.TextDocument> {
  const schema = await store.ensure(node.model);
  const isThere =
    schema !== undefined &&
    'tables' in schema &&
    schema.tables.some((table) => table.name === node.table.name);
  if (!isThere) {
    throw new ExpectedError(
      vscode.l10n.t('{0} no longer has a table "{1}". Refresh the models.', node.model, node.table.name),
    );
  }
  const title = vscode.l10n.t('{0}, first {1} rows', node.table.name, previewRows);
  return await vscode.workspace.openTextDocument(
    vscode.Uri.from({
      scheme: previewScheme,
      path: `/${pathSegment(node.model)}/${pathSegment(node.table.name)}/${forFileName(title).replaceAll('/', '\u2215')}.identity.sql`,
    }),
  );
}
