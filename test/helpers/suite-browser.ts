/** One browser for all tests of a suite. */
import { mkdir } from 'node:fs/promises';
import { after, before } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from '../../scripts/lib/chromium.js';
import { screenshots } from './inspect-page.ts';

/** Call it in a suite; the result is the browser while a test runs. */
export function browserOfSuite(): () => Browser {
  let browser: Browser;
  before(async () => {
    await mkdir(screenshots, { recursive: true });
    browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
  });
  after(() => browser.close());
  return () => browser;
}
