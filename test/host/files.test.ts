/** Files of rows in a real editor: by the person's own DuckDB, or in memory without it. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { configure, current, stateOf } from './run-support.ts';
import { activateExtension, answerMessages, playQuestion, until, withFolder } from './support.ts';

async function writeParquet(file: string, rowCount: number): Promise<void> {
  const data = createLocalData().create([{ name: 'n', type: 'int8' }]);
  await data.append(Array.from({ length: rowCount }, (_, index) => [index]));
  await data.ask('export', {
    ...{ scope: 'all', columns: [0] },
    file: {
      ...{ format: 'parquet', path: file, nullText: '', guardFormulas: false },
      ...{ tableName: 't', byteOrderMark: false },
    },
  });
}

suite('files of rows', () => {
  suiteSetup(activateExtension);
  teardown(() => configure('results.duckdb', undefined));

  test('DuckDB reads a Parquet file page by page; without it, a message says what to install', async () => {
    await withFolder(async (folder) => {
      const file = path.join(folder, 'numbers.parquet');
      await writeParquet(file, 5_000);
      const open = () => vscode.commands.executeCommand(commands.openInResults, vscode.Uri.file(file));
      const failed = answerMessages('showErrorMessage', () => undefined);
      try {
        await configure('results.duckdb', folder);
        await open();
        await configure('results.duckdb', 'node_modules');
        await open();
        await until('both messages', () => failed.texts.length === 2);
      } finally {
        failed.dispose();
      }
      assert.equal(failed.texts[0], `"${folder}" does not have the npm package @duckdb/node-api.`);
      assert.equal(failed.texts[1], 'The folder of DuckDB must be an absolute path: "node_modules".');
      await configure(
        'results.duckdb',
        vscode.extensions.getExtension('identity-queries.identity-queries')?.extensionPath,
      );
      await open();
      const state = await stateOf('rows');
      assert.equal(state.isArrangedBySource, true);
      assert.deepEqual([state.extent, state.totalRows], ['more', 5_000]);
      assert.ok(state.rowCount < 5_000);
      const offered: string[] = [];
      const asked = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
        offered.push(...items.map(({ label }) => label));
      });
      try {
        await vscode.commands.executeCommand(commands.resultsExport);
      } finally {
        asked.dispose();
      }
      assert.deepEqual(offered, ['All loaded rows', 'All rows']);
    });
  });

  test('CSV is read into memory if there is no DuckDB', async () => {
    await withFolder(async (folder) => {
      const file = path.join(folder, 'few.csv');
      await writeFile(file, 'name,size\nb,10\na,9\n');
      await vscode.commands.executeCommand(commands.openInResults, vscode.Uri.file(file));
      const state = await stateOf('rows');
      assert.deepEqual(
        state.columns.map(({ name }) => name),
        ['name', 'size'],
      );
      assert.equal(state.rowCount, 2);
      assert.equal((await current())?.header.title, 'few.csv');
    });
  });
});
