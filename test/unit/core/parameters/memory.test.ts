/** Remembered parameter values: per query and connection, limited in number, and deleted on request. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ParameterMemory, type MemoryKey } from '#core/parameters/memory.ts';

const key: MemoryKey = { connection: 'c', query: 'q' };
const textValue = (text: string) => ({ text, isNull: false, isEmpty: false });

function memoryOf(isOn = true) {
  const stored = new Map<string, unknown>();
  const store = {
    get: (name: string) => stored.get(name),
    update: (name: string, next: unknown) => {
      // Storage like the editor's: stores JSON, and deletes keys that are set to undefined.
      if (next === undefined) stored.delete(name);
      else stored.set(name, JSON.parse(JSON.stringify(next)));
      return Promise.resolve();
    },
  };
  return { stored, store, memory: new ParameterMemory(store, () => isOn) };
}

suite('remembered values', () => {
  test('are kept per query and connection: at most ten, each once, newest first', async () => {
    const { memory } = memoryOf();
    for (let index = 0; index < 15; index += 1) {
      await memory.remember(key, { p: textValue(String(index % 12)) });
    }
    assert.deepEqual(
      memory.recent(key, 'p').map((one) => one.text),
      ['2', '1', '0', '11', '10', '9', '8', '7', '6', '5'],
    );
    assert.deepEqual(memory.recent({ ...key, query: 'other' }, 'p'), []);
    assert.deepEqual(memory.recent({ ...key, connection: 'production' }, 'p'), []);
    assert.deepEqual(memory.recent({ ...key, connection: undefined }, 'p'), []);
  });

  test('move from a draft to the query that it becomes', async () => {
    const { memory } = memoryOf();
    const draft: MemoryKey = { connection: 'c', query: 'untitled:Untitled-1', isVolatile: true };
    await memory.remember(draft, { p: textValue('1'), q: textValue('2') });
    await memory.saveSet(draft, { name: 'Mine', values: { p: textValue('1') } });
    await memory.remember(key, { q: textValue('3') });
    await memory.carryOver(draft, key);
    memory.forgetDraft(draft.query);
    assert.deepEqual(memory.recent(key, 'p'), [textValue('1')]);
    assert.deepEqual(memory.recent(key, 'q'), [textValue('3')], 'what it had already stays');
    assert.deepEqual(
      memory.sets(key).map(({ name }) => name),
      ['Mine'],
    );
  });

  test('distinguish NULL from empty', async () => {
    const { memory } = memoryOf();
    await memory.remember(key, { p: { text: '', isNull: true } });
    await memory.remember(key, { p: { text: '', isNull: false, isEmpty: true } });
    assert.deepEqual(
      memory.recent(key, 'p').map((one) => [one.isNull, one.isEmpty ?? false]),
      [
        [false, true],
        [true, false],
      ],
    );
  });

  test('can be forgotten for one query or all, except for value sets', async () => {
    const { memory, stored } = memoryOf();
    const other = { ...key, query: 'b' };
    await memory.remember(key, { p: textValue('1') });
    await memory.remember(other, { p: textValue('2') });
    await memory.saveSet(other, { name: 'Contractors DE', values: { p: textValue('3') } });
    assert.equal(await memory.forget(key), true);
    assert.equal(await memory.forget(key), false);
    assert.deepEqual(memory.recent(key, 'p'), []);
    assert.equal(memory.recent(other, 'p').length, 1);
    await memory.forgetAll();
    assert.deepEqual(memory.recent(other, 'p'), []);
    assert.deepEqual(
      memory.sets(other).map((set) => set.name),
      ['Contractors DE'],
    );
    await memory.forgetAll({ withSets: true });
    assert.equal(stored.size, 0);
  });

  test('are not stored if the setting is off', async () => {
    const { memory, stored } = memoryOf(false);
    await memory.remember(key, { p: textValue('secret') });
    assert.equal(stored.size, 0);
  });

  test('of a draft do not outlive the window', async () => {
    const { memory, stored } = memoryOf();
    const draft = { connection: 'c', query: 'untitled:Untitled-1', isVolatile: true };
    await memory.remember(draft, { p: textValue('1') });
    assert.equal(memory.recent(draft, 'p').length, 1);
    assert.equal(stored.size, 0);
    memory.forgetDraft('untitled:Untitled-1');
    assert.deepEqual(memory.recent(draft, 'p'), []);
  });

  test('are not lost by concurrent writes', async () => {
    const { memory } = memoryOf();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        memory.remember({ ...key, query: `q${index}` }, { p: textValue(String(index)) }),
      ),
    );
    for (let index = 0; index < 20; index += 1) {
      assert.equal(memory.recent({ ...key, query: `q${index}` }, 'p')[0]?.text, String(index));
    }
  });

  test('are kept for two hundred queries; the least recently used is dropped first, and those with value sets last', async () => {
    const { memory } = memoryOf();
    await memory.saveSet({ ...key, query: 'named' }, { name: 'set', values: { p: textValue('s') } });
    for (let index = 0; index < 205; index += 1) {
      await memory.remember({ ...key, query: `q${index}` }, { p: textValue('v') });
    }
    assert.equal(memory.sets({ ...key, query: 'named' }).length, 1);
    assert.deepEqual(memory.recent({ ...key, query: 'q0' }, 'p'), []);
    assert.equal(memory.recent({ ...key, query: 'q204' }, 'p').length, 1);
  });

  test('are ignored if another version stored them differently', () => {
    const { stored, memory } = memoryOf();
    stored.set('identityQueries.parameterValues', { 'c\nq': { recent: { p: 'not a list' }, sets: [] } });
    assert.deepEqual(memory.recent(key, 'p'), []);
  });
});

suite('value sets', () => {
  test('are replaced by saving under the same name, and deleted one by one', async () => {
    const { memory } = memoryOf();
    await memory.saveSet(key, { name: 'DE', values: { p: textValue('1') } });
    await memory.saveSet(key, { name: 'FR', values: { p: textValue('2') } });
    await memory.saveSet(key, { name: 'DE', values: { p: textValue('3') } });
    assert.deepEqual(
      memory.sets(key).map((set) => [set.name, set.values['p']?.text]),
      [
        ['DE', '3'],
        ['FR', '2'],
      ],
    );
    await memory.deleteSet(key, 'DE');
    assert.deepEqual(
      memory.sets(key).map((set) => set.name),
      ['FR'],
    );
  });
});
