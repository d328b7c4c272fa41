/** One result: its query, state and rows. The panel displays it, and its run updates it. */
import type { EnteredValue } from '#core/parameters/parameter-field.ts';
import type { RowsProgress, RowsWriter } from '#core/reading/rows-writer.ts';
import { changeColumn, leadingColumns } from '#core/rows/compare/diff.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import { ResultDisposedError, type ResultData } from '#core/rows/result-data.ts';
import type { AppendOutcome } from '#core/rows/row-calls.ts';
import type { ColumnValues, SortAndFilters, StoreColumn } from '#core/rows/rows.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { runTitle } from '#core/runs/run-title.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { FormRequest } from '#panel-protocol/form-messages.ts';
import type {
  ComparisonState,
  ResultState,
  ResultTab,
  ResultView,
  RowsState,
} from '#panel-protocol/messages.ts';

/** The panel's requests to the run behind a result. What is omitted does nothing, unless it says otherwise. */
export interface ResultActions {
  cancel(): void;
  /** Ends the run permanently when no view shows it. Default: `cancel`. */
  end?(): void;
  runAgain(): void;
  runAnyway?(): void;
  editParameters?(): void;
  submit?(values: readonly EnteredValue[]): void;
  form?(request: FormRequest): void;
  load?(all: boolean): void;
  /** Performs the header step at `index`. */
  step?(index: number): void;
  goToError?(): void;
  goToQuery?(): void;
  openProofSetting?(): void;
  nextStep?(): void;
  /** Returns the request with its time and target; undefined before it is sent. Omitted for rows without a query. */
  facts?(): RunFacts | undefined;
  /** Returns the connections that the rows come from, if the header names none. */
  connections?(): readonly string[];
  /** Returns the statement of the run, also if it was not sent. Omitted for rows without a query. */
  statement?(): string | undefined;
  /** Compares the text of the run with that of another one. */
  compareText?(): void;
  /**
   * Rewrites the executed statement in its document. Omitted for rows without a query.
   * @throws ExpectedError if the statement no longer exists.
   */
  editQuery?(rewrite: (statement: string) => string): Promise<void>;
  /** Given if the source of the rows sorts and filters them, whether they are in memory or not. */
  readonly arranging?: {
    readonly is: SortAndFilters;
    /** Reads the rows anew, in this order and with these filters. */
    change(wanted: SortAndFilters): void;
    values(asked: { readonly column: number; readonly signal: AbortSignal }): Promise<ColumnValues>;
  };
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

/** What one run shows in a result. */
interface Content {
  readonly run: number;
  readonly startedAt: number;
  header: RunHeader;
  readonly actions: ResultActions | undefined;
  state: ResultState;
  /** Undefined before the first page. */
  rows: Rows | undefined;
  /** What the rows of this run take over from those of the run before, if they have the same columns. */
  readonly earlierView: EarlierView | undefined;
  isOlderThanChange: boolean;
  laterRun: RowsState['laterRun'];
}

/** The rows of one run, and how they are shown. */
interface Rows {
  readonly data: ResultData;
  columns: readonly StoreColumn[];
  outcome: AppendOutcome | undefined;
  viewRowCount: number;
  /** Number of pending changes to the sort order and filters. */
  sorting: number;
  sortAndFilters: SortAndFilters;
  /** Where the active row has moved in a generation. */
  moved: (NonNullable<RowsState['moved']> & { readonly generation: number }) | undefined;
  /** The sort order to apply once all rows are loaded. */
  pendingSort: SortAndFilters['sort'];
  /** Filters and sort order that were added to the query, so the next run needs them no longer. */
  addedToQuery: SortAndFilters;
  shownColumns: readonly number[] | undefined;
  readonly comparison: ComparisonState | undefined;
}

/** The sort order and filters of an earlier run. */
interface EarlierView extends SortAndFilters {
  readonly columns: readonly StoreColumn[];
}

/** The rows that a run has replaced. */
interface EarlierRows {
  readonly content: Content;
  /** Makes the run of these rows the current one again. */
  readonly restore: () => void;
  /** Whether a later run was sent or ended, so that these rows are no longer those of the newest run. */
  isOutlived: boolean;
}

/** Rows with what they are: those of a result, or of the run before. */
export interface RowsOfRun {
  readonly state: ResultState;
  readonly data: ResultData | undefined;
  readonly header: RunHeader;
}

/** The rows of a run before are kept up to this number, so that they can be compared; more would take too much memory. */
const beforeRowsMax = 50_000;

export class Result {
  readonly id: string;
  /** What the page remembers of the rows' look, such as the selection; it comes along when the result moves. */
  look: string | undefined;
  /** When a panel showed the result last; 0 if never. */
  shownAt = 0;
  readonly #factory: ResultDataFactory;
  readonly #changed: (result: Result) => void;
  readonly #renamed: ((result: Result, before: string) => void) | undefined;
  #content: Content;
  /** Kept until the next run has rows, in case that run is cancelled or fails. */
  #earlier: EarlierRows | undefined;
  /** The rows of the run before, if all of them were there. */
  #before: Content | undefined;
  #runCount = 0;
  #generation = 0;
  #isPinned = false;
  #key: string | undefined;

