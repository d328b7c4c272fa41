/** Exports in a real editor with a real service: created, followed, saved, and opened as rows. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, contextKeys } from '#client/contributions.ts';
import { exportedText, exportWithStatus as withStatus, knownExports as known } from './follow-support.ts';
import { current } from './run-support.ts';
import {
  answerMessages,
  connectionName,
  playQuestion,
  requestsTo,
  setFaults,
  until,
  useService,
} from './support.ts';

suite('exports', () => {
  const { colleague } = useService();
  let folder: string;
  suiteSetup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-export-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  test('is created, followed until it is ready, and saved completely, without a trace of its link', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'accessInventoryAccounts',
      fileFormat: 'csv',
    });
    await withStatus(id, 'completed');
    const uri = vscode.Uri.file(path.join(folder, 'accounts.csv'));
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    const text = await readFile(uri.fsPath, 'utf8');
    assert.match(text, /^id,globalId,/);
    assert.ok(text.split('\r\n').length > 100);
    assert.deepEqual(await readdir(folder), ['accounts.csv']);
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
      await vscode.commands.executeCommand(commands.openInResults, { id });
      const view = await current();
      assert.ok(view?.state.kind === 'rows');
      assert.equal(view.header.title, 'Platform users');
      assert.ok(view.state.rowCount > 10);
      assert.ok(view.state.columns.some(({ name }) => name === 'globalId'));
    });
  }

  test('a data set that cannot be created fails with its code, and can be requested again', async () => {
    const ids = [randomUUID(), randomUUID()];
    const error = { code: 'NO_DATA', message: 'There are no risks.' };
    const answer = (id: string, more: object) =>
      ({ kind: 'body', body: { id, context: 'risks', fileFormat: 'csv', ...more } }) as const;
    await setFaults([
      { path: '/v1/downloads', script: ids.map((one) => answer(one, { status: 'accepted' })) },
      ...ids.map((one) => ({
        path: `/v1/downloads/${one}`,
        always: answer(one, { status: 'failed', error }),
      })),
    ]);
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, { context: 'risks' });
    const failed = await withStatus(id, 'failed');
    assert.equal(failed.error?.code, 'NO_DATA');
    const again = await vscode.commands.executeCommand<string>(commands.exportsCreateAgain, { id });
    assert.notEqual(again, id);
    await withStatus(again, 'failed');
    await vscode.commands.executeCommand(commands.activityCopyId, { id: again });
    assert.equal(await vscode.env.clipboard.readText(), again);
    await vscode.commands.executeCommand(commands.exportsForget, { id: again });
    assert.ok(!(await known()).some((one) => one.id === again));
    const refused = answerMessages('showErrorMessage', () => undefined);
    await vscode.env.clipboard.writeText('mine');
    // A row that has gone meanwhile, and no row: nothing else is meant.
    for (const command of [commands.activityCopyId, commands.openInResults])
      for (const row of [{ id: again }, undefined]) await vscode.commands.executeCommand(command, row);
    refused.dispose();
    assert.equal(refused.texts.length, 4);
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    await setFaults([]);
  });

  for (const command of [commands.exportsSave, commands.openInResults]) {
    test(`an export that the service no longer has says so in its row, too (${command})`, async () => {
      const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, { context: 'risks' });
      await withStatus(id, 'completed');
      await setFaults([
        { path: '/v1/downloads/*', always: { kind: 'status', status: 404, code: 'NOT_FOUND' } },
      ]);
      const said = answerMessages('showErrorMessage', () => undefined);
      const uri = vscode.Uri.file(path.join(folder, 'gone.csv'));
      await vscode.commands.executeCommand(command, { id, uri });
      said.dispose();
      assert.equal((await withStatus(id, 'failed')).error?.code, 'NOT_FOUND');
    });
  }

  test('Try Again requests the same export, without asking again', async () => {
    const titles: string[] = [];
    const played = [
      playQuestion('showQuickPick', (items: readonly { label: string }[], { title }: { title: string }) => {
        titles.push(title);
        return items.find(({ label }) => label === 'Platform users' || label === 'JSON Lines');
      }),
      playQuestion('showInputBox', ({ title }: { title: string }) => {
        titles.push(title);
        return '30';
      }),
      playQuestion('showErrorMessage', async (_: string, ...buttons: readonly string[]) => {
        await setFaults([]);
        return buttons.find((button) => button === 'Try Again');
      }),
    ];
    try {
      const before = new Set((await known()).map(({ id }) => id));
      await setFaults([
        { path: '/v1/downloads', method: 'POST', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
      ]);
      await vscode.commands.executeCommand(commands.exportsCreate);
      let created: Awaited<ReturnType<typeof known>>[number] | undefined;
      await until('the export is created', async () => {
        created = (await known()).find(({ id }) => !before.has(id));
        return created !== undefined;
      });
      assert.deepEqual(
        [created?.context, created?.fileFormat, created?.urlTtlMinutes],
        ['platformUsers', 'jsonl', 30],
      );
      assert.equal(titles.length, 3, titles.join(', '));
    } finally {
      for (const one of played) one.dispose();
    }
  });

  test('an export that a colleague requested opens by its ID', async () => {
    const { id } = await colleague.downloads.create({ context: 'identities', fileFormat: 'jsonl' });
    await vscode.commands.executeCommand(commands.exportsOpenById, id);
    await withStatus(id, 'completed');
  });

  test('requesting, polling and saving wait out a rate limit', async () => {
    const limited = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '0' } as const;
    const often = Array.from({ length: 4 }, () => limited); // more often than the client retries
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

  test('a truncated file is resumed, and an expired link is reported', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'accessInventoryAccounts',
    });
    await withStatus(id, 'completed');
    const route = `/downloads/${id}/file`;
    await setFaults([{ path: route, script: [{ kind: 'truncate' }] }]);
    const uri = vscode.Uri.file(path.join(folder, 'resumed.csv'));
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    assert.equal(await readFile(uri.fsPath, 'utf8'), await exportedText(colleague, id));
    await setFaults([{ path: route, always: { kind: 'status', status: 403, code: 'FORBIDDEN' } }]);
    await vscode.commands.executeCommand(commands.openInResults, { id });
    const view = await current();
    assert.ok(view?.state.kind === 'failed');
    assert.match(view.state.failure.message, /expired/);
    assert.equal(view.state.failure.nextStep?.title, 'Create Again');
  });

  /**
   * Saves an export. The service cuts the connection and then refuses to resume.
   * @returns the displayed messages
   */
  async function leavePart(name: string) {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'accessInventoryAccounts',
    });
    await withStatus(id, 'completed');
    await setFaults([
      { path: `/downloads/${id}/file`, script: [{ kind: 'truncate' }] },
      {
        path: `/v1/downloads/${id}`,
        script: [{ kind: 'pass' }, { kind: 'status', status: 403, code: 'FORBIDDEN' }],
      },
    ]);
    const uri = vscode.Uri.file(path.join(folder, name));
    const { told } = await failing(() => vscode.commands.executeCommand(commands.exportsSave, { id, uri }));
    await setFaults([]);
    return { id, uri, told };
  }

  /** Returns the messages shown while a command fails. */
  async function failing(run: () => Thenable<unknown>) {
    const told: string[] = [];
    const played = playQuestion('showErrorMessage', (...words: string[]) => {
      told.push(...words);
      return undefined;
    });
    try {
      assert.equal(await run(), undefined);
    } finally {
      played.dispose();
    }
    return { told };
  }

  /** Returns the values that a context key, which decides what the palette offers, is set to during the work. */
  async function contextDuring(key: string, work: () => Promise<void>): Promise<readonly unknown[]> {
    const original = vscode.commands.executeCommand.bind(vscode.commands);
    const values: unknown[] = [];
    const watched = async (command: string, ...args: unknown[]) => {
      if (command === 'setContext' && args[0] === key) values.push(args[1]);
      return await original(command, ...args);
    };
    Object.assign(vscode.commands, { executeCommand: watched });
    try {
      await work();
    } finally {
      Object.assign(vscode.commands, { executeCommand: original });
    }
    return values;
  }

  /** Checks the requests for the file: the second one asked for the rest, and there was no third one. */
  async function assertContinued(id: string): Promise<void> {
    const statuses = (await requestsTo(`/downloads/${id}/file`)).map(({ status }) => status);
    assert.deepEqual([statuses.length, statuses[1]], [2, 206]);
  }

  const partNames = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));

  test('the received bytes are kept, offered once when the connection is back, and resumed', async () => {
    const partial = await contextDuring(contextKeys.hasPartialExports, async () => {
      const { id, uri, told } = await leavePart('continued.csv');
      assert.match(told[0] ?? '', /The partial file is kept/);
      assert.equal(told[1], 'Continue Saving');
      assert.equal((await partNames()).length, 1);
      const offers: string[] = [];
      const played = playQuestion('showInformationMessage', (message: string, ...buttons: string[]) => {
        if (message.includes('partial')) offers.push(message, ...buttons);
        return undefined;
      });
      try {
        for (let time = 0; time < 2; time += 1) {
          await vscode.commands.executeCommand(commands.connectionDisconnect);
          assert.deepEqual(await known(), []);
          await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
          await until('the part was looked for', () => offers.length > 0);
        }
      } finally {
        played.dispose();
      }
      assert.match(offers[0] ?? '', /^The export "Access inventory accounts" is partial: \d+.* of \d+/);
      assert.deepEqual(offers.slice(1), ['Continue Saving']);
      // There is only one partial file, so the command resumes it without a prompt.
      const saved = await vscode.commands.executeCommand<vscode.Uri>(commands.exportsContinue);
      assert.equal(saved.fsPath, uri.fsPath);
      assert.deepEqual(await partNames(), []);
      await assertContinued(id);
      assert.equal(await readFile(uri.fsPath, 'utf8'), await exportedText(colleague, id));
      const kept = (await known()).find((one) => one.id === id);
      assert.deepEqual([kept?.savedTo, kept?.parts], [uri.fsPath, undefined]);
      const { told: none } = await failing(() => vscode.commands.executeCommand(commands.exportsContinue));
      assert.match(none[0] ?? '', /This connection has no partial exports/);
    });
    // Two reconnections come between.
    assert.deepEqual(partial, [true, false, true, false, true, false]);
  });

  test('saving to the same place resumes, and asks about a file created there meanwhile', async () => {
    const { id, uri } = await leavePart('again.csv');
    await writeFile(uri.fsPath, 'of somebody else');
    const asked: string[] = [];
    const played = playQuestion('showWarningMessage', (message: string) => {
      asked.push(message);
      return undefined;
    });
    await vscode.commands.executeCommand(commands.exportsContinue, { id });
    played.dispose();
    assert.match(asked[0] ?? '', /again\.csv already exists/);
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'of somebody else');
    await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
    await assertContinued(id);
    assert.equal(await readFile(uri.fsPath, 'utf8'), await exportedText(colleague, id));
  });

  test('a partial file can be discarded, is removed with its export, and is reported if it was deleted elsewhere', async () => {
    const discarded = await leavePart('discarded.csv');
    await vscode.commands.executeCommand(commands.exportsDiscardPart, { id: discarded.id });
    assert.deepEqual(await partNames(), []);
    assert.equal((await withStatus(discarded.id, 'completed')).parts, undefined);

    const forgotten = await leavePart('forgotten.csv');
    await vscode.commands.executeCommand(commands.exportsForget, { id: forgotten.id });
    assert.deepEqual(await partNames(), []);

    const lost = await leavePart('lost.csv');
    const [name = ''] = await partNames();
    assert.ok((await stat(path.join(folder, name))).size > 0);
    await rm(path.join(folder, name));
    const { told } = await failing(() =>
      vscode.commands.executeCommand(commands.exportsContinue, { id: lost.id }),
    );
    assert.match(told[0] ?? '', /is no longer in /);
    assert.equal(told[1], 'Save...');
  });

  test('a missing target folder is reported', async () => {
    const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
      context: 'accessInventoryAccounts',
    });
    await withStatus(id, 'completed');
    const uri = vscode.Uri.file(path.join(folder, 'no', 'such', 'folder.csv'));
    const { told } = await failing(() => vscode.commands.executeCommand(commands.exportsSave, { id, uri }));
    assert.match(told[0] ?? '', /its folder does not exist/);
    assert.equal((await withStatus(id, 'completed')).parts, undefined);
  });
});
