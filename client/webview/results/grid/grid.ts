/**
 * The grid of a result: one layer of the size of the view that stays in place while an empty element scrolls under it,
 * and just as many rows and cells as show. Positions go through the CSS object model, which a strict content policy
 * allows. It knows neither the host nor what the rows are of.
 */
import type { CellWindow, SortKey } from '../../../src/features/results/data/rows.ts';
import type { ShownColumn } from '../../../src/features/results/messages.ts';
import { element } from '../dom.ts';
import { BlockCache, type BlockRequest } from './block-cache.ts';
import { type CellView, RowView } from './cells.ts';
import { fitWidth, textMeasure } from './column-widths.ts';
import { dragSelect, resizeColumn } from './dragging.ts';
import {
  columnsBetween,
  columnWidthMax,
  columnWidthMin,
  headerHeight,
  offsetsOf,
  rowHeight,
  ScrollScale,
} from './geometry.ts';
import { HeaderRow } from './header-row.ts';
import {
  afterKey,
  headerRow,
  isInside,
  rectangleOf,
  selectOne,
  type Position,
  type Selection,
} from './selection.ts';

export interface GridSource {
  readonly columns: readonly ShownColumn[];
  /** Rows that can be shown. */
  readonly rowCount: number;
  /** All rows of the result; undefined when nobody knows. */
  readonly totalRows: number | undefined;
  /** Another number means other rows in the same places. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
}

export interface GridLook {
  readonly widths: Readonly<Record<number, number>>;
  readonly top: number;
  readonly left: number;
  readonly selection: Selection | undefined;
}

export interface GridEvents {
  readonly ask: (request: BlockRequest) => void;
  /** A header was chosen; `isAdded` when the order so far is to be refined. */
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly copy: (withHeaders: boolean) => void;
  readonly peek: () => void;
  /** Escape with nothing left to undo in the grid. */
  readonly leave: () => void;
  /** Selection, widths or scroll position changed. */
  readonly changed: () => void;
}

export class ResultGrid {
  readonly element: HTMLElement;
  readonly #events: GridEvents;
  readonly #content = element('div', { class: 'grid-content', role: 'presentation' });
  readonly #layer = element('div', { class: 'grid-layer', role: 'presentation' });
  readonly #head: HeaderRow;
  readonly #body = element('div', { class: 'grid-body', role: 'rowgroup' });
  readonly #rows: RowView[] = [];
  readonly #scale = new ScrollScale();
  readonly #cache: BlockCache;
  readonly #observer: ResizeObserver;
  #source: GridSource;
  /** Widths a person chose, by column. */
  #chosenWidths = new Map<number, number>();
  #widths: number[] = [];
  #offsets: number[] = [0];
  #isFitted = false;
  #gutterWidth = 48;
  #viewWidth = 0;
  #viewHeight = 0;
  #top = 0;
  #firstRow = -1;
  #shownColumns: readonly number[] = [];
  #selection: Selection = selectOne({ row: 0, column: 0 });

