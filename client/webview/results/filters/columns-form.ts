/** Visible columns and their order. Changes apply immediately. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { ColumnLayout } from '../grid/column-layout.ts';
import { button, element } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { openPopup } from '../ui/popup.ts';
import { shownText } from '../ui/shown-text.ts';
import { labelFor } from './filter-form.ts';

export function openColumnsForm(options: {
  readonly columns: readonly ShownColumn[];
  readonly layout: ColumnLayout;
  readonly at: DOMRect;
  readonly changed: () => void;
  readonly closed: () => void;
}): void {
  const { columns, layout } = options;
  const search = element('input', { aria: { label: t('Search columns') } });
  search.type = 'search';
  search.placeholder = t('Search columns');
  const list = element('div', { class: 'filter-values', role: 'group', aria: { label: t('Columns') } });
  // Visible columns in order, then hidden ones, which would reappear at the end.
  let order = [...layout.order, ...layout.hidden];
  const apply = (isShown: (column: number) => boolean) => {
    layout.arrange(order.filter(isShown));
    options.changed();
    draw();
  };
  const move = (column: number, step: number) => {
    const from = order.indexOf(column);
    const others = order.filter((one) => one !== column);
    others.splice(Math.max(0, Math.min(from + step, others.length)), 0, column);
    order = others;
    apply((one) => layout.placeOf(one) >= 0);
    document.getElementById(idOf(column))?.focus();
  };
  const idOf = (column: number) => `choose-column-${column}`;
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const focused = document.activeElement?.id;
    list.replaceChildren(
      ...order
        .filter((column) => (columns[column]?.name ?? '').toLowerCase().includes(wanted))
        .map((column) => {
          const box = element('input', { id: idOf(column) });
          box.type = 'checkbox';
          box.checked = layout.placeOf(column) >= 0;
          box.disabled = box.checked && layout.count < 2;
          box.addEventListener('change', () =>
            apply((one) => (one === column ? box.checked : layout.placeOf(one) >= 0)),
          );
          box.addEventListener('keydown', (event) => {
            const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
            if (!event.altKey || step === 0) return;
            event.preventDefault();
            event.stopPropagation();
            move(column, step);
          });
          return element(
            'div',
            { class: 'filter-choice' },
            box,
            labelFor(idOf(column), shownText(columns[column]?.name ?? '')),
          );
        }),
    );
    if (focused !== undefined && focused !== '') document.getElementById(focused)?.focus();
  };
  search.addEventListener('input', draw);
  draw();
  const form = element(
    'div',
    { class: 'filter-form', role: 'dialog', aria: { labelledby: 'columns-title' } },
    element('h2', { id: 'columns-title' }, t('Columns')),
    element('div', { class: 'filter-line' }, search),
    list,
    element('p', { class: 'form-hint' }, t('Alt+Up or Alt+Down moves a column.')),
    element(
      'div',
      { class: 'buttons' },
      button(t('Show All'), () => apply(() => true)),
      button(t('Reset order'), () => {
        order = columns.map((_, column) => column);
        apply(() => true);
      }),
    ),
  );
  openPopup(form, { at: options.at, opened: () => search.focus(), closed: options.closed });
}
