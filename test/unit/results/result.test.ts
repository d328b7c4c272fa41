/** A result whose rows are kept until the next run has its own. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Result, type ResultWriter } from '#client/features/results/result.ts';
import type { RowsExtent, RowsProgress } from '#core/reading/rows-writer.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ColumnFilter } from '#core/rows/rows.ts';
import { recordedActions } from '#test/helpers/recorded-actions.ts';

const header = { title: 'earlier', parameters: [] };
const nextHeader = { title: 'next', parameters: [] };
const progress: RowsProgress = {
  ...{ extent: 'complete', totalRows: undefined, loading: { kind: 'none' } },
  ...{ firstRowsMs: 1, totalMs: 1, finishedAt: 1_000 },
};
const form = { kind: 'parameters', revision: 1, fields: [], valueSets: [] } as const;

/** Opens three rows, sorted and filtered to `c`, `b`. */
async function withRows() {
  const result = new Result({
    ...{ id: 'r', key: 'k', header, factory: createLocalData() },
    changed: () => undefined,
  });
  const writer = result.begin(header, recordedActions([]));
  writer.open([{ name: 'n', type: 'text' }]);
  await writer.append([['a'], ['b'], ['c']]);
  writer.setRows(progress);
  await result.sortAndFilter({
    sort: [{ column: 0, descending: true }],
    filters: [{ column: 0, rule: { kind: 'values', values: ['b', 'c'] } }],
  });
  return { result, writer };
}

function begin(result: Result, restored: string[] = []): ResultWriter {
  return result.begin(nextHeader, recordedActions([]), () => void restored.push('restored'));
}

suite('the tab of a result', () => {
  test('a cancelled form has not failed', async () => {
    const { result } = await withRows();
    const writer = begin(result);
    writer.set(form);
    assert.equal(result.tab().status, 'waiting');
    writer.set({ kind: 'cancelled', elapsedMs: 0 });
    assert.equal(result.tab().status, 'cancelled');
    writer.set({ kind: 'failed', elapsedMs: 1, failure: { message: 'no such table', reasons: [] } });
    assert.equal(result.tab().status, 'failed');
  });

  test('says that the query was edited', async () => {
    const { result, writer } = await withRows();
    writer.setHeader({ title: 'A Tour/Conflict', version: 4, isModified: true, parameters: [] });
    const { title, name, version, isModified } = result.tab();
    assert.deepEqual(
      [title, name, version, isModified],
      ['A Tour/Conflict v4 (edited)', 'A Tour/Conflict', 4, true],
    );
  });
});

