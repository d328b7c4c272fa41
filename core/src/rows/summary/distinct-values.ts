/** Counts different values, up to where their number says no more than "many". */
import type { DistinctCount } from '../rows.ts';

/** More would take memory for a number that nobody uses. */
export const distinctMax = 200_000;

export class DistinctValues {
  readonly #values = new Set<string>();
  #isMore = false;

  add(text: string): void {
    if (this.#isMore) return;
    this.#values.add(text);
    if (this.#values.size <= distinctMax) return;
    this.#isMore = true;
    this.#values.clear();
  }

  get result(): DistinctCount {
    return { count: this.#isMore ? distinctMax : this.#values.size, isMore: this.#isMore };
  }
}
