/**
 * Stores the rows of one result: packed chunks, and the order of the visible rows. Does not depend on the editor or on
 * threads; `worker-main.ts` hosts it in a worker. Long work yields periodically.
 */
import { Amounts, CommonCurrency, type MixedAmounts } from '../amounts.ts';
import type { Pause } from '../calls.ts';
import { cellText, cellTextStart, sizeOf } from '../chunk.ts';
import { columnKindOf, type ColumnKind, type TypedColumn } from '../column-kind.ts';
import type { RowSource } from '../compare/row-source.ts';
import { digestRows } from '../digest/rows-digest.ts';
import { serialize } from '../files/serialize.ts';
import type { CellRow, CopyCell, TextOptions } from '../files/text-writer.ts';
import { countValues, groupedTexts } from '../filter/column-values.ts';
import { matchingRows } from '../filter/filter.ts';
import { Finder } from '../filter/finder.ts';
import { orderOf, ownOrderOf } from '../order/type-order.ts';
import { cellTag, type Chunk, type ColumnChunk } from '../packed-rows.ts';
import {
  recordsMax,
  shownCharsMax,
  type Aggregate,
  type SortAndFilters,
  type CellRange,
  type CellRecord,
  type CellValue,
  type CellWindow,
  type ChartData,
  type ChartSpec,
  type ColumnFilter,
  type ColumnValues,
  type DistinctCount,
  type FindAnswer,
  type FindRequest,
  type GroupAnswer,
  type GroupSpec,
  type RowsDigest,
  type StoreColumn,
  type WindowRequest,
} from '../rows.ts';
import { chunkFinder, sortRows } from '../sort/sort.ts';
import { Aggregation } from '../summary/aggregate.ts';
import { chartData } from '../summary/chart-data.ts';
import { DistinctValues } from '../summary/distinct-values.ts';
import { groupRows } from '../summary/group-rows.ts';

/** Cells to process between pauses; this takes about 5 ms. */
const cellsAtATime = 20_000;

export class ResultStore {
  #columns: readonly StoreColumn[];
  readonly #chunks: Chunk[] = [];
  readonly #starts: number[] = [];
  #declaredKinds: readonly ColumnKind[];
  /** For each column, the first chunk that was packed with it; in earlier chunks, every cell is NULL. */
  #firstChunks: readonly number[];
  #inferredKinds: readonly (ColumnKind | undefined)[] = [];
  readonly #finder = new Finder();
  #rowCount = 0;
  /** What was learned of columns of money, and from how many rows. */
  readonly #amounts = new Map<number, { readonly amounts: Amounts; rows: number }>();
  #sizeBytes = 0;
  /** Visible rows in order; undefined if all rows are visible in arrival order. */
  #order: Uint32Array<ArrayBuffer> | undefined;
  #filters: readonly ColumnFilter[] = [];
  #find = chunkFinder([]);

  constructor(columns: readonly StoreColumn[]) {
    this.#columns = columns;
    this.#declaredKinds = columns.map((column) => columnKindOf(column.type));
    this.#firstChunks = columns.map(() => 0);
  }

