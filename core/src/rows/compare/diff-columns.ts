/**
 * The rows of a comparison as packed columns that are created on demand; only row references are stored. Comparing
 * copies nothing, and sorting, filtering, searching and exporting work as for any other rows.
 */
import { packRows } from '../chunk.ts';
import type { Chunk, ColumnChunk } from '../packed-rows.ts';
import type { ComparedRows } from './compare-rows.ts';
import { changedColumnsColumn, changeColumn, changeKinds, leadingColumns } from './diff.ts';
import type { ChangeKind, DiffCounts, DiffSpec } from './diff.ts';
import { gather, type GatheredCell } from './gather.ts';
import { rowFinder, type RowSource } from './row-source.ts';

/** Rows per chunk. Kept small, since a window of sorted rows may need cells from as many chunks as it has rows. */
const chunkRows = 256;
/** Maximum size of cached columns: one column of a million rows, so that sorting by it builds the column only once. */
const keptBytesMax = 96_000_000;

export interface DiffColumnsOptions {
  readonly sides: Readonly<Record<'before' | 'after', RowSource>>;
  readonly rows: ComparedRows;
  readonly spec: DiffSpec;
}

export class DiffColumns {
  readonly #options: DiffColumnsOptions;
  readonly #kept = new Map<number, ColumnChunk>();
  #keptBytes = 0;
  /** For each column after the current values: the pair whose earlier values it holds. */
  readonly #beforePairs: readonly number[];
  readonly beforeColumns: readonly (number | undefined)[];
  readonly #ends: Readonly<Record<ChangeKind, number>>;

  constructor(options: DiffColumnsOptions) {
    this.#options = options;
    const { rows, spec } = options;
    this.#beforePairs = spec.pairs.flatMap((_, pair) => ((rows.changedRows[pair] ?? 0) > 0 ? [pair] : []));
    const firstBefore = leadingColumns + spec.pairs.length;
    const places = new Map(this.#beforePairs.map((pair, at) => [pair, firstBefore + at]));
    this.beforeColumns = spec.pairs.map((_, pair) => places.get(pair));
    this.#ends = endsOf(rows.counts);
  }

  get columnCount(): number {
    return leadingColumns + this.#options.spec.pairs.length + this.#beforePairs.length;
  }

  get rowCount(): number {
    return this.#options.rows.before.length;
  }

  changeOf(row: number): ChangeKind {
    return changeKinds.find((kind) => row < this.#ends[kind]) ?? 'unchanged';
  }

  /** Returns whether a column of the comparison differs in a row. */
  isChanged(row: number, column: number): boolean {
    const changed = row - this.#ends.removed;
    if (changed < 0 || row >= this.#ends.changed) return false;
    return this.#options.rows.isChanged(changed, column - leadingColumns);
  }

  /** Returns chunks whose columns are created on demand. */
  chunks(): Chunk[] {
    const columnsOf = this.#lazyColumns();
    const chunks: Chunk[] = [];
    for (let first = 0; first < this.rowCount; first += chunkRows) {
      const count = Math.min(chunkRows, this.rowCount - first);
      chunks.push({ rowCount: count, columns: columnsOf(chunks.length) });
    }
    return chunks;
  }

  /** Returns array-like objects whose elements are prototype getters, so that a chunk costs only one small object. */
  #lazyColumns(): (chunk: number) => readonly ColumnChunk[] {
    const prototype = Object.create(Array.prototype) as object; // typed by the definitions below
    for (let column = 0; column < this.columnCount; column += 1) {
      const made = (chunk: number) => this.#column(chunk, column);
      Object.defineProperty(prototype, column, {
        get(this: { readonly chunk: number }) {
          return made(this.chunk);
        },
      });
    }
    // A store accesses the columns of a chunk only by index.
    return (chunk) => Object.create(prototype, { chunk: { value: chunk } }) as readonly ColumnChunk[];
  }

  #column(chunk: number, column: number): ColumnChunk {
    const key = chunk * this.columnCount + column;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const first = chunk * chunkRows;
    const made = this.#make(first, Math.min(chunkRows, this.rowCount - first), column);
    this.#kept.set(key, made);
    this.#keptBytes += sizeOfColumn(made);
    for (const [oldest, dropped] of this.#kept) {
      if (this.#keptBytes <= keptBytesMax || oldest === key) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= sizeOfColumn(dropped);
    }
    return made;
  }

  #make(first: number, count: number, column: number): ColumnChunk {
    const { spec } = this.#options;
    if (column === changeColumn) return this.#text(first, count, (row) => this.changeOf(row));
    if (column === changedColumnsColumn) return this.#text(first, count, (row) => this.#changedNames(row));
    const place = column - leadingColumns;
    const beforePair = this.#beforePairs[place - spec.pairs.length];
    return place < spec.pairs.length
      ? this.#values(first, count, place)
      : this.#values(first, count, beforePair ?? 0, true);
  }

  #changedNames(row: number): string | null {
    if (this.changeOf(row) !== 'changed') return null;
    const names = this.#options.spec.pairs
      .filter((_, pair) => this.isChanged(row, pair + leadingColumns))
      .map(({ name }) => name);
    return names.join(', ');
  }

  #text(first: number, count: number, textOf: (row: number) => string | null): ColumnChunk {
    const rows = Array.from({ length: count }, (_, index) => [textOf(first + index)]);
    const [packed] = packRows(rows, [{ isJson: false }]).columns;
    return (
      packed ?? { tags: new Uint8Array(count), numbers: undefined, bytes: undefined, offsets: undefined }
    );
  }

  /** Returns the current values (the last value, if a row was removed), or only the values before a change. */
  #values(first: number, count: number, pair: number, onlyBefore = false): ColumnChunk {
    const { sides, rows, spec } = this.#options;
    const find = { before: rowFinder(sides.before), after: rowFinder(sides.after) };
    const cellOf = (side: 'before' | 'after', row: number): GatheredCell => {
      const at = find[side](row);
      const packed = at.chunk?.columns[spec.pairs[pair]?.[side] ?? -1];
      return packed === undefined ? undefined : { packed, row: at.row };
    };
    return gather(count, (index) => {
      const row = first + index;
      const after = rows.after[row] ?? -1;
      const isBefore = onlyBefore || after < 0;
      if (onlyBefore && !this.isChanged(row, pair + leadingColumns)) return undefined;
      return isBefore ? cellOf('before', rows.before[row] ?? -1) : cellOf('after', after);
    });
  }
}

/** Returns the index at which the rows of each kind end. */
function endsOf(counts: DiffCounts): Record<ChangeKind, number> {
  const ends: Record<ChangeKind, number> = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  let end = 0;
  for (const kind of changeKinds) {
    end += counts[kind];
    ends[kind] = end;
  }
  return ends;
}

function sizeOfColumn({ tags, numbers, bytes, offsets }: ColumnChunk): number {
  return tags.byteLength + (numbers?.byteLength ?? 0) + (bytes?.byteLength ?? 0) + (offsets?.byteLength ?? 0);
}
