/** Queries of the library as read-only documents: `identity-query-library:/<file>/<title>.identity.sql`. */
import * as vscode from 'vscode';
import { forFileName } from '../../../../core/src/shown-text/for-places.ts';

export const librarySchemeName = 'identity-query-library';

export function libraryUri(file: string, title: string): vscode.Uri {
  const name = forFileName(title).replace(/[/\\]/g, '-');
  return vscode.Uri.from({
    scheme: librarySchemeName,
    path: `/${encodeURIComponent(file)}/${name}.identity.sql`,
  });
}

/** As the pack lists it. */
export function fileOfUri(uri: vscode.Uri): string {
  return decodeURIComponent(uri.path.split('/')[1] ?? '');
}
