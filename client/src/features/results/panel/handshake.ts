/** Waits for a page to report that it has loaded, and reports a timeout. The page may still load later. */
import type { DisposableLike } from '#base/disposables.ts';

export class Handshake implements DisposableLike {
  readonly #limitMs: number;
  readonly #stuck: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, stuck: () => void) {
    this.#limitMs = limitMs;
    this.#stuck = stuck;
  }

  /** Called when the page is shown; it loads again each time. */
  begin(): void {
    this.end();
    this.#timer = setTimeout(this.#stuck, this.#limitMs);
  }

  /** Called when the page has loaded or is hidden; the editor unloads hidden pages. */
  end(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    this.end();
  }
}
