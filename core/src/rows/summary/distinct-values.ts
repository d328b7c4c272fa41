/** Counts distinct values up to a limit. */
import type { DistinctCount } from '../rows.ts';

/** A higher limit would cost memory for no benefit. */
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
