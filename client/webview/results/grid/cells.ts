/** Reusable rows and cells of the grid, which write only changes to the document. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { ChangeKind } from '#panel-protocol/rows.ts';
import { element } from '../ui/dom.ts';
import { isGlobalId } from '../ui/global-ids.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import { matchParts, type TextMatch, type TextPart } from './match-parts.ts';

/** ID of the active cell's element, while the cell is in the document. */
const activeCellId = 'active-cell';

export class CellView {
  readonly element = element('div', { class: 'grid-cell', role: 'gridcell', aria: { selected: 'false' } });
  readonly #text = document.createTextNode('');
  /** `place` is the index among the visible columns, `column` the index in the result. */
  place = -1;
  column = -1;
  #left = -1;
  #width = -1;
  /** Created when the cell first shows a changed value. */
  #change: { readonly before: HTMLElement; readonly after: HTMLElement } | undefined;
  #isChanged = false;
  #isMarked = false;
  #look = '';
  #isRight = false;
  #isSelected = false;
  #isActive = false;

  constructor() {
    this.element.append(this.#text);
  }

  move(place: number, column: number, box: { readonly left: number; readonly width: number }): void {
    const { left, width } = box;
    if (place !== this.place) this.element.setAttribute('aria-colindex', String(place + 2));
    this.place = place;
    if (left !== this.#left) this.element.style.left = `${left}px`;
    if (width !== this.#width) this.element.style.width = `${width}px`;
    this.column = column;
    this.#left = left;
    this.#width = width;
  }

  /**
   * @param value undefined while loading, null for NULL.
   * @param options.before the earlier value; undefined if unchanged.
   * @param options.match the search whose matches are marked.
   */
  show(
    value: string | null | undefined,
    column: ShownColumn,
    options: { readonly before?: string | null | undefined; readonly match?: TextMatch | undefined } = {},
  ): void {
    const { before, match } = options;
    const look = value === null && before !== undefined ? column.kind : lookOf(value, column);
    // Like the search, marks no NULL.
    const parts = match === undefined || typeof value !== 'string' ? undefined : matchParts(value, match);
    this.#setChanged(before !== undefined);
    if (before !== undefined && this.#change !== undefined) {
      this.#change.before.textContent = wordsOf(before);
      if (parts === undefined) this.#change.after.textContent = wordsOf(value);
      else this.#change.after.replaceChildren(...parts.map(nodeOf));
    }
    this.#setMarked(before === undefined ? parts : undefined);
    this.element.classList.toggle('has-match', parts !== undefined);
    const text = before === undefined && parts === undefined ? wordsOf(value, '') : '';
    if (look !== this.#look) {
      this.element.dataset['look'] = look;
      this.#look = look;
    }
    if (this.#text.data !== text) this.#text.data = text;
    // NULL stands where the column's values do.
    const isRight = column.kind === 'number' && value !== undefined;
    if (isRight !== this.#isRight) this.element.classList.toggle('is-right', isRight);
    this.#isRight = isRight;
  }

  /** Strikes out the earlier value and underlines the new one, so that the difference does not depend on color. */
  #setChanged(isChanged: boolean): void {
    if (isChanged === this.#isChanged) return;
    this.#isChanged = isChanged;
    this.element.classList.toggle('is-changed', isChanged);
    if (!isChanged) {
      this.element.replaceChildren(this.#text);
      return;
    }
    this.#change ??= { before: element('del'), after: element('ins') };
    this.element.replaceChildren(this.#change.before, ' → ', this.#change.after, this.#text);
  }

  /** Shows a text with marked parts in place of the plain text. */
  #setMarked(parts: readonly TextPart[] | undefined): void {
    if (parts !== undefined) this.element.replaceChildren(...parts.map(nodeOf), this.#text);
    else if (this.#isMarked && !this.#isChanged) this.element.replaceChildren(this.#text);
    this.#isMarked = parts !== undefined;
  }

  setSelected(isSelected: boolean): void {
    if (isSelected === this.#isSelected) return;
    this.#isSelected = isSelected;
    this.element.setAttribute('aria-selected', String(isSelected));
  }

  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.element.classList.toggle('is-active', isActive);
    if (isActive) this.element.id = activeCellId;
    else this.element.removeAttribute('id');
  }
}

function lookOf(value: string | null | undefined, column: ShownColumn): string {
  if (value === undefined) return 'pending';
  if (value === null) return 'null';
  return isGlobalId(value, column) ? 'id' : column.kind;
}

function nodeOf({ text, isMatch }: TextPart): Node | string {
  return isMatch ? element('mark', {}, shownText(text)) : shownText(text);
}

/** @param empty text for an empty value: next to another value, a blank would look like an error. */
function wordsOf(value: string | null | undefined, empty = t('(empty)')): string {
  if (value === undefined) return '';
  return value === null ? 'NULL' : value === '' ? empty : shownText(value);
}

export class RowView {
  readonly element = element('div', { class: 'grid-row', role: 'row' });
  readonly cells: CellView[] = [];
  readonly #gutter = element('div', { class: 'grid-gutter', role: 'rowheader', aria: { colindex: '1' } });
  readonly #strip = element('div', { class: 'grid-strip', role: 'presentation' });
  /** Frozen columns, on top of the scrolling ones. */
  readonly #frozen = element('div', { class: 'grid-strip is-frozen', role: 'presentation' });
  index = -1;
  #isSelected = false;

  constructor() {
    this.element.append(this.#gutter, this.#frozen, this.#strip);
  }

  place(index: number): void {
    this.index = index;
    this.element.setAttribute('aria-rowindex', String(index + 2));
    this.#gutter.textContent = String(index + 1);
  }

  /** In a comparison, sets the row's kind of change. */
  setChange(change: ChangeKind | undefined): void {
    if (this.element.dataset['change'] === change) return;
    if (change === undefined) delete this.element.dataset['change'];
    else this.element.dataset['change'] = change;
  }

  /** @param places in document order; those below `frozen` do not scroll. */
  shape(places: readonly number[], frozen: number, move: (cell: CellView, place: number) => void): void {
    while (this.cells.length > places.length) this.cells.pop()?.element.remove();
    while (this.cells.length < places.length) this.cells.push(new CellView());
    places.forEach((place, index) => {
      const cell = this.cells[index];
      if (cell === undefined) return;
      const strip = place < frozen ? this.#frozen : this.#strip;
      if (cell.element.parentElement !== strip) strip.append(cell.element);
      move(cell, place);
    });
  }

  setSelected(isSelected: boolean): void {
    if (isSelected === this.#isSelected) return;
    this.#isSelected = isSelected;
    this.#gutter.classList.toggle('is-selected', isSelected);
  }
}
