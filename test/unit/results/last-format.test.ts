/** What a window offers to export to again. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KeyValueStore } from '#base/key-value-store.ts';
import { LastFormat } from '#client/features/results/export/last-format.ts';

suite('the last export', () => {
  function machine(): KeyValueStore {
    const stored = new Map<string, unknown>();
    return {
      get: (key) => stored.get(key),
      update: async (key, value) => {
        stored.set(key, value);
        await Promise.resolve();
      },
    };
  }

  test('is the one of this window, whatever another window exports', async () => {
    const state = machine();
    const [here, there] = [new LastFormat(state), new LastFormat(state)];
    await here.keep('jsonl', '/reviews');
    await there.keep('csv', '/elsewhere');
    assert.deepEqual([here.value, here.folder], ['jsonl', '/reviews']);
    assert.deepEqual([there.value, there.folder], ['csv', '/elsewhere']);
  });

  test('of any window is offered in a new one', async () => {
    const state = machine();
    await new LastFormat(state).keep('jsonl', '/reviews');
    await new LastFormat(state).keep('xlsx', undefined);
    const next = new LastFormat(state);
    assert.deepEqual([next.value, next.folder], ['xlsx', '/reviews']);
  });
});
