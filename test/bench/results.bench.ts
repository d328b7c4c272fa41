/**
 * Measures painting, jumps, sorting and memory for result rows, from the service's response to the real page. Prints
 * one JSON line per number. Times are medians in milliseconds. `paint` is measured in the page, after the frame that
 * shows the rows.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { chromium } from 'playwright-core';
import { packRows } from '#core/rows/chunk.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import type { ComparedResults } from '#core/rows/result-operations.ts';
import type { FilterRule } from '#core/rows/rows.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { chromiumSwitches, ensureChromium } from '#scripts/lib/chromium.js';
import { recordedActions } from '../helpers/recorded-actions.ts';
import { openResultsPage } from '../helpers/results-page.ts';

const columns = Array.from({ length: 20 }, (_, index) => ({
  name: `column_${index}`,
  type: ['int4', 'text', 'timestamptz', 'bool', 'text'][index % 5] ?? 'text',
}));
const names = ['mara.keller', 'jonas.brandt', 'amina.okafor', 'lee.chen', 'sofia.moreau'];

function row(index: number): unknown[] {
  // A multiplicative hash of the row number, so that values are far from sorted.
  const mixed = Math.imul(index, 2_654_435_761) >>> 0;
  return columns.map((_, column) => {
    switch (column % 5) {
      case 0:
        return mixed % 1_000_000_007;
      case 1:
        return `${names[index % 5] ?? ''}${mixed}@example.com`;
      case 2:
        return `2026-0${(mixed % 9) + 1}-1${mixed % 10} 08:00:0${index % 10}+00`;
      case 3:
        return mixed % 3 === 0;
      default:
        return index % 7 === 0 ? null : names[mixed % 5];
    }
  });
}

function rows(from: number, count: number): unknown[][] {
  return Array.from({ length: count }, (_, index) => row(from + index));
}

function report(name: string, value: number, unit: string): void {
  process.stdout.write(
    `${JSON.stringify({ bench: 'results', name, value: Math.round(value * 10) / 10, unit })}\n`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // the flag above exposes it

/** Returns the memory that is really in use, without reserved heap or garbage. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const finished = {
  loading: { kind: 'none' },
  firstRowsMs: 1,
  totalMs: 1,
  finishedAt: 0,
  totalRows: undefined,
} as const;

/** Runs in the page. Resolves once a cell with this text is painted. */
function untilPainted(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const isThere = [...document.querySelectorAll('.grid-cell')].some((cell) => cell.textContent === text);
      if (isThere) requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Measures the memory of a 100,000 x 20 result, and sorting it by text. */
async function measureSmaller(): Promise<void> {
  const heldBefore = heldBytes();
  const result = shown.newResult();
  const writer = result.begin(result.header, recordedActions([]));
  writer.open(columns);
  let bytes = 0;
  for (let from = 0; from < 100_000; from += 10_000) {
    bytes = (await writer.append(rows(from, 10_000)))?.sizeBytes ?? bytes;
  }
  writer.setRows({ ...finished, extent: 'complete' });
  report('packed data, 100,000 x 20', bytes / 1e6, 'MB');
  report('memory held over it, after a collection', (heldBytes() - heldBefore - bytes) / 1e6, 'MB');
  const sorts: number[] = [];
  // Use a different sort order each time, so that none is cached.
  for (const [turn, column] of [1, 6, 11, 16, 4, 9, 14].entries()) {
    const started = performance.now();
    await result.sortAndFilter({ sort: [{ column, descending: turn % 2 === 1 }], filters: [] });
    sorts.push(performance.now() - started);
  }
  report('sort 100,000 texts, different ones', median(sorts.slice(0, 4)), 'ms');
  report('sort 100,000 texts, few different ones', median(sorts.slice(4)), 'ms');
  shown.panel.remove(result);
}

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
const shown = await openResultsPage({ browser, useWorker: true, width: 1_440, height: 600 });
const { page } = shown;
try {
  const firstPaints: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const result = shown.newResult();
    const writer = result.begin(result.header, recordedActions([]));
    writer.set({ kind: 'running', elapsedMs: 0 });
    const data = rows(turn * 1_000, 1_000);
    const painted = page.evaluate(untilPainted, String(data[0]?.[1]));
    const started = performance.now();
    writer.open(columns);
    await writer.append(data);
    writer.setRows({ ...finished, extent: 'more' });
    await painted;
    firstPaints.push(performance.now() - started);
    shown.panel.remove(result);
  }
  report('first rows painted after first data, 1,000 x 20', median(firstPaints), 'ms');

  const count = 1_000_000;
  const result = shown.newResult();
  const writer = result.begin(result.header, recordedActions([]));
  const memoryBefore = process.memoryUsage().rss;
  const heldBefore = heldBytes();
  writer.open(columns);
  let packing = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let bytes = 0;
  for (let from = 0; from < count; from += 10_000) {
    const data = rows(from, 10_000);
    const started = performance.now();
    delay.enable();
    bytes = (await writer.append(data))?.sizeBytes ?? bytes;
    delay.disable();
    packing += performance.now() - started;
    if (from === 0) writer.setRows({ ...finished, extent: 'more' });
  }
  writer.setRows({ ...finished, extent: 'complete' });
  report('rows taken in, 1,000,000 x 20, packing and moving to the worker', packing, 'ms');
  report('host held up while taking rows in, 99 of 100', delay.percentile(99) / 1e6, 'ms');
  report('packed data, 1,000,000 x 20', bytes / 1e6, 'MB');
  report(
    'growth of the process over it, with what made the rows',
    (process.memoryUsage().rss - memoryBefore) / 1e6 - bytes / 1e6,
    'MB',
  );

  report('memory held over it, after a collection', (heldBytes() - heldBefore - bytes) / 1e6, 'MB');

  await page.getByText('1,000,000 rows', { exact: true }).waitFor();
  const jumps: number[] = [];
  for (const target of [500_000, 250_000, 750_000, 500_000, 100_000]) {
    jumps.push(
      await page.evaluate(
        (share) =>
          new Promise<number>((resolve) => {
            const grid = document.querySelector('.grid');
            const started = performance.now();
            if (grid !== null) grid.scrollTop = grid.scrollHeight * share;
            const look = () => {
              const isThere = document.querySelector('.grid-cell[data-look=pending]') === null;
              if (isThere && performance.now() - started > 1) {
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started), 0));
              } else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          }),
        target / count,
      ),
    );
  }
  report('jump to a far row until its cells are painted', median(jumps), 'ms');

  const frames = await page.evaluate(
    () =>
      new Promise<{ perSecond: number; blank: number }>((resolve) => {
        const grid = document.querySelector('.grid');
        let seen = 0;
        let blank = 0;
        const started = performance.now();
        const step = () => {
          const elapsed = performance.now() - started;
          if (elapsed > 5_000) {
            resolve({ perSecond: (seen * 1_000) / elapsed, blank: (blank * 100) / seen });
            return;
          }
          seen += 1;
          if (document.querySelectorAll('.grid-cell').length === 0) blank += 1;
          if (grid !== null) grid.scrollTop += 100;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  report('frames a second while scrolling 5 s', frames.perSecond, '1/s');
  report('frames without cells while scrolling', frames.blank, '%');

  /** The longest gap between frames during the work: an upper bound on a keystroke's delay. */
  let longestGap = 0;
  const withFrames = async (work: () => Promise<unknown>): Promise<number> => {
    await page.evaluate(() => {
      const watch = { longest: 0, last: performance.now(), isOn: true };
      Object.assign(window, { frameWatch: watch });
      const step = () => {
        watch.longest = Math.max(watch.longest, performance.now() - watch.last);
        watch.last = performance.now();
        if (watch.isOn) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    const started = performance.now();
    await work();
    const ms = performance.now() - started;
    const gap = await page.evaluate(() => {
      const watch = Reflect.get(window, 'frameWatch') as { longest: number; isOn: boolean }; // set above
      watch.isOn = false;
      return watch.longest;
    });
    longestGap = Math.max(longestGap, gap);
    return ms;
  };
  const order = (column: number) =>
    withFrames(() => result.sortAndFilter({ sort: [{ column, descending: false }], filters: [] }));
  report('sort 1,000,000 numbers', await order(0), 'ms');
  report('sort 1,000,000 texts', await order(1), 'ms');
  report('sort 1,000,000 timestamps', await order(2), 'ms');
  const filter = (column: number, rule: FilterRule) =>
    withFrames(() => result.sortAndFilter({ sort: [], filters: [{ column, rule }] }));
  const contains = { kind: 'text', operator: 'contains', text: 'OKAFOR', matchCase: false } as const;
  report('filter 1,000,000 rows by text', await filter(1, contains), 'ms');
  const above = { kind: 'compare', operator: '>', text: '500000000' } as const;
  report('filter 1,000,000 rows by number', await filter(0, above), 'ms');
  report(
    'filter 1,000,000 rows by values',
    await filter(4, { kind: 'values', values: ['lee.chen', null] }),
    'ms',
  );
  const since = { kind: 'compare', operator: '>', text: '2026-05-01' } as const;
  report('filter 1,000,000 rows by time', await filter(2, since), 'ms');
  report('longest time without a frame while sorting and filtering', longestGap, 'ms');
  await result.sortAndFilter({ sort: [], filters: [] });
  const timed = async (work: () => Promise<unknown> | undefined) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const all = columns.map((_, column) => column);
  const found = {
    text: 'okafor9',
    matchCase: false,
    columns: all,
    from: { row: 0, place: -1 },
    backwards: false,
  };
  report('find in 1,000,000 x 20', await timed(() => result.data?.ask('find', found)), 'ms');
  report('find the next', await timed(() => result.data?.ask('find', found)), 'ms');
  const range = { firstRow: 0, lastRow: count - 1, columns: [0] };
  report('add up 1,000,000 numbers', await timed(() => result.data?.ask('aggregate', range)), 'ms');

  const later = shown.factory.create(columns);
  for (let from = count; from > 0; from -= 10_000) {
    // Rows in reverse order, with one in a thousand changed.
    const page = rows(from - 10_000, 10_000).map((one, index) =>
      index % 1_000 === 0 ? [...one.slice(0, 19), 'changed'] : one,
    );
    await later.append(page.toReversed());
  }
  const sides = { before: result.data ?? later, after: later };
  const pairs = columns.map((column, index) => ({
    ...column,
    ...{ before: index, after: index, kind: columnKindOf(column.type) },
  }));
  let compared: ComparedResults | undefined;
  const comparing = timed(async () => {
    compared = await shown.factory.compare(sides, { pairs, keys: [1], ignored: [] });
  });
  // Interactive requests must not have to wait for the comparison.
  const answers: number[] = [];
  const work = { isOver: false };
  const watched = comparing.finally(() => (work.isOver = true));
  while (!work.isOver) {
    answers.push(
      await timed(() => later.ask('window', { firstRow: 500_000, rowCount: 100, columns: [0, 1, 2] })),
    );
  }
  report('compare 1,000,000 x 20 with 1,000,000 x 20', await watched, 'ms');
  report('wait for a window of rows meanwhile, median', median(answers), 'ms');
  const first = { firstRow: 0, rowCount: 100, columns: [0, 1, 2, 3, 4, 5] };
  report('first rows of the comparison', await timed(() => compared?.data.ask('window', first)), 'ms');
  compared?.data.dispose();
  later.dispose();

  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const heap = await session.send('Runtime.getHeapUsage');
  report('heap of the page with 1,000,000 rows', heap.usedSize / 1e6, 'MB');

  await measureSmaller();
} finally {
  await shown.close();
  await browser.close();
}

// Measure the store alone, without the worker and the browser.
const store = new ResultStore(columns);
const packColumns = columns.map(() => ({ isJson: false }));
for (let from = 0; from < 100_000; from += 10_000) store.append(packRows(rows(from, 10_000), packColumns));
const windows = Array.from({ length: 200 }, (_, turn) => {
  const started = performance.now();
  store.window({
    firstRow: (turn * 4_999) % 99_000,
    rowCount: 200,
    columns: columns.map((_c, index) => index),
  });
  return performance.now() - started;
});
report('window of 200 x 20 from the store', median(windows), 'ms');
const copyStarted = performance.now();
store.copy(
  { firstRow: 0, lastRow: 99_999, columns: columns.map((_, index) => index) },
  { format: 'tsv', withHeaders: true, nullText: 'NULL', guardFormulas: true, tableName: 't' },
);
report('copy 100,000 x 20 as text', performance.now() - copyStarted, 'ms');
