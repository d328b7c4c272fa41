/** Reads the pages of a query with the product's own reader. */
import { throwIfAborted } from '#api/client/abort.ts';
import type { WalkOptions } from '#api/client/answers/paging.ts';
import type { ExecuteOptions, RunRequest, ServiceClient } from '#api/client/client.ts';
import type { JsonValue } from '#api/client/json.ts';
import type { QueryPage } from '#api/client/query-page.ts';
import type { PageFeed, PageReader, ReadOutcome } from '#core/reading/page-reader.ts';
import type { RowsExtent, RowsProgress, RowsWriter } from '#core/reading/rows-writer.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { QueryRun } from '#core/runs/query-run.ts';

/** Returns how much of the rows there is; undefined if the reading failed or was cancelled. */
export function extentOf(outcome: ReadOutcome): RowsExtent | undefined {
  return outcome.kind === 'rows' ? outcome.extent : undefined;
}

export interface PageOfRows {
  /** All columns known so far. */
  readonly columns: readonly StoreColumn[];
  readonly rows: readonly (readonly (JsonValue | undefined)[])[];
}

class Pages implements RowsWriter {
  readonly pages: PageOfRows[] = [];
  progress: RowsProgress | undefined;
  #columns: readonly StoreColumn[] = [];
  #rowCount = 0;

  set(): void {
    // The outcome has the failure.
  }
  open(columns: readonly StoreColumn[]): void {
    this.#columns = columns;
  }
  grow(columns: readonly StoreColumn[]): void {
    this.#columns = [...this.#columns, ...columns];
  }
  append(rows: PageRows) {
    if (isPacked(rows)) throw new TypeError('rows are read as values here');
    this.pages.push({ columns: this.#columns, rows: rows as PageOfRows['rows'] }); // cells are JSON
    this.#rowCount += rows.length;
    return Promise.resolve({ rowCount: this.#rowCount });
  }
  setRows(progress: RowsProgress): void {
    this.progress = progress;
  }
}

/** Yields the pages that arrived. @throws what the reading failed with. */
export async function* queryPages(
  { queries }: Pick<ServiceClient, 'queries'>,
  { pageSize = 1_000, ...request }: Omit<RunRequest, 'pageToken'>,
  {
    signal = AbortSignal.any([]),
    isRepeatable,
    ...pacing
  }: WalkOptions & Pick<ExecuteOptions, 'isRepeatable'> = {},
): AsyncGenerator<PageOfRows, void, undefined> {
  const writer = new Pages();
  const run = new QueryRun({
    deadline: limitedByCaller(),
    ...{ signal, writer, request, pageSize, pacing },
    rowLimit: Number.MAX_SAFE_INTEGER,
    execute: (asked, { signal: within }) => queries.execute(asked, { signal: within, isRepeatable }),
  });
  const outcome = await run.readAll();
  yield* writer.pages;
  throwIfAborted(signal);
  if (outcome.kind === 'failed') throw outcome.error;
}

/** Reads given pages in turn, as an answer's reader does. `onAsked` is called for each. */
export function inTurn(
  pages: readonly QueryPage[],
  onAsked: () => void = () => undefined,
): (writer: RowsWriter, rowLimit: number) => PageReader {
  return (writer, rowLimit) => {
    let next = 0;
    return new QueryRun({
      deadline: limitedByCaller(),
      ...{ writer, rowLimit, signal: AbortSignal.any([]), pageSize: 1_000 },
      request: { query_string: 'SELECT 1' },
      pacing: { emptyPageDelayMs: 0 },
      execute: () => {
        onAsked();
        const page = pages[next];
        next += 1;
        return page === undefined ? Promise.reject(new Error('no such page')) : Promise.resolve(page);
      },
    });
  };
}

/** Yields the pages of a feed that have rows. */
export async function* pagesOfFeed(
  feed: PageFeed,
  signal: AbortSignal = AbortSignal.any([]),
): AsyncGenerator<PageOfRows, void, undefined> {
  for (let page = await feed.next(signal); page !== undefined; page = await feed.next(signal)) {
    if (isPacked(page.rows)) throw new TypeError('rows are read as values here');
    if (page.isPreparing !== true) yield { columns: page.columns, rows: page.rows as PageOfRows['rows'] }; // cells are JSON
  }
}
