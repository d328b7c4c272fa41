/**
 * Reads from all elements that a locator finds. Playwright's own `evaluateAll` finds them in one step and reads them in
 * the next: a page that draws anew in between leaves elements without a place and a size, which are found again here.
 */
import type { Locator } from 'playwright-core';

type Elements = (HTMLElement | SVGElement)[];

/** @param read runs in the page */
export async function readAll<Read>(found: Locator, read: (all: Elements) => Read): Promise<Read> {
  // Playwright sends the text of a function to the page, where `read` does not exist.
  const text = `(all) => all.every((one) => one.isConnected) ? { read: (${String(read)})(all) } : undefined`;
  const ifDrawn = Object.assign((_: Elements): { readonly read: Read } | undefined => undefined, {
    toString: () => text,
  });
  for (;;) {
    const answer = await found.evaluateAll(ifDrawn);
    if (answer !== undefined) return answer.read;
  }
}
