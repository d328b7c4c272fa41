/**
 * The grid of a result: a viewport-sized layer that holds only the visible rows and cells, and stays in place while an
 * empty element scrolls under it. Positions use the CSS object model, which a strict content policy allows. The grid
 * does not depend on the host or on the meaning of rows.
 */
import type { CellWindow, WindowRequest } from '#panel-protocol/rows.ts';
import { element } from '../ui/dom.ts';
import { BlockCache } from './block-cache.ts';
import { addCellTooltips } from './cell-tooltips.ts';
import type { RowView } from './cells.ts';
import { ColumnLayout, range } from './column-layout.ts';
import { fitWidth, textMeasure } from './column-widths.ts';
import { dragSelect, resizeColumn } from './dragging.ts';
import { headerHeight, rowHeight, ScrollScale, signWidth } from './geometry.ts';
import { onGridKey, type KeyboardGrid } from './grid-keys.ts';
import type { GridEvents, GridLook, GridSource } from './grid-types.ts';
import { HeaderRow } from './header-row.ts';
import type { TextMatch } from './match-parts.ts';
import { headerRow, isInside, rectangleOf, selectOne, type Position, type Selection } from './selection.ts';
import { VisibleRows } from './visible-rows.ts';

export class ResultGrid {
  readonly element: HTMLElement;
  readonly #events: GridEvents;
  readonly #content = element('div', { class: 'grid-content', role: 'presentation' });
  readonly #layer = element('div', { class: 'grid-layer', role: 'presentation' });
  readonly #head: HeaderRow;
  readonly #rows: VisibleRows;
  readonly #scale = new ScrollScale();
  readonly #cache: BlockCache;
  readonly #observer: ResizeObserver;
  #source: GridSource;
  /** Order and widths of the columns. Call `relayout` after a change. */
  readonly layout = new ColumnLayout();
  #isFitted = false;
  #gutterWidth = 48;
  #viewWidth = 0;
  #viewHeight = 0;
  #top = 0;
  #shownPlaces: readonly number[] = [];
  #selection: Selection = selectOne({ row: 0, column: 0 });
  #match: TextMatch | undefined;