suite('the earlier rows of a result', () => {
  test('are shown again as they were if the next run is cancelled in its form', async () => {
    const { result, writer } = await withRows();
    const { state, run, data } = result;
    const restored: string[] = [];
    const late = begin(result, restored);
    late.set(form);
    assert.equal(result.state.kind, 'parameters');
    assert.equal(result.restoreEarlier(), true);
    const { generation } = result;
    assert.deepEqual([result.state, result.run, result.header], [{ ...state, generation }, run, header]);
    assert.equal((await data?.ask('cell', { row: 0, column: 0 }))?.text, 'c');
    assert.equal(result.data, data);
    assert.deepEqual([writer.isCurrent, late.isCurrent, restored], [true, false, ['restored']]);
    assert.equal(result.restoreEarlier(), false);
  });

  test('outlast several runs that were not sent', async () => {
    const { result } = await withRows();
    const restored: string[] = [];
    begin(result, restored).set(form);
    begin(result, ['of the form']).set(form);
    assert.equal(result.restoreEarlier(), true);
    assert.deepEqual([result.header, restored], [header, ['restored']]);
  });

  for (const state of [
    { kind: 'failed', elapsedMs: 1, failure: { message: 'no such table', reasons: [] } },
    { kind: 'cancelled', elapsedMs: 1 },
    { kind: 'disconnected', message: 'not connected' },
  ] as const) {
    test(`are offered by a run that ended as ${state.kind}, and say that they are earlier`, async () => {
      const { result } = await withRows();
      const restored: string[] = [];
      const writer = begin(result, restored);
      assert.equal(result.view().earlier, undefined);
      writer.set({ kind: 'running', elapsedMs: 0 });
      assert.equal(result.view().earlier, undefined);
      writer.set(state);
      assert.deepEqual(result.view().earlier, { rowCount: 3, finishedAt: 1_000, laterRun: 'same-text' });
      // The next attempt fails, too.
      begin(result).set(state);
      assert.deepEqual(result.view().earlier, { rowCount: 3, finishedAt: 1_000, laterRun: 'same-text' });
      assert.equal(result.restoreEarlier(), true);
      assert.ok(result.state.kind === 'rows' && result.state.laterRun !== undefined);
      assert.deepEqual([result.view().earlier, restored], [undefined, ['restored']]);
      assert.equal((await result.data?.ask('cell', { row: 0, column: 0 }))?.text, 'c');
    });
  }

  test('name their connection if the next run has another one', async () => {
    const { result, writer } = await withRows();
    const failed = { kind: 'failed', elapsedMs: 1, failure: { message: 'no', reasons: [] } } as const;
    writer.setHeader({ ...header, connection: 'Sandbox' });
    const connectionBeside = (connection: string) => {
      const next = result.begin({ ...nextHeader, connection }, recordedActions([]), () => undefined);
      next.set(failed);
      return result.view().earlier?.connection;
    };
    assert.deepEqual([connectionBeside('Sandbox'), connectionBeside('Staging')], [undefined, 'Sandbox']);
  });

  test('say whether the next run has another text, which is compared on request', async () => {
    const compared: string[] = [];
    const withText = (statement: string) => ({
      ...recordedActions([]),
      ...{ statement: () => statement, compareText: () => void compared.push(statement) },
    });
    const failed = { kind: 'failed', elapsedMs: 1, failure: { message: 'no', reasons: [] } } as const;
    const result = new Result({
      ...{ id: 'r', key: 'k', header, factory: createLocalData() },
      changed: () => undefined,
    });
    const writer = result.begin(header, withText('SELECT 1\r\nAS n'));
    writer.open([{ name: 'n', type: 'text' }]);
    await writer.append([['a']]);
    writer.setRows(progress);
    const restore = () => undefined;
    result.begin(header, withText('SELECT 1\nAS n'), restore).set(failed);
    assert.equal(result.view().earlier?.laterRun, 'same-text');
    result.begin(header, withText('SELECT 2\nAS n'), restore).set(failed);
    assert.equal(result.view().earlier?.laterRun, 'other-text');
    result.compareText();
    assert.deepEqual(compared, ['SELECT 1\r\nAS n']);
    result.restoreEarlier();
    assert.ok(result.state.kind === 'rows' && result.state.laterRun === 'other-text');
  });

  test('are there for a comparison once the next run has rows, until the one after it', async () => {
    const { result } = await withRows();
    const { data } = result;
    const writer = begin(result);
    writer.set({ kind: 'running', elapsedMs: 0 });
    writer.open([{ name: 'n', type: 'text' }]);
    writer.setRows(progress);
    assert.ok(result.state.kind === 'rows' && result.state.laterRun === undefined);
    assert.equal(result.restoreEarlier(), false);
    assert.equal(result.before?.data, data);
    assert.equal(result.view().before, progress.finishedAt);
    assert.ok(await data?.ask('cell', { row: 0, column: 0 }));
    const third = begin(result);
    third.open([{ name: 'n', type: 'text' }]);
    third.setRows(progress);
    await assert.rejects(async () => await data?.ask('cell', { row: 0, column: 0 }));
    const last = result.before?.data;
    assert.notEqual(last, undefined);
    result.dispose();
    await assert.rejects(async () => await last?.ask('cell', { row: 0, column: 0 }));
  });

  test('are not there for a comparison unless all of them were', async () => {
    const { result, writer } = await withRows();
    writer.setRows({ ...progress, extent: 'more' });
    const next = begin(result);
    next.open([{ name: 'n', type: 'text' }]);
    next.setRows(progress);
    assert.equal(result.before, undefined);
    assert.equal(result.view().before, undefined);
  });

  test('are not kept while they are being loaded or sorted', async () => {
    const { result, writer } = await withRows();
    writer.setRows({ ...progress, loading: { kind: 'page' } });
    begin(result).set(form);
    assert.equal(result.restoreEarlier(), false);
    const sorted = await withRows();
    const sorting = sorted.result.sortAndFilter({ sort: [], filters: [] });
    begin(sorted.result).set(form);
    assert.equal(sorted.result.restoreEarlier(), false);
    await sorting;
  });
});

