/** The row of column headers: name and type, the present order, and a handle for the width. */
import type { SortKey } from '../../../src/features/results/data/rows.ts';
import type { ShownColumn } from '../../../src/features/results/messages.ts';
import { element } from '../dom.ts';
import { headerRow, type Position, type Rectangle } from './selection.ts';

const activeHeaderId = 'active-header';

export interface HeaderEvents {
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly resize: (column: number, event: PointerEvent) => void;
  readonly fit: (column: number) => void;
  readonly activate: (column: number) => void;
}

export class HeaderRow {
  readonly element = element('div', { class: 'grid-head', role: 'rowgroup' });
  readonly #strip = element('div', { class: 'grid-strip', role: 'presentation' });
  readonly #events: HeaderEvents;
  readonly #cells = new Map<number, HTMLElement>();
  #columns: readonly ShownColumn[] = [];
  #sort: readonly SortKey[] = [];
  #shown: readonly number[] = [];
  #offsets: readonly number[] = [];

  constructor(events: HeaderEvents) {
    this.#events = events;
    const corner = element(
      'div',
      {
        class: 'grid-gutter grid-corner',
        role: 'columnheader',
        aria: { colindex: '1', label: 'Row number' },
      },
      '#',
    );
    this.element.append(
      element('div', { class: 'grid-row', role: 'row', aria: { rowindex: '1' } }, corner, this.#strip),
    );
  }

  update(columns: readonly ShownColumn[], sort: readonly SortKey[]): void {
    if (columns === this.#columns && sort === this.#sort) return;
    const isSame =
      JSON.stringify(columns) === JSON.stringify(this.#columns) &&
      JSON.stringify(sort) === JSON.stringify(this.#sort);
    this.#columns = columns;
    this.#sort = sort;
    if (!isSame) this.#build();
  }

  place(shown: readonly number[], offsets: readonly number[]): void {
    this.#shown = shown;
    this.#offsets = offsets;
    this.#build();
  }

  /** Marks the columns of the selection. @returns the id of the header the keyboard is on, if it is on one. */
  paint(area: Rectangle, active: Position): string | undefined {
    let activeId: string | undefined;
    for (const [column, cell] of this.#cells) {
      cell.classList.toggle('is-selected', column >= area.firstColumn && column <= area.lastColumn);
      const isActive = active.row === headerRow && active.column === column;
      cell.classList.toggle('is-active', isActive);
      if (isActive) activeId = cell.id = activeHeaderId;
      else cell.removeAttribute('id');
    }
    return activeId;
  }

  #build(): void {
    this.#cells.clear();
    for (const column of this.#shown) {
      const shown = this.#columns[column];
      if (shown !== undefined) this.#cells.set(column, this.#cell(column, shown));
    }
    this.#strip.replaceChildren(...this.#cells.values());
  }

  #cell(column: number, shown: ShownColumn): HTMLElement {
    const place = this.#sort.findIndex((key) => key.column === column);
    const key = this.#sort[place];
    const direction = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending';
    const handle = element('div', { class: 'grid-handle', aria: { hidden: 'true' } });
    handle.addEventListener('pointerdown', (event) => this.#events.resize(column, event));
    handle.addEventListener('dblclick', (event) => {
      event.stopPropagation();
      this.#events.fit(column);
    });
    const cell = element(
      'div',
      {
        class: 'grid-header-cell',
        role: 'columnheader',
        title: `${shown.name} (${shown.type})`,
        aria: { colindex: String(column + 2), sort: direction },
        data: { kind: shown.kind },
      },
      element('span', { class: 'grid-name' }, shown.name),
      element('span', { class: 'grid-type' }, shown.type === 'unknown' ? '' : shown.type),
      direction !== 'none' &&
        element(
          'span',
          { class: 'grid-sort', aria: { hidden: 'true' } },
          `${direction === 'ascending' ? '↑' : '↓'}${this.#sort.length > 1 ? String(place + 1) : ''}`,
        ),
      handle,
    );
    cell.style.left = `${this.#offsets[column] ?? 0}px`;
    cell.style.width = `${(this.#offsets[column + 1] ?? 0) - (this.#offsets[column] ?? 0)}px`;
    cell.addEventListener('click', (event) => {
      if (event.target === handle) return;
      this.#events.activate(column);
      this.#events.sortBy(column, event.shiftKey);
    });
    return cell;
  }
}
