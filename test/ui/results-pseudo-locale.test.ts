/**
 * The result panel in a pseudo-language, with every string in brackets, accented, and a third longer. A string without
 * brackets is untranslated. A cut-off string may also be cut off in a real language.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readCatalogue, textsInCode, translationsOf } from '#scripts/lib/catalogues.js';
import { parameterFields } from '../helpers/parameter-fields.ts';
import { takePicture } from '../helpers/pictures.ts';
import { pseudoText } from '../helpers/pseudo-locale.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import { sampleColumns, sampleRows } from '../helpers/result-rows.ts';
import { driveResults, sampleHeader, type ResultsDriver } from '../helpers/results-driver.ts';
import { openResultsPage, type ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';
import { browserOfSuite } from '../helpers/suite-browser.ts';

const translations = Object.fromEntries(Object.keys(textsInCode()).map((text) => [text, pseudoText(text)]));

/** Sample names and values, and text that is the same in every language. They are not ours to translate. */
const samples = JSON.stringify([sampleHeader, sampleColumns, sampleRows(0, 40), parameterFields]);
const alike =
  /\b(?:bigint|integer|QUERY_FAILED|f0c1|undefined_column|ms|NULL|true|false|UTC|AM|Aa|PNG|SVG|Alt|Shift|Ctrl|Sandbox|PROD|prod|since|manager)\b|\w+, \w+ \d+, \d{4} .*/g;

function isSample(text: string): boolean {
  const plain = text.trim().replace(/…$/, '');
  return plain.startsWith('{') || samples.includes(JSON.stringify(plain).slice(1, -1));
}

suite('result panel in a pseudo-locale', () => {
  let shown: ResultsPage;
  let page: Page;
  let driver: ResultsDriver;
  let calls: string[];

  openResultsForEach({ translations, width: 1_100, height: 480 }, (opened) => {
    ({ shown, page, calls, driver } = opened);
  });

  async function look(name: string): Promise<void> {
    await takePicture(page, `results/pseudo-${name}`);
    const { texts, cut } = await page.evaluate(readPage);
    const untranslated = texts.filter(
      (text) => !isSample(text) && /\p{L}{2}/u.test(withoutTranslated(text).replaceAll(alike, '')),
    );
    assert.deepEqual([...new Set(untranslated)], [], `${name}: not translated`);
    assert.deepEqual(
      cut.filter((text) => text.includes('⟦')),
      [],
      `${name}: cut`,
    );
  }

  test('rows', async () => {
    await driver.showRows(40, { extent: 'more', totalRows: 5_000 });
    await look('rows');
  });

  test('an empty result', async () => {
    await driver.showRows(0);
    await look('empty');
  });

  test('the menu of a column', async () => {
    await driver.showRows(40);
    await driver.grid().focus();
    await driver.press('ArrowRight', 'Alt+ArrowDown');
    await page.getByRole('menu').waitFor();
    await look('column-menu');
  });

  const tools = {
    find: '.find-bar',
    filter: '[role=dialog]',
    'filter-by-value': '.chip',
    columns: '[role=dialog]',
    record: '.inspector-head',
    chart: '.chart-picture',
  } as const;
  for (const [tool, place] of Object.entries(tools)) {
    test(`the tool ${tool}`, async () => {
      await driver.showRows(40);
      await driver.grid().focus();
      await driver.press('ArrowRight', 'ArrowRight');
      shown.panel.showTool(tool as keyof typeof tools); // a key of `tools`
      await page.locator(place).first().waitFor();
      await look(tool);
    });
  }

  test('an error of the service', async () => {
    driver.begin().writer.set({
      kind: 'failed',
      failure: {
        message: '42703',
        code: 'QUERY_FAILED',
        reasons: [{ code: '42703', message: 'undefined_column' }],
        place: { line: 3, column: 8 },
        requestId: 'f0c1',
      },
      elapsedMs: 20,
    });
    await page.getByRole('heading').first().waitFor();
    await look('error');
  });

  test('the form of parameters', async () => {
    const result = shown.newResult({ connection: 'Sandbox' });
    const writer = result.begin(result.header, recordedActions(calls));
    writer.set({ kind: 'parameters', revision: 1, fields: parameterFields, valueSets: [] });
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await look('form');
  });
});

suite('result panel in each language', () => {
  const browser = browserOfSuite();

  for (const { language, file } of translationsOf('l10n/bundle.l10n.*.json')) {
    test(`${language}: rows and a chart fit`, async () => {
      const catalogue = readCatalogue(file);
      const shown = await openResultsPage({
        ...{ browser: browser(), useWorker: true, language, translations: catalogue },
        ...{ width: 1_100, height: 480 },
      });
      const driver = driveResults(shown, []);
      await driver.showRows(40);
      shown.panel.showTool('chart');
      await shown.page.locator('.chart-picture').waitFor();
      await takePicture(shown.page, `results/language-${language}`);
      const { texts, cut } = await shown.page.evaluate(readPage);
      const words = new Set(Object.values(catalogue));
      assert.deepEqual(
        cut.filter((text) => words.has(text)),
        [],
      );
      assert.ok(
        texts.every((text) => !['All rows loaded', 'Bars', 'Run Again'].includes(text)),
        'the panel is in its language',
      );
      await shown.close();
      assert.deepEqual(shown.problems, []);
    });
  }
});

/** Brackets may be nested. */
function withoutTranslated(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return rest === text ? text : withoutTranslated(rest);
}

/** Runs in the page. Returns cut-off strings, and visible or accessible strings except cells and column names. */
function readPage(): { readonly texts: readonly string[]; readonly cut: readonly string[] } {
  const isData = (element: Element) =>
    element.closest('[role=gridcell], [role=columnheader] > :not(button), option, script, style, code') !==
    null;
  const texts: string[] = [];
  const cut: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (isData(element) || !element.checkVisibility()) continue;
    const isHeader = element.matches('[role=columnheader]');
    for (const name of isHeader ? [] : ['aria-label', 'title', 'placeholder']) {
      const said = element.getAttribute(name);
      if (said !== null) texts.push(said);
    }
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = own.map(({ textContent }) => textContent ?? '').join('');
    if (text.trim() !== '') texts.push(text);
    const { overflowX, clipPath } = getComputedStyle(element);
    const isOnlyRead = clipPath === 'inset(50%)';
    const isCut = !isOnlyRead && overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    if (isCut && element.getAttribute('title') === null && overflowX !== 'auto') cut.push(text);
  }
  return { texts, cut };
}
