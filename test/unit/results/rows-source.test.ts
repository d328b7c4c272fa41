/** Results with rows from any source: paging, cancellation, failures, reading again. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Result } from '#client/features/results/result.ts';
import { SourceReading, type RowsSource } from '#client/features/results/rows-source.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { RowsPage } from '#core/rows/rows-page.ts';
import type { RowsState } from '#panel-protocol/messages.ts';

const columns = [{ name: 'n', type: 'int4' }];
const header = { title: 'accounts', origin: 'rows', parameters: [] } as const;

function pageOf(from: number, isLast: boolean): RowsPage {
  return { columns, rows: Array.from({ length: 10 }, (_, index) => [from + index]), isLast };
}

function open(pages: RowsSource['pages'], rowLimit = 1_000) {
  const waiting = new Set<() => void>();
  const result: Result = new Result({
    ...{ id: 'r', key: 'k', header, factory: createLocalData() },
    changed: () => waiting.forEach((look) => look()),
  });
  const reading = new SourceReading({ key: 'k', header, pages }, { result, rowLimit });
  /** Resolves with the first row state that meets the condition. */
  const rows = (condition: (state: RowsState) => boolean) =>
    new Promise<RowsState>((resolve) => {
      const look = () => {
        if (result.state.kind !== 'rows' || !condition(result.state)) return;
        waiting.delete(look);
        resolve(result.state);
      };
      waiting.add(look);
      look();
    });
  return { result, reading, rows };
}

