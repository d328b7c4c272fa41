/**
 * Reads a result from any source of rows: the records of a collection, a comparison, a file. The source yields pages in
 * order; this module requests the first page, then more on demand, and adds them to a result. Does not depend on the
 * editor.
 *
 *     const result = await results.open({
 *       key: 'records:accounts',
 *       header: { title: 'accounts', origin: 'rows', parameters: [], facts: [{ label: 'Filter', text: 'enabled' }] },
 *       async *pages(signal) {
 *         for (let token: string | undefined; ; ) {
 *           const page = await client.accounts.list({ pageToken: token }, { signal });
 *           token = page.nextPageToken;
 *           yield { columns, rows: page.items.map(toRow), isLast: token === undefined };
 *           if (token === undefined) return;
 *         }
 *       },
 *     });
 */
import { reasonOf, unlessAborted } from '#api/client/abort.ts';
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { RowsPage } from '#core/rows/rows-page.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import type { Loading } from '#core/runs/rows-writer.ts';
import type { RunFailure } from '#core/runs/run-failure.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { Result, ResultActions, ResultWriter } from './result.ts';

export interface RowsSource {
  /** Identifies the owner of the rows. Opening the same key again replaces its result, unless pinned. */
  readonly key: string;
  readonly header: RunHeader;
  /**
   * Yields the pages; called once per reading. The next page is requested on demand, until the signal aborts. `say`
   * reports why a page takes a long time.
   */
  readonly pages: (signal: AbortSignal, say: (note: string) => void) => AsyncIterable<RowsPage>;
  /** Called when the user clicks the title in the panel. */
  readonly goTo?: () => void;
  /** Implementations of the header's steps, in the same order. */
  readonly steps?: readonly (() => void)[];
  /** Converts an error to a failure with a message; by default the error's own message. */
  readonly explain?: (error: unknown) => RunFailure;
}

/** Pausing stops waiting for a page without aborting its request; its result is used on resume. */
const paused = Symbol('paused');

/** Reads a source into a result once. */
export class SourceReading {
  readonly #source: RowsSource;
  readonly #result: Result;
  readonly #rowLimit: number;
  readonly #writer: ResultWriter;
  readonly #controller = new AbortController();
  readonly #started = performance.now();
  readonly #runCommand: (command: string, argument: unknown) => void;
  #pages: AsyncIterator<RowsPage> | undefined;
  /** The next page, if requested but not yet added. */
  #coming: Promise<IteratorResult<RowsPage>> | undefined;
  #pause: (() => void) | undefined;
  #wantsPause = false;
  #hasFailed = false;
  #loading: 'page' | 'all' = 'page';
  #failure: RunFailure | undefined;
  #isBusy = false;
  #isComplete = false;
  #isOpen = false;
  readonly #aligner = new ColumnAligner<StoreColumn>();
  #rowCount = 0;
  #totalRows: number | undefined;
  #firstRowsMs = 0;
  #totalMs = 0;
  #finishedAt = 0;

  /**
   * @param options.rowLimit maximum number of rows when loading all.
   * @param options.runCommand runs a command that remedies a failure.
   */
  constructor(
    source: RowsSource,
    options: {
      readonly result: Result;
      readonly rowLimit: number;
      readonly runCommand?: (command: string, argument: unknown) => void;
    },
  ) {
    this.#runCommand = options.runCommand ?? (() => undefined);
    this.#source = source;
    this.#result = options.result;
    this.#rowLimit = options.rowLimit;
    this.#writer = options.result.begin(source.header, this.#actions());
  }

  /** Reads the first page. Never rejects; errors are shown in the result. */
  async start(): Promise<void> {
    this.#writer.set({ kind: 'running', elapsedMs: 0 });
    this.#pages = this.#source
      .pages(this.#controller.signal, (note) => this.#say(note))
      [Symbol.asyncIterator]();
    await this.#read({ all: false });
  }

  #actions(): ResultActions {
    const nothing = () => undefined;
    return {
      // Once rows are visible, cancelling only pauses the reading; before that, there is nothing to resume.
      cancel: () => {
        if (!this.#isOpen) {
          this.#abort();
          return;
        }
        this.#wantsPause = true;
        this.#pause?.();
      },
      end: () => this.#abort(),
      runAgain: () => void this.#again(),
      load: (all) => void this.#read({ all }),
      goToQuery: () => this.#source.goTo?.(),
      runAnyway: nothing,
      editParameters: nothing,
      submit: nothing,
      form: nothing,
      goToError: nothing,
      openProofSetting: nothing,
      nextStep: () => {
        const step = this.#failure?.nextStep;
        if (step !== undefined) this.#runCommand(step.command, step.argument);
      },
      step: (index) => this.#source.steps?.[index]?.(),
    };
  }

  #abort(): void {
    this.#controller.abort(new DOMException('Cancelled', 'AbortError'));
    if (!this.#isBusy) this.#end();
  }

