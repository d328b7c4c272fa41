/**
 * Opens a file of rows. With the person's own DuckDB, only the rows in sight are in memory, and it sorts and filters the
 * file; without it, CSV and JSON Lines are read into memory up to the limit of rows.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { settings, settingsSection } from '#client/contributions.ts';
import { expandHome } from '#client/session/network.ts';
import { fileRows, fileValues } from '#core/duckdb/file-rows.ts';
import { findDuckDb } from '#core/duckdb/find-duckdb.ts';
import { givenFiles, GivenFileError } from '#core/duckdb/given-files.ts';
import { exportRows } from '#core/exports/export-rows.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { RowsSource } from '../rows-source.ts';

const install = 'npm install --global @duckdb/node-api';

/** @param script `dist/duckdb-process.cjs`. @throws ExpectedError */
export async function fileSource(uri: vscode.Uri, script: vscode.Uri): Promise<RowsSource> {
  if (uri.scheme !== 'file')
    throw new ExpectedError(vscode.l10n.t("Only files on this machine's disk can be opened as rows."));
  const file = await givenFile(uri.fsPath);
  const library = await ownDuckDb(uri.fsPath);
  const title = path.basename(uri.fsPath);
  const place = vscode.workspace.asRelativePath(uri);
  const about = {
    key: `file:${file.path}`,
    header: {
      origin: 'rows' as const,
      title,
      parameters: [],
      facts: [
        ...(place === title ? [] : [{ label: vscode.l10n.t('File'), text: place }]),
        {
          label: 'DuckDB',
          text:
            library === undefined
              ? vscode.l10n.t('In memory. For larger files: {0}', install)
              : vscode.l10n.t('Sorted and filtered by DuckDB'),
        },
      ],
    },
  };
  if (library !== undefined) {
    const of = { file, library, script: pathToFileURL(script.fsPath) };
    return {
      ...about,
      pages: (signal, _, arrangement) => fileRows(of, arrangement, signal),
      values: async (arrangement, asked) => await fileValues(of, arrangement, asked),
    };
  }
  const { format } = file;
  if (format === 'parquet' || format === 'json') throw missing(title);
  return { ...about, pages: (signal) => exportRows(createReadStream(file.path, { signal }), format) };
}

async function givenFile(name: string) {
  try {
    const [file] = await givenFiles([name], path.dirname(name));
    if (file !== undefined) return file;
  } catch (error) {
    if (error instanceof GivenFileError) throw new ExpectedError(error.message, [], { cause: error });
    throw error;
  }
  throw new ExpectedError(vscode.l10n.t('This file has no rows.'));
}

/** Never from a folder that is open, from that of the file, or from one above them: what lies there is a stranger's. */
async function ownDuckDb(file: string): Promise<string | undefined> {
  const set = vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.resultsDuckDb);
  const named = typeof set === 'string' && set.trim() !== '' ? expandHome(set.trim()) : undefined;
  if (named !== undefined && !path.isAbsolute(named))
    throw new ExpectedError(vscode.l10n.t('The folder of DuckDB must be an absolute path: "{0}".', named), [
      openSetting(),
    ]);
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const folders = [...open, path.dirname(file)];
  const found = await findDuckDb({ named, environment: process.env, folders });
  if (found === undefined && named !== undefined)
    throw new ExpectedError(vscode.l10n.t('"{0}" does not have the npm package @duckdb/node-api.', named), [
      openSetting(),
    ]);
  return found;
}

function missing(name: string): ExpectedError {
  return new ExpectedError(
    vscode.l10n.t(
      '"{0}" is opened by DuckDB, which is not installed. Install it once with "{1}", or set its folder.',
      ...([name, install] as const),
    ),
    [openSetting()],
  );
}

const openSetting = () => ({
  title: vscode.l10n.t('Open Settings'),
  command: 'workbench.action.openSettings',
  arguments: [`${settingsSection}.${settings.resultsDuckDb}`],
});
