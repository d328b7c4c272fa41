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
import type { RunFailure } from '#core/failures/run-failure.ts';
import { PageReader, type PageFeed, type ReadPage } from '#core/reading/page-reader.ts';
import type { RowsPage } from '#core/rows/rows-page.ts';
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

/** Reads a source into a result once. */
export class SourceReading {
  readonly #source: RowsSource;
  readonly #options: SourceReadingOptions;
  readonly #writer: ResultWriter;
  readonly #controller = new AbortController();
  readonly #feed: SourceFeed;
  readonly #reader: PageReader;
  #failure: RunFailure | undefined;

  constructor(source: RowsSource, options: SourceReadingOptions) {
    this.#source = source;
    this.#options = options;
    this.#writer = options.result.begin(source.header, this.#actions());
    const { signal } = this.#controller;
    this.#feed = new SourceFeed(() => source.pages(signal, (note) => this.#reader.say(note)));
    this.#reader = new PageReader({
      feed: this.#feed,
      writer: this.#writer,
      signal,
      rowLimit: options.rowLimit,
      explain: (error) => this.#explain(error),
    });
  }

  /** Reads the first page. Never rejects; errors are shown in the result. */
  async start(): Promise<void> {
    await this.#reader.start();
    this.#endIfLeft();
  }

  #actions(): ResultActions {
    const nothing = () => undefined;
    return {
      // Before the first rows, there is nothing to resume.
      cancel: () => {
        if (this.#reader.isOpen) this.#reader.cancel();
        else this.#abort();
      },
      end: () => this.#abort(),
      runAgain: () => void this.#again(),
      load: (all) => void this.#load(all),
      goToQuery: () => this.#source.goTo?.(),
      runAnyway: nothing,
      editParameters: nothing,
      submit: nothing,
      form: nothing,
      goToError: nothing,
      openProofSetting: nothing,
      nextStep: () => {
        const step = this.#failure?.nextStep;
        if (step !== undefined) this.#options.runCommand?.(step.command, step.argument);
      },
      step: (index) => this.#source.steps?.[index]?.(),
    };
  }

  #abort(): void {
    this.#controller.abort(new DOMException('Cancelled', 'AbortError'));
    if (!this.#reader.isBusy) this.#feed.end();
  }

  async #load(all: boolean): Promise<void> {
    await this.#reader.load(all);
    if (this.#feed.isLost && !this.#controller.signal.aborted) await this.#again(all);
    this.#endIfLeft();
  }

  async #again(all?: boolean): Promise<void> {
    this.#controller.abort(new DOMException('Replaced', 'AbortError'));
    const reading = new SourceReading(this.#source, this.#options);
    await reading.start();
    if (all !== undefined) await reading.#load(all);
  }

  #explain(error: unknown): RunFailure {
    const message = error instanceof Error ? error.message : String(error);
    this.#failure = this.#source.explain?.(error) ?? { message, reasons: [] };
    return this.#failure;
  }

  /** Releases the source's resources when no view shows the rows. */
  #endIfLeft(): void {
    if (this.#controller.signal.aborted || !this.#writer.isCurrent) this.#feed.end();
  }
}

interface SourceReadingOptions {
  readonly result: Result;
  /** Maximum number of rows when loading all. */
  readonly rowLimit: number;
  /** Runs a command that remedies a failure. */
  readonly runCommand?: ((command: string, argument: unknown) => void) | undefined;
}

/** Takes the pages one by one. A page that was requested when the waiting ended is returned by the next call. */
class SourceFeed implements PageFeed {
  readonly #open: () => AsyncIterable<RowsPage>;
  #pages: AsyncIterator<RowsPage> | undefined;
  #coming: Promise<IteratorResult<RowsPage>> | undefined;
  #failed: { readonly error: unknown } | undefined;
  #rowCount = 0;
  hasMore = true;
  /** Whether the iteration ended with a failure, so that the rows after it are not to be had from it. */
  isLost = false;

  constructor(open: () => AsyncIterable<RowsPage>) {
    this.#open = open;
  }

  async next(signal: AbortSignal): Promise<ReadPage | undefined> {
    this.#pages ??= this.#open()[Symbol.asyncIterator]();
    this.#coming ??= this.#pages.next();
    try {
      const next = await unlessAborted(this.#coming, signal, reasonOf);
      this.#coming = undefined;
      return this.#take(next);
    } catch (error) {
      if (!signal.aborted) {
        this.#coming = undefined;
        this.#failed = { error };
      }
      throw error;
    }
  }

  /** Errors are ignored. */
  end(): void {
    this.#pages?.return?.().then(undefined, () => undefined);
  }

  #take(next: IteratorResult<RowsPage>): ReadPage {
    if (next.done === true && this.#failed !== undefined) {
      // A generator is also done after it has thrown; that does not mean that the rows are complete.
      this.isLost = true;
      throw this.#failed.error;
    }
    this.#failed = undefined;
    const page: RowsPage = next.done === true ? { columns: [], rows: [], isLast: true } : next.value;
    this.hasMore = !page.isLast;
    this.#rowCount += page.rows.length;
    return { ...page, totalRows: page.isLast ? this.#rowCount : page.totalRows };
  }
}
