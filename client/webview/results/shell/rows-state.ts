/** Derives a result's grid and strings from the host's state. */
import type { RowsState, ShownColumn } from '#panel-protocol/messages.ts';
import { isSingular } from '#panel-protocol/panel-texts.ts';
import type { GridSource } from '../grid/grid-types.ts';
import { number, rowCountWords } from '../ui/format.ts';
import { language, t } from '../ui/l10n.ts';

export function sourceOf(state: RowsState): GridSource {
  const { columns, generation, sort, filters, viewRowCount, moved } = state;
  return {
    ...{ columns, generation, sort, moved },
    rowCount: viewRowCount,
    totalRows: state.extent === 'complete' || isFilteredHere(state) ? viewRowCount : state.totalRows,
    filtered: new Set(filters.map((filter) => filter.column)),
    hasSigns: state.comparison !== undefined,
  };
}

/** Whether the filters leave out rows that are loaded, so that the end of those shown says nothing about the rest. */
export function isFilteredHere({ filters, isArrangedBySource }: RowsState): boolean {
  return filters.length > 0 && isArrangedBySource !== true;
}

export function signatureOf(state: RowsState): string {
  return JSON.stringify(state.columns.map((column) => [column.name, column.type]));
}

export function signedColumns(signature: string): readonly Pick<ShownColumn, 'name' | 'type'>[] {
  const columns = JSON.parse(signature) as readonly (readonly [string, string])[]; // `signatureOf` wrote it
  return columns.map(([name, type]) => ({ name, type }));
}

export function sortAndFilterWords(state: RowsState, before: RowsState): string {
  if (JSON.stringify(state.filters) !== JSON.stringify(before.filters)) {
    return state.filters.length === 0
      ? t('All rows are shown')
      : t(
          isSingular(state.viewRowCount, language)
            ? '{0} row matches the filters'
            : '{0} rows match the filters',
          number(state.viewRowCount),
        );
  }
  if (state.sort.length === 0) return t('Original order');
  const keys = state.sort.map(({ column, descending }) => {
    const name = state.columns[column]?.name ?? '';
    return descending ? t('{0} descending', name) : t('{0} ascending', name);
  });
  return t('Sorted by {0}', keys.join(t(', then ')));
}

export function filteredWords({ rowCount, viewRowCount, totalRows, extent }: RowsState): string {
  const shown = number(viewRowCount);
  if (extent === 'complete') return t('{0} of {1} shown', shown, rowCountWords(rowCount));
  return totalRows === undefined
    ? t('{0} of {1} shown, more on the service', shown, rowCountWords(rowCount))
    : t('{0} of {1} loaded rows shown, {2} in all', shown, number(rowCount), rowCountWords(totalRows));
}

/** Says which part of the rows a chart draws; undefined if it draws all. */
export function partWords(state: RowsState): string | undefined {
  const { rowCount, totalRows, extent } = state;
  if (isFilteredHere(state)) return filteredWords(state);
  if (extent === 'complete') return undefined;
  return totalRows === undefined
    ? t('Only the first {0}', rowCountWords(rowCount))
    : t('Only the first {0} of {1}', number(rowCount), rowCountWords(totalRows));
}