  get columns(): readonly StoreColumn[] {
    return this.#columns;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Number of visible rows, meaning rows that match the filters. */
  get viewRowCount(): number {
    return this.#order?.length ?? this.#rowCount;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Appends rows; those that match the filters become visible. Resets the sort order, which does not cover the new
   * rows.
   */
  append(chunk: Chunk): void {
    if (chunk.rowCount === 0) return;
    this.#finder.reset();
    const start = this.#rowCount;
    this.#chunks.push(chunk);
    this.#starts.push(start);
    this.#rowCount += chunk.rowCount;
    this.#sizeBytes += sizeOf(chunk);
    this.#find = chunkFinder(this.#starts);
    if (this.#filters.length === 0) {
      this.#order = undefined;
      return;
    }
    const before = this.#order ?? new Uint32Array(0);
    const more = matchingRows(chunk, this.#filters, (column) => this.#typeOf(column));
    const order = new Uint32Array(before.length + more.length);
    order.set(before);
    for (let index = 0; index < more.length; index += 1)
      order[before.length + index] = start + (more[index] ?? 0);
    this.#order = order;
  }

  /** Appends columns, which are NULL in existing rows. */
  grow(columns: readonly StoreColumn[]): void {
    if (columns.length === 0) return;
    this.#finder.reset();
    for (const [index, chunk] of this.#chunks.entries()) {
      // All new columns share one array, since nothing writes to it.
      const tags = new Uint8Array(chunk.rowCount);
      const empty = columns.map(() => ({ tags, numbers: undefined, bytes: undefined, offsets: undefined }));
      this.#chunks[index] = { rowCount: chunk.rowCount, columns: [...chunk.columns, ...empty] };
    }
    this.#columns = [...this.#columns, ...columns];
    this.#declaredKinds = this.#columns.map((column) => columnKindOf(column.type));
    this.#firstChunks = [...this.#firstChunks, ...columns.map(() => this.#chunks.length)];
  }

  /** Adds another store's chunks, which may be packed on demand. */
  protected adopt(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      this.#starts.push(this.#rowCount);
      this.#chunks.push(chunk);
      this.#rowCount += chunk.rowCount;
    }
    this.#find = chunkFinder(this.#starts);
  }

  /** A snapshot of the rows, unaffected by rows added later. */
  get source(): RowSource {
    return { chunks: this.#chunks.slice(), starts: this.#starts.slice(), rowCount: this.#rowCount };
  }

  /** Returns a new store with a snapshot of the rows in arrival order. Both stores share the chunks. */
  fork(): ResultStore {
    const fork = new ResultStore(this.columns);
    fork.adopt(this.#chunks);
    fork.#firstChunks = this.#firstChunks;
    fork.#inferredKinds = this.#inferredKinds;
    fork.#sizeBytes = this.#sizeBytes;
    return fork;
  }

  /** Sets the kinds of columns whose types are not known; undefined for those that their cells decide. */
  setInferredKinds(kinds: readonly (ColumnKind | undefined)[]): void {
    this.#inferredKinds = kinds;
  }

  /** Returns the kind of a column. If the service did not report a type, the first rows determine it. */
  kindOf(column: number): ColumnKind {
    const declared = this.#declaredKinds[column] ?? 'text';
    const isNamed = !['', 'unknown'].includes(this.columns[column]?.type ?? '');
    return isNamed
      ? declared
      : (this.#inferredKinds[column] ??
          kindOfCells(this.#chunks[this.#firstChunks[column] ?? 0]?.columns[column]) ??
          declared);
  }

  #typeOf(column: number): TypedColumn {
    return { type: this.columns[column]?.type ?? '', kind: this.kindOf(column) };
  }

  /**
   * Filters, then sorts. Empty lists restore all rows in the service's order.
   * @returns the number of visible rows.
   */
  sortAndFilter({ sort, filters }: SortAndFilters): number {
    this.#finder.reset();
    this.#filters = filters;
    const kept = filters.length === 0 ? undefined : this.#filtered(filters);
    const source = {
      chunks: this.#chunks,
      starts: this.#starts,
      rowCount: this.#rowCount,
      kindOf: (column: number) => this.kindOf(column),
      ownOrderOf: (column: number) => ownOrderOf(this.columns[column]?.type ?? ''),
    };
    this.#order = sort.length === 0 ? kept : sortRows(source, sort, kept);
    return this.viewRowCount;
  }

  /** Filters and sorts, and follows a visible row to its new place; undefined if it is not visible any more. */
  rearrange({ row, ...wanted }: SortAndFilters & { readonly row: number }): {
    readonly viewRowCount: number;
    readonly row: number | undefined;
  } {
    const stored = this.#order === undefined ? row : this.#order[row];
    const viewRowCount = this.sortAndFilter(wanted);
    const place = stored === undefined ? -1 : (this.#order?.indexOf(stored) ?? stored);
    return { viewRowCount, row: place < 0 ? undefined : place };
  }

  #filtered(filters: readonly ColumnFilter[]): Uint32Array<ArrayBuffer> {
    const rows = new Uint32Array(this.#rowCount);
    let count = 0;
    this.#chunks.forEach((chunk, index) => {
      const start = this.#starts[index] ?? 0;
      for (const row of matchingRows(chunk, filters, (column) => this.#typeOf(column)))
        rows[count++] = start + row;
    });
    return rows.slice(0, count);
  }

  /**
   * Returns the values of a column in the rows that match the filters on other columns, so that a filter can be
   * widened.
   */
  values(column: number, limit: number): ColumnValues {
    const others = this.#filters.filter((filter) => filter.column !== column);
    const rows = others.length === 0 ? undefined : this.#filtered(others);
    const { type, kind } = this.#typeOf(column);
    const { identityOf } = orderOf(type, kind);
    const isJson = kind === 'json' && ownOrderOf(type) === undefined;
    const comparedMax = isJson ? groupedTexts : Number.POSITIVE_INFINITY;
    const source = { chunks: this.#chunks, starts: this.#starts };
    return countValues(source, { column, rows, limit, identityOf, comparedMax });
  }

  find(request: FindRequest, pause: Pause): Promise<FindAnswer> {
    const source = {
      chunks: this.#chunks.slice(),
      starts: this.#starts.slice(),
      rowCount: this.#rowCount,
      order: this.#order,
    };
    return this.#finder.find(source, { ...request, columns: this.#known(request.columns) }, pause);
  }

  async chart(spec: ChartSpec, pause: Pause): Promise<ChartData> {
    const { x, y = x, measures = [] } = spec;
    const amounts = await this.#amountsOf([x, y, ...measures], pause);
    const isNumberAxis = spec.type === 'histogram' || spec.type === 'scatter' || spec.type === 'line';
    const measured = [...(spec.y === undefined ? [] : [spec.y]), ...measures, ...(isNumberAxis ? [x] : [])];
    const mixed = await this.#mixedOf(measured, amounts, pause);
    const kinds = this.columns.map((_, column) => this.kindOf(column));
    const source = {
      rowCount: this.viewRowCount,
      kindOf: (column: number) => kinds[column] ?? 'text',
      amountsOf: (column: number) => amounts.get(column),
      hasMixedAmounts: (column: number) => mixed.has(column),
      locate: this.#locator(this.#order),
    };
    const data = await chartData(source, spec, pause);
    const [mixedAmounts] = mixed.values();
    return mixedAmounts === undefined ? data : { ...data, mixedAmounts };
  }

  async group(spec: GroupSpec, pause: Pause): Promise<GroupAnswer> {
    const amounts = await this.#amountsOf([spec.measure.column ?? -1], pause);
    const kinds = this.columns.map((_, column) => this.kindOf(column));
    return groupRows(
      {
        columns: this.columns,
        rowCount: this.viewRowCount,
        kindOf: (column) => kinds[column] ?? 'text',
        amountsOf: (column) => amounts.get(column),
        locate: this.#locator(this.#order),
      },
      spec,
      pause,
    );
  }

  async aggregate(range: CellRange, pause: Pause): Promise<Aggregate> {
    const columns = this.#known(range.columns);
    const types = columns.map((column) => this.#typeOf(column));
    const kinds = types.map(({ kind }) => kind);
    const amounts = await this.#amountsOf(columns, pause);
    const aggregation = new Aggregation(types);
    await this.#eachCell(range, pause, (text, tag, place) => {
      const isNumber = tag === cellTag.number || tag === cellTag.exact || kinds[place] === 'number';
      const amount = text === undefined ? undefined : amounts.get(columns[place] ?? -1)?.read(text);
      aggregation.add(text, amount ?? isNumber);
    });
    return aggregation.result;
  }

  async distinct(range: CellRange, pause: Pause): Promise<DistinctCount> {
    const values = new DistinctValues();
    const orders = this.#known(range.columns).map((column) => {
      const { type, kind } = this.#typeOf(column);
      return orderOf(type, kind);
    });
    await this.#eachCell(
      range,
      pause,
      (text, _, place) => text !== undefined && values.add(orders[place]?.identityOf(text) ?? text),
    );
    return values.result;
  }

  /** Learns how the amounts of money in these columns are written, each row once, and those that are hidden, too. */
  async #amountsOf(columns: readonly number[], pause: Pause): Promise<ReadonlyMap<number, Amounts>> {
    const found = new Map<number, Amounts>();
    for (const column of new Set(columns)) {
      if (this.columns[column]?.type.trim().toLowerCase() !== 'money') continue;
      const learned = this.#amounts.get(column) ?? { amounts: new Amounts(), rows: 0 };
      this.#amounts.set(column, learned);
      const locate = this.#locator(undefined);
      const count = this.#rowCount;
      while (learned.rows < count) {
        const { packed, row } = locate(learned.rows, column);
        const text = packed === undefined ? undefined : cellText(packed, row);
        if (text !== undefined) learned.amounts.learn(text);
        learned.rows += 1;
        if (learned.rows % cellsAtATime === 0) await pause();
      }
      found.set(column, learned.amounts);
    }
    return found;
  }

  /** Returns the columns whose visible amounts have no common scale. */
  async #mixedOf(
    columns: readonly number[],
    amounts: ReadonlyMap<number, Amounts>,
    pause: Pause,
  ): Promise<ReadonlyMap<number, MixedAmounts>> {
    const mixed = new Map<number, MixedAmounts>();
    for (const column of columns) {
      const learned = amounts.get(column);
      if (learned?.areMixed !== true) continue;
      const currency = new CommonCurrency();
      const whole = { columns: [column], firstRow: 0, lastRow: this.viewRowCount - 1 };
      await this.#eachCell(whole, pause, (text) => {
        const amount = text === undefined ? undefined : learned.read(text);
        if (amount !== undefined) currency.numberOf(amount);
      });
      if (currency.mixed !== undefined) mixed.set(column, currency.mixed);
    }
    return mixed;
  }

  /** Visits a snapshot of the visible cells in a range. */
  async #eachCell(
    range: CellRange,
    pause: Pause,
    visit: (text: string | undefined, tag: number | undefined, place: number) => void,
  ): Promise<void> {
    const columns = this.#known(range.columns);
    const locate = this.#locator(this.#order);
    const lastRow = Math.min(range.lastRow, this.viewRowCount - 1);
    let cells = 0;
    for (let row = Math.max(0, range.firstRow); row <= lastRow; row += 1) {
      columns.forEach((column, place) => {
        const { packed, row: packedRow } = locate(row, column);
        const text = packed === undefined ? undefined : cellText(packed, packedRow);
        visit(text, packed?.tags[packedRow], place);
      });
      cells += columns.length;
      if (cells >= cellsAtATime) {
        cells = 0;
        await pause();
      }
    }
  }

  /** Computes the digests of the first rows in the service's order, regardless of filters and sort order. */
  digest(
    rowCount: number,
    context: { readonly pause: Pause; readonly progress: (rows: number) => void },
  ): Promise<RowsDigest> {
    return digestRows({ columns: this.columns, chunks: this.#chunks.slice() }, rowCount, context);
  }

  window(request: WindowRequest): CellWindow {
    const firstRow = Math.max(0, Math.min(request.firstRow, this.viewRowCount));
    const last = Math.min(this.viewRowCount, firstRow + Math.max(0, request.rowCount));
    return {
      firstRow,
      columns: this.#known(request.columns).map((column) => {
        const cells: (string | null)[] = [];
        for (let row = firstRow; row < last; row += 1) cells.push(this.shown(row, column));
        return { column, cells };
      }),
    };
  }

  #known(columns: readonly number[]): number[] {
    return columns.filter((column) => column >= 0 && column < this.columns.length);
  }

  /** Returns the row at a display index, or -1 if there is none. */
  protected rowAt(viewRow: number): number {
    const row = this.#order === undefined ? viewRow : (this.#order[viewRow] ?? -1);
    return row < this.#rowCount ? row : -1;
  }

  /** Returns the displayed text of a cell, truncated if long. */
  protected shown(viewRow: number, column: number): string | null {
    const { packed, row } = this.#locate(viewRow, column);
    if (packed === undefined) return null;
    const text = cellTextStart(packed, row, shownCharsMax);
    if (text === undefined) return null;
    return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text;
  }

  cell(viewRow: number, column: number): CellValue {
    const { packed, row } = this.#locate(viewRow, column);
    if (packed === undefined) return { text: null, isJson: false };
    return { text: cellText(packed, row) ?? null, isJson: packed.tags[row] === cellTag.json };
  }

  /** Returns whole rows, at most `recordsMax`. */
  records(rows: readonly number[]): readonly CellRecord[] {
    return rows.slice(0, recordsMax).map((row) => ({
      row,
      values: this.columns.map((_, column) => this.cell(row, column)),
    }));
  }

  #locate(viewRow: number, column: number): Located {
    const storeRow = this.rowAt(viewRow);
    if (storeRow < 0) return { packed: undefined, row: 0 };
    const at = this.#find(storeRow);
    return { packed: this.#chunks[at]?.columns[column], row: storeRow - (this.#starts[at] ?? 0) };
  }

  /** Returns a function that locates cells in a snapshot of the visible rows. */
  #locator(order: Uint32Array | undefined): (viewRow: number, column: number) => Located {
    const find = chunkFinder(this.#starts.slice());
    const count = this.#rowCount;
    return (viewRow, column) => {
      const storeRow = order === undefined ? viewRow : (order[viewRow] ?? -1);
      if (storeRow < 0 || storeRow >= count) return { packed: undefined, row: 0 };
      const at = find(storeRow);
      return { packed: this.#chunks[at]?.columns[column], row: storeRow - (this.#starts[at] ?? 0) };
    };
  }

  copy(range: CellRange, options: TextOptions): string {
    const columns = this.#known(range.columns);
    const names = columns.map((column) => this.columns[column]?.name ?? '');
    const lastRow = Math.min(range.lastRow, this.viewRowCount - 1);
    const cellAt = this.#cellReader(this.#order);
    return serialize(
      { names, rows: () => eachRow(cellAt, columns, { first: Math.max(0, range.firstRow), last: lastRow }) },
      { ...options, types: columns.map((column) => this.columns[column]?.type ?? '') },
    );
  }

  /**
   * Yields a snapshot of rows for a file, in batches.
   * @param scope `view` for the visible rows in their order, `all` for all rows in the service's order.
   */
  *batches(
    scope: 'view' | 'all',
    range: { readonly columns: readonly number[]; readonly first?: number; readonly last?: number },
    batchRows: number,
  ): Generator<CellRow[], void, void> {
    const order = scope === 'all' ? undefined : this.#order;
    const cellAt = this.#cellReader(order);
    const columns = this.#known(range.columns);
    const end = Math.min(range.last ?? Number.POSITIVE_INFINITY, (order?.length ?? this.#rowCount) - 1);
    for (let first = range.first ?? 0; first <= end; first += batchRows)
      yield [...eachRow(cellAt, columns, { first, last: Math.min(end, first + batchRows - 1) })];
  }

  #cellReader(order: Uint32Array<ArrayBuffer> | undefined): CellReader {
    const locate = this.#locator(order);
    return (viewRow, column) => {
      const { packed, row } = locate(viewRow, column);
      const text = packed === undefined ? undefined : cellText(packed, row);
      return { text: text ?? null, isBare: packed?.tags[row] !== cellTag.text };
    };
  }
}

interface Located {
  readonly packed: ColumnChunk | undefined;
  readonly row: number;
}

type CellReader = (viewRow: number, column: number) => CopyCell;

function* eachRow(
  cellAt: CellReader,
  columns: readonly number[],
  rows: { readonly first: number; readonly last: number },
): Generator<CellRow, void, void> {
  for (let row = rows.first; row <= rows.last; row += 1) yield columns.map((column) => cellAt(row, column));
}

function kindOfCells(packed: ColumnChunk | undefined): ColumnKind | undefined {
  for (const tag of packed?.tags ?? []) {
    if (tag === cellTag.number || tag === cellTag.exact) return 'number';
    if (tag === cellTag.true || tag === cellTag.false) return 'boolean';
    if (tag === cellTag.json) return 'json';
    if (tag === cellTag.text) return 'text';
  }
  return undefined;
}
