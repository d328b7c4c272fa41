/**
 * Runs one query on several connections and yields one result: the rows of each connection as its service sent them, in
 * the order in which the connections are named, with the connection's name as the first column. All connections are
 * asked at first, a few at a time, so that one that fails is told at once. After that, rows are read one connection at a
 * time, so that memory stays level. The result is complete only if every connection's is.
 */
import { Deadline, TimeLimitError } from '#base/async/deadline.ts';
import { eachOf } from '#base/async/each-of.ts';
import { t } from '#base/texts.ts';
import type { RunFailure } from '../../failures/run-failure.ts';
import type { IteratedPage } from '../../reading/feeds.ts';
import type { PageReader, PageReaderOptions, ReadOutcome } from '../../reading/page-reader.ts';
import type { RowsExtent, RowsProgress, RowsWriter } from '../../reading/rows-writer.ts';
import type { PageRows } from '../../rows/packed-rows.ts';
import { countOf } from '../../rows/page-rows.ts';
import type { StoreColumn } from '../../rows/rows.ts';
import type { explainFailure } from '../explain-failure.ts';
import { UnitedColumns, type MissingColumn, type MixedColumn } from './united-columns.ts';

/** What a run on one connection is made with. */
export interface PartReading extends Pick<PageReaderOptions, 'writer' | 'rowLimit'> {
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly explain: SeveralPart['explain'];
}

export interface SeveralPart {
  readonly connection: string;
  /**
   * Prepares the run: its own gate, secret and parameters. @param within also aborts when the time for it has passed.
   * @throws if nothing can be sent; `explain` says why.
   */
  readonly prepare: (reading: PartReading, within: AbortSignal) => Promise<Pick<PageReader, 'inTurn'>>;
  readonly explain: (error: unknown, locate?: Parameters<typeof explainFailure>[1]) => RunFailure;
}

export type PartState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading' }
  /** Its reader is done, and says how much of the rows there is. */
  | ({ readonly kind: Exclude<RowsExtent, 'more'> } & Pick<RowsProgress, 'areValuesUnknown'>)
  | { readonly kind: 'failed'; readonly failure: RunFailure }
  /** Cancelled, by the person or since another connection failed. */
  | { readonly kind: 'stopped' };

export interface PartOutcome {
  readonly connection: string;
  readonly state: PartState;
  readonly rowCount: number;
}

/** Whether the connection is asked, or will be. */
export const isPending = ({ state: { kind } }: PartOutcome): boolean =>
  kind === 'waiting' || kind === 'reading';

/** Whether the connection gave all the rows that were asked for. */
export const isAnswered = ({ state: { kind } }: Pick<PartOutcome, 'state'>): boolean =>
  kind === 'complete' || kind === 'at-limit';

export interface SeveralOptions {
  readonly signal: AbortSignal;
  /** How many connections are asked at a time. */
  readonly atATime: number;
  /** Time that each connection may take, without the time that it waits for others; Infinity for no limit. */
  readonly timeLimitMs: number;
  /** Maximum number of rows of each connection. */
  readonly rowLimit: number;
  /** Whether the first failure stops all others. */
  readonly isFailFast: boolean;
  /** Called when the state of a connection changes. */
  readonly onState?: (outcome: PartOutcome) => void;
}

export interface SeveralPage {
  readonly columns: readonly StoreColumn[];
  readonly rows: PageRows;
}

export class SeveralRuns {
  readonly #options: SeveralOptions;
  readonly #parts: readonly Part[];
  readonly #stop = new AbortController();
  #united = new UnitedColumns([]);

  constructor(parts: readonly SeveralPart[], options: SeveralOptions) {
    this.#options = options;
    const signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#parts = parts.map((part) => new Part(part, { ...options, signal, onState: this.#changed }));
  }

  get outcomes(): readonly PartOutcome[] {
    return this.#parts.map((part) => part.outcome);
  }

  /** Columns that some connections lack. Their rows are NULL there, which says nothing about them. */
  get missing(): readonly MissingColumn[] {
    return this.#united.missing;
  }

  get mixed(): readonly MixedColumn[] {
    return this.#united.mixed;
  }

