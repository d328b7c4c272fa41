/** Provides a browser to all tests in a suite. */
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { borrowBrowser, type BorrowedBrowser } from './borrowed-browser.ts';

/** To be called in a suite. Returns a function that returns the browser while a test runs. */
export function browserOfSuite(): () => Browser {
  let borrowed: BorrowedBrowser;
  before(async () => {
    borrowed = await borrowBrowser();
  });
  after(() => borrowed.release());
  return () => borrowed.browser;
}