  constructor(label: string, source: GridSource, events: GridEvents) {
    this.#source = source;
    this.#events = events;
    this.#cache = new BlockCache(events.ask);
    this.#head = new HeaderRow({
      sortBy: events.sortBy,
      resize: (place, event) => this.#startResize(place, event),
      fit: (place) => this.fitColumn(place),
      activate: (place) => this.#select(selectOne({ row: headerRow, column: place })),
      menu: events.menu,
      filter: events.filter,
      move: (place, to) => this.moveColumn(place, to),
    });
    this.#rows = new VisibleRows({
      move: (cell, place) => {
        const box = { left: this.layout.leftOf(place), width: this.layout.widthOf(place) };
        cell.move(place, this.layout.columnAt(place), box);
      },
      fill: (row) => this.#fill(row),
    });
    const keys = this.#keys();
    this.element = element(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabIndex: 0,
        aria: { label, multiselectable: 'true', readonly: 'true' },
        on: {
          keydown: (event) => onGridKey(event, keys),
          pointerdown: (event) => this.#onPointer(event),
          dblclick: (event) => {
            if (this.#positionAt(event) !== undefined) events.peek();
          },
          contextmenu: (event) => this.#onContextMenu(event),
          focus: () => this.#paintSelection(),
        },
      },
      this.#content,
    );
    addCellTooltips(this.element);
    this.#content.append(this.#layer);
    this.#layer.append(this.#head.element, this.#rows.element);
    this.element.addEventListener(
      'scroll',
      () => {
        this.#render();
        events.changed();
      },
      { passive: true },
    );
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.element);
    this.#adopt();
  }

  get selection(): Selection {
    return this.#selection;
  }

  get look(): GridLook {
    return {
      layout: this.layout.memory,
      top: this.#top,
      left: this.element.scrollLeft,
      selection: this.#selection,
    };
  }

  /** Restores an earlier look; call it once the element is in the document. */
  restore(look: GridLook): void {
    if (look.layout !== undefined) this.layout.restore(look.layout);
    this.#measure();
    this.relayout();
    if (this.#source.rowCount === 0) this.#fitAll();
    else if (look.selection !== undefined) this.#selection = look.selection;
    this.element.scrollLeft = look.left;
    this.#scrollTo(look.top);
  }

  update(source: GridSource): void {
    const before = this.#source;
    this.#source = source;
    const isRearranged = source.generation !== before.generation;
    if (isRearranged || source.columns.length !== before.columns.length) this.#adopt();
    else this.#cache.grow(source.rowCount);
    this.#head.update(source);
    this.#resizeContent();
    if (isRearranged) this.#followRow(before);
    else this.#render();
  }

  /** Keeps the same record active, and in view, after filters or the sort order changed. */
  #followRow(before: GridSource): void {
    const { moved, rowCount } = this.#source;
    const { active, anchor } = this.#selection;
    // The first row is active until a person chooses another, and the first row of a new order is what people sort for.
    const isChosen = active.row > 0 || rowCount !== before.rowCount;
    const isFollowed = isChosen && moved?.from === active.row;
    const row = Math.min(isFollowed ? (moved.to ?? active.row) : active.row, Math.max(0, rowCount - 1));
    if (row !== active.row)
      this.#selection = { anchor: { row, column: anchor.column }, active: { row, column: active.column } };
    this.#render();
    if (isFollowed) this.#revealRow(row);
  }

  put(window: CellWindow): void {
    this.#cache.put(window);
    if (!this.#isFitted) this.#fitFirst(window);
    this.#rows.refill();
  }

  /** Allows a failed request to be sent again. */
  giveUp(request: WindowRequest): void {
    this.#cache.giveUp(request);
  }

  /** Keeps the active cell visible after the grid shrinks. */
  revealActive(): void {
    this.#measure();
    this.#revealColumn(this.#selection.active.column);
    this.#revealRow(this.#selection.active.row);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  /** Switches to a different set or order of rows. */
  #adopt(): void {
    const { columns, rowCount } = this.#source;
    this.#cache.reset({ rowCount, columnCount: columns.length });
    this.layout.reset(columns.length);
    this.#head.update(this.#source);
    this.#rows.reset();
    this.#shownPlaces = [];
    this.#resizeContent();
  }

  /** Redraws after a layout change; the active cell stays the same if possible. */
  relayout(): void {
    this.#shownPlaces = [];
    const { anchor, active } = this.#selection;
    const last = this.layout.count - 1;
    const inside = (position: Position) => ({ ...position, column: Math.min(position.column, last) });
    this.#selection = { anchor: inside(anchor), active: inside(active) };
    this.#resizeContent();
    this.#render();
  }

  #resizeContent(): void {
    const { rowCount, totalRows, hasSigns } = this.#source;
    // ARIA uses -1 for an unknown row count.
    this.element.setAttribute('aria-rowcount', String(totalRows === undefined ? -1 : totalRows + 1));
    const digits = String(Math.max(rowCount, 1)).length;
    this.#gutterWidth = Math.max(40, 18 + digits * 8 + (hasSigns ? signWidth : 0));
    this.#layer.style.setProperty('--gutter', `${this.#gutterWidth}px`);
    this.#scale.resize(rowCount * rowHeight, Math.max(0, this.#viewHeight - headerHeight));
    this.#content.style.height = `${this.#scale.scrollHeight + headerHeight}px`;
    this.#content.style.width = `${this.#gutterWidth + this.layout.width}px`;
    this.element.setAttribute('aria-colcount', String(this.layout.count + 1));
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === this.#viewWidth && clientHeight === this.#viewHeight) return;
    this.#viewWidth = clientWidth;
    this.#viewHeight = clientHeight;
    this.#layer.style.width = `${clientWidth}px`;
    this.#layer.style.height = `${clientHeight}px`;
    this.#resizeContent();
    this.#render();
  }

  #render(): void {
    if (this.#viewHeight === 0) return;
    const { rowCount } = this.#source;
    this.#top = this.#scale.topAt(this.element.scrollTop);
    const left = this.element.scrollLeft;
    const firstRow = Math.max(0, Math.floor(this.#top / rowHeight));
    const count = Math.max(
      0,
      Math.min(rowCount - firstRow, Math.ceil((this.#viewHeight - headerHeight) / rowHeight) + 1),
    );
    this.#renderColumns(left);
    this.#layer.style.setProperty('--left', `${-left}px`);
    this.#rows.show(firstRow, count);
    this.#rows.element.style.transform = `translateY(${firstRow * rowHeight - this.#top}px)`;
    if (count > 0) {
      this.#cache.want(
        { first: firstRow, last: firstRow + count - 1 },
        this.#shownPlaces.map((place) => this.layout.columnAt(place)),
      );
    }
    this.#paintSelection();
  }

  #renderColumns(left: number): void {
    const places = this.layout.visible(left, this.#viewWidth - this.#gutterWidth);
    const before = this.#shownPlaces;
    if (places.length === before.length && places.every((place, index) => place === before[index])) return;
    this.#shownPlaces = places;
    this.#head.place(places, this.layout);
    this.#rows.shape(places, this.layout.frozen);
  }

  #fill(row: RowView): void {
    for (const cell of row.cells) {
      const column = this.#source.columns[cell.column];
      const { value, before } = this.#cache.shown(row.index, cell.column);
      if (column !== undefined) cell.show(value, column, { before, match: this.#match });
    }
    row.setChange(this.#cache.change(row.index, row.cells[0]?.column ?? 0));
  }

  #paintSelection(): void {
    const activeCell = this.#rows.paint(this.#selection);
    const activeHeader = this.#head.paint(rectangleOf(this.#selection), this.#selection.active);
    const id = activeCell ?? activeHeader;
    if (id === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', id);
  }

  /**
   * @param shown the part of the active position to scroll into view; whole rows and columns keep the scroll position.
   */
  #select(selection: Selection, shown: 'cell' | 'row' | 'nothing' = 'cell'): void {
    this.#selection = selection;
    if (shown === 'cell') this.#revealColumn(selection.active.column);
    if (shown !== 'nothing') this.#revealRow(selection.active.row);
    this.#paintSelection();
    this.#events.changed();
  }

  #revealColumn(place: number): void {
    const space = this.#viewWidth - this.#gutterWidth;
    const left = this.layout.scrollLeftFor(place, this.element.scrollLeft, space);
    if (left !== undefined) this.element.scrollLeft = left;
  }

  #revealRow(row: number): void {
    const place = row * rowHeight;
    const height = this.#viewHeight - headerHeight;
    if (row >= 0 && place < this.#top) this.#scrollTo(place);
    else if (place + rowHeight > this.#top + height) this.#scrollTo(place + rowHeight - height);
    else this.#render();
  }

  #scrollTo(top: number): void {
    this.element.scrollTop = this.#scale.scrollTopFor(top);
    this.#render();
  }

  #keys(): KeyboardGrid {
    return {
      events: this.#events,
      layout: this.layout,
      selection: () => this.#selection,
      extent: () => ({
        rowCount: this.#source.rowCount,
        columnCount: this.layout.count,
        pageRows: Math.max(1, Math.floor((this.#viewHeight - headerHeight) / rowHeight) - 1),
      }),
      select: (selection, isWhole) => this.#select(selection, isWhole ? 'nothing' : 'cell'),
      openMenu: (place) => this.openMenu(place),
      moveColumn: (place, to) => this.moveColumn(place, to),
      setWidth: (place, width) => this.#setWidth(place, width),
    };
  }

  openMenu(place: number): void {
    this.#events.menu(place, this.boxOf(place));
  }

  /** Moves a column and, with it, the active cell. */
  moveColumn(place: number, to: number): void {
    if (to < 0 || to >= this.layout.count) return;
    this.layout.move(place, to);
    this.relayout();
    this.#select(selectOne({ row: this.#selection.active.row, column: to }));
  }

  /** Moves to a cell, as a key press would. */
  goTo(position: Position): void {
    this.#select(selectOne(position));
  }

  /** Marks the matches of a search in all rows; undefined marks none. */
  showMatches(match: TextMatch | undefined): void {
    this.#match = match;
    this.#rows.refill();
  }

  /** Returns the position of a place's header on the page, or of the grid if the header is not visible. */
  boxOf(place: number): DOMRect {
    this.#revealColumn(place);
    this.#render();
    return this.#head.boxOf(place) ?? this.element.getBoundingClientRect();
  }

  /** Returns the displayed text of a cell; undefined if not loaded. */
  textAt({ row, column }: Position): string | null | undefined {
    return this.#cache.cell(row, this.layout.columnAt(column));
  }

  #onPointer(event: PointerEvent): void {
    const position = this.#positionAt(event);
    if (position === undefined) return;
    if (event.button === 2 && !isInside(position, rectangleOf(this.#selection))) {
      // The context menu applies to the cell under the pointer, or to the selection around it.
      this.#select(selectOne(position));
    }
    if (event.button !== 0) return;
    const isRow = event.target instanceof Element && event.target.closest('.grid-gutter') !== null;
    const last = this.layout.count - 1;
    const extend = (to: Position, anchor: Position): Selection =>
      isRow
        ? { anchor: { row: anchor.row, column: 0 }, active: { row: to.row, column: last } }
        : { anchor, active: to };
    const anchor = event.shiftKey && this.#selection.anchor.row >= 0 ? this.#selection.anchor : position;
    const shown = isRow ? 'row' : 'cell';
    // The pressed cell is already visible. Scrolling would move a different cell under the second press of a double
    // click.
    this.#select(extend(position, anchor), 'nothing');
    dragSelect(this.element, event, {
      move: (at) => {
        const to = this.#nearestPosition(at);
        if (to !== undefined) this.#select(extend(to, anchor), shown);
      },
      scroll: (x, y) => {
        this.element.scrollLeft += x;
        this.#scrollTo(this.#top + y);
      },
    });
  }

  /** Opens a context menu that a key asked for at the active cell; the browser would choose the middle of the grid. */
  #onContextMenu(event: MouseEvent): void {
    // The grid itself has the focus; a pointer meets one of its parts or, beyond them, reports itself.
    const isByKey = event.isTrusted && event.target === this.element && event.button !== 2;
    if (!isByKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.revealActive();
    const { left, bottom } = this.#boxOfActive();
    this.element.dispatchEvent(
      new MouseEvent('contextmenu', {
        ...{ bubbles: true, cancelable: true, composed: true, view: window },
        ...{ clientX: left, clientY: bottom },
      }),
    );
  }

  #boxOfActive(): DOMRect {
    const id = this.element.getAttribute('aria-activedescendant');
    const found = id === null ? null : document.getElementById(id);
    return (found ?? this.element).getBoundingClientRect();
  }

  /** Returns the cell under the pointer; undefined in the header and beyond the last row or column. */
  #positionAt(event: MouseEvent): Position | undefined {
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    if (y < headerHeight || x >= this.#viewWidth || y >= this.#viewHeight) return undefined;
    const row = Math.floor((y - headerHeight + this.#top) / rowHeight);
    const place = x - this.#gutterWidth + this.element.scrollLeft;
    if (row >= this.#source.rowCount || (x >= this.#gutterWidth && place >= this.layout.width))
      return undefined;
    return this.#nearestPosition(event);
  }

  #nearestPosition(at: { readonly clientX: number; readonly clientY: number }): Position | undefined {
    const { rowCount, columns } = this.#source;
    if (rowCount === 0 || columns.length === 0) return undefined;
    const box = this.element.getBoundingClientRect();
    const y = Math.max(headerHeight, Math.min(this.#viewHeight - 1, at.clientY - box.top));
    const x = Math.max(this.#gutterWidth, Math.min(this.#viewWidth - 1, at.clientX - box.left));
    const row = Math.max(0, Math.min(rowCount - 1, Math.floor((y - headerHeight + this.#top) / rowHeight)));
    return { row, column: this.layout.placeAt(x - this.#gutterWidth, this.element.scrollLeft) };
  }

  #startResize(place: number, event: PointerEvent): void {
    resizeColumn(event, this.layout.widthOf(place), (width) => this.#setWidth(place, width));
  }

  #setWidth(place: number, width: number): void {
    this.layout.choose(this.layout.columnAt(place), width);
    this.relayout();
    this.#events.changed();
  }

  fitColumn(place: number): void {
    const column = this.layout.columnAt(place);
    this.#setWidth(place, this.#fittingWidth(column, textMeasure(this.element)));
  }

  fitAllColumns(): void {
    for (const column of this.layout.order) this.layout.choose(column, undefined);
    this.#fitAll();
    this.#events.changed();
  }

  /** Sets widths from the first rows. A key press may already have moved the active cell, which stays in view. */
  #fitFirst({ firstRow }: CellWindow): void {
    const { active } = this.#selection;
    const isInView = this.#shownPlaces.includes(active.column);
    this.#fitAll(firstRow);
    if (isInView) this.#revealColumn(active.column);
  }

  /**
   * Sets all widths from loaded rows; called automatically only once, so that columns do not move while the user reads.
   */
  #fitAll(firstRow = this.#rows.first): void {
    this.#isFitted = this.#source.rowCount > 0;
    const measure = textMeasure(this.element);
    this.layout.fit((column) => this.#fittingWidth(column, measure, firstRow));
    this.relayout();
  }

  #fittingWidth(column: number, measure: (text: string) => number, start = this.#rows.first): number {
    const firstRow = Math.max(0, start);
    const rows = range(firstRow, Math.min(firstRow + 100, this.#source.rowCount));
    const texts = rows.map((row) => this.#cache.widestText(row, column));
    return fitWidth(this.#source.columns[column], texts, measure);
  }
}
