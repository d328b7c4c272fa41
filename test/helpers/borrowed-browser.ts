/**
 * A Chromium for pages and workbenches. In a lane, which runs many test files, all of them use one, each in its own
 * context, as in a private window. Elsewhere, each borrower gets its own.
 */
import { chromium, type Browser } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from '#scripts/lib/chromium.js';

export interface BorrowedBrowser {
  readonly browser: Browser;
  /** Closes the browser, unless others use it too. */
  release(): Promise<void>;
}

let isShared = false;
let shared: Promise<Browser> | undefined;

/** From now on, all borrowers get the same browser. The caller closes it with the returned function. */
export function shareBrowser(): () => Promise<void> {
  isShared = true;
  return async () => (await shared?.catch(() => undefined))?.close();
}

export async function borrowBrowser(): Promise<BorrowedBrowser> {
  if (!isShared) {
    const browser = await launch();
    return { browser, release: () => browser.close() };
  }
  // A browser that did not start, or crashed in an earlier test, is replaced.
  const running = await shared?.catch(() => undefined);
  shared = running?.isConnected() === true ? Promise.resolve(running) : launch();
  return { browser: await shared, release: () => Promise.resolve() };
}

async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
}
