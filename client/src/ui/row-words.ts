/** Formats a row count, with singular and plural. */
import * as vscode from 'vscode';
import { locale } from './locale.ts';

export function rowWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', count.toLocaleString(locale()));
}