  constructor(options: {
    readonly id: string;
    readonly key: string;
    readonly header: RunHeader;
    readonly factory: ResultDataFactory;
    readonly changed: (result: Result) => void;
    /** Called when the result has another name than before. */
    readonly renamed?: (result: Result, before: string) => void;
  }) {
    this.id = options.id;
    this.#key = options.key;
    this.#content = newContent(0, options.header);
    this.#factory = options.factory;
    this.#changed = options.changed;
    this.#renamed = options.renamed;
  }

  /** URI of the document that owns the result; undefined once it may refer to another document. */
  get key(): string | undefined {
    return this.#key;
  }

  /** Called when the document is gone and its URI may be reused: later runs get a new result. */
  orphan(): void {
    this.#key = undefined;
    this.#changed(this);
  }

  /** Moves the result to the document's new URI after it was saved under a new name. */
  follow(key: string, about: Pick<RunHeader, 'title' | 'version' | 'isModified'>): void {
    const before = runTitle(this.header);
    this.#key = key;
    this.#content.header = { ...this.header, ...about };
    if (this.#earlier !== undefined) {
      const { content } = this.#earlier;
      content.header = { ...content.header, title: about.title };
    }
    this.#changed(this);
    this.#renamed?.(this, before);
  }

  /** Shows another name; the source of the rows is the same. */
  rename(names: Pick<RunHeader, 'title' | 'summarized'>): void {
    this.#content.header = { ...this.header, ...names };
    this.#changed(this);
  }

  get actions(): ResultActions | undefined {
    return this.#content.actions;
  }

  get isPinned(): boolean {
    return this.#isPinned;
  }

  get state(): ResultState {
    return this.#content.state;
  }

  get header(): RunHeader {
    return this.#content.header;
  }

  get run(): number {
    return this.#content.run;
  }

  get generation(): number {
    return this.#generation;
  }

  /** The rows of the newest run; undefined before the first page. */
  get data(): ResultData | undefined {
    return this.#content.rows?.data;
  }

  /** Visible columns in display order. */
  get shownColumns(): readonly number[] {
    const { shownColumns, columns = [] } = this.#content.rows ?? {};
    return shownColumns ?? columns.map((_, column) => column);
  }

  set shownColumns(columns: readonly number[]) {
    const { rows } = this.#content;
    if (rows !== undefined) rows.shownColumns = columns.filter((column) => column < rows.columns.length);
  }

  togglePin(): void {
    this.#isPinned = !this.#isPinned;
    this.#changed(this);
  }

  view(): ResultView {
    return {
      id: this.id,
      run: this.#content.run,
      isPinned: this.#isPinned,
      isClosed: this.#key === undefined,
      header: this.#content.header,
      state: this.#content.state,
      earlier: this.#earlierRows,
      before: this.#momentBefore,
    };
  }

  /** The rows of the run before this one; undefined if they were too many, or not all of them were there. */
  get before(): RowsOfRun | undefined {
    return this.#before && { ...this.#before, data: this.#before.rows?.data };
  }

  get #momentBefore(): number | undefined {
    const before = this.#before?.state;
    const { state } = this.#content;
    const isShown = before?.kind === 'rows' && state.kind === 'rows' && state.extent === 'complete';
    return isShown && state.laterRun === undefined ? before.finishedAt : undefined;
  }

  /** The earlier rows that can be shown in place of a run that has ended without rows. */
  get #earlierRows(): ResultView['earlier'] {
    const { state } = this.#content;
    const earlier = this.#earlier?.content.state;
    if (isUnsent(state) || state.kind === 'running' || earlier?.kind !== 'rows') return undefined;
    const { rowCount, finishedAt } = earlier;
    const connection = this.#earlier?.content.header.connection;
    return {
      ...{ rowCount, finishedAt, laterRun: this.#laterRun },
      ...(connection === this.header.connection ? {} : { connection }),
    };
  }

