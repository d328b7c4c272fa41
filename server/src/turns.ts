/** Turns of work in this thread: a long analysis lets the messages in between that have arrived. */

/** How long one turn lasts. Much less than people notice, and much more than a pause costs. */
const turnMs = 20;

/** Returns a function that waits for other work if the current turn has lasted long enough. */
export function createPause(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = now();
  };
}