  constructor(label: string, source: GridSource, events: GridEvents) {
    this.#source = source;
    this.#events = events;
    this.#cache = new BlockCache(events.ask);
    this.#head = new HeaderRow({
      sortBy: events.sortBy,
      resize: (column, event) => this.#startResize(column, event),
      fit: (column) => this.#fitColumn(column),
      activate: (column) => this.#select(selectOne({ row: headerRow, column })),
    });
    this.element = element(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabIndex: 0,
        aria: { label, multiselectable: 'true', readonly: 'true' },
        on: {
          keydown: (event) => this.#onKey(event),
          pointerdown: (event) => this.#onPointer(event),
          dblclick: (event) => {
            if (this.#positionAt(event) !== undefined) events.peek();
          },
          focus: () => this.#paintSelection(),
        },
      },
      this.#content,
    );
    this.#content.append(this.#layer);
    this.#layer.append(this.#head.element, this.#body);
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
      widths: Object.fromEntries(this.#chosenWidths),
      top: this.#top,
      left: this.element.scrollLeft,
      selection: this.#selection,
    };
  }

  /** Takes up where a person left; call it once the element is in the document. */
  restore(look: GridLook): void {
    this.#chosenWidths = new Map(
      Object.entries(look.widths).map(([column, width]) => [Number(column), width]),
    );
    this.#layOut();
    this.#measure();
    if (this.#source.rowCount === 0) this.#fitAll();
    else if (look.selection !== undefined) this.#selection = look.selection;
    this.element.scrollLeft = look.left;
    this.#scrollTo(look.top);
  }

  update(source: GridSource): void {
    const before = this.#source;
    this.#source = source;
    if (source.generation !== before.generation || source.columns.length !== before.columns.length)
      this.#adopt();
    else this.#cache.grow(source.rowCount);
    this.#head.update(source.columns, source.sort);
    this.#resizeContent();
    this.#render();
  }

  put(window: CellWindow): void {
    this.#cache.put(window);
    if (!this.#isFitted) this.#fitAll();
    for (const row of this.#rows) this.#fill(row);
  }

  /** Brings the active cell back into view after the grid became smaller. */
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

  /** Another set or order of rows. */
  #adopt(): void {
    const { columns, rowCount, sort } = this.#source;
    this.#cache.reset({ rowCount, columnCount: columns.length });
    this.#head.update(columns, sort);
    this.element.setAttribute('aria-colcount', String(columns.length + 1));
    this.#firstRow = -1;
    this.#layOut();
    this.#resizeContent();
  }

  #layOut(): void {
    const before = this.#widths;
    this.#widths = this.#source.columns.map(
      (_, column) => this.#chosenWidths.get(column) ?? before[column] ?? 120,
    );
    this.#offsets = offsetsOf(this.#widths);
    this.#shownColumns = [];
  }

  #resizeContent(): void {
    const { rowCount, totalRows } = this.#source;
    // -1 is ARIA's word for a number of rows that is not known.
    this.element.setAttribute('aria-rowcount', String(totalRows === undefined ? -1 : totalRows + 1));
    const digits = String(Math.max(rowCount, 1)).length;
    this.#gutterWidth = Math.max(40, 18 + digits * 8);
    this.#layer.style.setProperty('--gutter', `${this.#gutterWidth}px`);
    this.#scale.resize(rowCount * rowHeight, Math.max(0, this.#viewHeight - headerHeight));
    this.#content.style.height = `${this.#scale.scrollHeight + headerHeight}px`;
    this.#content.style.width = `${this.#gutterWidth + (this.#offsets.at(-1) ?? 0)}px`;
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
    this.#recycle(firstRow, count);
    this.#firstRow = firstRow;
    this.#rows.forEach((row, index) => {
      const at = firstRow + index;
      if (row.index !== at) {
        row.place(at);
        this.#fill(row);
      }
    });
    this.#body.style.transform = `translateY(${firstRow * rowHeight - this.#top}px)`;
    if (count > 0) this.#cache.want({ first: firstRow, last: firstRow + count - 1 }, this.#shownColumns);
    this.#paintSelection();
  }

  #renderColumns(left: number): void {
    const { first, last } = columnsBetween(this.#offsets, left, left + this.#viewWidth - this.#gutterWidth);
    if (this.#shownColumns[0] === first && this.#shownColumns.at(-1) === last) return;
    this.#shownColumns = this.#source.columns.map((_, column) => column).slice(first, last + 1);
    this.#head.place(this.#shownColumns, this.#offsets);
    for (const row of this.#rows) this.#shape(row);
  }

  /** Rows that leave at one end come back at the other, so the order in the document stays the reading order. */
  #recycle(firstRow: number, count: number): void {
    while (this.#rows.length > count) this.#rows.pop()?.element.remove();
    while (this.#rows.length < count) {
      const row = new RowView();
      this.#rows.push(row);
      this.#body.append(row.element);
      this.#shape(row);
    }
    const moved = firstRow - this.#firstRow;
    if (this.#firstRow < 0 || moved === 0 || Math.abs(moved) >= count) return;
    if (moved > 0) {
      const leaving = this.#rows.splice(0, moved);
      this.#rows.push(...leaving);
      this.#body.append(...leaving.map((row) => row.element));
    } else {
      const leaving = this.#rows.splice(count + moved, -moved);
      this.#rows.unshift(...leaving);
      this.#body.prepend(...leaving.map((row) => row.element));
    }
  }

  #shape(row: RowView): void {
    row.shape(this.#shownColumns, (cell, column) => {
      cell.place(column, this.#offsets[column] ?? 0, this.#widths[column] ?? 0);
    });
    this.#fill(row);
  }

  #fill(row: RowView): void {
    if (row.index < 0) return;
    for (const cell of row.cells) {
      const column = this.#source.columns[cell.column];
      if (column !== undefined) cell.show(this.#cache.cell(row.index, cell.column), column.kind);
    }
  }

  #paintSelection(): void {
    const { active } = this.#selection;
    const isRange = this.#selection.anchor.row !== headerRow && active.row !== headerRow;
    const area = rectangleOf(this.#selection);
    let activeCell: CellView | undefined;
    for (const row of this.#rows) {
      const isInRows = isRange && row.index >= area.firstRow && row.index <= area.lastRow;
      row.setSelected(isInRows);
      for (const cell of row.cells) {
        const isActive = row.index === active.row && cell.column === active.column;
        cell.setSelected(isInRows && cell.column >= area.firstColumn && cell.column <= area.lastColumn);
        cell.setActive(isActive);
        if (isActive) activeCell = cell;
      }
    }
    const activeHeader = this.#head.paint(area, active);
    const id = activeCell?.element.id ?? activeHeader;
    if (id === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', id);
  }

  /** @param shown what of the moved corner is brought into view: whole rows and columns are selected where one is. */
  #select(selection: Selection, shown: 'cell' | 'row' | 'nothing' = 'cell'): void {
    this.#selection = selection;
    if (shown === 'cell') this.#revealColumn(selection.active.column);
    if (shown !== 'nothing') this.#revealRow(selection.active.row);
    this.#paintSelection();
    this.#events.changed();
  }

  #revealColumn(column: number): void {
    const left = this.#offsets[column] ?? 0;
    const right = this.#offsets[column + 1] ?? left;
    const space = this.#viewWidth - this.#gutterWidth;
    const { scrollLeft } = this.element;
    if (left < scrollLeft || right - left > space) this.element.scrollLeft = left;
    else if (right > scrollLeft + space) this.element.scrollLeft = right - space;
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

  #onKey(event: KeyboardEvent): void {
    const mod = event.ctrlKey || event.metaKey;
    if (event.altKey) {
      if (!this.#onHeaderResizeKey(event)) return;
    } else if (event.key === 'Escape') {
      const { anchor, active } = this.#selection;
      if (anchor.row === active.row && anchor.column === active.column) this.#events.leave();
      else this.#select(selectOne(active));
    } else if (mod && event.shiftKey && event.key.toLowerCase() === 'c') {
      this.#events.copy(true);
    } else if (event.key === 'Enter' || (event.key === ' ' && !mod && !event.shiftKey)) {
      if (this.#selection.active.row === headerRow)
        this.#events.sortBy(this.#selection.active.column, event.shiftKey);
      else this.#events.peek();
    } else {
      const next = afterKey(
        this.#selection,
        { key: event.key, mod, shift: event.shiftKey },
        {
          rowCount: this.#source.rowCount,
          columnCount: this.#source.columns.length,
          pageRows: Math.max(1, Math.floor((this.#viewHeight - headerHeight) / rowHeight) - 1),
        },
      );
      if (next === undefined) return;
      const isWhole = event.key === ' ' || (mod && event.key.toLowerCase() === 'a');
      this.#select(next, isWhole ? 'nothing' : 'cell');
    }
    // Handled: neither the browser nor the editor's own shortcuts get it.
    event.preventDefault();
    event.stopPropagation();
  }

  /** Alt and left or right on a column header changes its width. */
  #onHeaderResizeKey(event: KeyboardEvent): boolean {
    const step = event.key === 'ArrowLeft' ? -16 : event.key === 'ArrowRight' ? 16 : 0;
    const { active } = this.#selection;
    if (step === 0 || active.row !== headerRow) return false;
    this.#setWidth(active.column, (this.#widths[active.column] ?? 0) + step);
    return true;
  }

  #onPointer(event: PointerEvent): void {
    const position = this.#positionAt(event);
    if (position === undefined) return;
    if (event.button === 2 && !isInside(position, rectangleOf(this.#selection))) {
      // The context menu is about the cell under the pointer, unless that is part of what is selected.
      this.#select(selectOne(position));
    }
    if (event.button !== 0) return;
    const isRow = event.target instanceof Element && event.target.closest('.grid-gutter') !== null;
    const last = this.#source.columns.length - 1;
    const extend = (to: Position, anchor: Position): Selection =>
      isRow
        ? { anchor: { row: anchor.row, column: 0 }, active: { row: to.row, column: last } }
        : { anchor, active: to };
    const anchor = event.shiftKey && this.#selection.anchor.row >= 0 ? this.#selection.anchor : position;
    const shown = isRow ? 'row' : 'cell';
    // What was pressed is in sight. Scrolling it wholly into view would put another cell under the second press of a
    // double click.
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

  /** The cell under the pointer; undefined in the header and beyond the last row or column. */
  #positionAt(event: MouseEvent): Position | undefined {
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    if (y < headerHeight || x >= this.#viewWidth || y >= this.#viewHeight) return undefined;
    const row = Math.floor((y - headerHeight + this.#top) / rowHeight);
    const place = x - this.#gutterWidth + this.element.scrollLeft;
    if (row >= this.#source.rowCount || (x >= this.#gutterWidth && place >= (this.#offsets.at(-1) ?? 0)))
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
    const place = x - this.#gutterWidth + this.element.scrollLeft;
    return { row, column: columnsBetween(this.#offsets, place, place).first };
  }

  #startResize(column: number, event: PointerEvent): void {
    resizeColumn(event, this.#widths[column] ?? 0, (width) => this.#setWidth(column, width));
  }

  #setWidth(column: number, width: number): void {
    const chosen = Math.round(Math.max(columnWidthMin, Math.min(columnWidthMax, width)));
    this.#chosenWidths.set(column, chosen);
    this.#layOut();
    this.#resizeContent();
    this.#render();
    this.#events.changed();
  }

  #fitColumn(column: number): void {
    this.#setWidth(column, this.#fittingWidth(column, textMeasure(this.element)));
  }

  /** Widths from the first rows; only once, so that columns do not move under the reader. */
  #fitAll(): void {
    this.#isFitted = true;
    const measure = textMeasure(this.element);
    this.#widths = this.#source.columns.map(
      (_, column) => this.#chosenWidths.get(column) ?? this.#fittingWidth(column, measure),
    );
    this.#layOut();
    this.#resizeContent();
    this.#render();
  }

  #fittingWidth(column: number, measure: (text: string) => number): number {
    const shown = this.#source.columns[column];
    if (shown === undefined) return columnWidthMin;
    const firstRow = Math.max(0, this.#firstRow);
    const texts: string[] = [];
    for (let row = firstRow; row < Math.min(firstRow + 100, this.#source.rowCount); row += 1) {
      texts.push(this.#cache.cell(row, column) ?? '');
    }
    return fitWidth(shown, texts, measure);
  }
}
