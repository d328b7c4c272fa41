/**
 * Requests the next item while the current one is processed, so that at most two items are in memory. A failure is
 * thrown in place of its item. Stopping early ends the source.
 */
export async function* readAhead<Item>(
  source: AsyncIterator<Item, unknown>,
): AsyncGenerator<Item, void, undefined> {
  let coming = source.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = source.next();
      coming.catch(() => undefined); // thrown above, when the item is awaited
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