  get #laterRun(): 'same-text' | 'other-text' {
    const [before, now] = [this.#earlier?.content, this.#content].map((one) => one?.actions?.statement?.());
    return before === undefined || now === undefined || isSameText(before, now) ? 'same-text' : 'other-text';
  }

  /** Compares the text of the earlier rows' run with that of another run. */
  compareText(): void {
    this.#earlier?.content.actions?.compareText?.();
  }

  tab(): ResultTab {
    const { header, state, startedAt } = this.#content;
    return {
      id: this.id,
      title: runTitle(header),
      name: header.title,
      summarized: header.summarized,
      version: header.version,
      isModified: header.isModified,
      part: header.part,
      time: state.kind === 'restored' ? state.finishedAt : startedAt,
      status: statusOf(state),
      isPinned: this.#isPinned,
      isClosed: this.#key === undefined,
    };
  }

  /** Whether the run has not sent its query, so that it can still be cancelled in favor of the earlier rows. */
  get isUnsent(): boolean {
    return isUnsent(this.#content.state);
  }

  /**
   * Starts a run in this result.
   * @param restore if given, the earlier rows are kept until the run has its own, and this is called if they are shown
   * again.
   */
  begin(header: RunHeader, actions: ResultActions, restore?: () => void): ResultWriter {
    if (restore !== undefined && isAtRest(this.#content)) {
      this.#dropEarlier();
      this.#earlier = { content: this.#content, restore, isOutlived: false };
    } else this.#content.rows?.data.dispose();
    this.#content = newContent(++this.#runCount, header, actions, viewToKeep(this.#content));
    this.#generation += 1;
    this.#changed(this);
    return this.#writer(this.#content);
  }

  /** Shows the earlier rows again, in place of a run without rows. @returns whether there are any. */
  restoreEarlier(): boolean {
    if (this.#earlier === undefined) return false;
    const { content, restore, isOutlived } = this.#earlier;
    if (isOutlived) content.laterRun = this.#laterRun;
    this.#earlier = undefined;
    this.#content.rows?.data.dispose();
    this.#content = content;
    this.#generation += 1;
    this.#updateRows();
    restore();
    this.#changed(this);
    return true;
  }

  /** Called when a run has rows: those of the run before it can be compared with them. */
  #replaceEarlier(): void {
    if (this.#earlier === undefined) return;
    const { content } = this.#earlier;
    this.#earlier = undefined;
    this.#before?.rows?.data.dispose();
    const { state, rows } = content;
    const isKept =
      state.kind === 'rows' &&
      state.extent === 'complete' &&
      state.rowCount <= beforeRowsMax &&
      rows?.comparison === undefined &&
      content.header.origin !== 'rows';
    this.#before = isKept ? content : undefined;
    if (!isKept) rows?.data.dispose();
  }

  #dropEarlier(): void {
    this.#earlier?.content.rows?.data.dispose();
    this.#earlier = undefined;
  }

  #writer(content: Content): ResultWriter {
    const isCurrent = () => content === this.#content;
    const whenCurrent = (write: () => void) => {
      if (!isCurrent()) return;
      write();
      this.#changed(this);
    };
    return {
      get isCurrent() {
        return isCurrent();
      },
      setHeader: (header) => whenCurrent(() => (content.header = header)),
      set: (state) => whenCurrent(() => this.#show(state)),
      open: (columns) => {
        if (!isCurrent()) return;
        const { actions, earlierView } = content;
        const sortAndFilters = actions?.arranging?.is;
        const rows = newRows(this.#factory.create(columns), columns, sortAndFilters && { sortAndFilters });
        content.rows = rows;
        if (sortAndFilters === undefined) keepView(rows, earlierView);
      },
      grow: (columns) => {
        const { rows } = content;
        if (!isCurrent() || columns.length === 0 || rows === undefined) return;
        const known = rows.columns.length;
        rows.columns = [...rows.columns, ...columns];
        if (rows.shownColumns !== undefined)
          rows.shownColumns = [...rows.shownColumns, ...columns.map((_, index) => known + index)];
        rows.data.grow(columns);
      },
      adopt: ({ data, columns, outcome, sortAndFilters, comparison }) => {
        if (!isCurrent()) {
          data.dispose();
          return;
        }
        content.rows = newRows(data, columns, {
          // Set the initial column order here, so that it does not depend on a visible panel.
          shownColumns: comparedColumns(columns.length, comparison),
          outcome,
          viewRowCount: outcome.viewRowCount,
          sortAndFilters,
          comparison,
        });
      },
      append: async (page) => {
        const { rows } = content;
        if (!isCurrent() || rows === undefined) return undefined;
        const outcome = await rows.data.append(page).catch((error: unknown) => {
          if (error instanceof ResultDisposedError) return undefined;
          throw error;
        });
        if (!isCurrent() || outcome === undefined) return undefined;
        rows.outcome = outcome;
        rows.viewRowCount = outcome.viewRowCount;
        if (rows.sortAndFilters.sort.length > 0 && content.actions?.arranging === undefined) {
          rows.sortAndFilters = { ...rows.sortAndFilters, sort: [] };
          this.#generation += 1;
        }
        return outcome;
      },
      setRows: (progress) =>
        whenCurrent(() => {
          const { rows } = content;
          if (rows === undefined) return;
          this.#show(this.#rows(rows, progress));
          this.#keepSort(rows, progress);
        }),
    };
  }

  /** Sorts the rows of a new run like those of the run before. If more rows are left to load, the order is dropped. */
  #keepSort(rows: Rows, progress: RowsProgress): void {
    const { pendingSort: sort, sortAndFilters } = rows;
    if (sort.length === 0 || (progress.extent !== 'complete' && isLoading(progress))) return;
    rows.pendingSort = [];
    if (progress.extent !== 'complete') return;
    // On a failure, the rows stay in the order of the service, and their headers show no other.
    this.sortAndFilter({ ...sortAndFilters, sort }).catch(() => undefined);
  }

  /** Called when the query has these filters and this order itself. */
  addedToQuery(added: SortAndFilters): void {
    const { rows } = this.#content;
    if (rows === undefined) return;
    const { sort, filters } = rows.addedToQuery;
    rows.addedToQuery = {
      sort: added.sort.length > 0 ? added.sort : sort,
      filters: [...filters, ...added.filters],
    };
  }

  #show(state: ResultState): void {
    if (state.kind === 'rows') this.#replaceEarlier();
    else if (!isUnsent(state) && this.#earlier !== undefined) this.#earlier.isOutlived = true;
    this.#content.state = state;
  }

  #rows(rows: Rows, progress: RowsProgress): RowsState {
    const { columns, outcome, viewRowCount, sortAndFilters, sorting, comparison, moved } = rows;
    const { actions, isOlderThanChange, laterRun } = this.#content;
    return {
      ...progress,
      kind: 'rows',
      columns: columns.map((column, index) => ({ ...column, kind: outcome?.kinds[index] ?? 'text' })),
      rowCount: outcome?.rowCount ?? 0,
      viewRowCount,
      generation: this.#generation,
      ...sortAndFilters,
      isArrangedBySource: actions?.arranging !== undefined,
      moved: moved?.generation === this.#generation ? { from: moved.from, to: moved.to } : undefined,
      isSortingOrFiltering: sorting > 0,
      comparison,
      isOlderThanChange,
      laterRun,
    };
  }

  /**
   * Filters and sorts the loaded rows. An incomplete result is never sorted, because its order would look like that of
   * all rows. If several requests are concurrent, the last wins.
   * @param options.row the active row, whose new place becomes part of the state.
   */
  async sortAndFilter({
    sort,
    filters,
    row,
  }: SortAndFilters & { readonly row?: number | undefined }): Promise<void> {
    const content = this.#content;
    const { state, rows } = content;
    if (state.kind !== 'rows' || rows === undefined) return;
    const { arranging } = content.actions ?? {};
    if (arranging !== undefined) {
      arranging.change({ sort, filters });
      return;
    }
    const wanted = { sort: state.extent === 'complete' ? sort : [], filters };
    // While the rows are about to move, the page cannot know which one it means.
    const from = rows.sorting === 0 ? row : undefined;
    rows.sorting += 1;
    this.#redrawRows();
    try {
      const answer =
        from === undefined
          ? { viewRowCount: await rows.data.ask('sortAndFilter', wanted), row: undefined }
          : await rows.data.ask('rearrange', { ...wanted, row: from });
      if (content === this.#content) {
        rows.viewRowCount = answer.viewRowCount;
        rows.sortAndFilters = wanted;
        this.#generation += 1;
        rows.moved = from === undefined ? undefined : { generation: this.#generation, from, to: answer.row };
      }
    } finally {
      if (content === this.#content) {
        rows.sorting -= 1;
        this.#redrawRows();
      }
    }
  }

  /** Tells the user that the rows may not show a change that has ended by now. */
  markOlderThanChange(): void {
    this.#content.isOlderThanChange = true;
    this.#redrawRows();
  }

  #updateRows(): void {
    const { state, rows } = this.#content;
    if (state.kind === 'rows' && rows !== undefined) this.#show(this.#rows(rows, state));
  }

  #redrawRows(): void {
    this.#updateRows();
    this.#changed(this);
  }

