/** Decides when a server has crashed too often to be restarted, using the client library's rule. */

const crashesMax = 5;
const withinMs = 3 * 60_000;

export class CrashCount {
  readonly #times: number[] = [];

  /** Records a crash and returns whether there have been too many. */
  isTooMany(nowMs: number): boolean {
    this.#times.push(nowMs);
    if (this.#times.length < crashesMax) return false;
    return nowMs - (this.#times.shift() ?? nowMs) <= withinMs;
  }
}
