/** Read-only documents for library queries: `identity-query-library://<file>/<title>.identity.sql`. */
import * as vscode from 'vscode';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';
import { forFileName } from '#base/shown-text/for-places.ts';

export const librarySchemeName = 'identity-query-library';

export function libraryUri(file: string, title: string): vscode.Uri {
  const name = forFileName(title).replace(/[/\\]/g, '-');
  return vscode.Uri.from({
    scheme: librarySchemeName,
    authority: authorityOf(file),
    path: `/${name}.identity.sql`,
  });
}

/** Returns the file as listed in the pack. */
export function fileOfUri(uri: vscode.Uri): string {
  return partsOfAuthority(uri.authority, 1)?.[0] ?? '';
}
