/** Where rows and columns are. Browsers limit the height of an element, so long results scroll on a scale. */

/** What a sign in front of a row's number takes. */
export const signWidth = 18;
export const rowHeight = 24;
export const headerHeight = 28;
export const columnWidthMin = 48;
export const columnWidthMax = 1_200;

/** Half of what browsers take (33.5 million pixels in Chromium, 17.8 in Firefox). */
const heightMax = 15_000_000;

/** Left edges of columns; entry `n` of n columns is the whole width. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push((offsets.at(-1) ?? 0) + width);
  return offsets;
}

/** First and last column that show between two places, both included; one more on each side is not needed. */
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
 * Translates between the scroll bar and the content. As long as the content fits the browser's limit they are the same.
 * Beyond it the bar is a scale: small movements go pixel by pixel from where one is, large ones jump by the scale.
 */
export class ScrollScale {
  #contentHeight = 0;
  #viewHeight = 0;
  #lastScrollTop = 0;
  #top = 0;

  /** Heights of the rows and of the place they show in, in pixels. */
  resize(contentHeight: number, viewHeight: number): void {
    this.#contentHeight = contentHeight;
    this.#viewHeight = viewHeight;
  }

  /** How high the scrolled element is made. */
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

  /** The pixel of the content at the top, after the bar was moved to `scrollTop`. */
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

  /** Where the bar must be for `top` to be at the top; `topAt` of the same value then answers `top`. */
  scrollTopFor(top: number): number {
    const wanted = Math.max(0, Math.min(this.#maxTop, top));
    this.#top = wanted;
    this.#lastScrollTop = this.isScaled
      ? Math.round(wanted * (this.#maxScrollTop / Math.max(1, this.#maxTop)))
      : wanted;
    // The ends of the bar mean the ends of the content: what lies between must not touch them.
    if (this.isScaled && wanted > 0 && wanted < this.#maxTop) {
      this.#lastScrollTop = Math.max(1, Math.min(this.#maxScrollTop - 2, this.#lastScrollTop));
    }
    return this.#lastScrollTop;
  }
}
