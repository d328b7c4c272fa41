/** Limits how often something runs unprompted, and combines several reasons. */
export class AtMostEvery {
  readonly #everyMs: number;
  readonly #now: () => number;
  #last: number | undefined;

  /** @param now milliseconds of a monotonic clock. */
  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Whether to run now; if so, the interval starts now. */
  take(): boolean {
    if (this.#last !== undefined && this.#now() - this.#last < this.#everyMs) return false;
    this.#last = this.#now();
    return true;
  }
}