  dispose(): void {
    this.#dropEarlier();
    this.#before?.rows?.data.dispose();
    this.#before = undefined;
    const { actions, rows } = this.#content;
    if (actions?.end === undefined) actions?.cancel();
    else actions.end();
    rows?.data.dispose();
    // A new object, so that no writer is current any more.
    this.#content = { ...this.#content, run: ++this.#runCount, rows: undefined };
  }
}

function newContent(
  run: number,
  header: RunHeader,
  actions?: ResultActions,
  earlierView?: EarlierView,
): Content {
  return {
    run,
    startedAt: Date.now(),
    header,
    actions,
    state: { kind: 'checking' },
    rows: undefined,
    earlierView,
    isOlderThanChange: false,
    laterRun: undefined,
  };
}

const newRows = (data: ResultData, columns: readonly StoreColumn[], more: Partial<Rows> = {}): Rows => ({
  data,
  columns,
  outcome: undefined,
  viewRowCount: 0,
  sorting: 0,
  sortAndFilters: { sort: [], filters: [] },
  moved: undefined,
  pendingSort: [],
  addedToQuery: { sort: [], filters: [] },
  shownColumns: undefined,
  comparison: undefined,
  ...more,
});

/** Filters the rows of a new run like those of the run before. */
function keepView(rows: Rows, earlier: EarlierView | undefined): void {
  if (earlier === undefined || !areSameColumns(earlier.columns, rows.columns)) return;
  const { sort, filters } = earlier;
  rows.pendingSort = sort;
  if (filters.length === 0) return;
  rows.sortAndFilters = { sort: [], filters };
  rows.data.ask('sortAndFilter', rows.sortAndFilters).catch(() => undefined); // the next append fails too
}

