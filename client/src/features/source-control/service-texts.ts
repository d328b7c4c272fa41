/** A query's text on the service and its common base, as documents for the gutter, diffs and merges. */
import * as vscode from 'vscode';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import type { SyncFolder } from './sync-folder.ts';

const serviceTextScheme = 'identity-query-service';

export type Side = 'service' | 'base' | 'repository';

/** Returns a URI with the file's path, so that language and name match. */
export function sideUri(file: vscode.Uri, side: Side): vscode.Uri {
  return vscode.Uri.from({ scheme: serviceTextScheme, path: file.path, query: side });
}

/** Returns the URI of a query that is new on the service and has no file yet. */
export function newQueryUri(id: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: serviceTextScheme,
    path: `/${encodeURIComponent(id.toWellFormed())}.identity.sql`,
    query: 'new',
  });
}

export function registerServiceTexts(folder: SyncFolder): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const drawn = folder.onDidChange(() => {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === serviceTextScheme) changed.fire(uri);
  });
  const provider = registerTextDocumentContentProvider(serviceTextScheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => textOf(folder, uri),
  });
  return vscode.Disposable.from(provider, drawn, changed);
}

function textOf(folder: SyncFolder, uri: vscode.Uri): string {
  if (uri.query === 'new') {
    const there = folder.comparison?.there.find((query) => newQueryUri(query.id).path === uri.path);
    return there?.draft.query_string ?? '';
  }
  const file = folder.fileOf(uri.with({ scheme: 'file', query: '' }));
  if (uri.query === 'repository') return file?.here.draft.query_string ?? '';
  if (uri.query === 'base') return file?.item?.kind === 'conflict' ? (file.item.base ?? '') : '';
  return file?.there?.draft.query_string ?? '';
}
