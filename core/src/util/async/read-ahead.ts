/**
 * Requests the next item while the current one is processed: at most two are in memory. A failure is thrown in place of
 * its item; stopping early ends the source.
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
      coming.catch(() => undefined); // thrown above, when it is taken
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
