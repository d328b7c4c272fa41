/** Positions of rows and columns. Browsers limit element heights, so scroll positions in long results are scaled. */

/** Width of a mark before the row number. */
export const signWidth = 18;
export const rowHeight = 24;
export const headerHeight = 28;
export const columnWidthMin = 48;
export const columnWidthMax = 1_200;

/** Below the browsers' limits (33.5 million pixels in Chromium, 17.8 million in Firefox). */
const heightMax = 15_000_000;

/** Returns the left edges of the columns, followed by the total width. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push((offsets.at(-1) ?? 0) + width);
  return offsets;
}

/** Returns the first and last column visible between two offsets, inclusive, without overscan. */
export function columnsBetween(
  offsets: readonly number[],
  left: number,
  right: number,
): { readonly first: number; readonly last: number } {
  const count = offsets.length - 1;
  let first = 0;
  while (first < count - 1 && (offsets[first + 1] ?? 0) <= left) first += 1;
  let last = first;
  while (last < count - 1 && (offsets[last + 1] ?? 0) < right) last += 1;
  return { first, last };
}

/**
 * Maps scroll bar positions to content offsets. The two are equal while the content fits the browser's limit. Beyond
 * it, positions are scaled: small movements are pixel-exact, large ones jump.
 */
export class ScrollScale {
  #contentHeight = 0;
  #viewHeight = 0;
  #lastScrollTop = 0;
  #top = 0;

  /** Sets the heights of all rows and of the viewport, in pixels. */
  resize(contentHeight: number, viewHeight: number): void {
    this.#contentHeight = contentHeight;
    this.#viewHeight = viewHeight;
  }

  /** Height of the scrolled element, in pixels. */
  get scrollHeight(): number {
    return Math.min(this.#contentHeight, heightMax);
  }

  get isScaled(): boolean {
    return this.#contentHeight > heightMax;
  }

  get #maxTop(): number {
    return Math.max(0, this.#contentHeight - this.#viewHeight);
  }

  get #maxScrollTop(): number {
    return Math.max(0, this.scrollHeight - this.#viewHeight);
  }

  /** Returns the content offset after the bar moved to `scrollTop`. */
  topAt(scrollTop: number): number {
    if (!this.isScaled) {
      this.#top = Math.min(scrollTop, this.#maxTop);
    } else if (scrollTop <= 0) {
      this.#top = 0;
    } else if (scrollTop >= this.#maxScrollTop - 1) {
      this.#top = this.#maxTop;
    } else {
      const moved = scrollTop - this.#lastScrollTop;
      const isSmall = Math.abs(moved) < this.#viewHeight * 4;
      const target = isSmall ? this.#top + moved : scrollTop * (this.#maxTop / this.#maxScrollTop);
      this.#top = Math.max(0, Math.min(this.#maxTop, target));
    }
    this.#lastScrollTop = scrollTop;
    return this.#top;
  }

  /** Returns the bar position for the content offset `top`; the inverse of `topAt`. */
  scrollTopFor(top: number): number {
    const wanted = Math.max(0, Math.min(this.#maxTop, top));
    this.#top = wanted;
    this.#lastScrollTop = this.isScaled
      ? Math.round(wanted * (this.#maxScrollTop / Math.max(1, this.#maxTop)))
      : wanted;
    // The ends of the bar are reserved for the ends of the content.
    if (this.isScaled && wanted > 0 && wanted < this.#maxTop)
      this.#lastScrollTop = Math.max(1, Math.min(this.#maxScrollTop - 2, this.#lastScrollTop));
    return this.#lastScrollTop;
  }
}
