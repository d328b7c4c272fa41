/** Opens a fresh result panel for each test in a suite, in one browser. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import type { Page } from 'playwright-core';
import { driveResults, type ResultsDriver } from './results-driver.ts';
import { openResultsPage, type ResultsPage } from './results-page.ts';
import { browserOfSuite } from './suite-browser.ts';

export interface OpenedResults {
  readonly shown: ResultsPage;
  readonly page: Page;
  /** The actions that the page requested, as text. */
  readonly calls: string[];
  readonly driver: ResultsDriver;
}

type PageOptions = Omit<NonNullable<Parameters<typeof openResultsPage>[0]>, 'browser'>;

/** To be called in a suite. Rows are stored in the real worker; a problem in the page fails the test. */
export function openResultsForEach(options: PageOptions, opened: (results: OpenedResults) => void): void {
  const browser = browserOfSuite();
  let shown: ResultsPage;
  beforeEach(async () => {
    shown = await openResultsPage({ useWorker: true, ...options, browser: browser() });
    const calls: string[] = [];
    opened({ shown, page: shown.page, calls, driver: driveResults(shown, calls) });
  });
  afterEach(async () => {
    await shown.close();
    assert.deepEqual(shown.problems, []);
  });
}
