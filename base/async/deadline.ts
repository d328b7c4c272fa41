/**
 * One time limit for the whole of a piece of work: every token, request, pause and retry of it gets the same signal, and
 * the clock stands while nothing is done. Measured with the monotonic clock, so that a changed wall clock neither ends
 * nor extends it.
 */

/** Thrown once the time has passed. */
export class TimeLimitError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`not finished within ${limitMs / 1_000} seconds`);
    this.name = 'TimeLimitError';
    this.limitMs = limitMs;
  }
}

export class Deadline {
  readonly limitMs: number;
  readonly #isEachTime: boolean;
  #passing = new AbortController();
  #leftMs: number;
  /** Starts the clock of the running work again. */
  #restart: () => void = () => undefined;

  /**
   * @param limitMs Infinity for no limit.
   * @param options.isEachTime whether each call of `within`, and each part of it, has the whole time, since a person
   *   waits and can stop.
   */
  constructor(limitMs: number, { isEachTime = false }: { readonly isEachTime?: boolean } = {}) {
    this.limitMs = limitMs;
    this.#isEachTime = isEachTime;
    this.#leftMs = limitMs;
  }

  /**
   * Does a part of the work while the clock runs. The signal aborts when the caller cancels or the time has passed.
   * @throws TimeLimitError if the time passed before the caller cancelled; the work's own errors.
   */
  async within<T>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isEachTime) this.#renew();
    const { signal: passing } = this.#passing;
    const signal = AbortSignal.any([cancelled, passing]);
    const started = performance.now();
    const start = () =>
      this.#leftMs === Infinity ? undefined : setTimeout(() => this.#pass(), this.#leftMs);
    let timer = start();
    this.#restart = () => {
      clearTimeout(timer);
      timer = start();
    };
    try {
      return await work(signal);
    } catch (error) {
      if (passing.aborted && signal.reason === passing.reason) throw new TimeLimitError(this.limitMs);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#restart = () => undefined;
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - started));
    }
  }

  /** The next part of the work begins. Changes nothing if the time is for the whole. */
  nextPart(): void {
    if (this.#isEachTime) this.#restart();
  }

  #pass(): void {
    this.#passing.abort(new DOMException('The time limit has passed', 'TimeoutError'));
  }

  #renew(): void {
    this.#leftMs = this.limitMs;
    if (this.#passing.signal.aborted) this.#passing = new AbortController();
  }
}
