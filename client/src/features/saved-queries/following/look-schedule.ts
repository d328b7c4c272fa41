/** When something may be looked at again without being asked: seldom, and once for several reasons at a time. */
export class LookSchedule {
  readonly #everyMs: number;
  readonly #now: () => number;
  readonly #lookedAt = new Map<string, number>();

  /** @param now milliseconds of a clock that does not jump. */
  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Whether to look now; if so, the look counts from now. */
  take(key: string): boolean {
    const last = this.#lookedAt.get(key);
    if (last !== undefined && this.#now() - last < this.#everyMs) return false;
    this.#lookedAt.set(key, this.#now());
    return true;
  }
}
