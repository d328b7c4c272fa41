/**
 * One run: asks for pages and puts them into its result. Cancelling frees the panel at once, whatever the service does;
 * what arrives later is dropped. It knows no editor.
 */
import type { QueryPage } from '../../../../api/client/decode.ts';
import type { ExecuteRequest } from '../../../../api/contract/execute.ts';
import type { Loading, ResultWriter, RunFailure } from '../results/index.ts';

export type Execute = (
  request: ExecuteRequest,
  options: { readonly signal: AbortSignal },
) => Promise<QueryPage>;

export interface QueryRunOptions {
  readonly execute: Execute;
  /** What is sent, without the paging. */
  readonly request: Pick<ExecuteRequest, 'query_string' | 'model' | 'parameters'>;
  readonly writer: ResultWriter;
  readonly pageSize: number;
  /** Rows at which loading stops by itself. */
  readonly rowLimit: number;
  /** Puts an error into words and places; called for everything but cancelling. */
  readonly explain: (error: unknown) => RunFailure;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

export interface RunOutcome {
  readonly kind: 'rows' | 'failed' | 'cancelled';
  readonly rowCount: number;
  readonly ms: number;
}

export class QueryRun {
  readonly #options: QueryRunOptions;
  readonly #now: () => number;
  readonly #clock: () => number;
  #controller: AbortController | undefined;
  #started = 0;
  #firstRowsMs = 0;
  #totalMs = 0;
  #finishedAt = 0;
  #rowCount = 0;
  #totalRows: number | undefined;
  #nextPageToken: string | undefined;

  constructor(options: QueryRunOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#clock = options.clock ?? (() => Date.now());
  }

  /** Whether something is asked of the service just now. */
  get isBusy(): boolean {
    return this.#controller !== undefined;
  }

  /** The first page. Never rejects: how it ended is in the result and in the outcome. */
  async start(): Promise<RunOutcome> {
    const { writer, explain } = this.#options;
    this.#started = this.#now();
    writer.set({ kind: 'running', elapsedMs: 0 });
    const outcome = (kind: RunOutcome['kind']): RunOutcome => ({
      kind,
      rowCount: this.#rowCount,
      ms: this.#elapsed(),
    });
    try {
      await this.#withSignal(async (signal) => {
        const page = await this.#ask(signal);
        writer.open(page.columns);
        await this.#take(page, 'none');
      });
      return outcome('rows');
    } catch (error) {
      if (isAbort(error)) {
        writer.set({ kind: 'cancelled', elapsedMs: this.#elapsed() });
        return outcome('cancelled');
      }
      writer.set({ kind: 'failed', failure: explain(error), elapsedMs: this.#elapsed() });
      return outcome('failed');
    }
  }

  /** The next page, or all that are left up to the limit. Does nothing while one is on its way. */
  async load(all: boolean): Promise<void> {
    if (this.isBusy || this.#nextPageToken === undefined) return;
    const loading = { kind: all ? 'all' : 'page' } as const;
    const started = this.#now();
    this.#draw(loading);
    try {
      await this.#withSignal(async (signal) => {
        do {
          await this.#take(await this.#ask(signal), loading.kind);
        } while (all && this.#nextPageToken !== undefined && this.#rowCount < this.#options.rowLimit);
      });
      this.#totalMs += this.#now() - started;
      this.#draw({ kind: 'none' });
    } catch (error) {
      this.#draw(
        isAbort(error) ? { kind: 'none' } : { kind: 'failed', failure: this.#options.explain(error) },
      );
    }
  }

  cancel(): void {
    this.#controller?.abort();
  }

  async #withSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await work(controller.signal);
    } finally {
      if (this.#controller === controller) this.#controller = undefined;
    }
  }

  async #ask(signal: AbortSignal): Promise<QueryPage> {
    const { execute, request, pageSize, rowLimit } = this.#options;
    const page = await untilAborted(
      execute(
        {
          ...request,
          pageSize: Math.max(
            1,
            Math.min(pageSize, rowLimit > this.#rowCount ? rowLimit - this.#rowCount : pageSize),
          ),
          ...(this.#nextPageToken === undefined ? {} : { pageToken: this.#nextPageToken }),
        },
        { signal },
      ),
      signal,
    );
    signal.throwIfAborted();
    return page;
  }

  async #take(page: QueryPage, loading: 'none' | 'page' | 'all'): Promise<void> {
    const appended = await this.#options.writer.append(page.rows);
    // Replaced by a later run: nobody looks at this one any more.
    if (appended === undefined) throw new DOMException('Replaced by a later run', 'AbortError');
    this.#rowCount = appended.rowCount;
    this.#nextPageToken = page.nextPageToken;
    this.#totalRows = page.rowCount ?? this.#totalRows;
    if (this.#finishedAt === 0) {
      this.#firstRowsMs = this.#elapsed();
      this.#totalMs = this.#firstRowsMs;
    }
    this.#finishedAt = this.#clock();
    this.#draw({ kind: loading });
  }

  #draw(loading: Loading): void {
    const isComplete = this.#nextPageToken === undefined;
    this.#options.writer.setRows({
      loading,
      isComplete,
      totalRows: this.#totalRows,
      isAtLimit: !isComplete && this.#rowCount >= this.#options.rowLimit,
      firstRowsMs: this.#firstRowsMs,
      totalMs: this.#totalMs,
      finishedAt: this.#finishedAt,
    });
  }

  #elapsed(): number {
    return this.#now() - this.#started;
  }
}

/** Rejects as soon as the signal aborts, even if the promise never settles; its late end is of no interest then. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new DOMException('Cancelled', 'AbortError'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    // Whatever way the client puts its being aborted, the person cancelled.
    if (signal.aborted) throw new DOMException('Cancelled', 'AbortError');
    throw error;
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
