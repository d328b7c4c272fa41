/** Ownership of disposables. The creator disposes. */

export interface DisposableLike {
  dispose(): unknown;
}

/**
 * Disposes in reverse order, continues when one throws (and throws the first error at the end), and disposes late
 * additions at once.
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
