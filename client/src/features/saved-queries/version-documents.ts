/** Versions of saved queries as read-only documents, and the native diff of one with an editor. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';

const scheme = 'identity-query-version';
/** Versions kept for open documents; they are small, and only the newest are compared. */
const keptVersions = 50;

const texts = new Map<string, string>();

/** Texts shown read-only, by address. Registered once. */
export function registerVersionDocuments(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()),
  });
}

/** Opens the diff of a version on the left and an editor's text on the right. */
export async function showDifference(theirs: SavedQuery, mine: vscode.Uri): Promise<void> {
  const left = versionUri(theirs);
  const title = vscode.l10n.t('{0}: version {1} ↔ yours', theirs.name, theirs.version);
  await vscode.commands.executeCommand('vscode.diff', left, mine, title, { preview: true });
}

function versionUri(query: SavedQuery): vscode.Uri {
  const name = query.name.replace(/[/\\]/g, '-');
  const uri = vscode.Uri.from({
    scheme,
    path: `/${encodeURIComponent(query.query_id)}/v${query.version}/${name}.identity.sql`,
  });
  texts.delete(uri.toString());
  texts.set(uri.toString(), query.query_string);
  for (const oldest of [...texts.keys()].slice(0, Math.max(0, texts.size - keptVersions)))
    texts.delete(oldest);
  return uri;
}
