/**
 * Compares the rows of two sides. Rows with equal keys are paired. If a key is duplicated, equal rows are paired first,
 * then the remaining rows if there is exactly one on each side; all others count as added or removed. Therefore, row
 * order does not matter, and swapping the sides mirrors the result.
 */
import type { CallContext } from '../calls.ts';
import { mixed } from './cell-identity.ts';
import type { ChangeKind, DiffCounts, DiffSpec, DuplicateKeys } from './diff.ts';
import { keyColumn, KeyGroups, type KeyColumn } from './key-groups.ts';
import { rowFinder, type RowPlace, type RowSource } from './row-source.ts';
import { Slices } from './slices.ts';
import type { Sides } from './suggest-keys.ts';

/**
 * The rows of a comparison, as references to source rows: added rows first, then removed, changed and unchanged rows,
 * each in their side's order.
 */
export interface ComparedRows {
  readonly counts: DiffCounts;
  /** For each row, the index of the earlier row, or -1 if added. */
  readonly before: Int32Array;
  /** For each row, the index of the later row, or -1 if removed. */
  readonly after: Int32Array;
  /** Returns whether a pair of columns differs in a changed row. Rows are counted from the first changed row. */
  readonly isChanged: (changedRow: number, pair: number) => boolean;
  readonly changedRows: readonly number[];
  readonly duplicates: DuplicateKeys;
  readonly nullKeys: { readonly before: number; readonly after: number };
}

const none = -1;
/** Rows whose cells are compared together. */
const blockRows = 1_024;

export async function compareRows(
  sides: { readonly before: RowSource; readonly after: RowSource },
  spec: DiffSpec,
  { pause, progress }: CallContext,
): Promise<ComparedRows> {
  const slices = new Slices(pause, progress);
  const columns = spec.pairs.map(keyColumn);
  const left = new Set([...spec.keys, ...spec.ignored]);
  const isCompared = (pair: number) => !left.has(pair);
  const compared = columns.map((_, pair) => pair).filter(isCompared);
  const isByKey = spec.keys.length > 0;
  // Without a key, rows are paired if all compared columns are equal.
  const keys = (isByKey ? spec.keys : compared).flatMap((pair) => columns[pair] ?? []);
  const rest = isByKey ? compared.flatMap((pair) => columns[pair] ?? []) : [];

  const groups = new KeyGroups(sides, keys);
  await groups.add('before', slices);
  await groups.add('after', slices);
  /** For each later row, the paired earlier row, or `none`. */
  const partners = new Int32Array(sides.after.rowCount).fill(none);
  const isPaired = new Uint8Array(sides.before.rowCount);
  const pairUp = (before: number, after: number) => {
    partners[after] = before;
    isPaired[before] = 1;
  };
  const duplicates = { keys: 0, rowsBefore: 0, rowsAfter: 0 };
  const pairGroup = groupPairing(sides, rest, pairUp);
  for (let group = 0; group < groups.count; group += 1) {
    const before = groups.first('before', group);
    const after = groups.first('after', group);
    if (groups.hasSeveral('before', group) || groups.hasSeveral('after', group)) {
      const rows = { before: [...groups.rows('before', group)], after: [...groups.rows('after', group)] };
      duplicates.keys += 1;
      duplicates.rowsBefore += rows.before.length;
      duplicates.rowsAfter += rows.after.length;
      await pairGroup(rows, slices);
    } else if (before !== undefined && after !== undefined) pairUp(before, after);
    if (slices.isDue()) await slices.rest();
  }
  const changes = await findChanges(
    sides,
    { partners, rest, columns: compared, width: columns.length },
    slices,
  );
  return {
    ...arranged({ partners, isPaired, hasChanged: changes.hasChanged }),
    isChanged: changes.isChanged,
    changedRows: changes.changedRows,
    duplicates,
    nullKeys: isByKey ? { ...groups.nulls } : { before: 0, after: 0 },
  };
}

/**
 * Returns a function that pairs the rows of a duplicate key: equal ones, and a last one of each side. Nothing depends on
 * the order of rows, so swapping the sides mirrors the comparison.
 */
function groupPairing(
  sides: Sides,
  rest: readonly KeyColumn[],
  pairUp: (before: number, after: number) => void,
): (rows: { readonly before: number[]; readonly after: number[] }, slices: Slices) => Promise<void> {
  const find = { before: rowFinder(sides.before), after: rowFinder(sides.after) };
  const hashOf = (side: 'before' | 'after', { chunk, row }: RowPlace) =>
    rest.reduce((hash, { index, identity }) => {
      const packed = chunk?.columns[index[side]];
      return packed === undefined ? hash : mixed(Math.imul(hash, 31) ^ identity.hash(packed, row));
    }, 0);
  return async (rows, slices) => {
    const byHash = new Map<number, number[]>();
    // In reverse order, so that `findLastIndex` below picks the first row first.
    for (const row of rows.before.toReversed()) {
      const hash = hashOf('before', find.before(row));
      const same = byHash.get(hash);
      if (same === undefined) byHash.set(hash, [row]);
      else same.push(row);
      if (slices.isDue()) await slices.rest();
    }
    const left: number[] = [];
    let pairs = 0;
    for (const row of rows.after) {
      const at = find.after(row);
      const same = byHash.get(hashOf('after', at)) ?? [];
      const found = same.findLastIndex((one) => !differs(find.before(one), at, rest));
      const [partner] = found < 0 ? [] : same.splice(found, 1);
      if (partner === undefined) left.push(row);
      else {
        pairs += 1;
        pairUp(partner, row);
      }
      if (slices.isDue()) await slices.rest();
    }
    const [lastAfter] = left;
    const [lastBefore] = [...byHash.values()].flat();
    const isOneLeft = left.length === 1 && rows.before.length - pairs === 1;
    if (isOneLeft && lastAfter !== undefined && lastBefore !== undefined) pairUp(lastBefore, lastAfter);
  };
}

