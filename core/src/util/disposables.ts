/** Owning things that must be disposed. Whoever creates, disposes. */

export interface DisposableLike {
  dispose(): unknown;
}

/**
 * Disposes in reverse order, goes on when one throws (the first error is thrown at the end), and disposes at once
 * what is added after its own end.
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
