/** Reads all rows of a query into memory. */
import { throwIfAborted } from '#api/client/abort.ts';
import type { WalkOptions } from '#api/client/answers/paging.ts';
import type { ExecuteOptions, ServiceClient } from '#api/client/client.ts';
import { limits } from '#api/contract/limits.ts';
import { Deadline } from '#base/async/deadline.ts';
import { sendQuery, type Permit } from '../policy/send-query.ts';
import type { RowsWriter } from '../reading/rows-writer.ts';
import { timeLimitMsDefault } from '../reading/time-limit.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { isPacked } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import { QueryRun, type QueryRunOptions } from './query-run.ts';

export interface ReadRows {
  readonly columns: readonly StoreColumn[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether these are all rows: the service may send fewer than it reports, or leave open whether there are more. */
  readonly isComplete: boolean;
}

/**
 * @throws the errors of `ServiceClient.queries.execute`; UnfinishedListError if the pages never end; TimeLimitError;
 *   UserAbort.
 */
export async function readRows(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  request: QueryRunOptions['request'],
  {
    signal = AbortSignal.any([]),
    throwsRateLimit,
    ...pacing
  }: WalkOptions & Pick<ExecuteOptions, 'throwsRateLimit'> = {},
): Promise<ReadRows> {
  const rows = new RowsInMemory();
  const run = new QueryRun({
    ...{ signal, request, pacing, writer: rows },
    pageSize: limits.executePageSizeMax,
    rowLimit: Number.MAX_SAFE_INTEGER,
    deadline: new Deadline(timeLimitMsDefault),
    execute: (asked, { signal: within }) =>
      sendQuery(client, given, asked, { signal: within, throwsRateLimit }),
  });
  const outcome = await run.readAll();
  throwIfAborted(signal);
  if (outcome.kind === 'failed') throw outcome.error;
  return { ...rows.held, isComplete: outcome.kind === 'rows' && outcome.extent === 'complete' };
}

class RowsInMemory implements RowsWriter {
  #columns: readonly StoreColumn[] = [];
  readonly #rows: (readonly unknown[])[] = [];

  get held(): Pick<ReadRows, 'columns' | 'rows'> {
    return { columns: this.#columns, rows: this.#rows };
  }

  set(): void {
    // The caller is told why there are no rows.
  }

  open(columns: readonly StoreColumn[]): void {
    this.#columns = columns;
  }

  grow(columns: readonly StoreColumn[]): void {
    this.#columns = [...this.#columns, ...columns];
  }

  append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    if (isPacked(rows)) throw new TypeError('these rows are read as values');
    for (const row of rows) this.#rows.push(row);
    return Promise.resolve({ rowCount: this.#rows.length });
  }

  setRows(): void {
    // The outcome says whether these are all rows.
  }
}
