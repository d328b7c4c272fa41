/** Says which rows a summary covers, since it shows neither the rows nor their filters. */
import { locale, t } from '#base/texts.ts';
import type { SortAndFilters, StoreColumn } from '../rows.ts';
import { filterWords } from './filter-labels.ts';

/** Returns a fact for each filter, for the header of a summary. */
export function filterFacts({
  columns,
  filters,
}: Pick<SortAndFilters, 'filters'> & { readonly columns: readonly Pick<StoreColumn, 'name'>[] }): readonly {
  readonly label: string;
  readonly text: string;
}[] {
  const number = (value: number) => value.toLocaleString(locale());
  return filters.map(({ column, rule }) => ({
    label: t('Filter of the grouped rows'),
    text: filterWords(columns[column]?.name ?? '', rule, { t, number }),
  }));
}
