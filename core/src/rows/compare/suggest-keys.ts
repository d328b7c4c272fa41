/**
 * Suggests key columns: columns that identify every row on both sides and have key-like names. Tries single columns
 * first, then pairs and triples, as in membership lists.
 */
import type { CallContext } from '../calls.ts';
import type { ColumnPair } from './diff.ts';
import { keyColumn, KeyGroups } from './key-groups.ts';
import type { RowSource } from './row-source.ts';
import { Slices } from './slices.ts';

export type Sides = Readonly<Record<'before' | 'after', RowSource>>;

/** Size of the first sample, which rules out most columns. */
const sampleRows = 2_000;
/** Maximum number of columns to combine. */
const combinedMax = 10;
/** Maximum number of combinations to check against all rows. */
const wholeLooksMax = 8;

/** @returns indexes into `pairs`; empty if no small combination identifies the rows. */
export async function suggestKeys(
  sides: Sides,
  pairs: readonly ColumnPair[],
  { pause, progress }: CallContext,
): Promise<number[]> {
  const slices = new Slices(pause, progress);
  const sample = { before: firstRows(sides.before), after: firstRows(sides.after) };
  const isUnique = (of: Sides, keys: readonly number[]) =>
    tellsApart(
      of,
      keys.flatMap((key) => pairs[key] ?? []),
      slices,
    );
  let looks = 0;
  for (const keys of candidates(pairs)) {
    if (!(await isUnique(sample, keys))) continue;
    if (looks === wholeLooksMax) break;
    looks += 1;
    if (await isUnique(sides, keys)) return [...keys];
  }
  return [];
}

/**
 * Returns single columns, then pairs, then triples, with the likeliest first in each group. A column comes with those of
 * its name before it, since their names mean them.
 */
function candidates(pairs: readonly ColumnPair[]): number[][] {
  const before = new Map<number, number | undefined>();
  const last = new Map<string, number>();
  for (const [place, { name }] of pairs.entries()) {
    before.set(place, last.get(name));
    last.set(name, place);
  }
  const isNamed = (places: readonly number[]) =>
    places.every((place) => places.includes(before.get(place) ?? place));
  const scored = pairs
    .map((pair, place) => ({ place, score: likelihood(pair) + (place === 0 ? 1 : 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const singles = scored.map(({ place }) => [place]);
  const few = scored.slice(0, combinedMax);
  const twos = few.flatMap((a, index) =>
    few.slice(index + 1).map((b) => ({ places: [a.place, b.place], score: a.score + b.score })),
  );
  const ids = few.filter(({ score }) => score >= 3);
  const threes = ids.flatMap((a, first) =>
    ids
      .slice(first + 1)
      .flatMap((b, second) => ids.slice(first + second + 2).map((c) => [a.place, b.place, c.place])),
  );
  const inOrder = (places: readonly number[]) => places.toSorted((a, b) => a - b);
  twos.sort((a, b) => b.score - a.score);
  return [...singles, ...twos.map(({ places }) => places), ...threes].filter(isNamed).map(inOrder);
}

/** Scores how likely a column is to be a key. JSON, flags and times score zero. */
function likelihood({ name, type, kind }: ColumnPair): number {
  if (kind === 'json' || kind === 'boolean' || kind === 'time') return 0;
  if (type === 'uuid' || /(^|[_ .-])(id|uuid|guid|key|dn|upn|sid)$|[a-z](Id|ID|Key)$|^id[_A-Z]/.test(name))
    return 5;
  if (
    /(^|[_ .-])(name|alias|login|user|account|role|group|entitlement|resource|e?mail|email)(s?|[_ .-]?name)$|(Name|Email|Login)$/i.test(
      name,
    )
  ) {
    return 4;
  }
  return kind === 'number' ? 1 : 2;
}

function firstRows(source: RowSource): RowSource {
  return { ...source, rowCount: Math.min(source.rowCount, sampleRows) };
}

async function tellsApart(sides: Sides, keys: readonly ColumnPair[], slices: Slices): Promise<boolean> {
  const columns = keys.map(keyColumn);
  for (const side of ['before', 'after'] as const) {
    const none = { chunks: [], starts: [], rowCount: 0 };
    const one =
      side === 'before' ? { before: sides.before, after: none } : { before: none, after: sides.after };
    const groups = new KeyGroups(one, columns);
    await groups.add(side, slices);
    if (groups.count !== sides[side].rowCount || groups.nulls[side] > 1) return false;
  }
  return true;
}
