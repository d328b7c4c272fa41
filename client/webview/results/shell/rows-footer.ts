/** Loaded and missing rows, duration and selection. */
import type { RowsState } from '#panel-protocol/messages.ts';
import { clockText, exactMomentText } from '#panel-protocol/panel-texts.ts';
import type { Aggregate, DistinctCount } from '#panel-protocol/rows.ts';
import { button, element, holdsFocus } from '../ui/dom.ts';
import { duration, number, rowCountWords } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { filteredWords, isFilteredHere } from './rows-state.ts';

export interface FooterEvents {
  readonly load: (all: boolean) => void;
  readonly stop: () => void;
  readonly showDetails: () => void;
  /** @param at the button that was clicked. */
  readonly chooseColumns: (at: DOMRect) => void;
  /** Called when the focused button is removed. */
  readonly focusLost: () => void;
}

/** Statistics for the selected cells. */
export interface SelectionFacts {
  readonly aggregate: Aggregate;
  readonly distinct: DistinctCount | undefined;
}

/** Stays on the page while results change: screen readers announce changes to a region, not the text of a new one. */
export interface FooterPlace {
  readonly element: HTMLElement;
  readonly facts: HTMLElement;
  readonly selection: HTMLElement;
}

/** @param notice takes room from the facts while it is shown, never from the selection. */
export function createFooterPlace(notice: HTMLElement): FooterPlace {
  const facts = element('div', { class: 'footer-facts', role: 'status' });
  const selection = element('div', { class: 'footer-selection' });
  return { element: element('footer', { class: 'footer' }, facts, notice, selection), facts, selection };
}

export class RowsFooter {
  readonly #place: HTMLElement;
  readonly #events: FooterEvents;
  readonly #facts: HTMLElement;
  readonly #selection: HTMLElement;
  #drawn = '';

  constructor(place: FooterPlace, events: FooterEvents) {
    this.#place = place.element;
    this.#facts = place.facts;
    this.#selection = place.selection;
    this.#events = events;
    this.#place.classList.add('is-filled');
  }

  dispose(): void {
    this.#place.classList.remove('is-filled');
    this.#facts.replaceChildren();
    this.#selection.textContent = '';
  }

