/** Exports in a real editor over a real service: created, followed, saved, opened as rows. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import type { KnownExport } from '../../client/src/features/exports/export-store.ts';
import { current } from './run-support.ts';
import { setFaults, until, useService } from './support.ts';

async function known(): Promise<readonly KnownExport[]> {
  return await vscode.commands.executeCommand<readonly KnownExport[]>(commands.exportsCurrent);
}

async function withStatus(id: string, status: string): Promise<KnownExport> {
  let found: KnownExport | undefined;
  await until(`the export is ${status}`, async () => {
    found = (await known()).find((one) => one.id === id && one.status === status);
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

suite('exports', () => {
  const { colleague } = useService();
  let folder: string;
  suiteSetup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-export-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true, force: true }));

  test('is created, followed until it is ready, and saved whole, with no trace of its link', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'employees',
      fileFormat: 'csv',
    });
    await withStatus(id, 'completed');
    const uri = vscode.Uri.file(path.join(folder, 'employees.csv'));
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    const text = await readFile(uri.fsPath, 'utf8');
    assert.match(text, /^id,globalId,/);
    assert.ok(text.split('\r\n').length > 100);
    assert.deepEqual(await readdir(folder), ['employees.csv']);
    const [kept] = (await known()).filter((one) => one.id === id);
    assert.equal(kept?.savedTo, uri.fsPath);
    assert.doesNotMatch(JSON.stringify(kept), /signature|https?:/);
  });

  for (const fileFormat of ['csv', 'jsonl'] as const) {
    test(`opens in the result panel (${fileFormat})`, async () => {
      const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
        context: 'platformUsers',
        fileFormat,
      });
      await withStatus(id, 'completed');
      await vscode.commands.executeCommand(commands.exportsOpenInResults, { id });
      const view = await current();
      assert.ok(view?.state.kind === 'rows');
      assert.equal(view.header.title, 'Platform users');
      assert.ok(view.state.rowCount > 10);
      assert.ok(view.state.columns.some(({ name }) => name === 'globalId'));
    });
  }

  test('a data set that the service does not have fails with its code, and can be created again', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, { context: 'risks' });
    const failed = await withStatus(id, 'failed');
    assert.ok(failed.error?.code);
    const again = await vscode.commands.executeCommand<string>(commands.exportsCreateAgain, { id });
    assert.notEqual(again, id);
    await withStatus(again, 'failed');
    await vscode.commands.executeCommand(commands.exportsCopyId, { id: again });
    assert.equal(await vscode.env.clipboard.readText(), again);
    await vscode.commands.executeCommand(commands.exportsForget, { id: again });
    assert.ok(!(await known()).some((one) => one.id === again));
  });

  test('one that a colleague asked for opens by its id', async () => {
    const { id } = await colleague.downloads.create({ context: 'identities', fileFormat: 'jsonl' });
    await vscode.commands.executeCommand(commands.exportsOpenById, id);
    await withStatus(id, 'completed');
  });

  test('a rate limit is waited out: on asking, on looking, on saving', async () => {
    const limited = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '0' } as const;
    const often = Array.from({ length: 4 }, () => limited); // more than the client's own attempts
    await setFaults([
      { path: '/v1/downloads', method: 'POST', script: often },
      { path: '/v1/downloads/*', script: often },
    ]);
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'platformUsers',
    });
    await withStatus(id, 'completed');
    await setFaults([{ path: `/v1/downloads/${id}`, script: often }]);
    const uri = vscode.Uri.file(path.join(folder, 'limited.csv'));
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    assert.match(await readFile(uri.fsPath, 'utf8'), /^id,globalId,/);
  });

  test('a file that is cut is resumed, and an expired link says so', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, { context: 'employees' });
    await withStatus(id, 'completed');
    const route = `/downloads/${id}/file`;
    await setFaults([{ path: route, script: [{ kind: 'truncate' }] }]);
    const uri = vscode.Uri.file(path.join(folder, 'resumed.csv'));
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    const whole = await readFile(path.join(folder, 'employees.csv'), 'utf8');
    assert.equal(await readFile(uri.fsPath, 'utf8'), whole);
    await setFaults([{ path: route, always: { kind: 'status', status: 403, code: 'FORBIDDEN' } }]);
    await vscode.commands.executeCommand(commands.exportsOpenInResults, { id });
    const view = await current();
    assert.ok(view?.state.kind === 'failed');
    assert.match(view.state.failure.message, /expired/);
    assert.equal(view.state.failure.nextStep?.title, 'Create Again');
  });
});
