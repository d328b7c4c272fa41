/** The active filters, each editable and removable, above the rows. */
import type { RowsState } from '#panel-protocol/messages.ts';
import { changeColumn } from '#panel-protocol/rows.ts';
import { button, element, holdsFocus, iconButton } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import { filterWords } from './filter-labels.ts';

export interface FilterBarEvents {
  readonly change: (column: number, at: DOMRect) => void;
  readonly remove: (column: number) => void;
  readonly clear: () => void;
  /** Undefined for rows without a query. */
  readonly addWhere: (() => void) | undefined;
}

export class FilterBar {
  readonly element = element('div', {
    class: 'filter-bar',
    role: 'toolbar',
    hidden: true,
    aria: { label: t('Filters') },
  });
  readonly #events: FilterBarEvents;
  #drawn = '';

  constructor(events: FilterBarEvents) {
    this.#events = events;
  }

  /** @returns whether the bar lost the focus, so that the caller must move it elsewhere. */
  update({ filters: all, columns, comparison }: RowsState): boolean {
    // The comparison bar above shows which changes are visible.
    const filters = comparison === undefined ? all : all.filter(({ column }) => column !== changeColumn);
    const stamp = JSON.stringify(filters);
    if (stamp === this.#drawn) return false;
    this.#drawn = stamp;
    const hadFocus = holdsFocus(this.element);
    this.element.hidden = filters.length === 0;
    const { addWhere } = this.#events;
    this.element.replaceChildren(
      ...filters.map(({ column, rule }) => {
        const name = shownText(columns[column]?.name ?? '');
        const words = filterWords(name, rule);
        const change = element('button', { class: 'filter-words', title: t('Change this filter') }, words);
        change.type = 'button';
        change.addEventListener('click', () => this.#events.change(column, change.getBoundingClientRect()));
        return element(
          'span',
          { class: 'chip filter-chip' },
          change,
          iconButton('close', t('Remove the filter on {0}', name), () => this.#events.remove(column)),
        );
      }),
      ...(filters.length > 1 ? [button(t('Clear all'), this.#events.clear, { kind: 'link' })] : []),
      ...(addWhere === undefined
        ? []
        : [
            button(t('Add as WHERE'), addWhere, { kind: 'link', title: t('Put the filters into the query') }),
          ]),
    );
    if (!hadFocus) return false;
    if (this.element.hidden) return true;
    this.element.querySelector('button')?.focus();
    return false;
  }
}
