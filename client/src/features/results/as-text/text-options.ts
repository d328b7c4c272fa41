/** Determines from the settings how cells are formatted as text. */
import * as vscode from 'vscode';
import { quoteIdentifier } from '#base/sql-names.ts';
import { settings, settingsSection } from '#client/contributions.ts';
import type { TextOptions } from '#core/rows/files/text-writer.ts';
import type { Result } from '../result.ts';

/** @param nullSetting the setting for NULL text; copies and files have separate ones. */
export function textOptions(
  result: Pick<Result, 'header'>,
  nullSetting: typeof settings.resultsCopyNullAs | typeof settings.resultsExportNullAs,
): Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName' | 'timesForSheets'> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const fallback = nullSetting === settings.resultsCopyNullAs ? 'NULL' : '';
  return {
    nullText: configuration.get(nullSetting, fallback),
    guardFormulas: configuration.get(settings.resultsGuardFormulas, true),
    tableName: tableNameOf(result.header.title),
    // Rows are copied for spreadsheets; files say what their times are.
    timesForSheets: nullSetting === settings.resultsCopyNullAs,
  };
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
