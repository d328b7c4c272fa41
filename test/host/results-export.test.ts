/** Exports result rows to files and inserts them into the query, in a real editor with a real service. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { ResultView } from '#panel-protocol/messages.ts';
import { createQuery, open, playQuestion, until, useService } from './support.ts';

suite('exporting rows', () => {
  const { colleague } = useService();
  let folder: string;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-export-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true, maxRetries: 5 }));

  async function run(text: string): Promise<void> {
    await open(await createQuery(colleague, text));
    await vscode.commands.executeCommand(commands.queryRun);
    await until('the rows are here', async () => {
      const view = await vscode.commands.executeCommand<ResultView | undefined>(commands.resultsCurrent);
      return view?.state.kind === 'rows';
    });
  }

  const exportTo = (file: string, choice: object) =>
    vscode.commands.executeCommand<vscode.Uri | undefined>(commands.resultsExport, {
      uri: vscode.Uri.file(path.join(folder, file)),
      ...choice,
    });

  test('a result is written to a file, and nothing else is left beside it', async () => {
    await run("SELECT 9007199254740993::int8 AS big, NULL AS nothing, '=1+1' AS formula, 'a,\"b\"' AS text");
    const uri = await exportTo('rows.csv', { format: 'csv', scope: 'view' });
    assert.equal(uri?.fsPath, path.join(folder, 'rows.csv'));
    assert.equal(
      await readFile(uri.fsPath, 'utf8'),
      'big,nothing,formula,text\r\n9007199254740993,,\'=1+1,"a,""b"""\r\n',
    );
    await exportTo('rows.jsonl', { format: 'jsonl', scope: 'here' });
    assert.equal(
      await readFile(path.join(folder, 'rows.jsonl'), 'utf8'),
      '{ "big": 9007199254740993, "nothing": null, "formula": "=1+1", "text": "a,\\"b\\"" }\n',
    );
    for (const format of ['xlsx', 'parquet', 'markdown', 'json', 'insert', 'tsv']) {
      await exportTo(`rows.${format}`, { format, scope: 'view' });
    }
    await exportTo('marked.csv', { format: 'csv-for-excel', scope: 'view' });
    assert.match(await readFile(path.join(folder, 'marked.csv'), 'utf8'), /^\ufeffbig,/);
    const files = await readdir(folder);
    assert.equal(files.length, 9);
    assert.equal(
      files.some((file) => file.endsWith('.part')),
      false,
    );
    const [zip, parquet] = await Promise.all(
      ['xlsx', 'parquet'].map((format) => readFile(path.join(folder, `rows.${format}`))),
    );
    assert.equal(zip?.subarray(0, 2).toString(), 'PK');
    assert.equal(parquet?.subarray(0, 4).toString(), 'PAR1');
  });

  test('the last format and folder come first: one choice exports again, under a name that is free', async () => {
    await run('SELECT 1 AS one');
    await exportTo('first.jsonl', { format: 'jsonl', scope: 'view' });
    const offered: string[] = [];
    const played = playQuestion(
      'showQuickPick',
      (items: readonly { readonly label: string; readonly uri?: vscode.Uri }[]) => {
        offered.push(...items.slice(0, 2).map(({ label }) => label));
        return items[0];
      },
    );
    try {
      const again = () =>
        vscode.commands.executeCommand<vscode.Uri | undefined>(commands.resultsExport, { scope: 'view' });
      const [one, two] = [await again(), await again()];
      assert.equal(path.dirname(one?.fsPath ?? ''), folder);
      assert.equal(await readFile(one?.fsPath ?? '', 'utf8'), '{ "one": 1 }\n');
      assert.notEqual(one?.fsPath, two?.fsPath);
      assert.equal(offered[0], `JSON Lines: ${path.basename(one?.fsPath ?? '')}`);
      assert.equal(offered[1], 'JSON Lines');
    } finally {
      played.dispose();
    }
  });

  test('a failed write keeps what stands there, and leaves nothing beside it', async () => {
    await run('SELECT 1 AS one');
    const place = path.join(folder, 'kept.parquet');
    await mkdir(place);
    await writeFile(path.join(place, 'inside'), 'before');
    const before = await readdir(folder);
    assert.equal(await exportTo('kept.parquet', { format: 'parquet', scope: 'view' }), undefined);
    assert.equal(await readFile(path.join(place, 'inside'), 'utf8'), 'before');
    assert.deepEqual(await readdir(folder), before);
  });

  test('rows open as a text that states their number', async () => {
    await run("SELECT 42 AS answer, 'forty-two' AS words");
    await vscode.commands.executeCommand(commands.resultsShowAsText);
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /\n1 row\n\nanswer {2}words\n-+ {2}-+\n {4}42 {2}forty-two\n$/);
    assert.equal(document?.uri.scheme, 'identity-query-rows');
  });

  test('all rows of a partly loaded query are loaded first', async () => {
    const settings = vscode.workspace.getConfiguration('identityQueries');
    await settings.update('results.pageSize', 100, vscode.ConfigurationTarget.Global);
    try {
      await run('SELECT n FROM generate_series(1, 350) AS n');
      await exportTo('part.csv', { format: 'csv', scope: 'here' });
      assert.equal((await readFile(path.join(folder, 'part.csv'), 'utf8')).split('\r\n').length, 102);
      await exportTo('all.csv', { format: 'csv', scope: 'all' });
      const lines = (await readFile(path.join(folder, 'all.csv'), 'utf8')).trimEnd().split('\r\n');
      assert.deepEqual([lines.length, lines[0], lines.at(-1)], [351, 'n', '350']);
    } finally {
      await settings.update('results.pageSize', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
