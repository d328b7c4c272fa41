/** The column whose sum a chart of bars shows first, if the rows look like counts that the query has made. */
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';

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
  /(?:^|_)(?:avg|average|mean|median|min|minimum|max|maximum|rate|ratio|pct|percent|percentage|share|stddev)(?:_|$)/i;

/** Whether a column is named like numbers that do not add up. */
export function isAverageName(name: string): boolean {
  return averageName.test(name);
}
