/** Work that is done one after the other. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work after all that came before, however that ended. @throws what the work throws */
  add<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // the caller handles the error
    return done;
  }

  /** Resolves when all work so far has ended, however it ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