suite('rows that are older than a change', () => {
  test('say so until the query runs again', async () => {
    const { result } = await withRows();
    const isOlder = () => result.state.kind === 'rows' && result.state.isOlderThanChange;
    assert.equal(isOlder(), false);
    result.markOlderThanChange();
    assert.equal(isOlder(), true);
    await result.sortAndFilter({ sort: [], filters: [] });
    assert.equal(isOlder(), true);
    const writer = begin(result);
    writer.open([{ name: 'n', type: 'text' }]);
    writer.setRows(progress);
    assert.equal(isOlder(), false);
  });
});

suite('the sort order and filters of a result', () => {
  const columns = [{ name: 'n', type: 'text' }];
  const sort = [{ column: 0, descending: true }];
  const filters: ColumnFilter[] = [{ column: 0, rule: { kind: 'values', values: ['b', 'c'] } }];

  async function runAgain(
    result: Result,
    { extent = 'complete', of = columns }: { extent?: RowsExtent; of?: typeof columns } = {},
  ): Promise<ResultWriter> {
    const writer = result.begin(nextHeader, recordedActions([]));
    writer.open(of);
    await writer.append([['b'], ['d'], ['c']]);
    writer.setRows({ ...progress, extent });
    await result.data?.ask('cell', { row: 0, column: 0 });
    return writer;
  }
  const rowsOf = (result: Result) => (result.state.kind === 'rows' ? result.state : assert.fail());
  const viewOf = (result: Result) => {
    const { sort, filters, viewRowCount } = rowsOf(result);
    return { sort, filters, viewRowCount };
  };
  const firstOf = async (result: Result) => (await result.data?.ask('cell', { row: 0, column: 0 }))?.text;

  test('are those of the run before if its columns are the same', async () => {
    const { result } = await withRows();
    await runAgain(result);
    assert.deepEqual(viewOf(result), { sort, filters, viewRowCount: 2 });
    assert.equal(await firstOf(result), 'c');
    await runAgain(result, { of: [{ name: 'n', type: 'int8' }] });
    assert.deepEqual(viewOf(result), { sort: [], filters: [], viewRowCount: 3 });
  });

  test('outlast a run that fails', async () => {
    const { result } = await withRows();
    const failed = result.begin(nextHeader, recordedActions([]));
    failed.set({ kind: 'failed', elapsedMs: 1, failure: { message: 'no such table', reasons: [] } });
    await runAgain(result);
    assert.deepEqual(viewOf(result), { sort, filters, viewRowCount: 2 });
  });

  test('of an incomplete result are only its filters', async () => {
    const { result } = await withRows();
    const writer = await runAgain(result, { extent: 'more' });
    assert.deepEqual(viewOf(result), { sort: [], filters, viewRowCount: 2 });
    // Rows that the user has loaded later keep their order.
    writer.setRows(progress);
    assert.deepEqual(rowsOf(result).isSortingOrFiltering, false);
    assert.equal(await firstOf(result), 'b');
  });

  test('are sorted once the last page has arrived', async () => {
    const { result } = await withRows();
    const writer = result.begin(nextHeader, recordedActions([]));
    writer.open(columns);
    await writer.append([['b'], ['d']]);
    writer.setRows({ ...progress, extent: 'more', loading: { kind: 'all' } });
    assert.deepEqual(viewOf(result), { sort: [], filters, viewRowCount: 1 });
    await writer.append([['c']]);
    writer.setRows(progress);
    assert.equal(await firstOf(result), 'c');
    assert.deepEqual(viewOf(result), { sort, filters, viewRowCount: 2 });
  });

  test('are not repeated once the query has them', async () => {
    const { result } = await withRows();
    result.addedToQuery({ sort: [], filters });
    await runAgain(result);
    assert.deepEqual(viewOf(result), { sort, filters: [], viewRowCount: 3 });
    result.addedToQuery({ sort, filters: [] });
    await runAgain(result);
    assert.deepEqual(viewOf(result), { sort: [], filters: [], viewRowCount: 3 });
  });
});
