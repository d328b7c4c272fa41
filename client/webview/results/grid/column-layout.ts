/**
 * The order, widths and freezing of visible columns. A *place* is a 0-based index among the visible columns, a *column*
 * an index in the result. Pure arithmetic.
 */
import { columnsBetween, columnWidthMax, columnWidthMin, offsetsOf } from './geometry.ts';

/** The stored part of a layout. */
export interface LayoutMemory {
  /** Columns by place; missing columns are hidden. */
  readonly order: readonly number[];
  /** Number of frozen places. */
  readonly frozen: number;
  /** Widths set by the user, by column. */
  readonly widths: Readonly<Record<number, number>>;
}

const widthUnknown = 120;

export class ColumnLayout {
  #columnCount = 0;
  #order: readonly number[] = [];
  #frozen = 0;
  #chosen = new Map<number, number>();
  readonly #fitted = new Map<number, number>();
  #offsets: readonly number[] = [0];

  get order(): readonly number[] {
    return this.#order;
  }

  get frozen(): number {
    return this.#frozen;
  }

  get count(): number {
    return this.#order.length;
  }

  get hidden(): readonly number[] {
    return range(0, this.#columnCount).filter((column) => !this.#order.includes(column));
  }

  get width(): number {
    return this.#offsets.at(-1) ?? 0;
  }

  get frozenWidth(): number {
    return this.#offsets[this.#frozen] ?? 0;
  }

  get memory(): LayoutMemory {
    return { order: this.#order, frozen: this.#frozen, widths: Object.fromEntries(this.#chosen) };
  }

  /** Columns from a later page are appended; any other set of columns resets the layout. */
  reset(columnCount: number): void {
    if (columnCount === this.#columnCount) return;
    if (columnCount > this.#columnCount && this.#columnCount > 0) {
      this.#order = [...this.#order, ...range(this.#columnCount, columnCount)];
      this.#columnCount = columnCount;
      this.#measure();
      return;
    }
    this.#columnCount = columnCount;
    this.#order = range(0, columnCount);
    this.#frozen = 0;
    this.#chosen.clear();
    this.#fitted.clear();
    this.#measure();
  }

  restore({ order, frozen, widths }: LayoutMemory): void {
    this.#chosen = new Map(Object.entries(widths).map(([column, width]) => [Number(column), width]));
    this.arrange(order, frozen);
  }

  /** Shows these columns, in this order; at least one column stays visible. */
  arrange(order: readonly number[], frozen = this.#frozen): void {
    const known = [...new Set(order)].filter((column) => column >= 0 && column < this.#columnCount);
    if (known.length > 0) this.#order = known;
    this.#frozen = Math.max(0, Math.min(frozen, this.#order.length));
    this.#measure();
  }

  columnAt(place: number): number {
    return this.#order[place] ?? -1;
  }

  placeOf(column: number): number {
    return this.#order.indexOf(column);
  }

  hide(place: number): void {
    if (this.#order.length < 2) return;
    this.arrange(
      this.#order.filter((_, index) => index !== place),
      place < this.#frozen ? this.#frozen - 1 : this.#frozen,
    );
  }

  /** Moves a column; `to` is its new place. */
  move(place: number, to: number): void {
    const column = this.#order[place];
    if (column === undefined) return;
    const others = this.#order.filter((_, index) => index !== place);
    others.splice(Math.max(0, Math.min(to, others.length)), 0, column);
    this.arrange(others);
  }

  widthOf(place: number): number {
    return (this.#offsets[place + 1] ?? 0) - (this.#offsets[place] ?? 0);
  }

  leftOf(place: number): number {
    return this.#offsets[place] ?? 0;
  }

  /** Sets a column's width as chosen by the user; undefined resets it. */
  choose(column: number, width: number | undefined): void {
    if (width === undefined) this.#chosen.delete(column);
    else this.#chosen.set(column, Math.round(Math.max(columnWidthMin, Math.min(columnWidthMax, width))));
    this.#measure();
  }

  fit(widthOf: (column: number) => number): void {
    for (const column of range(0, this.#columnCount)) this.#fitted.set(column, widthOf(column));
    this.#measure();
  }

  #measure(): void {
    this.#offsets = offsetsOf(
      this.#order.map((column) => this.#chosen.get(column) ?? this.#fitted.get(column) ?? widthUnknown),
    );
  }

  /** Returns the visible places, frozen ones first. */
  visible(scrollLeft: number, viewWidth: number): readonly number[] {
    const stay = range(0, this.#frozen);
    if (this.#frozen >= this.count) return stay;
    const { first, last } = columnsBetween(
      this.#offsets,
      scrollLeft + this.frozenWidth,
      Math.max(scrollLeft + viewWidth, scrollLeft + this.frozenWidth + 1),
    );
    return [...stay, ...range(Math.max(first, this.#frozen), last + 1)];
  }

  /**
   * Returns the place at `x`, measured from the left edge of the first column; outside the columns, the nearest place.
   */
  placeAt(x: number, scrollLeft: number): number {
    const at = x < this.frozenWidth ? x : x + scrollLeft;
    return columnsBetween(this.#offsets, at, at).first;
  }

  /** Returns the scroll offset that reveals a place; undefined if the place is visible. */
  scrollLeftFor(place: number, scrollLeft: number, viewWidth: number): number | undefined {
    // Revealing the first column always scrolls to the start.
    if (place === 0) return scrollLeft === 0 ? undefined : 0;
    if (place < this.#frozen) return undefined;
    const left = this.leftOf(place);
    const right = left + this.widthOf(place);
    const space = viewWidth - this.frozenWidth;
    if (left - this.frozenWidth < scrollLeft || right - left > space) return left - this.frozenWidth;
    return right > scrollLeft + viewWidth ? right - viewWidth : undefined;
  }
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
