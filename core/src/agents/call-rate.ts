/** How many calls a minute an agent has left. */

const minuteMs = 60_000;

export class CallRate {
  readonly #now: () => number;
  #calls: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Undefined: taken. Else the milliseconds until the next one may come. */
  take(callsPerMinute: number): number | undefined {
    const now = this.#now();
    this.#calls = this.#calls.filter((at) => now - at < minuteMs);
    const [oldest] = this.#calls.slice(-callsPerMinute);
    if (this.#calls.length >= callsPerMinute && oldest !== undefined) return minuteMs - (now - oldest);
    this.#calls.push(now);
    return undefined;
  }
}
