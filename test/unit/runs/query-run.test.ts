/** Runs: pages in order, immediate cancellation, late responses dropped. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunRequest } from '#api/client/client.ts';
import { RateLimitError, TransportError } from '#api/client/errors.ts';
import type { QueryPage } from '#api/client/query-page.ts';
import { Deadline } from '#base/async/deadline.ts';
import { Result } from '#client/features/results/result.ts';
import type { RowsWriter } from '#core/reading/rows-writer.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import { QueryRun, type Execute } from '#core/runs/query-run.ts';
import type { ResultState } from '#panel-protocol/messages.ts';
import { extentOf } from '#test/helpers/query-pages.ts';
import { recordedActions } from '#test/helpers/recorded-actions.ts';

const header = { title: 'q', parameters: [] };

function setUp(
  execute: Execute,
  options: {
    rowLimit?: number;
    pageSize?: number;
    timeLimitMs?: number;
    emptyPagesMax?: number;
    emptyPageDelayMs?: number;
  } = {},
) {
  const states: ResultState[] = [];
  const result: Result = new Result({
    id: 'r',
    key: 'k',
    header,
    factory: createLocalData(),
    changed: (changed) => states.push(changed.state),
  });
  const newRun = (ask: Execute = execute) =>
    new QueryRun({
      signal: new AbortController().signal,
      execute: ask,
      request: { query_string: 'SELECT 1', model: 'm' },
      writer: result.begin(header, recordedActions([])),
      pageSize: options.pageSize ?? 2,
      rowLimit: options.rowLimit ?? 1_000,
      deadline: new Deadline(options.timeLimitMs ?? Infinity, { isEachTime: true }),
      pausing: (delayMs) => `paused for ${delayMs} ms`,
      pacing: { emptyPageDelayMs: options.emptyPageDelayMs ?? 0, emptyPagesMax: options.emptyPagesMax },
      explain: (error) => ({ message: error instanceof Error ? error.message : '', reasons: [] }),
    });
  return { result, states, newRun };
}

/** Creates a service with the rows 0 to count - 1, in pages. */
function serviceOf(count: number) {
  const asked: RunRequest[] = [];
  const execute: Execute = (request) => {
    asked.push(request);
    const from = Number(request.pageToken ?? 0);
    const size = request.pageSize ?? 1_000;
    const rows = Array.from({ length: Math.min(size, count - from) }, (_, index) => [from + index]);
    const page: QueryPage = { columns: [{ name: 'n', type: 'int4' }], rows };
    return Promise.resolve(from + size < count ? { ...page, nextPageToken: String(from + size) } : page);
  };
  return { asked, execute };
}

test('a rate limit is shown until the retry, before the first page and between pages', async () => {
  const service = serviceOf(6);
  const limited = new RateLimitError('', { code: 'TOO_MANY_REQUESTS', status: 429, retryable: true });
  const lost = new TransportError('', 'reset', undefined);
  const { result, states, newRun } = setUp((request, options) => {
    options.onWait?.(2_000, limited);
    options.onRetry?.(limited);
    options.onWait?.(100, lost);
    options.onRetry?.(lost);
    return service.execute(request, options);
  });
  const run = newRun();
  const notes = () =>
    states.map((state) =>
      state.kind === 'running'
        ? state.note
        : state.kind === 'rows' && state.loading.kind === 'page'
          ? state.loading.note
          : undefined,
    );
  await run.start();
  assert.deepEqual(
    notes().filter((note, index, all) => note !== all[index - 1]),
    ['paused for 2000 ms', undefined],
  );
  states.length = 0;
  await run.load(false);
  assert.ok(notes().includes('paused for 2000 ms'));
  assert.equal(notes().at(-1), undefined);
  assert.equal(rowsOf(result.state).loading.kind, 'none');
});

test('the expected columns are shown until the service reports the real ones', async () => {
  const states: ResultState[] = [];
  const result: Result = new Result({
    id: 'r',
    key: 'k',
    header,
    factory: createLocalData(),
    changed: (changed) => states.push(changed.state),
  });
  const expected = [{ name: 'n', type: 'bigint' }, { name: 'm' }];
  const run = new QueryRun({
    deadline: limitedByCaller(),
    signal: new AbortController().signal,
    execute: serviceOf(2).execute,
    request: { query_string: 'SELECT 1', model: 'm' },
    writer: result.begin(header, recordedActions([])),
    expected,
    pageSize: 2,
    rowLimit: 10,
    explain: () => ({ message: '', reasons: [] }),
  });
  await run.start();
  const running = states.find(({ kind }) => kind === 'running');
  assert.deepEqual(running?.kind === 'running' && running.columns, expected);
  assert.deepEqual(
    rowsOf(result.state).columns.map(({ name, type }) => [name, type]),
    [['n', 'int4']],
  );
});

