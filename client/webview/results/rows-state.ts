/** What the grid and the words of a result are made of, from the state that the host sends. */
import type { RowsState } from '../../src/features/results/messages.ts';
import type { GridSource } from './grid/grid-types.ts';

export function sourceOf(state: RowsState): GridSource {
  const { columns, generation, sort, filters, viewRowCount } = state;
  return {
    ...{ columns, generation, sort },
    rowCount: viewRowCount,
    totalRows: state.isComplete || filters.length > 0 ? viewRowCount : state.totalRows,
    filtered: new Set(filters.map((filter) => filter.column)),
  };
}

export function signatureOf(state: RowsState): string {
  return JSON.stringify(state.columns.map((column) => [column.name, column.type]));
}

export function arrangementWords(state: RowsState, before: RowsState): string {
  if (JSON.stringify(state.filters) !== JSON.stringify(before.filters)) {
    const rows = state.viewRowCount.toLocaleString('en-US');
    return state.filters.length === 0 ? 'All rows are shown' : `${rows} rows meet the filters`;
  }
  if (state.sort.length === 0) return 'Rows in the order of the service';
  const keys = state.sort.map(
    (key) => `${state.columns[key.column]?.name ?? ''} ${key.descending ? 'descending' : 'ascending'}`,
  );
  return `Sorted by ${keys.join(', then ')}`;
}
