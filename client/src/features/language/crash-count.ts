/** When a server has crashed too often to restart: the client library's own rule. */

const crashesMax = 5;
const withinMs = 3 * 60_000;

export class CrashCount {
  readonly #times: number[] = [];

  /** Counts a crash; returns whether it is one too many. */
  isTooMany(nowMs: number): boolean {
    this.#times.push(nowMs);
    if (this.#times.length < crashesMax) return false;
    return nowMs - (this.#times.shift() ?? nowMs) <= withinMs;
  }
}
