/** The visible rows: a pool whose elements are reused while the grid scrolls. */
import { element } from '../ui/dom.ts';
import { type CellView, RowView } from './cells.ts';
import { headerRow, rectangleOf, type Selection } from './selection.ts';

export interface RowDrawing {
  readonly move: (cell: CellView, place: number) => void;
  readonly fill: (row: RowView) => void;
}

export class VisibleRows {
  readonly element = element('div', { class: 'grid-body', role: 'rowgroup' });
  readonly #drawing: RowDrawing;
  readonly #rows: RowView[] = [];
  #first = -1;
  #places: readonly number[] = [];
  #frozen = 0;

  constructor(drawing: RowDrawing) {
    this.#drawing = drawing;
  }

  /** Index of the first visible row; -1 before the first `show`. */
  get first(): number {
    return this.#first;
  }

  /** Forgets the position, so that the next `show` does not move row elements. */
  reset(): void {
    this.#first = -1;
  }

  /** @param places the visible columns' places, in document order; those below `frozen` do not scroll. */
  shape(places: readonly number[], frozen: number): void {
    this.#places = places;
    this.#frozen = frozen;
    for (const row of this.#rows) this.#shape(row);
  }

  show(first: number, count: number): void {
    this.#recycle(first, count);
    this.#first = first;
    this.#rows.forEach((row, index) => {
      const at = first + index;
      if (row.index === at) return;
      row.place(at);
      this.#fill(row);
    });
  }

  /** Rewrites the values of all rows. */
  refill(): void {
    for (const row of this.#rows) this.#fill(row);
  }

  /** @returns the ID of the active cell's element; undefined if it is not visible. */
  paint(selection: Selection): string | undefined {
    const { active } = selection;
    const isRange = selection.anchor.row !== headerRow && active.row !== headerRow;
    const area = rectangleOf(selection);
    let activeId: string | undefined;
    for (const row of this.#rows) {
      const isInRows = isRange && row.index >= area.firstRow && row.index <= area.lastRow;
      row.setSelected(isInRows);
      for (const cell of row.cells) {
        const isActive = row.index === active.row && cell.place === active.column;
        cell.setSelected(isInRows && cell.place >= area.firstColumn && cell.place <= area.lastColumn);
        cell.setActive(isActive);
        if (isActive) activeId = cell.element.id;
      }
    }
    return activeId;
  }

  /** Rows that scroll out at one end reappear at the other, so that document order matches reading order. */
  #recycle(first: number, count: number): void {
    while (this.#rows.length > count) this.#rows.pop()?.element.remove();
    while (this.#rows.length < count) {
      const row = new RowView();
      this.#rows.push(row);
      this.element.append(row.element);
      this.#shape(row);
    }
    const moved = first - this.#first;
    if (this.#first < 0 || moved === 0 || Math.abs(moved) >= count) return;
    if (moved > 0) {
      const leaving = this.#rows.splice(0, moved);
      for (const row of leaving) this.#rows.push(row);
      this.element.append(...leaving.map((row) => row.element));
    } else {
      const leaving = this.#rows.splice(count + moved, -moved);
      for (const row of leaving.toReversed()) this.#rows.unshift(row);
      this.element.prepend(...leaving.map((row) => row.element));
    }
  }

  #shape(row: RowView): void {
    row.shape(this.#places, this.#frozen, this.#drawing.move);
    this.#fill(row);
  }

  #fill(row: RowView): void {
    if (row.index >= 0) this.#drawing.fill(row);
  }
}
