/** Create requests without a response are remembered by draft across restarts, up to a limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttemptStore } from '#core/saved-queries/attempt-store.ts';

function stored(initial?: unknown) {
  const values = new Map<string, unknown>(
    initial === undefined ? [] : [['identityQueries.unansweredCreates', initial]],
  );
  const update = (key: string, value: unknown) =>
    Promise.resolve(void values.set(key, structuredClone(value)));
  return { values, store: { get: (key: string) => values.get(key), update } };
}

test('attempts are found again by their draft, and forgotten when settled', async () => {
  const { store } = stored();
  await new AttemptStore(store).set('untitled:1', [{ name: 'Orphans', digest: 'd' }]);
  assert.deepEqual(new AttemptStore(store).get('untitled:1'), [{ name: 'Orphans', digest: 'd' }]);
  assert.deepEqual(new AttemptStore(store).get('untitled:2'), []);
  await new AttemptStore(store).set('untitled:1', []);
  assert.deepEqual(new AttemptStore(store).get('untitled:1'), []);
});

test('the last fifty drafts are remembered', async () => {
  const { store } = stored();
  const attempts = new AttemptStore(store);
  for (let draft = 0; draft < 60; draft += 1) await attempts.set(`d${draft}`, [{ name: 'n', digest: 'd' }]);
  assert.deepEqual(attempts.get('d9'), []);
  assert.equal(attempts.get('d10').length, 1);
});

test('entries stored by another version of the extension do no harm', () => {
  for (const value of ['text', 7, { d: 'text' }, { d: [{ name: 'n' }, null] }]) {
    assert.deepEqual(new AttemptStore(stored(value).store).get('d'), []);
  }
});
