/**
 * Caches blocks of cells from the host and chooses the next one to request. At most two requests are pending; in the
 * meantime, fast scrolling only changes the next block, so skipped blocks are never requested.
 */
import type { ChangeKind, CellWindow, WindowRequest } from '#panel-protocol/rows.ts';
import { t } from '../ui/l10n.ts';

export const blockRows = 100;
const blockColumns = 32;
const openMax = 2;
const blocksKept = 200;

interface Block {
  readonly cells: ReadonlyMap<number, readonly (string | null)[]>;
  /** In a comparison: earlier values, by column and index in the block. */
  readonly before: ReadonlyMap<number, ReadonlyMap<number, string | null>>;
  readonly changes: readonly ChangeKind[] | undefined;
}

export class BlockCache {
  readonly #ask: (request: WindowRequest) => void;
  readonly #blocks = new Map<string, Block>();
  readonly #open = new Set<string>();
  #wanted: readonly string[] = [];
  #rowCount = 0;
  #columnCount = 0;

  constructor(ask: (request: WindowRequest) => void) {
    this.#ask = ask;
  }

  /** Clears the cache after rows moved or changed. */
  reset(size: { readonly rowCount: number; readonly columnCount: number }): void {
    this.#blocks.clear();
    this.#open.clear();
    this.#wanted = [];
    this.#rowCount = size.rowCount;
    this.#columnCount = size.columnCount;
  }

  /** Extends the cache after rows were appended. A partial last block is requested again. */
  grow(rowCount: number): void {
    if (rowCount === this.#rowCount) return;
    const partial = Math.floor(this.#rowCount / blockRows);
    for (const key of [...this.#blocks.keys()]) {
      if (Number(key.split(':')[0]) === partial && this.#rowCount % blockRows !== 0) this.#blocks.delete(key);
    }
    this.#rowCount = rowCount;
  }

  /** Returns a cell's text: undefined if not loaded, null for NULL. */
  cell(row: number, column: number): string | null | undefined {
    return this.#blockOf(row, column)?.cells.get(column)?.[row % blockRows];
  }

  /** Returns a cell's text and its earlier value: undefined if unchanged, null for NULL. */
  shown(row: number, column: number): Record<'value' | 'before', string | null | undefined> {
    const before = this.#blockOf(row, column)
      ?.before.get(column)
      ?.get(row % blockRows);
    return { value: this.cell(row, column), before };
  }

  /** Returns the text to measure a cell by. The extra spaces allow for bold text in changed cells. */
  widestText(row: number, column: number): string {
    const { value, before } = this.shown(row, column);
    const text = value ?? '';
    return before === undefined ? text : `${before ?? 'NULL'} → ${text === '' ? t('(empty)') : text}    `;
  }

  /** Returns the kind of change to a row, if a block with this column is loaded. */
  change(row: number, column: number): ChangeKind | undefined {
    return this.#blockOf(row, column)?.changes?.[row % blockRows];
  }

  #blockOf(row: number, column: number): Block | undefined {
    return this.#blocks.get(keyOf(Math.floor(row / blockRows), Math.floor(column / blockColumns)));
  }

  put(window: CellWindow): void {
    const block = Math.floor(window.firstRow / blockRows);
    const groups = new Map<number, Map<number, readonly (string | null)[]>>();
    for (const { column, cells } of window.columns) {
      const group = Math.floor(column / blockColumns);
      const columns = groups.get(group) ?? new Map<number, readonly (string | null)[]>();
      columns.set(column, cells);
      groups.set(group, columns);
    }
    const before = new Map(
      window.columns.map((one) => [
        one.column,
        new Map((one.before ?? []).map(({ at, text }) => [at, text] as const)),
      ]),
    );
    for (const [group, columns] of groups) {
      const key = keyOf(block, group);
      this.#open.delete(key);
      this.#blocks.delete(key);
      this.#blocks.set(key, { cells: columns, before, changes: window.changes });
    }
    for (const key of this.#blocks.keys()) {
      if (this.#blocks.size <= blocksKept) break;
      this.#blocks.delete(key);
    }
    this.#pump();
  }

  /** Allows a failed request to be sent again. */
  giveUp({ firstRow, columns: [column = 0] }: WindowRequest): void {
    this.#open.delete(keyOf(Math.floor(firstRow / blockRows), Math.floor(column / blockColumns)));
  }

  /**
   * Sets the visible range; requests its missing blocks first, then adjacent ones.
   * @param columns indexes in the result.
   */
  want(rows: { readonly first: number; readonly last: number }, columns: readonly number[]): void {
    const groups = [...new Set(columns.map((column) => Math.floor(column / blockColumns)))];
    const first = Math.floor(rows.first / blockRows);
    const last = Math.floor(rows.last / blockRows);
    const blocks: number[] = [];
    for (let block = first; block <= last; block += 1) blocks.push(block);
    blocks.push(last + 1, first - 1);
    this.#wanted = blocks
      .filter((block) => block >= 0 && block * blockRows < this.#rowCount)
      .flatMap((block) => groups.map((group) => keyOf(block, group)));
    this.#pump();
  }

  #pump(): void {
    for (const key of this.#wanted) {
      if (this.#open.size >= openMax) return;
      const kept = this.#blocks.get(key);
      if (kept !== undefined) {
        // Move the block to the end: the most recently used block is dropped last.
        this.#blocks.delete(key);
        this.#blocks.set(key, kept);
        continue;
      }
      if (this.#open.has(key)) continue;
      const [block = 0, group = 0] = key.split(':').map(Number);
      const firstColumn = group * blockColumns;
      const count = Math.min(blockColumns, this.#columnCount - firstColumn);
      if (count <= 0) continue;
      this.#open.add(key);
      this.#ask({
        firstRow: block * blockRows,
        rowCount: blockRows,
        columns: Array.from({ length: count }, (_, index) => firstColumn + index),
      });
    }
  }
}

function keyOf(block: number, group: number): string {
  return `${block}:${group}`;
}
