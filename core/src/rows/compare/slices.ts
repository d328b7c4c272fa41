/** Splits long work into slices, so that shorter calls can run in between and the work can be cancelled. */
import type { Pause } from '../calls.ts';

/** Maximum time between pauses, in milliseconds. */
const sliceMs = 8;
/** Steps between clock checks. */
const stepsAtATime = 256;

export class Slices {
  readonly #pause: Pause;
  readonly #progress: (rows: number) => void;
  #steps = 0;
  #done = 0;
  #started = performance.now();

  constructor(pause: Pause, progress: (rows: number) => void = () => undefined) {
    this.#pause = pause;
    this.#progress = progress;
  }

  /** Counts one row, and returns whether `rest` is due. */
  isDue(): boolean {
    this.#done += 1;
    this.#steps += 1;
    if (this.#steps < stepsAtATime) return false;
    this.#steps = 0;
    return performance.now() - this.#started >= sliceMs;
  }

  /** Yields to other calls. Rejects if the call was stopped. */
  async rest(): Promise<void> {
    this.#progress(this.#done);
    await this.#pause();
    this.#started = performance.now();
  }
}
