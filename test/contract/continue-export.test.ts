/** One window resumes another window's partial file. The result has the same bytes and never mixes two files. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, rmdir, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { NotFoundError, UserAbort } from '#api/client/errors.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { partFile, type ExportPart } from '#core/exports/export-part.ts';
import { discardPart, partStateOf, tidyParts } from '#core/exports/export-parts.ts';
import { ExportStore, PartInUseError } from '#core/exports/export-store.ts';
import { ExpiredLinkError } from '#core/exports/fetch-export.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { kill, saveInProcess } from '../helpers/save-export-process.ts';

const bytesAtATime = 4_000;

suite('resuming an export', () => {
  let sandbox: RunningSandbox;
  let client: ServiceClient;
  let folder: string;
  let storeFolder: string;
  let store: ExportStore;
  let key: { readonly id: string; readonly connectionKey: string };
  let whole: Buffer;
  let target: string;

  before(async () => {
    sandbox = await startSandbox({ args: ['--job-step', '5'] });
    client = createClient(sandbox);
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-continue-'));
    storeFolder = path.join(folder, 'store');
    const { id } = await client.downloads.create({ context: 'accessInventoryAccounts' });
    const { url = '' } = await client.downloads.wait(id, { pollMs: 5 });
    whole = Buffer.concat(await Array.fromAsync(client.downloads.read(url)));
    key = { id, connectionKey: 'k' };
    target = path.join(folder, 'employees.csv');
  });
  beforeEach(async () => {
    store = new ExportStore(memoryAt(storeFolder));
    const known = { ...key, connection: 'Sandbox', context: 'accessInventoryAccounts', fileFormat: 'csv' };
    await store.put(key, () => ({ ...known, createdAt: 0, status: 'completed' }));
    await sandbox.forgetRequests();
  });
  afterEach(async () => {
    await sandbox.setFaults([]);
    await store.forget(key);
    for (const name of await readdir(folder)) if (name !== 'store') await rm(path.join(folder, name));
  });
  after(async () => {
    await client.close();
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  const route = () => `/downloads/${key.id}/file`;
  const statuses = async () =>
    (await sandbox.requests()).filter((request) => request.path === route()).map(({ status }) => status);
  const save = (options: Partial<Parameters<typeof saveExport>[3]> = {}, by = client) =>
    saveExport(by, key, target, {
      store,
      signal: new AbortController().signal,
      wait: () => Promise.resolve(),
      ...options,
    });
  const onlyPart = async (): Promise<ExportPart> => {
    const [part] = (await store.find(key))?.parts ?? [];
    assert.ok(part);
    return part;
  };
  const trickle = () => sandbox.nextAnswers(route(), { kind: 'trickle', bytes: bytesAtATime, everyMs: 10 });

  /** Starts an export, then aborts it as a closing window would. */
  async function leavePart(): Promise<ExportPart> {
    await trickle();
    const closing = new AbortController();
    const saving = save({
      closing: closing.signal,
      onProgress: ({ bytes }) => {
        if (bytes > 3 * bytesAtATime) closing.abort();
      },
    });
    await assert.rejects(saving, UserAbort);
    await sandbox.setFaults([]);
    await sandbox.forgetRequests();
    return await onlyPart();
  }

  async function assertWhole(): Promise<void> {
    assert.ok(whole.equals(await readFile(target)));
    assert.deepEqual((await readdir(folder)).sort(), ['employees.csv', 'store']);
    assert.equal((await store.find(key))?.parts, undefined);
    assert.deepEqual(await readdir(path.join(storeFolder, 'export-parts')), []);
  }

  test('a killed window leaves its bytes, and the next one requests only the rest', async () => {
    await trickle();
    const child = await saveInProcess(sandbox, { key, target, folder: storeFolder });
    const part = await onlyPart();
    assert.equal((await partStateOf(store, { ...(await known()), parts: [part] }))?.kind, 'elsewhere');
    await assert.rejects(save(), PartInUseError);
    await assert.rejects(discardPart(store, key, part), PartInUseError);
    await kill(child);
    const { size, mode } = await stat(partFile(part));
    assert.ok(size > 0 && size < whole.length);
    if (process.platform !== 'win32') assert.equal(mode & 0o777, 0o600);
    const state = await partStateOf(store, await known());
    assert.deepEqual([state?.kind, state?.bytes, state?.part.totalBytes], ['left', size, whole.length]);
    assert.doesNotMatch(await readFile(path.join(storeFolder, 'memory.db'), 'latin1'), /signature|https?:/);
    await sandbox.setFaults([]);
    await sandbox.forgetRequests();
    let first: number | undefined;
    assert.equal(await save({ onProgress: ({ bytes }) => (first ??= bytes) }), whole.length);
    assert.ok(Number(first) > size);
    assert.deepEqual(await statuses(), [206]);
    await assertWhole();
  });

  const known = async () => {
    const found = await store.find(key);
    assert.ok(found);
    return found;
  };

  test('the partial file of a closing window is already recorded', async () => {
    await trickle();
    const closing = new AbortController();
    let left: readonly string[] = [];
    const saving = save({
      closing: closing.signal,
      onProgress: () => {
        if (closing.signal.aborted) return;
        closing.abort();
        left = readdirSync(folder).filter((name) => name.endsWith('.part'));
      },
    });
    await assert.rejects(saving, UserAbort);
    const part = await onlyPart();
    assert.deepEqual(left, [part.name]);
    assert.match(part.etag ?? '', /^"\w+"$/);
    await sandbox.setFaults([]);
    await save();
    await assertWhole();
  });

  test('cancelling a resumed export leaves no file', async () => {
    await leavePart();
    await trickle();
    const controller = new AbortController();
    await assert.rejects(
      save({ signal: controller.signal, onProgress: () => controller.abort() }),
      UserAbort,
    );
    assert.deepEqual(await readdir(folder), ['store']);
    assert.equal((await known()).parts, undefined);
  });

  test('starts over if the file has changed on the service', async () => {
    const part = await leavePart();
    await store.keepPart(key, { ...part, etag: '"another"' });
    let restarts = 0;
    await save({ onRestart: () => (restarts += 1) });
    assert.equal(restarts, 1);
    assert.deepEqual(await statuses(), [200]);
    await assertWhole();
  });

  test('starts over even if the server sends the rest of the changed file', async () => {
    const part = await leavePart();
    await store.keepPart(key, { ...part, etag: '"another"' });
    const careless = createClient({
      ...sandbox,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.delete('if-range');
        return fetch(input, { ...init, headers });
      },
    });
    try {
      await save({}, careless);
    } finally {
      await careless.close();
    }
    assert.deepEqual([(await statuses()).length, (await statuses()).at(-1)], [2, 200]);
    await assertWhole();
  });

  test('starts over from a partial file that is too long, resumes a shorter one, and accepts a complete one', async () => {
    const long = await leavePart();
    await appendFile(partFile(long), whole);
    await save();
    assert.deepEqual(await statuses(), [416, 200]);
    await assertWhole();

    const short = await leavePart();
    await truncate(partFile(short), 10);
    await save();
    assert.deepEqual(await statuses(), [206]);
    await assertWhole();

    const all = await leavePart();
    await appendFile(partFile(all), whole.subarray((await stat(partFile(all))).size));
    await save();
    assert.deepEqual(await statuses(), [206]);
    await assertWhole();
  });

  test('starts over if the partial file is missing or empty', async () => {
    await rm(partFile(await leavePart()));
    assert.equal(await partStateOf(store, await known()), undefined);
    await save();
    assert.deepEqual(await statuses(), [200]);
    await assertWhole();
    await truncate(partFile(await leavePart()), 0);
    await save();
    assert.deepEqual(await statuses(), [200]);
    await assertWhole();
  });

  test('removes the partial file if the link has expired or the service has forgotten the export', async () => {
    await leavePart();
    await sandbox.nextAnswers(route(), { kind: 'status', status: 403, code: 'FORBIDDEN' });
    await assert.rejects(save(), ExpiredLinkError);
    assert.deepEqual(await readdir(folder), ['store']);
    assert.equal((await known()).parts, undefined);
    await leavePart();
    await sandbox.nextAnswers(`/v1/downloads/${key.id}`, { kind: 'status', status: 404, code: 'NOT_FOUND' });
    await assert.rejects(save(), NotFoundError);
    assert.deepEqual(await readdir(folder), ['store']);
  });

  test('keeps a complete file that cannot be moved to its target', async () => {
    // The folder appears during the download: at its start, it would be refused.
    let isInTheWay = false;
    const saving = save({
      onProgress: () => {
        if (!isInTheWay) mkdirSync(path.join(target, 'in the way'), { recursive: true });
        isInTheWay = true;
      },
    });
    await assert.rejects(saving);
    assert.ok(isInTheWay);
    assert.equal((await stat(partFile(await onlyPart()))).size, whole.length);
    await rmdir(path.join(target, 'in the way'));
    await rmdir(target);
    await sandbox.forgetRequests();
    await save();
    assert.deepEqual(await statuses(), [206]);
    await assertWhole();
  });

  test('removes partial files that cannot be resumed, and keeps the others', async () => {
    const part = await leavePart();
    await tidyParts(store, await known());
    assert.deepEqual(await onlyPart(), part);
    await store.keepPart(key, { ...part, etag: undefined });
    await tidyParts(store, await known());
    assert.equal((await known()).parts, undefined);
    assert.deepEqual(await readdir(folder), ['store']);
    const away = { target: path.join(folder, 'no-such-drive', 'x.csv'), name: '.x.csv.0123456789ab.part' };
    await store.keepPart(key, { ...away, etag: '"x"' });
    await tidyParts(store, await known());
    assert.equal((await onlyPart()).target, away.target);
  });

  test('offers a partial file only once, in the first window that asks', async () => {
    const part = await leavePart();
    const other = new ExportStore(memoryAt(storeFolder));
    const offers = await Promise.all([store.offerParts(key, [part]), other.offerParts(key, [part])]);
    assert.equal(offers.flat().length, 1);
    assert.deepEqual(await store.offerParts(key, [part]), []);
    await trickle();
    const closing = new AbortController();
    await assert.rejects(save({ closing: closing.signal, onProgress: () => closing.abort() }), UserAbort);
    assert.equal((await store.offerParts(key, [await onlyPart()])).length, 1);
  });
});
