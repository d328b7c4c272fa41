/** Determines from the settings how cells are formatted as text. */
import * as vscode from 'vscode';
import { quoteIdentifier } from '#base/sql-names.ts';
import { isObject } from '#base/values/is-object.ts';
import { settings, settingsSection } from '#client/contributions.ts';
import type { TextOptions } from '#core/rows/files/text-writer.ts';
import type { Result } from '../result.ts';

/** What text is made for; copies and files have a text for NULL each. */
type Purpose = 'copied' | 'exported';

export function textOptions(
  result: Pick<Result, 'header'>,
  purpose: Purpose,
): Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName' | 'timesForSheets'> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return {
    nullText: nullTextFor(purpose),
    guardFormulas: configuration.get(settings.resultsGuardFormulas, true),
    tableName: tableNameOf(result.header.title),
    // Rows are copied for spreadsheets; files say what their times are.
    timesForSheets: purpose === 'copied',
  };
}

export function nullTextFor(purpose: Purpose): string {
  const texts = vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.resultsNullAs);
  const text = isObject(texts) ? texts[purpose] : undefined;
  return typeof text === 'string' ? text : purpose === 'copied' ? 'NULL' : '';
}

/** Whether copied rows start with the names of their columns. */
export function copiesNames(): boolean {
  return vscode.workspace.getConfiguration(settingsSection).get(settings.resultsCopyColumnNames, false);
}

/** Returns a table name derived from the query's name: `stale-admins` becomes `stale_admins`. */
function tableNameOf(title: string): string {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
  return quoteIdentifier(name.replace(/^_|_$/g, '') || 'result');
}
