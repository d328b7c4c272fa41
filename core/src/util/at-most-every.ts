/** Lets something be done without being asked for: seldom, and once for several reasons at a time. */
export class AtMostEvery {
  readonly #everyMs: number;
  readonly #now: () => number;
  #last: number | undefined;

  /** @param now milliseconds of a clock that does not jump. */
  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Whether to do it now; if so, it counts from now. */
  take(): boolean {
    if (this.#last !== undefined && this.#now() - this.#last < this.#everyMs) return false;
    this.#last = this.#now();
    return true;
  }
}
