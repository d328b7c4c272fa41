/** Signals of questions of which only the newest matters: asking the next one stops the one before. */
export class Latest {
  #controller: AbortController | undefined;

  next(): AbortSignal {
    this.stop();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  stop(): void {
    this.#controller?.abort();
  }
}
