/** Orders the results that another one can be compared with. Does not depend on the editor. */
import type { Result } from '../results/index.ts';

type Columns = Pick<Result, 'state'>;

/** Returns results with the same columns first: others are rarely meant, such as groups of the same rows. */
export function likeResultsFirst<Other extends Columns>(base: Columns, others: readonly Other[]): Other[] {
  const names = columnNames(base);
  const isLike = (one: Other) => columnNames(one) === names;
  return [...others.filter(isLike), ...others.filter((one) => !isLike(one))];
}

/** The order of the columns does not matter, since comparisons pair them by name. */
function columnNames({ state }: Columns): string {
  return state.kind === 'rows' ? JSON.stringify(state.columns.map(({ name }) => name).sort()) : '';
}