  async #again(load?: { readonly all: boolean }): Promise<void> {
    this.#controller.abort(new DOMException('Replaced', 'AbortError'));
    const reading = new SourceReading(this.#source, {
      result: this.#result,
      rowLimit: this.#rowLimit,
      runCommand: this.#runCommand,
    });
    await reading.start();
    if (load !== undefined) await reading.#read(load);
  }

  async #read({ all }: { readonly all: boolean }): Promise<void> {
    if (this.#isBusy || this.#isComplete) return;
    this.#isBusy = true;
    const started = performance.now();
    const { signal } = this.#controller;
    const isStopped = () => signal.aborted;
    try {
      this.#wantsPause = false;
      this.#loading = all ? 'all' : 'page';
      if (this.#isOpen) this.#draw({ kind: this.#loading });
      do {
        const next = await this.#next(signal);
        if (next === paused) break;
        this.#coming = undefined;
        // A generator is also done after it has thrown; that does not mean that the rows are complete.
        if (next.done === true && this.#hasFailed) return void this.#again({ all });
        if (!(await this.#take(next))) return;
        this.#draw({ kind: all && this.#hasMore() ? 'all' : 'none' });
      } while (all && this.#goesOn());
      this.#totalMs += performance.now() - started;
      this.#draw({ kind: 'none' });
    } catch (error) {
      this.#totalMs += performance.now() - started;
      this.#fail(error);
    } finally {
      this.#isBusy = false;
      if (isStopped()) this.#end();
    }
  }

  /** Resolves with the next page, or with `paused` if a pause is requested first. */
  async #next(signal: AbortSignal): Promise<IteratorResult<RowsPage> | typeof paused> {
    this.#coming ??= this.#pages?.next() ?? ended();
    const stop = Promise.withResolvers<typeof paused>();
    this.#pause = () => stop.resolve(paused);
    try {
      return await unlessAborted(Promise.race([this.#coming, stop.promise]), signal, reasonOf);
    } finally {
      this.#pause = undefined;
    }
  }

  #say(note: string): void {
    if (!this.#isBusy || this.#controller.signal.aborted) return;
    if (this.#isOpen) this.#draw({ kind: this.#loading, note });
    else this.#writer.set({ kind: 'running', elapsedMs: performance.now() - this.#started, note });
  }

  #hasMore(): boolean {
    return !this.#isComplete;
  }

  #goesOn(): boolean {
    return this.#hasMore() && this.#rowCount < this.#rowLimit && !this.#wantsPause;
  }

  /** Adds a page to the result. @returns false if a later reading has taken over the result. */
  async #take(next: IteratorResult<RowsPage>): Promise<boolean> {
    const page: RowsPage = next.done === true ? { columns: [], rows: [], isLast: true } : next.value;
    const { rows, added } = this.#aligner.align(page);
    if (this.#isOpen) this.#writer.grow(added);
    else {
      this.#isOpen = true;
      this.#writer.open(this.#aligner.columns.slice());
    }
    const appended = await this.#writer.append(rows);
    if (appended === undefined) {
      this.#end();
      return false;
    }
    this.#hasFailed = false;
    this.#rowCount = appended.rowCount;
    this.#isComplete = page.isLast;
    this.#totalRows = page.totalRows ?? this.#totalRows;
    if (this.#finishedAt === 0) this.#firstRowsMs = performance.now() - this.#started;
    this.#finishedAt = Date.now();
    return true;
  }

  #fail(error: unknown): void {
    const { signal } = this.#controller;
    const elapsedMs = performance.now() - this.#started;
    if (signal.aborted) {
      if (this.#isOpen) this.#draw({ kind: 'none' });
      else this.#writer.set({ kind: 'cancelled', elapsedMs });
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    const failure = this.#source.explain?.(error) ?? { message, reasons: [] };
    this.#failure = failure;
    this.#hasFailed = true;
    this.#coming = undefined;
    if (this.#isOpen) this.#draw({ kind: 'failed', failure });
    else this.#writer.set({ kind: 'failed', failure, elapsedMs });
  }

  /** Releases the source's resources when no view shows the rows. Errors are ignored. */
  #end(): void {
    const ending = this.#pages?.return?.();
    ending?.then(undefined, () => undefined);
  }

  #draw(loading: Loading): void {
    this.#writer.setRows({
      loading,
      isComplete: this.#isComplete,
      totalRows: this.#isComplete ? this.#rowCount : this.#totalRows,
      isAtLimit: !this.#isComplete && this.#rowCount >= this.#rowLimit,
      firstRowsMs: this.#firstRowsMs,
      // `#totalMs` excludes waiting, so it may be slightly less than the time to the first rows.
      totalMs: Math.max(this.#firstRowsMs, this.#totalMs),
      finishedAt: this.#finishedAt,
    });
  }
}

function ended(): Promise<IteratorResult<RowsPage>> {
  return Promise.resolve({ done: true, value: undefined });
}
