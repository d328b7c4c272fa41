/** The number of each bar, combined from those of its rows. */
import type { Combination } from '../rows.ts';

export class CombinedNumbers<Key> {
  readonly #how: Combination;
  readonly #numbers = new Map<Key, number>();
  /** How many numbers an average has; empty for anything else. */
  readonly #counts = new Map<Key, number>();

  constructor(how: Combination = 'sum') {
    this.#how = how;
  }

  get size(): number {
    return this.#numbers.size;
  }

  add(key: Key, value: number): void {
    const before = this.#numbers.get(key);
    this.#numbers.set(key, before === undefined ? value : this.#both(before, value));
    if (this.#how === 'average') this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  largestFirst(): (readonly [Key, number])[] {
    const all = [...this.#numbers].map(
      ([key, number]) => [key, number / (this.#counts.get(key) ?? 1)] as const,
    );
    return all.sort((a, b) => b[1] - a[1]);
  }

  #both(one: number, other: number): number {
    switch (this.#how) {
      case 'sum':
      case 'average':
        return one + other;
      case 'least':
        return Math.min(one, other);
      case 'greatest':
        return Math.max(one, other);
      default:
        return this.#how satisfies never;
    }
  }
}
