/** One result: its query, state and rows. The panel displays it, and its run updates it. */
import { ResultDisposedError, type ResultData } from '../../../../core/src/rows/result-data.ts';
import type { AppendOutcome } from '../../../../core/src/rows/row-calls.ts';
import type { ResultDataFactory } from '../../../../core/src/rows/result-data-factory.ts';
import { changeColumn, leadingColumns } from '../../../../core/src/rows/compare/diff.ts';
import type { PageRows } from '../../../../core/src/rows/packed-rows.ts';
import type { SortAndFilters, StoreColumn } from '../../../../core/src/rows/rows.ts';
import type { FormRequest } from '../../../../panel-protocol/form-messages.ts';
import type { EnteredValue } from '../../../../core/src/parameters/parameter-field.ts';
import type { RowsProgress, RowsWriter } from '../../../../core/src/runs/rows-writer.ts';
import type { RunFacts } from '../../../../core/src/runs/run-facts.ts';
import type { RunHeader } from '../../../../core/src/runs/run-header.ts';
import type {
  ComparisonState,
  ResultState,
  ResultTab,
  ResultView,
  RowsState,
} from '../../../../panel-protocol/messages.ts';

/** The panel's requests to the run behind a result. */
export interface ResultActions {
  cancel(): void;
  /** Ends the run for good when no view shows it. Default: `cancel`. */
  end?(): void;
  runAgain(): void;
  runAnyway(): void;
  editParameters(): void;
  submit(values: readonly EnteredValue[]): void;
  form(request: FormRequest): void;
  load(all: boolean): void;
  /** Performs the header step at `index`. */
  step(index: number): void;
  goToError(): void;
  goToQuery(): void;
  openProofSetting(): void;
  nextStep(): void;
  /** Returns the request with its time and target; undefined before it is sent. Omitted for rows without a query. */
  facts?(): RunFacts | undefined;
  /**
   * Rewrites the executed statement in its document. Omitted for rows without a query.
   * @throws ExpectedError if the statement no longer exists.
   */
  editQuery?(rewrite: (statement: string) => string): Promise<void>;
}

/**
 * The writer for a result's run. Writes from an older run are dropped, so a late response never overwrites a later run.
 */
export interface ResultWriter extends RowsWriter {
  readonly isCurrent: boolean;
  setHeader(header: RunHeader): void;
  set(state: Exclude<ResultState, RowsState>): void;
  append(rows: PageRows): Promise<AppendOutcome | undefined>;
  /** Adopts existing rows; used instead of `open` and `append`. The result takes ownership of them. */
  adopt(rows: AdoptedRows): void;
}

export interface AdoptedRows {
  readonly data: ResultData;
  readonly columns: readonly StoreColumn[];
  readonly outcome: AppendOutcome;
  /** The current sort order and filters. */
  readonly sortAndFilters: SortAndFilters;
  readonly comparison: ComparisonState;
}

/** The content of a result that a new run has replaced. */
interface EarlierRows {
  readonly run: number;
  readonly header: RunHeader;
  readonly actions: ResultActions | undefined;
  readonly state: RowsState;
  readonly data: ResultData | undefined;
  readonly columns: readonly StoreColumn[];
  readonly outcome: AppendOutcome | undefined;
  readonly shownColumns: readonly number[] | undefined;
  /** Makes the run of these rows the current one again. */
  readonly restore: () => void;
}

/** States in which a run can still be cancelled in favor of the earlier rows. */
const unsentStates: readonly ResultState['kind'][] = ['checking', 'parameters'];

export class Result {
  readonly id: string;
  readonly #factory: ResultDataFactory;
  readonly #changed: (result: Result) => void;
  #run = 0;
  #runCount = 0;
  /** Kept until the next run sends its query, in case that run is cancelled first. */
  #earlier: EarlierRows | undefined;
  #header: RunHeader;
  #actions: ResultActions | undefined;
  #state: ResultState = { kind: 'checking' };
  #data: ResultData | undefined;
  #columns: readonly StoreColumn[] = [];
  #outcome: AppendOutcome | undefined;
  #viewRowCount = 0;
  /** Number of pending changes to the sort order and filters. */
  #sorting = 0;
  #generation = 0;
  #sortAndFilters: SortAndFilters = asReceived;
  #shownColumns: readonly number[] | undefined;
  #comparison: ComparisonState | undefined;
  #isPinned = false;
  #key: string | undefined;

  constructor(options: {
    readonly id: string;
    readonly key: string;
    readonly header: RunHeader;
    readonly factory: ResultDataFactory;
    readonly changed: (result: Result) => void;
  }) {
    this.id = options.id;
    this.#key = options.key;
    this.#header = options.header;
    this.#factory = options.factory;
    this.#changed = options.changed;
  }

  /** URI of the document that owns the result; undefined once it may refer to another document. */
  get key(): string | undefined {
    return this.#key;
  }