suite('rows from a source', () => {
  test('requests only the first page, then the next on demand, and reports the known columns and counts', async () => {
    let asked = 0;
    const { result, reading, rows } = open(async function* pages() {
      for (let page = 0; page < 3; page += 1) {
        asked += 1;
        yield await Promise.resolve(pageOf(page * 10, page === 2));
      }
    });
    await reading.start();
    const first = await rows(() => true);
    assert.deepEqual([asked, first.rowCount, first.extent, first.totalRows], [1, 10, 'more', undefined]);
    result.actions?.load?.(false);
    const second = await rows(({ rowCount, loading }) => rowCount === 20 && loading.kind === 'none');
    assert.equal(second.extent, 'more');
    result.actions?.load?.(true);
    const last = await rows((state) => state.extent === 'complete' && state.loading.kind === 'none');
    assert.deepEqual([asked, last.rowCount, last.totalRows], [3, 30, 30]);
    assert.equal((await result.data?.ask('cell', { row: 29, column: 0 }))?.text, '29');
  });

  test('stops loading all rows at the limit and reports it', async () => {
    const { result, reading, rows } = open(async function* pages() {
      for (let page = 0; ; page += 1) yield await Promise.resolve(pageOf(page * 10, false));
    }, 30);
    await reading.start();
    result.actions?.load?.(true);
    const state = await rows(({ extent, loading }) => extent === 'at-limit' && loading.kind === 'none');
    assert.equal(state.rowCount, 30);
  });

  test('keeps the loaded rows if the source fails, immediately or later', async () => {
    const { result, reading } = open(() => {
      return (async function* pages() {
        yield await Promise.reject<RowsPage>(new Error('no such collection'));
      })();
    });
    await reading.start();
    assert.equal(result.state.kind, 'failed');
    const later = open(async function* pages() {
      yield await Promise.resolve(pageOf(0, false));
      throw new Error('the connection was lost');
    });
    await later.reading.start();
    later.result.actions?.load?.(false);
    const state = await later.rows(({ loading }) => loading.kind === 'failed');
    assert.equal(state.rowCount, 10);
    assert.equal(state.loading.kind === 'failed' && state.loading.failure.message, 'the connection was lost');
  });

  test('frees the result immediately on cancel, even if the source never responds', async () => {
    let ended: unknown;
    const { result, reading } = open((signal) => {
      signal.addEventListener('abort', () => {
        ended = signal.reason as unknown;
      });
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    });
    const started = reading.start();
    result.actions?.cancel();
    await started;
    assert.equal(result.state.kind, 'cancelled');
    assert.equal(ended instanceof Error && ended.name, 'AbortError');
  });

  test('keeps the rows after a pause, and resumes with the requested page', async () => {
    let readings = 0;
    const slow = Promise.withResolvers<undefined>();
    const { result, reading, rows } = open(async function* pages() {
      readings += 1;
      yield pageOf(0, false);
      await slow.promise;
      yield pageOf(10, true);
    });
    await reading.start();
    result.actions?.load?.(true);
    await rows(({ loading }) => loading.kind === 'all');
    result.actions?.cancel();
    assert.equal((await rows(({ loading }) => loading.kind === 'none')).rowCount, 10);
    result.actions?.load?.(true);
    slow.resolve(undefined);
    const state = await rows(({ extent }) => extent === 'complete');
    assert.deepEqual([readings, state.rowCount], [1, 20]);
  });

  test('resumes after a failure if the source can, and otherwise reads again', async () => {
    let asked = 0;
    const going = open(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          asked += 1;
          if (asked === 2) return Promise.reject(new Error('busy'));
          return Promise.resolve({ done: false, value: pageOf(asked * 10, asked === 3) });
        },
      }),
    }));
    await going.reading.start();
    going.result.actions?.load?.(true);
    await going.rows(({ loading }) => loading.kind === 'failed');
    going.result.actions?.load?.(true);
    assert.equal((await going.rows(({ extent }) => extent === 'complete')).rowCount, 20);
    let readings = 0;
    const ended = open(async function* pages() {
      readings += 1;
      yield await Promise.resolve(pageOf(0, false));
      if (readings === 1) throw new Error('busy');
      yield pageOf(10, true);
    });
    await ended.reading.start();
    ended.result.actions?.load?.(true);
    await ended.rows(({ loading }) => loading.kind === 'failed');
    ended.result.actions?.load?.(true);
    assert.equal((await ended.rows(({ extent }) => extent === 'complete')).rowCount, 20);
    assert.equal(readings, 2);
  });

  test("explains why a page takes a long time, and runs the header's actions", async () => {
    const slow = Promise.withResolvers<undefined>();
    const calls: string[] = [];
    const waiting = new Set<() => void>();
    const result: Result = new Result({
      ...{ id: 'r', key: 'k', header, factory: createLocalData() },
      changed: () => waiting.forEach((look) => look()),
    });
    const source: RowsSource = {
      key: 'k',
      header,
      steps: [() => void calls.push('first'), () => void calls.push('second')],
      async *pages(_signal, say) {
        say('The service is preparing these rows');
        await slow.promise;
        yield pageOf(0, true);
      },
    };
    const said = new Promise<string | undefined>((resolve) => {
      waiting.add(() => {
        if (result.state.kind === 'running' && result.state.note !== undefined) resolve(result.state.note);
      });
    });
    const started = new SourceReading(source, { result, rowLimit: 100 }).start();
    assert.equal(await said, 'The service is preparing these rows');
    result.actions?.step?.(1);
    slow.resolve(undefined);
    await started;
    assert.deepEqual(calls, ['second']);
    assert.equal(result.state.kind, 'rows');
  });

  test('stops an earlier read when the source is read again', async () => {
    let reading = 0;
    let answerFirst: ((page: RowsPage) => void) | undefined;
    const opened = open(async function* pages() {
      reading += 1;
      if (reading === 1) yield await new Promise<RowsPage>((resolve) => (answerFirst = resolve));
      yield pageOf(100, true);
    });
    const first = opened.reading.start();
    opened.result.actions?.runAgain();
    const state = await opened.rows(({ extent }) => extent === 'complete');
    answerFirst?.(pageOf(0, true));
    await first;
    assert.equal(state.rowCount, 10);
    assert.equal((await opened.result.data?.ask('cell', { row: 0, column: 0 }))?.text, '100');
  });

  test('matches columns of later pages by name, and adds new ones', async () => {
    const { result, reading, rows } = open(async function* pages() {
      yield await Promise.resolve({ columns: [], rows: [], isLast: false });
      yield { columns: [{ name: 'a', type: '' }], rows: [[1]], isLast: false };
      yield {
        columns: [
          { name: 'b', type: 'jsonb' },
          { name: 'a', type: '' },
        ],
        rows: [[{ x: 1 }, 2]],
        isLast: true,
      };
    });
    await reading.start();
    result.actions?.load?.(true);
    const state = await rows((one) => one.extent === 'complete');
    assert.deepEqual(
      state.columns.map(({ name, kind }) => [name, kind]),
      [
        ['a', 'number'],
        ['b', 'json'],
      ],
    );
    const cells = await result.data?.ask('window', { firstRow: 0, rowCount: 2, columns: [0, 1] });
    assert.deepEqual(
      cells?.columns.map((one) => one.cells),
      [
        ['1', '2'],
        [null, '{"x":1}'],
      ],
    );
  });

  test('a source that arranges gets each order and filter, and its rows stay as it gives them', async () => {
    const asked: string[] = [];
    const result: Result = new Result({
      ...{ id: 'r', key: 'k', header, factory: createLocalData() },
      changed: () => undefined,
    });
    const ended: boolean[] = [];
    const source: RowsSource = {
      ...{ key: 'k', header },
      async *pages(signal, _, { columns: known, sort, filters }) {
        asked.push(`${known.map(({ kind }) => kind).join()} ${sort.length} ${filters.length}`);
        signal.addEventListener('abort', () => ended.push(true));
        yield await Promise.resolve({ columns, rows: [[3], [1], [2]], isLast: false, totalRows: 50 });
        yield { columns, rows: [[4]], isLast: true };
      },
      values: (arrangement, { column }) =>
        Promise.resolve({
          values: [{ text: `${column} ${arrangement.filters.length}`, count: 1 }],
          distinct: 1,
        }),
    };
    await new SourceReading(source, { result, rowLimit: 1_000 }).start();
    const wanted = {
      sort: [{ column: 0, descending: true }],
      filters: [{ column: 0, rule: { kind: 'compare', operator: '>', text: '0' } }],
    } as const;
    await result.sortAndFilter(wanted);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([asked, ended], [[' 0 0', 'number 1 1'], [true]]);
    const { state } = result;
    assert.ok(state.kind === 'rows');
    const { sort, filters, rowCount, viewRowCount, extent, isArrangedBySource } = state;
    assert.deepEqual({ sort, filters }, wanted);
    assert.deepEqual([rowCount, viewRowCount, extent, isArrangedBySource], [3, 3, 'more', true]);
    const window = await result.data?.ask('window', { firstRow: 0, rowCount: 3, columns: [0] });
    assert.deepEqual(window?.columns[0]?.cells, ['3', '1', '2']);
    const values = await result.actions?.arranging?.values({
      column: 0,
      signal: new AbortController().signal,
    });
    assert.deepEqual(values?.values[0]?.text, '0 1');
    // Read again, the rows are arranged as they were.
    result.actions?.runAgain();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(asked.at(-1), 'number 1 1');
  });

  test('a sort that fails is not tried again: the rows come back as they were', async () => {
    const result: Result = new Result({
      ...{ id: 'r', key: 'k', header, factory: createLocalData() },
      changed: () => undefined,
    });
    const source: RowsSource = {
      ...{ key: 'k', header },
      async *pages(_signal, _say, { sort }) {
        if (sort.length > 0) throw new Error('no memory');
        yield await Promise.resolve(pageOf(0, true));
      },
      values: () => Promise.resolve({ values: [], distinct: 0 }),
    };
    await new SourceReading(source, { result, rowLimit: 1_000 }).start();
    await result.sortAndFilter({ sort: [{ column: 0, descending: true }], filters: [] });
    await new Promise((resolve) => setImmediate(resolve));
    const shown = () => result.state;
    assert.equal(shown().kind, 'failed');
    result.actions?.runAgain();
    await new Promise((resolve) => setImmediate(resolve));
    const again = shown();
    assert.deepEqual(again.kind === 'rows' && [again.rowCount, again.sort], [10, []]);
  });
});