function differs(before: RowPlace, after: RowPlace, columns: readonly KeyColumn[]): boolean {
  return columns.some((column) => cellDiffers(before, after, column));
}

function cellDiffers(before: RowPlace, after: RowPlace, { index, identity }: KeyColumn): boolean {
  const a = before.chunk?.columns[index.before];
  const b = after.chunk?.columns[index.after];
  return a === undefined || b === undefined || !identity.equals(a, before.row, b, after.row);
}

/** Finds the changed columns of each changed row, stored as one bit per column pair. */
async function findChanges(
  sides: Sides,
  options: {
    readonly partners: Int32Array;
    readonly rest: readonly KeyColumn[];
    /** For each column of `rest`, its index among all pairs. */
    readonly columns: readonly number[];
    readonly width: number;
  },
  slices: Slices,
) {
  const { partners, rest, columns, width } = options;
  const find = { before: rowFinder(sides.before), after: rowFinder(sides.after) };
  const words = Math.ceil(width / 32);
  const hasChanged = new Uint8Array(partners.length);
  const changedRows = new Array<number>(width).fill(0);
  let bits = new Uint32Array(1_024 * words);
  let count = 0;
  // Column by column in blocks of rows, since the cells of a column are side by side.
  const places: { readonly row: number; readonly before: RowPlace; readonly after: RowPlace }[] = [];
  const blockBits = new Uint32Array(blockRows * words);
  for (let first = 0; first < partners.length; first += blockRows) {
    places.length = 0;
    for (let row = first; row < Math.min(first + blockRows, partners.length); row += 1) {
      if (slices.isDue()) await slices.rest();
      const partner = partners[row] ?? none;
      if (partner !== none) places.push({ row, before: find.before(partner), after: find.after(row) });
    }
    blockBits.fill(0);
    for (const [at, column] of rest.entries()) {
      const pair = columns[at] ?? 0;
      for (let place = 0; place < places.length; place += 1) {
        const here = places[place];
        if (here === undefined || !cellDiffers(here.before, here.after, column)) continue;
        const word = place * words + (pair >>> 5);
        blockBits[word] = (blockBits[word] ?? 0) | (1 << (pair & 31));
        changedRows[pair] = (changedRows[pair] ?? 0) + 1;
        hasChanged[here.row] = 1;
      }
    }
    for (const [place, { row }] of places.entries()) {
      if (hasChanged[row] !== 1) continue;
      if ((count + 1) * words > bits.length) bits = grown(bits);
      bits.set(blockBits.subarray(place * words, (place + 1) * words), count * words);
      count += 1;
    }
  }
  const isChanged = (changedRow: number, pair: number) =>
    ((bits[changedRow * words + (pair >>> 5)] ?? 0) & (1 << (pair & 31))) !== 0;
  return { hasChanged, changedRows, isChanged };
}

function grown(bits: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(bits.length * 2);
  larger.set(bits);
  return larger;
}

function arranged(rows: {
  readonly partners: Int32Array;
  readonly isPaired: Uint8Array;
  readonly hasChanged: Uint8Array;
}): Pick<ComparedRows, 'counts' | 'before' | 'after'> {
  const { partners, isPaired, hasChanged } = rows;
  const counts: Record<ChangeKind, number> = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  const kindOf = (row: number): ChangeKind =>
    partners[row] === none ? 'added' : hasChanged[row] === 1 ? 'changed' : 'unchanged';
  for (let row = 0; row < partners.length; row += 1) counts[kindOf(row)] += 1;
  for (const paired of isPaired) if (paired === 0) counts.removed += 1;
  const total = partners.length + counts.removed;
  const before = new Int32Array(total);
  const after = new Int32Array(total);
  const next: Record<ChangeKind, number> = {
    added: 0,
    removed: counts.added,
    changed: counts.added + counts.removed,
    unchanged: counts.added + counts.removed + counts.changed,
  };
  for (let row = 0; row < partners.length; row += 1) {
    const at = next[kindOf(row)]++;
    before[at] = partners[row] ?? none;
    after[at] = row;
  }
  for (let row = 0; row < isPaired.length; row += 1) {
    if (isPaired[row] !== 0) continue;
    const at = next.removed++;
    before[at] = row;
    after[at] = none;
  }
  return { counts, before, after };
}
