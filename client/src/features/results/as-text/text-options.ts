/** How cells are written as text, by the settings. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../../../contributions.ts';
import { quoteIdentifier } from '../../../../../core/src/util/sql-names.ts';
import type { TextOptions } from '../../../../../core/src/rows/files/text-writer.ts';
import type { Result } from '../result.ts';

/** @param nullSetting the NULL text setting: copies and files have one each. */
export function textOptions(
  result: Pick<Result, 'header'>,
  nullSetting: typeof settings.resultsCopyNullAs | typeof settings.resultsExportNullAs,
): Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName'> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const fallback = nullSetting === settings.resultsCopyNullAs ? 'NULL' : '';
  return {
    nullText: configuration.get(nullSetting, fallback),
    guardFormulas: configuration.get(settings.resultsGuardFormulas, true),
    tableName: tableNameOf(result.header.title),
  };
}

/** A table named after the query: `stale-admins` becomes `stale_admins`. */
function tableNameOf(title: string): string {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
  return quoteIdentifier(name.replace(/^_|_$/g, '') || 'result');
}
