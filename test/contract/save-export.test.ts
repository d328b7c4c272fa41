/**
 * Saves an export from a running service to disk: it is complete, resumes after interruptions, and leaves nothing
 * behind when discarded.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { TransportError, UserAbort } from '#api/client/errors.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { ExportStore } from '#core/exports/export-store.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const noWait = () => Promise.resolve();

suite('saving an export', () => {
  let sandbox: RunningSandbox;
  let client: ServiceClient;
  let folder: string;
  let id: string;
  let save: (target: string, options?: Partial<Parameters<typeof saveExport>[3]>) => Promise<number>;

  before(async () => {
    sandbox = await startSandbox({ args: ['--job-step', '5'] });
    client = createClient(sandbox);
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-save-'));
    ({ id } = await client.downloads.create({ context: 'accessInventoryAccounts' }));
    await client.downloads.wait(id, { pollMs: 5 });
    const store = new ExportStore(memoryAt(path.join(folder, 'store')));
    const known = {
      id,
      connectionKey: 'k',
      connection: 'Sandbox',
      context: 'accessInventoryAccounts',
      fileFormat: 'csv',
    };
    await store.put(known, () => ({ ...known, createdAt: 0, status: 'completed' }));
    const { signal } = new AbortController();
    save = (target, options) =>
      saveExport(client, known, target, { store, signal, wait: noWait, ...options });
    await save(path.join(folder, 'whole.csv'));
  });
  after(async () => {
    await client.close();
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });
  afterEach(() => sandbox.setFaults([]));

  const file = () => `/downloads/${id}/file`;

  test('resumes after each lost connection, and produces the same file', async () => {
    const whole = path.join(folder, 'whole.csv');
    await sandbox.nextAnswers(file(), { kind: 'truncate' }, { kind: 'truncate' });
    await sandbox.forgetRequests();
    const resumed = path.join(folder, 'resumed.csv');
    const interruptions: number[] = [];
    const bytes = await save(resumed, {
      onProgress: (progress) => interruptions.push(progress.interruptions),
    });
    assert.equal(bytes, (await stat(whole)).size);
    assert.equal(await readFile(resumed, 'utf8'), await readFile(whole, 'utf8'));
    assert.ok(interruptions.includes(1));
    assert.equal((await sandbox.requests()).filter((request) => request.path === file()).length, 3);
  });

  test('starts over if the server cannot send the rest', async () => {
    await sandbox.nextAnswers(file(), { kind: 'truncate' }, { kind: 'status', status: 416 });
    const target = path.join(folder, 'anew.csv');
    const bytes = await save(target);
    assert.equal(bytes, (await stat(target)).size);
    assert.equal(await readFile(target, 'utf8'), await readFile(path.join(folder, 'whole.csv'), 'utf8'));
  });

  test('gives up on a server that always drops the connection and cannot send the rest, and keeps the partial file', async () => {
    await sandbox.setFaults([
      {
        path: file(),
        script: Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? { kind: 'truncate' } : { kind: 'status', status: 416 },
        ),
      },
    ]);
    const target = path.join(folder, 'later.csv');
    await assert.rejects(save(target), TransportError);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.part')).length, 1);
    await sandbox.setFaults([]);
    await sandbox.forgetRequests();
    await save(target);
    const [asked] = (await sandbox.requests()).filter((request) => request.path === file());
    assert.equal(asked?.status, 206);
    assert.equal(await readFile(target, 'utf8'), await readFile(path.join(folder, 'whole.csv'), 'utf8'));
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.part')).length, 0);
  });

  test('can be discarded immediately, and an earlier file with the same name stays', async () => {
    const target = path.join(folder, 'kept.csv');
    await save(target);
    const before = await readFile(target, 'utf8');
    const names = (await readdir(folder)).sort();
    await sandbox.nextAnswers(file(), { kind: 'trickle', bytes: 1_000, everyMs: 1 });
    const controller = new AbortController();
    let left: readonly string[] = [];
    const saving = save(target, {
      signal: controller.signal,
      onProgress: () => {
        if (controller.signal.aborted) return;
        assert.ok(readdirSync(folder).some((name) => name.endsWith('.part')));
        controller.abort();
        // Read the folder synchronously, since a closing window cannot wait.
        left = readdirSync(folder).sort();
      },
    });
    await assert.rejects(saving, UserAbort);
    assert.deepEqual(left, names);
    assert.deepEqual((await readdir(folder)).sort(), names);
    assert.equal(await readFile(target, 'utf8'), before);
  });
});