function isUnsent({ kind }: ResultState): boolean {
  return kind === 'checking' || kind === 'parameters';
}

/** Whether these are rows that no pending work would change after they are set aside. */
function isAtRest({ state, rows }: Content): boolean {
  return state.kind === 'rows' && !isLoading(state) && (rows === undefined || rows.sorting === 0);
}

/** A run without rows hands on what it was given. A comparison starts with its own filters each time. */
function viewToKeep({ actions, rows, earlierView }: Content): EarlierView | undefined {
  if (rows === undefined || rows.columns.length === 0) return earlierView;
  const { columns, sortAndFilters, pendingSort, addedToQuery, comparison } = rows;
  if (comparison !== undefined || actions?.arranging !== undefined) return undefined;
  const sort = sortAndFilters.sort.length > 0 ? sortAndFilters.sort : pendingSort;
  const added = new Set(addedToQuery.filters.map((filter) => JSON.stringify(filter)));
  return {
    columns,
    sort: JSON.stringify(sort) === JSON.stringify(addedToQuery.sort) ? [] : sort,
    filters: sortAndFilters.filters.filter((filter) => !added.has(JSON.stringify(filter))),
  };
}

function areSameColumns(some: readonly StoreColumn[], others: readonly StoreColumn[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, type }, column) => name === others[column]?.name && type === others[column].type)
  );
}

export function isLoading({ loading }: Pick<RowsState, 'loading'>): boolean {
  return loading.kind === 'page' || loading.kind === 'all';
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

function statusOf(state: ResultState): ResultTab['status'] {
  switch (state.kind) {
    case 'checking':
    case 'running':
      return 'busy';
    case 'rows':
      return isLoading(state) ? 'busy' : 'ok';
    case 'restored':
    case 'parameters':
    case 'question':
      return 'waiting';
    case 'refused':
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'disconnected':
      return state.isBack === true ? 'waiting' : 'failed';
    default:
      return state satisfies never;
  }
}
