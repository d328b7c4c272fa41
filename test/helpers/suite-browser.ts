/** Opens one browser for all tests in a suite. */
import { mkdir } from 'node:fs/promises';
import { after, before } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from '../../scripts/lib/chromium.js';
import { screenshots } from './inspect-page.ts';

/** To be called in a suite. Returns a function that returns the browser while a test runs. */
export function browserOfSuite(): () => Browser {
  let browser: Browser;
  before(async () => {
    await mkdir(screenshots, { recursive: true });
    browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
  });
  after(() => browser.close());
  return () => browser;
}
