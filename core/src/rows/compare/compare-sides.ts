/** Compares two results: finds their shared columns and key columns, and explains the comparison in notes. */
import { t } from '#base/texts.ts';
import { numberText } from '#base/words/number-text.ts';
import { rowCountText } from '#base/words/row-count.ts';
import type { CallOptions } from '../calls.ts';
import type { ComparedResults, HeldRows, ResultOperations } from '../result-operations.ts';
import { changeColumn, changeKinds, type ColumnPairs, type DiffSummary } from './diff.ts';
import { pairColumns } from './pair-columns.ts';

export type ComparedSides = Readonly<Record<'before' | 'after', HeldRows>>;

/** Columns by name. Omitted ones are chosen automatically. */
export interface ColumnChoice {
  readonly keys?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

export interface SidesComparison {
  readonly compared: ComparedResults;
  /** Names of the key columns; empty if whole rows are compared. */
  readonly keys: readonly string[];
}

export function pairsOf({ before, after }: ComparedSides): ColumnPairs {
  const columnsOf = ({ columns, outcome }: HeldRows) =>
    columns.map((column, index) => ({ ...column, kind: outcome.kinds[index] ?? 'text' }));
  return pairColumns(columnsOf(before), columnsOf(after));
}

export async function compareSides(
  operations: Pick<ResultOperations, 'compare' | 'suggestKeys'>,
  sides: ComparedSides,
  choice: ColumnChoice,
  options: CallOptions = {},
): Promise<SidesComparison> {
  const { pairs } = pairsOf(sides);
  const data = { before: sides.before.data, after: sides.after.data };
  const { signal } = options;
  const placesOf = (names: readonly string[]) => {
    const wanted = new Set(names);
    return pairs.flatMap(({ name }, place) => (wanted.has(name) ? [place] : []));
  };
  const places =
    choice.keys === undefined
      ? await operations.suggestKeys(data, pairs, { signal })
      : keyPlaces(pairs, choice.keys);
  const keys = choice.keys ?? places.flatMap((place) => pairs[place]?.name ?? []);
  const ofKeys = new Set(places);
  const ignored = placesOf(choice.ignored ?? []).filter((place) => !ofKeys.has(place));
  return { compared: await operations.compare(data, { pairs, keys: places, ignored }, options), keys };
}

/** Returns the columns that names mean as keys. A name that is given again means the next column of that name. */
export function keyPlaces(pairs: ColumnPairs['pairs'], keys: readonly string[]): readonly number[] {
  const left = new Map<string, number>();
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
  return pairs.flatMap(({ name }, place) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count > 0 ? [place] : [];
  });
}

/** Filter that hides unchanged rows, since users look for differences. */
export const changesOnly = {
  column: changeColumn,
  rule: { kind: 'values', values: changeKinds.filter((kind) => kind !== 'unchanged') },
} as const;

/** Returns the notes that the user needs to interpret the comparison correctly. */
export function comparisonNotes(
  { duplicates, nullKeys }: DiffSummary,
  { pairs, onlyBefore, onlyAfter }: ColumnPairs,
  keys: readonly string[],
): readonly string[] {
  const list = (names: readonly string[]) => names.join(', ');
  return [
    keys.length === 0 &&
      t(
        'Whole rows are compared: a row is added or removed, never changed. Choose key columns to see what changed.',
      ),
    keys.length > 0 &&
      duplicates.keys > 0 &&
      t(
        duplicates.keys === 1
          ? '{0} duplicate key ({1} before, {2} after). Equal rows are paired; the others count as added and removed.'
          : '{0} duplicate keys ({1} before, {2} after). Equal rows are paired; the others count as added and removed.',
        numberText(duplicates.keys),
        rowCountText(duplicates.rowsBefore),
        numberText(duplicates.rowsAfter),
      ),
    nullKeys.before + nullKeys.after > 0 &&
      t(
        'NULL keys match NULL keys: {0} before, {1} after.',
        rowCountText(nullKeys.before),
        numberText(nullKeys.after),
      ),
    ...inferredNotes(pairs),
    onlyBefore.length > 0 && t('Not compared (only before): {0}', list(onlyBefore)),
    onlyAfter.length > 0 && t('Not compared (only after): {0}', list(onlyAfter)),
  ].filter((note) => note !== false);
}

/** Says how columns are compared whose types are not known. */
function inferredNotes(pairs: ColumnPairs['pairs']): readonly (string | false)[] {
  const named = (kind: ColumnPairs['pairs'][number]['kind']) =>
    pairs.filter((pair) => pair.type === '' && pair.kind === kind).map(({ name }) => name);
  const [numbers, times, booleans] = [named('number'), named('time'), named('boolean')];
  return [
    numbers.length > 0 && t('Compared as numbers: {0}', numbers.join(', ')),
    times.length > 0 && t('Compared as times: {0}', times.join(', ')),
    booleans.length > 0 && t('Compared as booleans, where t is true: {0}', booleans.join(', ')),
  ];
}