  /** @param hiddenColumns number of columns that the user has hidden, also in an earlier run. */
  update(state: RowsState, hiddenColumns: number): void {
    const stamp = JSON.stringify([state, hiddenColumns]);
    if (stamp === this.#drawn) return;
    this.#drawn = stamp;
    const hadFocus = holdsFocus(this.#facts);
    let parts: (Node | string)[] = [element('span', { class: 'row-count' }, rowsWords(state))];
    if (hiddenColumns > 0) parts.push(this.#hiddenColumns(hiddenColumns));
    const { loading } = state;
    if (loading.kind === 'failed') {
      const { message } = loading.failure;
      // The line may have room for a part of it only.
      parts.push(element('span', { class: 'footer-problem', role: 'alert', title: message }, message));
      if (loading.failure.details !== undefined)
        parts.push(button(t('Show Details'), () => this.#events.showDetails(), { kind: 'link' }));
    }
    if (loading.kind === 'page' || loading.kind === 'all') {
      parts.push(
        element('span', { class: 'footer-busy' }, loading.note ?? t('Loading...')),
        button(t('Pause'), () => this.#events.stop(), { kind: 'link' }),
      );
    } else parts = parts.concat(this.#rest(state));
    const { firstRowsMs, totalMs, finishedAt } = state;
    const title = t(
      'First rows after {0}, all loaded rows after {1}, finished {2}',
      ...[duration(firstRowsMs), duration(totalMs), exactMomentText(finishedAt)],
    );
    parts.push(element('span', { class: 'times', title }, outcomeWords(state)));
    if (state.laterRun !== undefined) parts.push(ofEarlierRun(state));
    if (state.isOlderThanChange === true) parts.push(olderThanChange());
    this.#facts.replaceChildren(...parts);
    if (!hadFocus) return;
    const next = this.#facts.querySelector('button');
    if (next === null) this.#events.focusLost();
    else next.focus();
  }

  /** What is true of the rows that are not loaded, and the ways to them. */
  #rest(state: RowsState): HTMLElement[] {
    const more = () => button(t('Load more'), () => this.#events.load(false), { kind: 'link' });
    const problem = (words: string) => element('span', { class: 'footer-problem', role: 'alert' }, words);
    switch (state.extent) {
      case 'complete':
        return [element('span', { class: 'whole' }, t('All rows loaded'))];
      case 'more':
        return [more(), button(t('Load all'), () => this.#events.load(true), { kind: 'link' })];
      case 'at-limit':
        return [more()];
      case 'short':
        return [problem(shortWords(state))];
      case 'perhaps-short':
        return [
          problem(
            state.areValuesUnknown === true
              ? t(
                  'The service does not show whether it uses the values of parameters, so rows may be missing.',
                )
              : t('The service does not tell whether there are more rows.'),
          ),
        ];
      case 'lost':
        return []; // the failure says it
      default:
        return state.extent satisfies never;
    }
  }

  #hiddenColumns(count: number): HTMLElement {
    const words = count === 1 ? t('1 column hidden') : t('{0} columns hidden', number(count));
    const fact = button(words, () => this.#events.chooseColumns(fact.getBoundingClientRect()), {
      kind: 'link',
      title: t('Choose Columns...'),
    });
    fact.setAttribute('aria-haspopup', 'dialog');
    return fact;
  }

  showSelection(
    size: { readonly rows: number; readonly columns: number; readonly row: number },
    facts: SelectionFacts | undefined,
  ): void {
    const { rows, columns, row } = size;
    const words = rows * columns > 1 ? t('{0} × {1} selected', number(rows), number(columns)) : '';
    const rowWords = row >= 0 ? t('Row {0}', number(row + 1)) : '';
    const text = words === '' ? rowWords : [words, ...factsWords(facts)].join(' · ');
    this.#selection.title =
      words === '' ? '' : [words, ...factsWords(facts), ...rangeWords(facts)].join('\n');
    if (this.#selection.textContent === text) return;
    // Screen readers announce the active cell on their own.
    this.#selection.ariaLive = words === '' ? 'off' : 'polite';
    this.#selection.textContent = text;
  }
}

function ofEarlierRun({ finishedAt, laterRun }: RowsState): HTMLElement {
  const title = t('A later run returned no rows. Run again for the current ones.');
  const moment = exactMomentText(finishedAt);
  const words =
    laterRun === 'other-text'
      ? t('Earlier run of {0}, with another text', moment)
      : t('Earlier run of {0}', moment);
  return element('span', { class: 'footer-older', title }, words);
}

function olderThanChange(): HTMLElement {
  const title = t('A change ended after these rows were read. Run again to see its effect.');
  return element('span', { class: 'footer-older', title }, t('Older than a change'));
}

function factsWords(facts: SelectionFacts | undefined): string[] {
  const { sum, average, isAverageRounded = false } = facts?.aggregate.numbers ?? {};
  return [
    ...(sum === undefined ? [] : [t('sum {0}', sum)]),
    ...(average === undefined
      ? []
      : [isAverageRounded ? t('average about {0}', average) : t('average {0}', average)]),
    ...(facts?.aggregate.mixedAmounts === 'currencies' ? [t('no sum: amounts of several currencies')] : []),
    ...(facts?.aggregate.mixedAmounts === 'separators'
      ? [t('no sum: unclear decimal separator, as in {0}', '1.234')]
      : []),
    ...distinctWords(facts?.distinct),
  ];
}

/** Facts that are only in the tooltip. */
function rangeWords(facts: SelectionFacts | undefined): string[] {
  if (facts === undefined) return [];
  const { min, max, nulls } = facts.aggregate;
  return [
    ...(min === undefined ? [] : [t('minimum {0}', min)]),
    ...(max === undefined ? [] : [t('maximum {0}', max)]),
    ...(nulls === 0 ? [] : [t('{0} NULL', number(nulls))]),
  ];
}

function distinctWords(distinct: DistinctCount | undefined): string[] {
  if (distinct === undefined || distinct.count === 0) return [];
  if (distinct.isMore) return [t('more than {0} distinct values', number(distinct.count))];
  return [distinct.count === 1 ? t('1 distinct value') : t('{0} distinct values', number(distinct.count))];
}

/** Claims no more about further rows than the service has reported. */
function rowsWords(state: RowsState): string {
  const words = isFilteredHere(state) ? filteredWords(state) : loadedWords(state);
  return state.extent === 'at-limit' ? t('{0}, stopped at the row limit', words) : words;
}

function loadedWords({ rowCount, totalRows, extent }: RowsState): string {
  const rows = rowCountWords(rowCount);
  if (extent === 'complete') return rows;
  return totalRows === undefined
    ? t('First {0}', number(rowCount))
    : t('First {0} of {1}', number(rowCount), number(totalRows));
}

function shortWords({ rowCount, totalRows = 0 }: RowsState): string {
  return t('The service reports more rows ({0}) than it sent ({1}).', number(totalRows), number(rowCount));
}

/** The time of the first rows is worth its space only if the others took longer. */
function outcomeWords({ firstRowsMs, totalMs, finishedAt, extent }: RowsState): string {
  const time = clockText(finishedAt);
  const [first, total] = [duration(firstRowsMs), duration(totalMs)];
  return extent === 'complete' && firstRowsMs < 0.9 * totalMs
    ? t('first rows {0} · all {1} · {2}', first, total, time)
    : `${total} · ${time}`;
}
