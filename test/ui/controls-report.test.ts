/** The HTML report of controls in a browser: opened from disk, accessible in light and dark, inert, and on paper. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { htmlOf } from '#core/controls/reports/html.ts';
import { hostileReport } from '#test/helpers/hostile-report.ts';
import { inspect } from '#test/helpers/inspect-page.ts';
import { browserOfSuite } from '#test/helpers/suite-browser.ts';

describe('the HTML report of controls', () => {
  const browser = browserOfSuite();

  for (const [name, text] of [
    ['plain', 'Administrators without a second factor'],
    ['hostile', undefined],
  ] as const)
    it(`is accessible, inert and printable with ${name} texts`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-report-'));
      const context = await browser().newContext({ viewport: { width: 1_000, height: 1_400 } });
      try {
        const file = path.join(folder, 'controls.html');
        await writeFile(file, htmlOf(hostileReport(14, text)));
        const page = await context.newPage();
        const said: string[] = [];
        const asked: string[] = [];
        page.on('console', (message) => said.push(message.text()));
        page.on('pageerror', (error) => said.push(error.message));
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(pathToFileURL(file).href);
        const title = await page.title();
        assert.match(title, /^Controls on /);
        assert.deepEqual(said, []);
        assert.deepEqual(asked, [pathToFileURL(file).href], 'nothing else is loaded');
        assert.equal(await page.locator('script, img, iframe, link').count(), 0);
        const setTheme = async (theme: string) =>
          await page.emulateMedia({
            colorScheme: theme === 'dark' ? 'dark' : 'light',
            forcedColors: theme === 'high-contrast' ? 'active' : 'none',
          });
        await inspect({ page, setTheme }).look(`controls-report-${name}`);
        await setTheme('light');
        // By keyboard, every detail opens.
        await page.locator('summary').first().focus();
        await page.keyboard.press('Enter');
        assert.equal(await page.locator('details[open]').count(), 1);
        const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(width <= 0, 'no text makes the page wider than the window');
        // On paper nobody scrolls: no column is cut, and many columns are lists with their names.
        await page.emulateMedia({ media: 'print' });
        await page.setViewportSize({ width: 680, height: 1_000 });
        const cut = await page.evaluate(
          () =>
            [...document.querySelectorAll('th, td, dd, h3, li')].filter(
              (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth,
            ).length,
        );
        assert.equal(cut, 0, 'a page cuts no column');
        assert.equal(
          await page
            .locator('.long td')
            .first()
            .evaluate((cell) => getComputedStyle(cell, '::before').content),
          JSON.stringify(await page.locator('.long th').first().textContent()),
        );
        const paper = path.join(folder, 'paper.pdf');
        await page.pdf({ path: paper, format: 'A4' });
        assert.ok((await stat(paper)).size > 10_000);
      } finally {
        await context.close();
        await rm(folder, { recursive: true });
      }
    });
});
