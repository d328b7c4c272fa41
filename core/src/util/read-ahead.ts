/**
 * Asks for the next item while the present one is worked on: two are in memory at most. A failure is thrown where the
 * item would have been; whoever stops early ends the source.
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
