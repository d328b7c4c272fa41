/** Waits for a page to say that it is there; tells once when it does not. It may still come later. */
import type { DisposableLike } from '../../util/disposables.ts';

export class Handshake implements DisposableLike {
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number, stuck: () => void) {
    this.#timer = setTimeout(stuck, limitMs);
  }

  arrived(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
