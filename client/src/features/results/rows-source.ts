/**
 * Reads a result from any source of rows: the records of a collection, a comparison, a file. The source yields pages in
 * order; this module requests the first page, then more on demand, and adds them to a result. Does not depend on the
 * editor.
 *
 *     const result = await results.open({
 *       key: 'records:accounts',
 *       header: { title: 'accounts', origin: 'rows', parameters: [], facts: [{ label: 'Filter', text: 'enabled' }] },
 *       pages: (_, say) => recordsFeed(client, 'accounts', { filter: {}, say }),
 *     });
 */
import type { Arrangement } from '#core/duckdb/arranged-sql.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import { IterationFeed, type IteratedPage } from '#core/reading/feeds.ts';
import { PageReader, type PageFeed } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import type { ColumnValues } from '#core/rows/rows.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { Result, ResultActions, ResultWriter } from './result.ts';

export interface RowsSource {
  /** Identifies the owner of the rows. Opening the same key again replaces its result, unless pinned. */
  readonly key: string;
  readonly header: RunHeader;
  /**
   * Yields the pages, or returns their feed; called once per reading. The next page is requested on demand, until the
   * signal aborts. `say` reports why a page takes a long time. `arrangement` is only given to a source that arranges.
   */
  readonly pages: (
    signal: AbortSignal,
    say: (note: string) => void,
    arrangement: Arrangement,
  ) => AsyncIterable<IteratedPage> | PageFeed;
  /**
   * Given by a source that sorts and filters its rows itself, because they may be more than fit in memory. It is then
   * read anew for each order and filter. Returns the values of a column that a filter can choose from.
   */
  readonly values?: (
    arrangement: Arrangement,
    asked: { readonly column: number; readonly signal: AbortSignal },
  ) => Promise<ColumnValues>;
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
  readonly #arrangement: Arrangement;
  readonly #writer: ResultWriter;
  readonly #reader: PageReader;
  #feed: PageFeed | undefined;
  #failure: RunFailure | undefined;

  constructor(source: RowsSource, options: SourceReadingOptions) {
    this.#source = source;
    this.#options = options;
    this.#arrangement = options.arrangement ?? { columns: [], sort: [], filters: [] };
    this.#writer = options.result.begin(source.header, this.#actions());
    this.#reader = new PageReader({
      feed: (reader) =>
        (this.#feed = feedOf(source.pages(reader.signal, (note) => reader.say(note), this.#arrangement))),
      writer: this.#writer,
      signal: undefined, // ended by its result
      rowLimit: options.rowLimit,
      deadline: limitedByCaller(),
      explain: (error) => this.#explain(error),
    });
  }

  /** Reads the first page. Never rejects; errors are shown in the result. */
  async start(): Promise<void> {
    await this.#reader.start();
    this.#endIfLeft();
  }

  #actions(): ResultActions {
    return {
      cancel: () => this.#reader.cancel(),
      end: () => this.#reader.end(),
      runAgain: () => void this.#again({ arrangement: this.#lastShown }),
      load: (all) => void this.#load(all),
      goToQuery: () => this.#source.goTo?.(),
      nextStep: () => {
        const step = this.#failure?.nextStep;
        if (step !== undefined) this.#options.runCommand?.(step.command, step.argument);
      },
      step: (index) => this.#source.steps?.[index]?.(),
      ...this.#arranging(),
    };
  }

  #arranging(): Pick<ResultActions, 'arranging'> {
    const { values } = this.#source;
    if (values === undefined) return {};
    const { sort, filters } = this.#arrangement;
    return {
      arranging: {
        is: { sort, filters },
        change: (wanted) => void this.#again({ arrangement: { ...this.#arrangementNow, ...wanted } }),
        values: async (asked) => await values(this.#arrangementNow, asked),
      },
    };
  }

  /** The columns stay those of the first reading: few rows may show numbers as texts. */
  get #arrangementNow(): Arrangement {
    const { state } = this.#options.result;
    const isKnown = this.#arrangement.columns.length > 0 || state.kind !== 'rows';
    return isKnown ? this.#arrangement : { ...this.#arrangement, columns: state.columns };
  }

  /** An order or filter that gave no rows, since it failed or was stopped, is not tried again. */
  get #lastShown(): Arrangement {
    return this.#options.result.state.kind === 'rows'
      ? this.#arrangement
      : (this.#options.shownBefore ?? this.#arrangement);
  }

  async #load(all: boolean): Promise<void> {
    await this.#reader.load(all);
    const isLost = this.#feed instanceof IterationFeed && this.#feed.isLost;
    if (isLost && !this.#reader.signal.aborted) await this.#again({ all });
    this.#endIfLeft();
  }

  async #again({
    all,
    arrangement = this.#arrangement,
  }: { readonly all?: boolean; readonly arrangement?: Arrangement } = {}): Promise<void> {
    this.#reader.end();
    const shownBefore = this.#lastShown;
    const reading = new SourceReading(this.#source, { ...this.#options, arrangement, shownBefore });
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
    if (!this.#writer.isCurrent) this.#reader.end();
  }
}

function feedOf(pages: AsyncIterable<IteratedPage> | PageFeed): PageFeed {
  return Symbol.asyncIterator in pages ? new IterationFeed(pages) : pages;
}

interface SourceReadingOptions {
  readonly result: Result;
  /** Maximum number of rows when loading all. */
  readonly rowLimit: number;
  /** The order and the filters of a source that arranges. */
  readonly arrangement?: Arrangement;
  /** That of the last rows that were shown. */
  readonly shownBefore?: Arrangement;
  /** Runs a command that remedies a failure. */
  readonly runCommand?: ((command: string, argument: unknown) => void) | undefined;
}
