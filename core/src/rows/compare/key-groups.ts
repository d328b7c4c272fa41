/**
 * Groups the rows of both sides by key: a hash table of groups with equal keys, and a list of rows per group and side.
 * A million rows per side take about 60 MB, whatever their content.
 */
import { identityOf, mixed, type CellIdentity } from './cell-identity.ts';
import type { ColumnPair } from './diff.ts';
import { rowFinder, type RowFinder, type RowPlace, type RowSource } from './row-source.ts';
import type { Slices } from './slices.ts';

export type Side = 'before' | 'after';

export interface KeyColumn {
  readonly index: Readonly<Record<Side, number>>;
  readonly identity: CellIdentity;
}

export function keyColumn({ before, after, kind, type }: ColumnPair): KeyColumn {
  return { index: { before, after }, identity: identityOf(kind, type) };
}

const none = -1;

export class KeyGroups {
  readonly #sources: Readonly<Record<Side, RowSource>>;
  readonly #find: Readonly<Record<Side, RowFinder>>;
  readonly #keys: readonly KeyColumn[];
  readonly #heads: Readonly<Record<Side, Int32Array>>;
  readonly #next: Readonly<Record<Side, Int32Array>>;
  readonly #hashes: Uint32Array;
  readonly #table: Int32Array;
  readonly #nulls: Record<Side, number> = { before: 0, after: 0 };
  #count = 0;

  constructor(sources: Readonly<Record<Side, RowSource>>, keys: readonly KeyColumn[]) {
    this.#sources = sources;
    this.#find = { before: rowFinder(sources.before), after: rowFinder(sources.after) };
    this.#keys = keys;
    const { before, after } = sources;
    const most = before.rowCount + after.rowCount;
    this.#heads = { before: new Int32Array(most).fill(none), after: new Int32Array(most).fill(none) };
    this.#next = { before: new Int32Array(before.rowCount), after: new Int32Array(after.rowCount) };
    this.#hashes = new Uint32Array(most);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, most * 1.5)))).fill(none);
  }

  /** Number of groups, which is the number of distinct keys. */
  get count(): number {
    return this.#count;
  }

  /** Number of rows with a NULL key, by side. */
  get nulls(): Readonly<Record<Side, number>> {
    return this.#nulls;
  }

  /** Yields the rows of a group on one side, in ascending order. */
  *rows(side: Side, group: number): Generator<number, void, void> {
    for (let row = this.#heads[side][group] ?? none; row !== none; row = this.#next[side][row] ?? none)
      yield row;
  }

  first(side: Side, group: number): number | undefined {
    const row = this.#heads[side][group] ?? none;
    return row === none ? undefined : row;
  }

  /** Returns whether a group has more than one row on one side. */
  hasSeveral(side: Side, group: number): boolean {
    const first = this.#heads[side][group] ?? none;
    return first !== none && (this.#next[side][first] ?? none) !== none;
  }

  /** Adds all rows of a side, from last to first, so that the lists are in ascending order. */
  async add(side: Side, slices: Slices): Promise<void> {
    const source = this.#sources[side];
    // A separate finder, so that looking up groups does not evict its cached chunk.
    const find = rowFinder(source);
    const heads = this.#heads[side];
    const next = this.#next[side];
    for (let row = source.rowCount - 1; row >= 0; row -= 1) {
      const at = find(row);
      let hash = 0;
      let hasNull = false;
      for (const { index, identity } of this.#keys) {
        const packed = at.chunk?.columns[index[side]];
        if (packed === undefined) continue;
        hash = mixed(Math.imul(hash, 31) ^ identity.hash(packed, at.row));
        if (packed.tags[at.row] === 0) hasNull = true;
      }
      if (hasNull) this.#nulls[side] += 1;
      const group = this.#groupOf(side, at, hash);
      next[row] = heads[group] ?? none;
      heads[group] = row;
      if (slices.isDue()) await slices.rest();
    }
  }

  #groupOf(side: Side, at: RowPlace, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const group = table[slot] ?? none;
      if (group === none) {
        table[slot] = this.#count;
        this.#hashes[this.#count] = hash;
        this.#count += 1;
        return this.#count - 1;
      }
      if (this.#hashes[group] === hash && this.#isOf(group, side, at)) return group;
    }
  }

  #isOf(group: number, side: Side, mine: RowPlace): boolean {
    const otherSide: Side = (this.#heads.before[group] ?? none) === none ? 'after' : 'before';
    const theirs = this.#find[otherSide](this.#heads[otherSide][group] ?? none);
    return this.#keys.every(({ index, identity }) => {
      const a = mine.chunk?.columns[index[side]];
      const b = theirs.chunk?.columns[index[otherSide]];
      return a !== undefined && b !== undefined && identity.equals(a, mine.row, b, theirs.row);
    });
  }
}
