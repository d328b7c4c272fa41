/**
 * The rows of one result: packed chunks, and the order they are looked at. All of it is synchronous and knows neither
 * the editor nor threads; `result-data.ts` puts it into a worker.
 */
import { cellTag, cellText, cellTextStart, sizeOf, type Chunk, type ColumnChunk } from './chunk.ts';
import { columnKindOf, type ColumnKind } from './column-kind.ts';
import type { CellRange, CellValue, CellWindow, SortKey, StoreColumn } from './rows.ts';
import { serialize, type CopyCell, type CopyOptions } from './serialize.ts';
import { chunkFinder, sortRows } from './sort.ts';

/** Longer texts are cut in windows, with a last character that says so; the whole one comes with `cell()`. */
export const shownCharsMax = 400;

export class ResultStore {
  readonly columns: readonly StoreColumn[];
  readonly #chunks: Chunk[] = [];
  readonly #starts: number[] = [];
  readonly #declaredKinds: readonly ColumnKind[];
  #rowCount = 0;
  #sizeBytes = 0;
  #order: Uint32Array<ArrayBuffer> | undefined;
  #find = chunkFinder([]);

  constructor(columns: readonly StoreColumn[]) {
    this.columns = columns;
    this.#declaredKinds = columns.map((column) => columnKindOf(column.type));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Adds rows at the end. An order that was asked for earlier covered the rows of then only, so it is given up. */
  append(chunk: Chunk): void {
    if (chunk.rowCount === 0) return;
    this.#chunks.push(chunk);
    this.#starts.push(this.#rowCount);
    this.#rowCount += chunk.rowCount;
    this.#sizeBytes += sizeOf(chunk);
    this.#order = undefined;
    this.#find = chunkFinder(this.#starts);
  }

  /** How a column is drawn. Where the service named no type, what the first rows hold decides. */
  kindOf(column: number): ColumnKind {
    const declared = this.#declaredKinds[column] ?? 'text';
    const isNamed = !['', 'unknown'].includes(this.columns[column]?.type ?? '');
    return isNamed ? declared : (kindOfCells(this.#chunks[0]?.columns[column]) ?? declared);
  }

  /** An empty list restores the order of the service. */
  sort(keys: readonly SortKey[]): void {
    this.#order =
      keys.length === 0
        ? undefined
        : sortRows(
            {
              chunks: this.#chunks,
              starts: this.#starts,
              rowCount: this.#rowCount,
              kindOf: (column) => this.kindOf(column),
            },
            keys,
          );
  }

  window(request: {
    readonly firstRow: number;
    readonly rowCount: number;
    readonly columns: readonly number[];
  }): CellWindow {
    const firstRow = Math.max(0, Math.min(request.firstRow, this.#rowCount));
    const last = Math.min(this.#rowCount, firstRow + Math.max(0, request.rowCount));
    return {
      firstRow,
      columns: request.columns
        .filter((column) => column >= 0 && column < this.columns.length)
        .map((column) => {
          const cells: (string | null)[] = [];
          for (let row = firstRow; row < last; row += 1) cells.push(this.#shown(row, column));
          return { column, cells };
        }),
    };
  }

  #shown(viewRow: number, column: number): string | null {
    const { packed, row } = this.#locate(viewRow, column);
    if (packed === undefined) return null;
    const text = cellTextStart(packed, row, shownCharsMax);
    if (text === undefined) return null;
    return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text;
  }

  /** The whole value of one cell. */
  cell(viewRow: number, column: number): CellValue {
    const { packed, row } = this.#locate(viewRow, column);
    if (packed === undefined) return { text: null, isJson: false };
    return { text: cellText(packed, row) ?? null, isJson: packed.tags[row] === cellTag.json };
  }

  #locate(
    viewRow: number,
    column: number,
  ): { readonly packed: ColumnChunk | undefined; readonly row: number } {
    const storeRow = this.#order === undefined ? viewRow : (this.#order[viewRow] ?? -1);
    if (storeRow < 0 || storeRow >= this.#rowCount) return { packed: undefined, row: 0 };
    const at = this.#find(storeRow);
    return { packed: this.#chunks[at]?.columns[column], row: storeRow - (this.#starts[at] ?? 0) };
  }

  copy(range: CellRange, options: CopyOptions): string {
    const columns = range.columns.filter((column) => column >= 0 && column < this.columns.length);
    const names = columns.map((column) => this.columns[column]?.name ?? '');
    return serialize({ names, rows: () => this.#rows(range, columns) }, options);
  }

  #copyCell(viewRow: number, column: number): CopyCell {
    const { packed, row } = this.#locate(viewRow, column);
    const text = packed === undefined ? undefined : cellText(packed, row);
    return { text: text ?? null, isBare: packed?.tags[row] !== cellTag.text };
  }

  *#rows(range: CellRange, columns: readonly number[]): Iterable<readonly CopyCell[]> {
    const lastRow = Math.min(range.lastRow, this.#rowCount - 1);
    for (let row = Math.max(0, range.firstRow); row <= lastRow; row += 1) {
      yield columns.map((column) => this.#copyCell(row, column));
    }
  }
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