function rowsOf(state: ResultState) {
  assert.equal(state.kind, 'rows');
  return state;
}

suite('query run', () => {
  test('shows the first page, then more on demand, then all pages', async () => {
    const service = serviceOf(9);
    const { result, newRun } = setUp(service.execute);
    const run = newRun();
    assert.equal((await run.start()).kind, 'rows');
    assert.deepEqual(rowsOf(result.state), { ...rowsOf(result.state), rowCount: 2, extent: 'more' });
    await run.load(false);
    assert.equal(rowsOf(result.state).rowCount, 4);
    await run.load(true);
    const state = rowsOf(result.state);
    assert.deepEqual([state.rowCount, state.extent, state.loading.kind], [9, 'complete', 'none']);
    assert.deepEqual(
      service.asked.map((request) => request.pageToken),
      [undefined, '2', '4', '6', '8'],
    );
    assert.equal((await result.data!.ask('cell', { row: 8, column: 0 })).text, '8');
  });

  /** Creates a run that appends pages to a list; `writing` is awaited while each page is written. */
  function listedRun(execute: Execute, rowLimit: number, writing: () => Promise<void>) {
    const written: unknown[][] = [];
    const writer: RowsWriter = {
      set: () => undefined,
      open: () => undefined,
      grow: () => undefined,
      setRows: () => undefined,
      append: async (rows) => {
        await writing();
        assert.ok(!isPacked(rows));
        written.push(...rows.map((row) => [...row]));
        return { rowCount: written.length };
      },
    };
    const request = { query_string: 'SELECT 1' };
    const explain = () => ({ message: '', reasons: [] });
    const run = new QueryRun({
      deadline: limitedByCaller(),
      signal: new AbortController().signal,
      execute,
      request,
      writer,
      pageSize: 2,
      rowLimit,
      explain,
    });
    return { run, written };
  }
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

  test('requests the next page while one is being written, but never more than one', async () => {
    const service = serviceOf(12);
    const askedThen: number[] = [];
    const { run, written } = listedRun(service.execute, 9, async () => {
      await nextTurn();
      askedThen.push(service.asked.length);
    });
    await run.start();
    await run.load(true);
    // The first page is read alone. Then the run reads one page ahead, never beyond the limit.
    assert.deepEqual(askedThen, [1, 3, 4, 5, 5]);
    assert.equal(written.length, 9);
  });

  test('loses no page, and writes none twice, if it is stopped while the next one is loading', async () => {
    const service = serviceOf(8);
    const { run, written } = listedRun(service.execute, 1_000, async () => {
      await nextTurn();
      if (written.length === 2) run.cancel();
    });
    await run.start();
    await run.load(true);
    assert.equal(written.length, 4);
    await run.load(true);
    assert.deepEqual(written.flat(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(
      service.asked.map((request) => request.pageToken),
      [undefined, '2', '4', '6'],
    );
  });

  test('stops loading at the limit and reports it', async () => {
    const { result, newRun } = setUp(serviceOf(100).execute, { rowLimit: 6 });
    const run = newRun();
    await run.start();
    await run.load(true);
    const state = rowsOf(result.state);
    assert.deepEqual([state.rowCount, state.extent], [6, 'at-limit']);
  });

  for (const [sent, reported, isShort] of [
    [0, 5, true],
    [2, 3, true],
    [2, 2, false],
    // Some services report the row count of the page.
    [2, 1, false],
  ] as const)
    test(`${sent} rows of ${reported} that the service reports are ${isShort ? 'not ' : ''}complete`, async () => {
      const page: QueryPage = {
        columns: [{ name: 'n', type: 'int4' }],
        rows: Array.from({ length: sent }, (_, index) => [index]),
        rowCount: reported,
      };
      const { result, newRun } = setUp(() => Promise.resolve(page));
      const run = newRun();
      const outcome = await run.start();
      const state = rowsOf(result.state);
      const extent = isShort ? 'short' : 'complete';
      const totalRows = Math.max(sent, reported);
      assert.deepEqual(outcome, { ...outcome, kind: 'rows', extent, totalRows });
      assert.deepEqual([state.extent, state.totalRows], [extent, totalRows]);
      await run.load(true);
      assert.equal(rowsOf(result.state).loading.kind, 'none');
    });

  test('frees the result immediately on cancel, even if the service never responds', async () => {
    const signals: AbortSignal[] = [];
    const { result, newRun } = setUp((_, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const run = newRun();
    const outcome = run.start();
    assert.equal(result.state.kind, 'running');
    run.cancel();
    assert.equal((await outcome).kind, 'cancelled');
    assert.equal(result.state.kind, 'cancelled');
    assert.equal(signals[0]?.aborted, true);
    assert.equal(run.isBusy, false);
  });

  test('ends without a response at the time limit, and aborts the request', async () => {
    const signals: AbortSignal[] = [];
    const { result, newRun } = setUp(
      (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      { timeLimitMs: 20 },
    );
    const outcome = await newRun().start();
    assert.equal(outcome.kind, 'failed');
    assert.ok(result.state.kind === 'failed');
    assert.match(result.state.failure.message, /within 0\.02 seconds/);
    assert.equal(signals[0]?.aborted, true);
  });

  test('counts the time in which rows are prepared, and gives each load the whole time', async () => {
    let isReady = false;
    const { result, newRun } = setUp(
      (request, options) =>
        isReady
          ? serviceOf(4).execute({ ...request, pageToken: undefined }, options)
          : Promise.resolve({ columns: [], rows: [], nextPageToken: 'again' }),
      { timeLimitMs: 20, emptyPageDelayMs: 600_000 },
    );
    assert.equal((await newRun().start()).kind, 'failed');
    assert.ok(result.state.kind === 'failed');
    assert.match(result.state.failure.message, /within 0\.02 seconds/);
    isReady = true;
    assert.equal((await newRun().start()).kind, 'rows');
  });

  test('leaves rows beyond the limit to the next load, if the service sends more than asked', async () => {
    const service = serviceOf(7);
    const { run, written } = listedRun(
      (request, options) => service.execute({ ...request, pageSize: 5 }, options),
      3,
      () => Promise.resolve(),
    );
    assert.deepEqual([extentOf(await run.readAll()), written.flat()], ['at-limit', [0, 1, 2]]);
    assert.equal(service.asked.length, 1);
    await run.load(false);
    assert.deepEqual(written.flat(), [0, 1, 2, 3, 4]);
    assert.equal(service.asked.length, 1, 'the rest was there');
    await run.load(false);
    assert.deepEqual(written.flat(), [0, 1, 2, 3, 4, 5, 6]);
  });

  test('requests nothing after a cancel before the first rows, whatever is called', async () => {
    let asked = 0;
    const { newRun } = setUp(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const run = newRun();
    const started = run.start();
    run.cancel();
    await started;
    await run.load(true);
    await run.readAll();
    assert.equal(asked, 1);
  });

  test('keeps the loaded rows if loading more is cancelled', async () => {
    const service = serviceOf(10);
    let isStuck = false;
    const { result, newRun } = setUp((request, options) =>
      isStuck ? new Promise(() => undefined) : service.execute(request, options),
    );
    const run = newRun();
    await run.start();
    isStuck = true;
    const loading = run.load(true);
    assert.equal(rowsOf(result.state).loading.kind, 'all');
    run.cancel();
    await loading;
    assert.deepEqual([rowsOf(result.state).rowCount, rowsOf(result.state).loading.kind], [2, 'none']);
    isStuck = false;
    await run.load(false);
    assert.equal(rowsOf(result.state).rowCount, 4);
  });

  test('never replaces a later run with the response to an earlier one', async () => {
    let answerLate: ((page: QueryPage) => void) | undefined;
    const { result, newRun } = setUp(serviceOf(1).execute);
    const slow = newRun(() => new Promise((resolve) => (answerLate = resolve)));
    const slowEnd = slow.start();
    await newRun().start();
    answerLate?.({ columns: [{ name: 'late', type: 'text' }], rows: [['late']] });
    await slowEnd;
    const state = rowsOf(result.state);
    assert.equal(state.columns[0]?.name, 'n');
    assert.equal((await result.data!.ask('cell', { row: 0, column: 0 })).text, '0');
  });

  test('keeps the rows and reports the failure if loading more fails', async () => {
    const service = serviceOf(10);
    const { result, newRun } = setUp((request, options) =>
      request.pageToken === undefined ? service.execute(request, options) : Promise.reject(new Error('gone')),
    );
    const run = newRun();
    await run.start();
    const before = rowsOf(result.state).totalMs;
    await run.load(false);
    const { loading, rowCount, totalMs } = rowsOf(result.state);
    assert.equal(rowCount, 2);
    assert.ok(totalMs > before, 'the time of the request that failed counts');
    assert.ok(loading.kind === 'failed' && loading.failure.message === 'gone');
  });

  test('has the failure as its state if the first page fails', async () => {
    const { result, newRun } = setUp(() => Promise.reject(new Error('no such table')));
    assert.equal((await newRun().start()).kind, 'failed');
    assert.ok(result.state.kind === 'failed' && result.state.failure.message === 'no such table');
  });

  test('sorts only when all rows are loaded, and resets the order when more arrive', async () => {
    const { result, newRun } = setUp(serviceOf(5).execute);
    const run = newRun();
    await run.start();
    await result.sortAndFilter({ sort: [{ column: 0, descending: true }], filters: [] });
    assert.deepEqual(rowsOf(result.state).sort, []);
    await run.load(true);
    await result.sortAndFilter({ sort: [{ column: 0, descending: true }], filters: [] });
    assert.equal((await result.data!.ask('cell', { row: 0, column: 0 })).text, '4');
    assert.deepEqual(rowsOf(result.state).sort, [{ column: 0, descending: true }]);
  });

  test('never requests a page twice at the same time', async () => {
    const service = serviceOf(10);
    const { newRun } = setUp(service.execute);
    const run = newRun();
    await run.start();
    await Promise.all([run.load(false), run.load(false), run.load(true)]);
    assert.equal(service.asked.length, 2);
  });
});

suite('pages of a different service', () => {
  const pagesOf = (pages: readonly QueryPage[]) => {
    let count = 0;
    const asked: RunRequest[] = [];
    const execute: Execute = (request) => {
      asked.push(request);
      const page = pages[Math.min(count, pages.length - 1)];
      count += 1;
      return Promise.resolve(page ?? { columns: [], rows: [] });
    };
    return { asked, execute };
  };
  const column = (name: string, type = 'int4') => ({ name, type });

  test('match values by name, and add later columns', async () => {
    const { execute } = pagesOf([
      { columns: [column('a'), column('b')], rows: [[1, 2]], nextPageToken: '1' },
      { columns: [column('b'), column('c', 'text'), column('a')], rows: [[4, 'new', 3]] },
    ]);
    const { result, newRun } = setUp(execute);
    const run = newRun();
    await run.start();
    result.shownColumns = [1, 0];
    await run.load(true);
    const state = rowsOf(result.state);
    assert.deepEqual(
      state.columns.map(({ name, kind }) => [name, kind]),
      [
        ['a', 'number'],
        ['b', 'number'],
        ['c', 'text'],
      ],
    );
    assert.deepEqual(result.shownColumns, [1, 0, 2]);
    const cells = await result.data?.ask('window', { firstRow: 0, rowCount: 2, columns: [0, 1, 2] });
    assert.deepEqual(
      cells?.columns.map((one) => one.cells),
      [
        ['1', '3'],
        ['2', '4'],
        [null, 'new'],
      ],
    );
  });

  test('may start with an empty page without columns', async () => {
    const { execute, asked } = pagesOf([
      { columns: [], rows: [], nextPageToken: '1' },
      { columns: [column('a')], rows: [[1]] },
    ]);
    const { result, newRun } = setUp(execute);
    const outcome = await newRun().start();
    assert.deepEqual([outcome.rowCount, extentOf(outcome)], [1, 'complete']);
    assert.deepEqual(
      rowsOf(result.state).columns.map(({ name }) => name),
      ['a'],
    );
    assert.equal(asked.length, 2);
  });

  test('end if they repeat a token, and do not look complete', async () => {
    const { execute, asked } = pagesOf([{ columns: [column('a')], rows: [[1]], nextPageToken: 'same' }]);
    const { result, newRun } = setUp(execute);
    const run = newRun();
    await run.start();
    await run.load(true);
    const state = rowsOf(result.state);
    assert.deepEqual([asked.length, state.loading.kind, state.extent], [3, 'failed', 'more']);
    await run.load(true);
    assert.equal(asked.length, 3, 'it stays so');
  });

  test('fail after endless empty pages, and can be requested again', async () => {
    const { execute, asked } = pagesOf([
      { columns: [column('a')], rows: [[1]], nextPageToken: '1' },
      { columns: [], rows: [], nextPageToken: '2' },
    ]);
    const { result, newRun } = setUp(execute, { emptyPagesMax: 3 });
    const run = newRun();
    await run.start();
    await run.load(true);
    assert.deepEqual([asked.length, rowsOf(result.state).loading.kind], [4, 'failed']);
    await run.load(true);
    assert.deepEqual([asked.length, rowsOf(result.state).extent], [7, 'more']);
  });
});
