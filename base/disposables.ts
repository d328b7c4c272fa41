/** Ownership of disposables: the code that creates a disposable also disposes it. */

export interface DisposableLike {
  dispose(): unknown;
}

/**
 * Disposes its items in reverse order. If some throw, the others are still disposed, and an AggregateError is thrown at
 * the end. Items added after disposal are disposed immediately.
 */
export class DisposableStore {
  readonly #items: DisposableLike[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends DisposableLike>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    const errors: unknown[] = [];
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Disposing failed');
  }
}
