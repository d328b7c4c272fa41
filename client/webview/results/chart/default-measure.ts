/** What a chart of bars shows first: counts that the query has made, and no sums of averages. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { Combination } from '#panel-protocol/rows.ts';

/** Numeric IDs measure nothing. */
export function isIdName(name: string): boolean {
  return /(?:^|_)id$/i.test(name);
}

const countName = /^(?:n|cnt|count|total|sum|(?:count|number|num|total|sum)_.+|.+_(?:cnt|count|total|sum))$/i;

/**
 * Returns the only number that is named like a count, or the only number at all if no column is an ID and the number
 * has the type of `count(*)`. Other numbers, such as a score, are not worth adding up.
 *
 * @param x column on the horizontal axis, which is not measured.
 */
export function countColumn(columns: readonly ShownColumn[], x: number): number | undefined {
  const numbers = columns
    .map(({ name, kind, type }, index) => ({ name, kind, type, index }))
    .filter(({ name, kind, index }) => kind === 'number' && index !== x && !isIdName(name));
  const named = numbers.filter(({ name }) => countName.test(name));
  if (named.length === 1) return named[0]?.index;
  const [only, ...others] = numbers;
  const isCount = only !== undefined && others.length === 0 && /^(?:int8|bigint)$/i.test(only.type);
  return isCount && !columns.some(({ name }) => isIdName(name)) ? only.index : undefined;
}

const averageName =
  /(?:^|_)(?:avg|average|mean|median|rate|ratio|pct|percent|percentage|share|stddev)(?:_|$)/i;

/** Returns how to combine numbers that do not add up, going by the name of their column; undefined if they may. */
export function combinationByName(name: string): Combination | undefined {
  if (/(?:^|_)(?:min|minimum)(?:_|$)/i.test(name)) return 'least';
  if (/(?:^|_)(?:max|maximum)(?:_|$)/i.test(name)) return 'greatest';
  return averageName.test(name) ? 'average' : undefined;
}
