/** The placeholder shown when no row is visible. */
import type { RunHeader, RowsState } from '#panel-protocol/messages.ts';
import { changeColumn } from '#panel-protocol/rows.ts';
import { element } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { valueSpan } from './header.ts';

export function noRows({ origin, facts = [], parameters }: RunHeader) {
  const title = element('p', { class: 'no-rows-title' });
  const words = element('p');
  // What was asked for is the first thing to doubt.
  const values =
    parameters.length > 0 && element('p', { class: 'no-rows-values' }, ...parameters.map(valueSpan));
  return {
    element: element('div', { class: 'no-rows' }, title, words, values),
    show({ filters, comparison }: RowsState): void {
      const isFiltered = filters.length > 0;
      if (comparison !== undefined && filters.every(({ column }) => column === changeColumn)) {
        const { added, removed, changed } = comparison.counts;
        const isSame = added + removed + changed === 0;
        title.textContent = isSame ? t('No differences') : t('These rows are hidden');
        words.textContent = isSame
          ? t('Both sides have the same rows and values.')
          : t('Choose above which rows to show.');
        return;
      }
      title.textContent = isFiltered
        ? t('No rows match the filters')
        : origin === 'rows'
          ? t('0 rows')
          : t('No rows match');
      words.textContent = isFiltered
        ? t('Change or remove one above.')
        : origin !== 'rows'
          ? t('The query ran and returned 0 rows.')
          : facts.length > 0
            ? t('There is no data for the selection above.')
            : t('There is nothing here.');
    },
  };
}
