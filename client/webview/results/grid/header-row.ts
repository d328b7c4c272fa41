/** The row of column headers: name and type, sort order and filters, a menu, and a resize handle. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { SortKey } from '#panel-protocol/rows.ts';
import { element, icon } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import { typeWord } from '../ui/type-word.ts';
import type { ColumnLayout } from './column-layout.ts';
import { dragColumn } from './dragging.ts';
import { headerRow, type Position, type Rectangle } from './selection.ts';

const activeHeaderId = 'active-header';

export interface HeaderEvents {
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly resize: (place: number, event: PointerEvent) => void;
  readonly fit: (place: number) => void;
  readonly activate: (place: number) => void;
  readonly menu: (place: number, at: DOMRect) => void;
  readonly filter: (place: number, at: DOMRect) => void;
  readonly move: (place: number, to: number) => void;
}

export interface HeaderContent {
  readonly columns: readonly ShownColumn[];
  readonly sort: readonly SortKey[];
  readonly filtered: ReadonlySet<number>;
}

export class HeaderRow {
  readonly element = element('div', { class: 'grid-head', role: 'rowgroup' });
  readonly #strip = element('div', { class: 'grid-strip', role: 'presentation' });
  readonly #frozen = element('div', { class: 'grid-strip is-frozen', role: 'presentation' });
  /** Marks the drop position of a dragged column. */
  readonly #mark = element('div', { class: 'grid-drop-mark', hidden: true, aria: { hidden: 'true' } });
  readonly #events: HeaderEvents;
  readonly #cells = new Map<number, HTMLElement>();
  #content: HeaderContent = { columns: [], sort: [], filtered: new Set() };
  #stamp = '';
  #shown: readonly number[] = [];
  #layout: ColumnLayout | undefined;

  constructor(events: HeaderEvents) {
    this.#events = events;
    const corner = element(
      'div',
      {
        class: 'grid-gutter grid-corner',
        role: 'columnheader',
        aria: { colindex: '1', label: t('Row number') },
      },
      '#',
    );
    this.element.append(
      element(
        'div',
        { class: 'grid-row', role: 'row', aria: { rowindex: '1' } },
        corner,
        this.#frozen,
        this.#strip,
      ),
      this.#mark,
    );
  }

  update(content: HeaderContent): void {
    this.#content = content;
    const stamp = JSON.stringify([content.columns, content.sort, [...content.filtered]]);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#build();
  }

  place(shown: readonly number[], layout: ColumnLayout): void {
    this.#shown = shown;
    this.#layout = layout;
    this.#build();
  }

  /** Marks the selected columns. @returns the ID of the active header, if any. */
  paint(area: Rectangle, active: Position): string | undefined {
    let activeId: string | undefined;
    for (const [place, cell] of this.#cells) {
      cell.classList.toggle('is-selected', place >= area.firstColumn && place <= area.lastColumn);
      const isActive = active.row === headerRow && active.column === place;
      cell.classList.toggle('is-active', isActive);
      if (isActive) activeId = cell.id = activeHeaderId;
      else cell.removeAttribute('id');
    }
    return activeId;
  }

  /** Returns the position of a place's header on the page, if visible. */
  boxOf(place: number): DOMRect | undefined {
    return this.#cells.get(place)?.getBoundingClientRect();
  }

  #build(): void {
    this.#cells.clear();
    const layout = this.#layout;
    if (layout === undefined) return;
    for (const place of this.#shown) {
      const column = this.#content.columns[layout.columnAt(place)];
      if (column !== undefined) this.#cells.set(place, this.#cell(place, column, layout));
    }
    const cells = [...this.#cells];
    this.#frozen.replaceChildren(...cells.filter(([place]) => place < layout.frozen).map(([, cell]) => cell));
    this.#strip.replaceChildren(...cells.filter(([place]) => place >= layout.frozen).map(([, cell]) => cell));
  }

  #cell(place: number, shown: ShownColumn, layout: ColumnLayout): HTMLElement {
    const column = layout.columnAt(place);
    const { sort, filtered } = this.#content;
    const index = sort.findIndex((key) => key.column === column);
    const key = sort[index];
    const direction = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending';
    const isFiltered = filtered.has(column);
    const handle = element('div', { class: 'grid-handle', aria: { hidden: 'true' } });
    handle.addEventListener('pointerdown', (event) => this.#events.resize(place, event));
    handle.addEventListener('dblclick', (event) => {
      event.stopPropagation();
      this.#events.fit(place);
    });
    // Mouse only: the keyboard opens the menu with Alt+Down.
    const more = element(
      'div',
      { class: 'grid-more', title: t('Column menu (Alt+Down)'), aria: { hidden: 'true' } },
      '⌄',
    );
    // Mouse only, too, but that the column is filtered is part of its name.
    const filter = element(
      'span',
      isFiltered
        ? {
            class: 'grid-filtered',
            role: 'img',
            title: t('Change this filter'),
            aria: { label: t('filtered') },
          }
        : { class: 'grid-filter', title: t('Filter...'), aria: { hidden: 'true' } },
      icon('filter'),
    );
    const described = shown.description === undefined ? '' : `\n${shown.description}`;
    const cell = element(
      'div',
      {
        class: 'grid-header-cell',
        role: 'columnheader',
        title: `${shownText(shown.name)} (${typeWord(shown.type)})${described}`,
        aria: { colindex: String(place + 2), sort: direction, haspopup: 'menu' },
        data: { kind: shown.kind },
      },
      element(
        'span',
        { class: 'grid-name-and-type' },
        element('span', { class: 'grid-name' }, shownText(shown.name)),
        element('span', { class: 'grid-type' }, shown.type === 'unknown' ? '' : typeWord(shown.type)),
      ),
      direction !== 'none' &&
        element(
          'span',
          { class: 'grid-sort', aria: { hidden: 'true' } },
          `${direction === 'ascending' ? '↑' : '↓'}${sort.length > 1 ? String(index + 1) : ''}`,
        ),
      filter,
      more,
      handle,
    );
    cell.style.left = `${layout.leftOf(place)}px`;
    cell.style.width = `${layout.widthOf(place)}px`;
    let wasDragged = false;
    cell.addEventListener('pointerdown', (event) => {
      const { target } = event;
      if (event.button !== 0 || target === handle || target === more || target === filter) return;
      wasDragged = false;
      dragColumn(event, {
        move: (x) => {
          wasDragged = true;
          this.#showDrop(this.#dropAt(x));
        },
        drop: (x) => {
          const to = this.#dropAt(x);
          this.#mark.hidden = true;
          // `to` counts the current columns; removing the dragged one shifts the places after it.
          this.#events.move(place, to > place ? to - 1 : to);
        },
        cancel: () => (this.#mark.hidden = true),
      });
    });
    cell.addEventListener('click', (event) => {
      if (event.target === handle || wasDragged) return;
      this.#events.activate(place);
      if (event.target === more) this.#events.menu(place, cell.getBoundingClientRect());
      else if (event.target === filter) this.#events.filter(place, cell.getBoundingClientRect());
      else this.#events.sortBy(column, event.shiftKey);
    });
    cell.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#events.activate(place);
      this.#events.menu(place, cell.getBoundingClientRect());
    });
    return cell;
  }

  /** Returns the gap between columns nearest to a position, as the place after the gap. */
  #dropAt(x: number): number {
    const behind = [...this.#cells].find(([, cell]) => {
      const box = cell.getBoundingClientRect();
      return x < box.left + box.width / 2;
    });
    return behind?.[0] ?? (this.#shown.at(-1) ?? 0) + 1;
  }

  #showDrop(place: number): void {
    const box = this.boxOf(place);
    const before = this.boxOf(place - 1);
    const x = box?.left ?? before?.right ?? 0;
    this.#mark.hidden = false;
    this.#mark.style.left = `${x - this.element.getBoundingClientRect().left - 1}px`;
  }
}
