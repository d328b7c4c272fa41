/** Results remembered across a reload, without rows or parameter values. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KeptResults, UnclaimedResults } from '#client/features/results/kept/kept-results.ts';
import { restoreResult } from '#client/features/results/kept/restore-result.ts';
import { Result } from '#client/features/results/result.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { recordedActions } from '#test/helpers/recorded-actions.ts';

function storage() {
  let stored: readonly unknown[] = [];
  let writes = 0;
  return {
    get writes() {
      return writes;
    },
    read: () => stored,
    write: (list: readonly unknown[]) => {
      writes += 1;
      stored = structuredClone(list);
      return Promise.resolve();
    },
  };
}

const header = {
  title: 'stale-admins',
  version: 3,
  connection: 'Sandbox',
  parameters: [{ name: 'since', text: 'secret-value', isNull: false }],
};

function newResult(key: string): Result {
  return new Result({ id: key, key, header, factory: createLocalData(), changed: () => undefined });
}

async function filled(key: string): Promise<Result> {
  const result = newResult(key);
  const writer = result.begin(header, recordedActions([]));
  writer.open([{ name: 'n', type: 'text' }]);
  await writer.append([['cell-value'], ['another']]);
  writer.setRows({
    ...{ extent: 'more', totalRows: undefined, loading: { kind: 'none' } },
    ...{ firstRowsMs: 1, totalMs: 1, finishedAt: 1_000 },
  });
  return result;
}

suite('kept results', () => {
  test('are recognized again, without rows and values', async () => {
    const memory = storage();
    const result = await filled('file:///a');
    result.togglePin();
    await new KeptResults(memory).write([result]);
    const text = JSON.stringify(memory.read());
    assert.equal(/cell-value|secret-value/.test(text), false);
    const [kept, ...others] = new KeptResults(memory).read();
    assert.ok(kept !== undefined && others.length === 0);
    const again = newResult(kept.key);
    let runs = 0;
    restoreResult(again, kept, {
      runAgain: () => {
        runs += 1;
        return Promise.resolve();
      },
      open: () => Promise.resolve(),
    });
    assert.deepEqual(again.state, { kind: 'restored', rowCount: 2, isComplete: false, finishedAt: 1_000 });
    assert.deepEqual([again.isPinned, again.header.title, again.header.version], [true, 'stale-admins', 3]);
    again.actions?.runAgain();
    assert.equal(runs, 1);
    // A remembered result that was not rerun stays remembered.
    await new KeptResults(memory).write([again]);
    assert.equal(new KeptResults(memory).read().length, 1);
  });

  test('are written only after a change, only for queries, and limited to ten', async () => {
    const memory = storage();
    const kept = new KeptResults(memory);
    const many = await Promise.all(Array.from({ length: 12 }, (_, index) => filled(`file:///${index}`)));
    await kept.write(many);
    await kept.write(many);
    assert.equal(memory.writes, 1);
    assert.deepEqual([kept.read().length, kept.read()[0]?.key], [10, 'file:///2']);
    const rows = newResult('records:accounts');
    rows.begin({ ...header, origin: 'rows' }, recordedActions([]));
    await kept.write([rows]);
    assert.deepEqual(kept.read(), []);
  });

  test('keep their place until the same query runs again', async () => {
    const memory = storage();
    const [first, second, pinned] = await Promise.all(
      ['file:///a', 'file:///b', 'file:///c'].map((key) => filled(key)),
    );
    assert.ok(first !== undefined && second !== undefined && pinned !== undefined);
    pinned.togglePin();
    const placed = (result: Result) => ({ key: result.key, isInEditor: true, view: () => result.view() });
    await new KeptResults(memory).write([first, placed(second), pinned]);

    const kept = new KeptResults(memory);
    const unclaimed = new UnclaimedResults(kept);
    assert.deepEqual(
      unclaimed.claim((one) => one.isInEditor === true).map((one) => one.key),
      ['file:///b'],
    );
    assert.deepEqual(
      unclaimed.left.map((one) => one.key),
      ['file:///a', 'file:///c'],
    );
    await kept.write([placed(second), await filled('file:///c')], unclaimed.left);
    assert.deepEqual(
      new KeptResults(memory).read().map((one) => [one.key, one.isPinned, one.isInEditor]),
      [
        ['file:///a', false, undefined],
        ['file:///c', true, undefined],
        ['file:///b', false, true],
        ['file:///c', false, undefined],
      ],
    );
    await kept.write([await filled('file:///a')], unclaimed.left);
    assert.equal(new KeptResults(memory).read().filter((one) => one.key === 'file:///a').length, 1);
  });

  test('are omitted if another version wrote them', async () => {
    const memory = storage();
    await memory.write([{ key: 'a' }, null, 'text', { key: 1, header: {} }]);
    assert.deepEqual(new KeptResults(memory).read(), []);
  });
});