  /** Called when the document is gone and its URI may be reused: later runs get a new result. */
  orphan(): void {
    this.#key = undefined;
  }

  /** Moves the result to the document's new URI after it was saved under a new name. */
  follow(key: string, about: Pick<RunHeader, 'title' | 'version' | 'isModified'>): void {
    this.#key = key;
    this.#header = { ...this.#header, ...about };
    if (this.#earlier !== undefined)
      this.#earlier = { ...this.#earlier, header: { ...this.#earlier.header, ...about } };
    this.#changed(this);
  }

  get actions(): ResultActions | undefined {
    return this.#actions;
  }

  get isPinned(): boolean {
    return this.#isPinned;
  }

  get state(): ResultState {
    return this.#state;
  }

  get header(): RunHeader {
    return this.#header;
  }

  get run(): number {
    return this.#run;
  }

  get generation(): number {
    return this.#generation;
  }

  /** The rows of the newest run; undefined before the first page. */
  get data(): ResultData | undefined {
    return this.#data;
  }

  /** Visible columns in display order. */
  get shownColumns(): readonly number[] {
    return this.#shownColumns ?? this.#columns.map((_, column) => column);
  }

  set shownColumns(columns: readonly number[]) {
    this.#shownColumns = columns.filter((column) => column < this.#columns.length);
  }

  togglePin(): void {
    this.#isPinned = !this.#isPinned;
    this.#changed(this);
  }

  view(): ResultView {
    return {
      id: this.id,
      run: this.#run,
      isPinned: this.#isPinned,
      header: this.#header,
      state: this.#state,
    };
  }

  tab(): ResultTab {
    return {
      id: this.id,
      title: runTitle(this.#header),
      status: statusOf(this.#state),
      isPinned: this.#isPinned,
    };
  }

  /**
   * Starts a run in this result.
   * @param restore if given, the earlier rows are kept until the run sends its query, and this is called if they are
   * shown again.
   */
  begin(header: RunHeader, actions: ResultActions, restore?: () => void): ResultWriter {
    const state = this.#state;
    if (restore !== undefined && state.kind === 'rows' && this.#isAtRest(state))
      this.#keepEarlier(state, restore);
    else this.#data?.dispose();
    this.#data = undefined;
    this.#outcome = undefined;
    this.#viewRowCount = 0;
    this.#columns = [];
    this.#sortAndFilters = asReceived;
    this.#comparison = undefined;
    this.#sorting = 0;
    this.#generation += 1;
    this.#run = ++this.#runCount;
    this.#header = header;
    this.#actions = actions;
    this.#state = { kind: 'checking' };
    this.#changed(this);
    return this.#writer(this.#run);
  }

  /** Shows the earlier rows again, in place of a run that has not sent its query. @returns whether there are any. */
  restoreEarlier(): boolean {
    const earlier = this.#earlier;
    if (earlier === undefined || !unsentStates.includes(this.#state.kind)) return false;
    this.#earlier = undefined;
    this.#run = earlier.run;
    this.#header = earlier.header;
    this.#actions = earlier.actions;
    this.#data = earlier.data;
    this.#columns = earlier.columns;
    this.#outcome = earlier.outcome;
    this.#shownColumns = earlier.shownColumns;
    const { viewRowCount, sort, filters, comparison } = earlier.state;
    this.#viewRowCount = viewRowCount;
    this.#sortAndFilters = { sort, filters };
    this.#comparison = comparison;
    this.#sorting = 0;
    this.#generation += 1;
    this.#state = this.#rows(earlier.state);
    earlier.restore();
    this.#changed(this);
    return true;
  }

  /** Whether no pending work would change the rows after they are set aside. */
  #isAtRest({ loading }: RowsState): boolean {
    return loading.kind !== 'page' && loading.kind !== 'all' && this.#sorting === 0;
  }

  #keepEarlier(state: RowsState, restore: () => void): void {
    this.#dropEarlier();
    this.#earlier = {
      run: this.#run,
      header: this.#header,
      actions: this.#actions,
      state,
      data: this.#data,
      columns: this.#columns,
      outcome: this.#outcome,
      shownColumns: this.#shownColumns,
      restore,
    };
  }

  #dropEarlier(): void {
    this.#earlier?.data?.dispose();
    this.#earlier = undefined;
  }

  #writer(run: number): ResultWriter {
    const whenCurrent = (write: () => void) => {
      if (run !== this.#run) return;
      write();
      this.#changed(this);
    };
    const isCurrent = () => run === this.#run;
    return {
      get isCurrent() {
        return isCurrent();
      },
      setHeader: (header) => whenCurrent(() => (this.#header = header)),
      set: (state) =>
        whenCurrent(() => {
          if (!unsentStates.includes(state.kind)) this.#dropEarlier();
          this.#state = state;
        }),
      open: (columns) => {
        if (!isCurrent()) return;
        this.#dropEarlier();
        this.#columns = columns;
        this.#shownColumns = undefined;
        this.#data = this.#factory.create(columns);
      },
      grow: (columns) => {
        if (!isCurrent() || columns.length === 0) return;
        const known = this.#columns.length;
        this.#columns = [...this.#columns, ...columns];
        if (this.#shownColumns !== undefined)
          this.#shownColumns = [...this.#shownColumns, ...columns.map((_, index) => known + index)];
        this.#data?.grow(columns);
      },
      adopt: ({ data, columns, outcome, sortAndFilters, comparison }) => {
        if (!isCurrent()) {
          data.dispose();
          return;
        }
        this.#dropEarlier();
        this.#columns = columns;
        // Set the initial column order here, so that it does not depend on a visible panel.
        this.#shownColumns = comparedColumns(columns.length, comparison);
        this.#data = data;
        this.#outcome = outcome;
        this.#viewRowCount = outcome.viewRowCount;
        this.#sortAndFilters = sortAndFilters;
        this.#comparison = comparison;
      },
      append: async (rows) => {
        if (!isCurrent() || this.#data === undefined) return undefined;
        const outcome = await this.#data.append(rows).catch((error: unknown) => {
          if (error instanceof ResultDisposedError) return undefined;
          throw error;
        });
        if (!isCurrent() || outcome === undefined) return undefined;
        this.#outcome = outcome;
        this.#viewRowCount = outcome.viewRowCount;
        if (this.#sortAndFilters.sort.length > 0) {
          this.#sortAndFilters = { ...this.#sortAndFilters, sort: [] };
          this.#generation += 1;
        }
        return outcome;
      },
      setRows: (progress) => whenCurrent(() => (this.#state = this.#rows(progress))),
    };
  }

  #rows(progress: RowsProgress): RowsState {
    return {
      ...progress,
      kind: 'rows',
      columns: this.#columns.map((column, index) => ({
        ...column,
        kind: this.#outcome?.kinds[index] ?? 'text',
      })),
      rowCount: this.#outcome?.rowCount ?? 0,
      viewRowCount: this.#viewRowCount,
      generation: this.#generation,
      ...this.#sortAndFilters,
      isSortingOrFiltering: this.#sorting > 0,
      comparison: this.#comparison,
    };
  }

  /**
   * Filters and sorts the loaded rows. An incomplete result is never sorted, because its order would look like that of
   * all rows. If several requests are concurrent, the last wins.
   */
  async sortAndFilter({ sort, filters }: SortAndFilters): Promise<void> {
    const data = this.#data;
    if (this.#state.kind !== 'rows' || data === undefined) return;
    const wanted = { sort: this.#state.isComplete ? sort : [], filters };
    const run = this.#run;
    this.#sorting += 1;
    this.#redrawRows();
    try {
      const viewRowCount = await data.ask('sortAndFilter', wanted);
      if (run === this.#run) {
        this.#viewRowCount = viewRowCount;
        this.#sortAndFilters = wanted;
        this.#generation += 1;
      }
    } finally {
      if (run === this.#run) {
        this.#sorting -= 1;
        this.#redrawRows();
      }
    }
  }

  #redrawRows(): void {
    if (this.#state.kind === 'rows') this.#state = this.#rows(this.#state);
    this.#changed(this);
  }

  dispose(): void {
    this.#dropEarlier();
    if (this.#actions?.end === undefined) this.#actions?.cancel();
    else this.#actions.end();
    this.#run = ++this.#runCount;
    this.#data?.dispose();
    this.#data = undefined;
  }
}

/**
 * Returns the column order for a comparison: changed and key columns first. Columns with earlier values are left out,
 * since cells show those values.
 */
function comparedColumns(count: number, { keys, beforeColumns }: ComparisonState): readonly number[] {
  const hidden = new Set([...keys, ...Object.values(beforeColumns)]);
  const values = Array.from({ length: count }, (_, column) => column).slice(leadingColumns);
  return [changeColumn, ...keys, ...values.filter((column) => !hidden.has(column))];
}

const asReceived: SortAndFilters = { sort: [], filters: [] };

/** Returns the title of a result's tab. */
export function runTitle({ title, version, part }: RunHeader): string {
  return title + (version === undefined ? '' : ` v${version}`) + (part === undefined ? '' : ` · ${part}`);
}

function statusOf(state: ResultState): ResultTab['status'] {
  switch (state.kind) {
    case 'checking':
    case 'running':
      return 'busy';
    case 'rows':
      return state.loading.kind === 'page' || state.loading.kind === 'all' ? 'busy' : 'ok';
    case 'restored':
    case 'parameters':
    case 'question':
      return 'waiting';
    case 'refused':
    case 'failed':
    case 'disconnected':
    case 'cancelled':
      return 'failed';
    default:
      return state satisfies never;
  }
}
