/** Stores the rows of a comparison. Windows and cells also contain the earlier values. */
import type { CallContext } from '../calls.ts';
import { serialize } from '../files/serialize.ts';
import type { CopyCell, TextFormat, TextOptions } from '../files/text-writer.ts';
import type { CellRange, CellValue, CellWindow, StoreColumn } from '../rows.ts';
import { ResultStore } from '../store/result-store.ts';
import { compareRows } from './compare-rows.ts';
import { DiffColumns } from './diff-columns.ts';
import { leadingColumns, type DiffSpec, type DiffSummary } from './diff.ts';

export interface ComparedStore {
  readonly store: DiffStore;
  readonly summary: DiffSummary;
}

const tables: readonly TextFormat[] = ['tsv', 'csv', 'markdown'];

class DiffStore extends ResultStore {
  readonly #made: DiffColumns;

  constructor(columns: readonly StoreColumn[], made: DiffColumns) {
    super(columns);
    this.#made = made;
    this.adopt(made.chunks());
  }

  override window(request: Parameters<ResultStore['window']>[0]): CellWindow {
    const window = super.window(request);
    const count = Math.max(0, Math.min(request.rowCount, this.viewRowCount - window.firstRow));
    const rows = Array.from({ length: count }, (_, index) => this.rowAt(window.firstRow + index));
    return {
      ...window,
      changes: rows.map((row) => this.#made.changeOf(row)),
      columns: window.columns.map((one) => {
        const before = this.#beforeColumn(one.column);
        if (before === undefined) return one;
        const cells = rows.flatMap((row, index) => {
          if (!this.#made.isChanged(row, one.column)) return [];
          return [{ at: index, text: this.shown(window.firstRow + index, before) }];
        });
        return cells.length === 0 ? one : { ...one, before: cells };
      }),
    };
  }

  override cell(viewRow: number, column: number): CellValue {
    const value = super.cell(viewRow, column);
    const row = this.rowAt(viewRow);
    if (row < 0) return value;
    const change = this.#made.changeOf(row);
    const before = this.#beforeColumn(column);
    const isChanged = before !== undefined && this.#made.isChanged(row, column);
    return { ...value, change, ...(isChanged ? { before: super.cell(viewRow, before).text } : {}) };
  }

  /**
   * In tables, a changed cell shows both values, as on screen. JSON and SQL are for programs and contain only the new
   * value.
   */
  override copy(range: CellRange, options: TextOptions): string {
    if (!tables.includes(options.format)) return super.copy(range, options);
    const columns = range.columns.filter((column) => this.columns[column] !== undefined);
    const first = Math.max(0, range.firstRow);
    const last = Math.min(range.lastRow, this.viewRowCount - 1);
    const cellAt = (viewRow: number, column: number): CopyCell => {
      const { text, before } = this.cell(viewRow, column);
      if (before === undefined) return { text, isBare: false };
      return { text: `${before ?? options.nullText} → ${text ?? options.nullText}`, isBare: false };
    };
    return serialize(
      {
        names: columns.map((column) => this.columns[column]?.name ?? ''),
        *rows() {
          for (let row = first; row <= last; row += 1) yield columns.map((column) => cellAt(row, column));
        },
      },
      { ...options, types: columns.map((column) => this.columns[column]?.type ?? '') },
    );
  }

  #beforeColumn(column: number): number | undefined {
    return this.#made.beforeColumns[column - leadingColumns];
  }
}

/** @throws AbortError if cancelled. */
export async function compareStores(
  sides: { readonly before: ResultStore; readonly after: ResultStore },
  spec: DiffSpec,
  context: CallContext,
): Promise<ComparedStore> {
  const sources = { before: sides.before.source, after: sides.after.source };
  const rows = await compareRows(sources, spec, context);
  const made = new DiffColumns({ sides: sources, rows, spec });
  const store = new DiffStore(columnsOf(spec, made), made);
  const { counts, duplicates, nullKeys, changedRows } = rows;
  return { store, summary: { counts, duplicates, nullKeys, changedRows, beforeColumns: made.beforeColumns } };
}

function columnsOf({ pairs }: DiffSpec, { beforeColumns }: DiffColumns): StoreColumn[] {
  const values = pairs.map(({ name, type, description }) => ({ name, type, description }));
  const before = pairs.flatMap(({ name, type }, pair) =>
    beforeColumns[pair] === undefined ? [] : [{ name: `${name} (before)`, type }],
  );
  return [{ name: 'change', type: 'text' }, { name: 'changed columns', type: 'text' }, ...values, ...before];
}
