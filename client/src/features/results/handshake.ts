/** Waits for a page to say that it is there; tells when it does not. It may still come later. */
import type { DisposableLike } from '../../../../core/src/util/disposables.ts';

export class Handshake implements DisposableLike {
  readonly #limitMs: number;
  readonly #stuck: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, stuck: () => void) {
    this.#limitMs = limitMs;
    this.#stuck = stuck;
  }

  /** The page is being shown: it starts anew each time. */
  begin(): void {
    this.end();
    this.#timer = setTimeout(this.#stuck, this.#limitMs);
  }

  /** The page arrived, or nobody looks at it any more: the editor takes down what is hidden. */
  end(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    this.end();
  }
}
