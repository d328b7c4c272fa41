/** Ownership of a confirmation: one window at a time, even if windows close or crash. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ChangeStore, orphanedAfterMs } from '#core/changes/change-store.ts';
import type { ChangeState, Confirmation } from '#core/changes/change.ts';

const id = '0a8f6c1e-5c1b-4f0e-9d57-0f7f5c1b8a11';

function confirmationIn(state: ChangeState, connectionKey = 'here'): Confirmation {
  const targets = [
    { operation: { kind: 'disable-account', account: 'acc-1' } as const, label: 'm.lind', state },
  ];
  return {
    id,
    kind: 'disable-account',
    connectionKey,
    connection: 'Test',
    clientId: 'c',
    confirmedAt: 1,
    targets,
  };
}
const accepted = confirmationIn({ kind: 'accepted', at: 1, jobId: 'job-1' });

suite('confirmations on disk', () => {
  let folder: string;
  let first: ChangeStore;
  let second: ChangeStore;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-changes-'));
    first = new ChangeStore(folder);
    second = new ChangeStore(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const adopted = async (store: ChangeStore, now = Date.now(), key = 'here') =>
    (await store.adopt(key, now)).map((one) => one.id);

  test("no other window takes a window's confirmations until it has been silent for a long time", async () => {
    await first.save(accepted);
    first.dispose();
    assert.deepEqual(await adopted(second), []);
    assert.deepEqual(await adopted(second, Date.now() + orphanedAfterMs + 5_000), [id]);
    assert.deepEqual(await adopted(new ChangeStore(folder)), []);
  });

  test('a window that lives keeps its confirmations, however long the machine slept', async () => {
    await first.save(accepted);
    const slept = Date.now() + 3_600_000;
    assert.deepEqual(await adopted(second, slept), []);
    first.dispose();
    assert.deepEqual(await adopted(second, slept), [id]);
    assert.deepEqual(await adopted(new ChangeStore(folder), 2 * slept), [], 'the new owner lives');
  });

  test('where files cannot be locked, the time decides', async () => {
    await first.save(accepted);
    const lock = (await readdir(folder)).find((name) => name.endsWith('.lock')) ?? '';
    first.dispose();
    await mkdir(path.join(folder, lock)); // no file that can be locked
    assert.deepEqual(await adopted(second), []);
    assert.deepEqual(await adopted(second, Date.now() + orphanedAfterMs + 5_000), [id]);
  });

  test("a closing window's confirmations continue immediately in exactly one other window", async () => {
    await first.save(accepted);
    first.release([id]);
    first.release([id]);
    const others = await Promise.all(
      [second, new ChangeStore(folder), new ChangeStore(folder)].map((store) => adopted(store)),
    );
    assert.deepEqual(others.flat(), [id]);
    assert.deepEqual(await second.list(), [accepted]);
  });

  test('after handing over a change, a window no longer writes it, unless it takes the change back', async () => {
    await first.save(accepted);
    first.release([id]);
    await assert.rejects(first.save(accepted), /left to other windows/);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.json')).length, 1);
    assert.deepEqual(await adopted(first), [id]);
    await first.save(accepted);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.json')).length, 1);
  });

  test('an ended change with an unclear outcome is opened again by one window', async () => {
    const ended = confirmationIn({ kind: 'found-unchanged', at: 2 });
    await first.save(ended);
    const opened = await Promise.all([first.reopen(id), second.reopen(id)]);
    assert.equal(opened.filter((one) => one?.targets[0]?.state.kind === 'unanswered').length, 1);
    const owner = opened[0] === undefined ? second : first;
    await owner.save(confirmationIn({ kind: 'found-changed', at: 3 }));
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.json')).length, 1);
    assert.equal(await first.reopen(id), undefined, 'nothing is unclear');
  });

  test('two windows that open an ended change at almost the same time never both get it', async () => {
    for (let delay = 0; delay < 60; delay += 1) {
      await first.save(confirmationIn({ kind: 'found-unchanged', at: 2 }));
      const later = async () => {
        for (let turn = 0; turn < delay; turn += 1) await setImmediate();
        return await second.reopen(id);
      };
      const opened = await Promise.all([first.reopen(id), later()]);
      assert.equal(opened.filter((one) => one !== undefined).length, 1, `${delay} turns later`);
      for (const name of await readdir(folder)) await rm(path.join(folder, name));
    }
  });

  test("only a window with the change's connection takes it, and no window takes a finished one", async () => {
    await first.save(accepted);
    first.release([id]);
    assert.deepEqual(await adopted(second, Date.now(), 'elsewhere'), []);
    assert.deepEqual(await adopted(second), [id]);
    await second.save(confirmationIn({ kind: 'found-changed', at: 2 }));
    second.release([id]);
    assert.deepEqual(await adopted(first), []);
    await first.clear();
    assert.deepEqual(await first.list(), []);
  });
});