  /**
   * What the connections' readers say together; undefined unless every connection gave all the rows that were asked for,
   * in the same columns.
   */
  get whole(): 'complete' | 'at-limit' | undefined {
    if (this.missing.length > 0 || !this.#parts.every(isAnswered)) return undefined;
    return this.#parts.every(({ state: { kind } }) => kind === 'complete') ? 'complete' : 'at-limit';
  }

  /**
   * Reads everything. Yields nothing if no connection answers. Never rejects because of a connection: `outcomes` has
   * the failures.
   */
  async *pages(): AsyncGenerator<SeveralPage, void, void> {
    try {
      await eachOf(this.#parts, this.#options.atATime, (part) => part.start());
      const open = this.#parts.filter(({ isOpen }) => isOpen);
      if (open.length === 0) return;
      this.#united = new UnitedColumns(open.map((part) => part.shape));
      let isEmpty = true;
      for (const part of open)
        for await (const rows of part.pages()) {
          if (countOf(rows) === 0) continue;
          isEmpty = false;
          yield this.#page(part, rows);
        }
      if (isEmpty) yield { columns: this.#united.columns, rows: [] };
    } finally {
      this.#stop.abort(new DOMException('No longer read', 'AbortError'));
      for (const part of this.#parts) part.end();
    }
  }

  /**
   * Yields the pages for a reader, which looks ahead. Ends with an error unless every connection answered in full: the
   * rows stay, and never look complete. Else the last page says whether they are complete, and the reader repeats it.
   */
  async *wholePages(incomplete: () => Error): AsyncGenerator<IteratedPage, void, void> {
    let columns: SeveralPage['columns'] = [];
    for await (const page of this.pages()) {
      ({ columns } = page);
      yield { ...page, isLast: false };
    }
    this.#options.signal.throwIfAborted();
    const { whole } = this;
    if (whole === undefined) throw incomplete();
    yield { columns, rows: [], isLast: true, end: whole };
  }

  #page(part: Part, rows: PageRows): SeveralPage {
    this.#united.add(part.shape);
    return { rows: this.#united.place(part.shape.connection, rows), columns: this.#united.columns };
  }

  readonly #changed = (outcome: PartOutcome): void => {
    this.#options.onState?.(outcome);
    if (outcome.state.kind === 'failed' && this.#options.isFailFast)
      this.#stop.abort(new DOMException('Another connection failed', 'AbortError'));
  };
}

type PartOptions = Omit<SeveralOptions, 'isFailFast' | 'atATime'> & Required<Pick<SeveralOptions, 'onState'>>;

/** One connection's run. Takes its pages one by one; the writer's calls come from the run. */
class Part implements RowsWriter {
  readonly #part: SeveralPart;
  readonly #options: PartOptions;
  readonly #deadline: Deadline;
  #turns: ReturnType<PageReader['inTurn']> | undefined;
  #columns: readonly StoreColumn[] = [];
  /** The page that was read and not yet taken. */
  #page: PageRows | undefined;
  #rowCount = 0;
  isOpen = false;
  state: PartState = { kind: 'waiting' };

  constructor(part: SeveralPart, options: PartOptions) {
    this.#part = part;
    this.#options = options;
    this.#deadline = new Deadline(options.timeLimitMs);
  }

  get outcome(): PartOutcome {
    return { connection: this.#part.connection, state: this.state, rowCount: this.#rowCount };
  }

  get shape(): { readonly connection: string; readonly columns: readonly StoreColumn[] } {
    return { connection: this.#part.connection, columns: this.#columns };
  }

  /** Reads the first page. */
  async start(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) this.#enter({ kind: 'stopped' });
    else await this.#first(signal);
  }

  async #first(signal: AbortSignal): Promise<void> {
    this.#enter({ kind: 'reading' });
    const { rowLimit } = this.#options;
    const reading = { writer: this, signal, rowLimit, deadline: this.#deadline, explain: this.#explain };
    try {
      const run = await this.#deadline.within(signal, async (within) => {
        const prepared = await this.#part.prepare(reading, within);
        within.throwIfAborted();
        return prepared;
      });
      this.#turns = run.inTurn();
      const { value: first } = await this.#turns.next();
      if (first !== undefined) this.#settle(first);
    } catch (error) {
      this.#enter(signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: this.#explain(error) });
    }
  }

  /** Yields the first page, then reads each further one on demand. The consumer looks ahead. */
  async *pages(): AsyncGenerator<PageRows, void, void> {
    yield* this.#taken();
    for await (const outcome of this.#turns ?? []) {
      this.#settle(outcome);
      if (outcome.kind === 'rows') yield* this.#taken();
    }
  }

  *#taken(): Generator<PageRows, void, void> {
    const page = this.#page;
    this.#page = undefined;
    if (page !== undefined) yield page;
  }

  end(): void {
    if (this.state.kind === 'reading' || this.state.kind === 'waiting') this.#enter({ kind: 'stopped' });
  }

  readonly #explain: SeveralPart['explain'] = (error, locate) =>
    error instanceof TimeLimitError ? tooSlow(error.limitMs) : this.#part.explain(error, locate);

  /** Takes the reader's word for what became of its rows. */
  #settle(outcome: ReadOutcome): void {
    if (outcome.kind === 'failed') this.#enter({ kind: 'failed', failure: outcome.failure });
    else if (outcome.kind === 'cancelled') this.#enter({ kind: 'stopped' });
    else if (outcome.extent !== 'more')
      this.#enter({
        kind: outcome.extent,
        ...(outcome.areValuesUnknown === true && { areValuesUnknown: true }),
      });
  }

  #enter(state: PartState): void {
    this.state = state;
    this.#options.onState(this.outcome);
  }

  set(): void {
    // The outcome says why there are no rows.
  }

  open(columns: readonly StoreColumn[]): void {
    this.isOpen = true;
    this.#columns = columns;
  }

  grow(columns: readonly StoreColumn[]): void {
    this.#columns = [...this.#columns, ...columns];
  }

  append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    this.#page = rows;
    this.#rowCount += countOf(rows);
    return Promise.resolve({ rowCount: this.#rowCount });
  }

  setRows(): void {
    // The outcome says whether these are all rows.
  }
}

function tooSlow(limitMs: number): RunFailure {
  return {
    message: t('No complete answer within {0} s.', limitMs / 1_000),
    code: 'TIME_LIMIT',
    reasons: [],
  };
}
