/**
 * One time limit for the whole of a piece of work: every request, pause and retry of it gets the same signal. Measured
 * with the monotonic clock, so that a changed wall clock neither ends nor extends it.
 */
export class Deadline {
  /** Aborts when the caller cancels or the time has passed. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly #passing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #since = 0;

  /** @param limitMs Infinity for no limit. */
  constructor(limitMs: number, cancelled: AbortSignal) {
    this.limitMs = limitMs;
    this.signal = AbortSignal.any([cancelled, this.#passing.signal]);
    this.#leftMs = limitMs;
    this.resume();
  }

  /** Whether the time passed before the caller cancelled. */
  get hasPassed(): boolean {
    return this.#passing.signal.aborted && this.signal.reason === this.#passing.signal.reason;
  }

  /** Stops the clock while the work waits for other work. */
  pause(): void {
    if (this.#timer === undefined) return;
    this.#leftMs -= performance.now() - this.#since;
    this.end();
  }

  /** Lets the time pass again. */
  resume(): void {
    if (this.#leftMs === Infinity || this.#timer !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#passing.abort(new DOMException('The time limit has passed', 'TimeoutError'));
      },
      Math.max(0, this.#leftMs),
    );
  }

  /** Called once the work is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
