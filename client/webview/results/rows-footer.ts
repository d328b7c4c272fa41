/** What is here and what is not, how long it took, and what is selected: true at every moment. */
import type { Aggregate } from '../../src/features/results/data/rows.ts';
import type { RowsState } from '../../src/features/results/messages.ts';
import { button, element, holdsFocus } from './dom.ts';
import { count, duration, number } from './format.ts';

export interface FooterEvents {
  readonly load: (all: boolean) => void;
  readonly stop: () => void;
  /** The button that had the keyboard is gone. */
  readonly focusLost: () => void;
}

export class RowsFooter {
  readonly element: HTMLElement;
  readonly #events: FooterEvents;
  readonly #facts = element('div', { class: 'footer-facts', role: 'status' });
  readonly #selection = element('div', { class: 'footer-selection' });
  readonly #stopLabel: string;
  #drawn = '';

  /** @param stopLabel what ends the loading: reading that can go on is paused. */
  constructor(stopLabel: string, events: FooterEvents) {
    this.#stopLabel = stopLabel;
    this.#events = events;
    this.element = element('footer', { class: 'footer' }, this.#facts, this.#selection);
  }

  update(state: RowsState): void {
    const stamp = JSON.stringify(state);
    if (stamp === this.#drawn) return;
    this.#drawn = stamp;
    const hadFocus = holdsFocus(this.#facts);
    const parts: (Node | string)[] = [element('span', { class: 'row-count' }, rowsWords(state))];
    const { loading } = state;
    if (loading.kind === 'failed') {
      parts.push(element('span', { class: 'footer-problem', role: 'alert' }, loading.failure.message));
    }
    if (loading.kind === 'page' || loading.kind === 'all') {
      parts.push(
        element('span', { class: 'footer-busy' }, loading.note ?? 'Loading…'),
        button(this.#stopLabel, () => this.#events.stop(), { kind: 'link' }),
      );
    } else if (!state.isComplete) {
      parts.push(button('Load more', () => this.#events.load(false), { kind: 'link' }));
      if (!state.isAtLimit) parts.push(button('Load all', () => this.#events.load(true), { kind: 'link' }));
    }
    parts.push(element('span', { class: 'times' }, timeWords(state)));
    this.#facts.replaceChildren(...parts);
    if (!hadFocus) return;
    const next = this.#facts.querySelector('button');
    if (next === null) this.#events.focusLost();
    else next.focus();
  }

  showSelection(
    size: { readonly rows: number; readonly columns: number; readonly row: number },
    aggregate: Aggregate | undefined,
  ): void {
    const { rows, columns, row } = size;
    const words = rows * columns > 1 ? `${number(rows)} × ${number(columns)} selected` : '';
    const sum = aggregate?.numbers === undefined ? '' : ` · sum ${aggregate.numbers.sum}`;
    const text = words === '' ? (row >= 0 ? `Row ${number(row + 1)}` : '') : words + sum;
    if (this.#selection.textContent !== text) this.#selection.textContent = text;
  }
}

/** Never claims more than is known: whether there is more, and how much, as far as the service said. */
export function rowsWords(state: RowsState): string {
  const isFiltered = state.filters.length > 0;
  const shown = isFiltered ? `${number(state.viewRowCount)} shown of ` : '';
  if (state.isComplete) return shown + count(state.rowCount, 'row');
  const limit = state.isAtLimit ? ', stopped at the limit of the settings' : '';
  if (state.totalRows !== undefined) {
    const here = isFiltered ? `${number(state.rowCount)} loaded, ` : `${number(state.rowCount)} of `;
    return `${shown}${here}${count(state.totalRows, 'row')}${isFiltered ? ' in all' : ''}${limit}`;
  }
  return `${shown}${count(state.rowCount, 'row')}, more on the service${limit}`;
}

function timeWords(state: RowsState): string {
  const first = `first rows ${duration(state.firstRowsMs)}`;
  const time = new Date(state.finishedAt).toLocaleTimeString();
  const total = state.totalMs === state.firstRowsMs ? '' : ` · all ${duration(state.totalMs)}`;
  return `${state.totalMs === state.firstRowsMs ? duration(state.totalMs) : first}${total} · ${time}`;
}
