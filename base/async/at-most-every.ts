/** Limits how often something may run. */
export class AtMostEvery {
  readonly #everyMs: number;
  readonly #now: () => number;
  #last: number | undefined;

  /** @param now a monotonic clock in milliseconds. */
  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Returns whether to run now. If so, the interval starts again. */
  take(): boolean {
    if (this.#last !== undefined && this.#now() - this.#last < this.#everyMs) return false;
    this.#last = this.#now();
    return true;
  }
}
