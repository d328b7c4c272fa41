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
import type { RunFailure } from '#core/failures/run-failure.ts';
import { IterationFeed, type IteratedPage } from '#core/reading/feeds.ts';
import { PageReader, type PageFeed } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { Result, ResultActions, ResultWriter } from './result.ts';

export interface RowsSource {
  /** Identifies the owner of the rows. Opening the same key again replaces its result, unless pinned. */
  readonly key: string;
  readonly header: RunHeader;
  /**
   * Yields the pages, or returns their feed; called once per reading. The next page is requested on demand, until the
   * signal aborts. `say` reports why a page takes a long time.
   */
  readonly pages: (
    signal: AbortSignal,
    say: (note: string) => void,
  ) => AsyncIterable<IteratedPage> | PageFeed;
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
  readonly #reader: PageReader;
  #feed: PageFeed | undefined;
  #failure: RunFailure | undefined;

  constructor(source: RowsSource, options: SourceReadingOptions) {
    this.#source = source;
    this.#options = options;
    this.#writer = options.result.begin(source.header, this.#actions());
    this.#reader = new PageReader({
      feed: (reader) => (this.#feed = feedOf(source.pages(reader.signal, (note) => reader.say(note)))),
      writer: this.#writer,
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
    const nothing = () => undefined;
    return {
      cancel: () => this.#reader.cancel(),
      end: () => this.#reader.end(),
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

  async #load(all: boolean): Promise<void> {
    await this.#reader.load(all);
    const isLost = this.#feed instanceof IterationFeed && this.#feed.isLost;
    if (isLost && !this.#reader.signal.aborted) await this.#again(all);
    this.#endIfLeft();
  }

  async #again(all?: boolean): Promise<void> {
    this.#reader.end();
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
  /** Runs a command that remedies a failure. */
  readonly runCommand?: ((command: string, argument: unknown) => void) | undefined;
}
