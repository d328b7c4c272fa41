/** Formats a row count, with singular and plural. */
import * as vscode from 'vscode';
import { isSingular } from '#base/translate.ts';
import { locale } from './locale.ts';

export function rowWords(count: number): string {
  const language = locale();
  const number = count.toLocaleString(language);
  return vscode.l10n.t(isSingular(count, language) ? '{0} row' : '{0} rows', number);
}
