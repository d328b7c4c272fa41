/** Charts of bars over a column of times: their axis, their periods, and the words that say so. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RunHeader } from '#core/runs/run-header.ts';
import { readAll } from '../helpers/read-all.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

suite('bars over a column of times', () => {
  let shown: ResultsPage;
  let page: Page;
  let driver: ResultsDriver;

  openResultsForEach({ width: 1_000, height: 290 }, (opened) => {
    ({ shown, page, driver } = opened);
  });

  const chart = () => page.getByRole('complementary', { name: 'Chart' });
  const ticks = () => chart().locator('.chart-tick[text-anchor=middle]').allTextContents();
  const titles = () => chart().locator('.chart-bar > title').allTextContents();
  const boxes = () =>
    readAll(chart().locator('.chart-bar'), (all) =>
      all.map((bar) => ['x', 'width'].map((name) => Number(bar.getAttribute(name)))),
    );

  async function open(
    columns: readonly (readonly [string, string])[],
    rows: readonly (readonly unknown[])[],
    header: Partial<RunHeader> = {},
  ): Promise<void> {
    const { writer } = driver.begin(header);
    writer.open(columns.map(([name, type]) => ({ name, type })));
    await writer.append(rows);
    driver.finish(writer);
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
  }

  /** Opens a chart of 2,000 times in 25 months. */
  async function openManyTimes(): Promise<void> {
    const rows = Array.from({ length: 2_000 }, (_, index) => [
      new Date(Date.UTC(2024, 4, 7) + ((index * 7_919) % 2_000) * 9 * 3_600_000).toISOString(),
      ['Sales', 'Legal', 'Finance'][index % 3],
    ]);
    await open(
      [
        ['created', 'timestamptz'],
        ['department', 'text'],
      ],
      rows,
    );
  }

  /** Saves both pictures with the keyboard: by their buttons, or by the menu that takes their place. */
  async function savePictures(words: string): Promise<void> {
    const more = chart().getByRole('button', { name: 'More...' });
    for (const format of ['PNG', 'SVG']) {
      const pictures = () =>
        (shown.received as { kind: string; format?: string }[]).filter(
          ({ kind, format: one }) => kind === 'saved picture' && one === format.toLowerCase(),
        ).length;
      const before = pictures();
      const own = chart().getByRole('button', { name: format });
      assert.equal(await own.isVisible(), !(await more.isVisible()), words);
      if (await own.isVisible()) await own.press('Enter');
      else {
        await more.press('Enter');
        const item = page.getByRole('menuitem', { name: `Save as ${format}` });
        const { y, height } = (await item.boundingBox()) ?? assert.fail();
        assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), words);
        await item.press('Enter');
        assert.ok(await more.evaluate((one) => one === document.activeElement), 'the focus returns');
      }
      await driver.until(() => pictures() > before);
    }
  }

  test('days without rows are gaps, and rows without a time are counted', async () => {
    await open(
      [
        ['day', 'date'],
        ['accounts', 'int8'],
      ],
      [
        ['2026-03-09', 4],
        ['2026-03-02', 2],
        [null, 9],
        ['2026-03-03', 3],
      ],
    );
    await chart().getByRole('img', { name: 'Bars: Sum of accounts per day by day, 3 points' }).waitFor();
    assert.deepEqual(await titles(), ['2026-03-02: 2', '2026-03-03: 3', '2026-03-09: 4']);
    const [first = [], second = [], last = []] = await boxes();
    const step = (second[0] ?? 0) - (first[0] ?? 0);
    assert.ok(
      Math.abs((last[0] ?? 0) - (first[0] ?? 0) - 7 * step) < 1,
      JSON.stringify([first, second, last]),
    );
    assert.deepEqual((await ticks()).slice(0, 2), ['2026-03-02', '2026-03-03']);
    await chart().getByText('1 omitted (no time)').waitFor();
    await driver.look('chart-times-gaps');
    await chart().getByRole('button', { name: 'Numbers' }).click();
    await chart().getByRole('cell', { name: '2026-03-09' }).waitFor();
    await chart().getByRole('columnheader', { name: 'Sum of accounts per day' }).waitFor();
  });

  test('many times are counted by a period, which the axis and the table name', async () => {
    await openManyTimes();
    await chart().getByRole('img', { name: 'Bars: Rows per month by created, 25 points' }).waitFor();
    await chart().getByText('Rows per month', { exact: true }).waitFor();
    await chart().getByText('created (month)', { exact: true }).waitFor();
    const labels = await ticks();
    assert.ok(labels.length > 2 && labels.every((label) => /^\d{4}-\d\d$/.test(label)), labels.join());
    assert.equal((await titles())[1], '2024-06: 80');
    await driver.look('chart-times-months');
    await chart().getByLabel('Split by', { exact: true }).selectOption('department');
    await chart()
      .getByRole('img', { name: /^Bars: Rows per month by created, split by department/ })
      .waitFor();
    await driver.look('chart-times-split');
    await page.setViewportSize({ width: 420, height: 290 });
    await driver.look('chart-times-narrow');
  });

  test('the period is chosen with the keyboard, fits every size, and is kept with the other choices', async () => {
    await openManyTimes();
    const per = chart().getByLabel('Per', { exact: true });
    const drawn = (words: RegExp) => chart().getByRole('img', { name: words }).waitFor();
    await drawn(/^Bars: Rows per month by created, 25 points/);
    assert.equal(await per.inputValue(), '');
    await chart().getByLabel('Split by', { exact: true }).selectOption('department');
    await per.focus();
    await page.keyboard.type('Wee');
    await drawn(/^Bars: Rows per week by created, split by department/);
    await chart().getByText('created (week)', { exact: true }).waitFor();
    for (const [width, height] of [
      [300, 255],
      [420, 255],
      [800, 255],
      [800, 560],
      [1_600, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await savePictures(`${width} x ${height}`);
      const outside = await readAll(chart().locator('select, button'), (all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => one.getBoundingClientRect())
          .filter(({ left, right, bottom }) => left < 0 || right > innerWidth || bottom > innerHeight),
      );
      assert.deepEqual(outside, [], `${width} x ${height}`);
      if (width < 800) await driver.look(`chart-period-narrow-${width}`);
    }
    // The menu has each button that does not fit.
    await page.setViewportSize({ width: 300, height: 255 });
    // A late resize closes menus.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const numbers = page.getByRole('menuitemcheckbox', { name: 'The numbers as a table' });
    for (const isShown of [true, false]) {
      await chart().getByRole('button', { name: 'More...' }).press('Enter');
      await numbers.press('Enter');
      assert.equal(await chart().getByRole('columnheader', { name: 'Sales' }).isVisible(), isShown);
    }
    await driver.until(() => shown.panel.shown?.look?.includes('"week"') === true);
    await shown.reload();
    await drawn(/^Bars: Rows per week by created, split by department/);
    assert.equal(await per.inputValue(), 'week');
    // Names are not times.
    await chart().getByLabel('Category').selectOption('department');
    await drawn(/^Bars: Rows by department, 3 points/);
    assert.equal(await per.isVisible(), false);
  });

  test('a chart that is closed and shown again has the same choices, unless another column is active', async () => {
    await open(
      [
        ['day', 'date'],
        ['team', 'text'],
      ],
      ['2026-03-02', '2026-03-03', '2026-03-09'].map((day) => [day, 'Sales']),
    );
    const type = () => chart().getByLabel('Chart', { exact: true });
    const per = () => chart().getByLabel('Per', { exact: true });
    await type().selectOption('Line');
    await per().selectOption('Week');
    await driver.press('Escape');
    await chart().waitFor({ state: 'detached' });
    shown.panel.showTool('chart');
    await chart()
      .getByRole('img', { name: /^Line: .*per week/ })
      .waitFor();
    assert.equal(await type().inputValue(), 'line');
    await driver.press('Escape');
    await chart().waitFor({ state: 'detached' });
    await driver.cell(1, 2).click();
    shown.panel.showTool('chart');
    await chart()
      .getByRole('img', { name: /^Bars: .*by team/ })
      .waitFor();
  });

  test('a line without a column of numbers counts the rows of each period', async () => {
    await open(
      [
        ['created', 'timestamptz'],
        ['department', 'text'],
      ],
      [...Array(60).keys()].flatMap((day) =>
        Array.from({ length: day === 30 ? 0 : 1 + (day % 5) }, (_, index) => [
          new Date(Date.UTC(2026, 0, 1 + day, index)).toISOString(),
          ['Sales', 'Legal'][index % 2],
        ]),
      ),
    );
    await chart().getByRole('img', { name: 'Bars: Rows per day by created, 59 points' }).waitFor();
    const bars = await boxes();
    await chart().getByLabel('Chart', { exact: true }).selectOption('Line');
    await chart().getByRole('img', { name: 'Line: Rows per day by created, 60 points' }).waitFor();
    const values = chart().getByLabel('Vertical axis');
    assert.equal(
      await values.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.label),
      'Number of rows',
    );
    const points = chart().locator('.chart-point');
    assert.equal(await points.nth(30).locator('title').textContent(), '2026-01-31: 0');
    // A point stands where the middle of its bar was.
    const [x = 0, width = 0] = bars[3] ?? [];
    const middle = Number(await points.nth(3).getAttribute('cx'));
    assert.ok(Math.abs(x + width / 2 - middle) < 1, `${middle} of ${x} + ${width}`);
    await driver.look('chart-line-counts');
    await chart().getByLabel('Split by', { exact: true }).selectOption('department');
    await chart().getByLabel('Per', { exact: true }).selectOption('Week');
    await chart()
      .getByRole('img', { name: 'Line: Rows per week by created, split by department, 18 points' })
      .waitFor();
    await driver.look('chart-line-counts-split');
  });

  test('averages of a query are not added up, and another combination can be chosen', async () => {
    await open(
      [
        ['day', 'date'],
        ['team', 'text'],
        ['average', 'numeric'],
        ['cost', 'numeric'],
      ],
      [
        ['2026-03-02', 'a', 4, 20],
        ['2026-03-02', 'b', 2, 40],
        ['2026-03-03', 'a', 7, 90],
      ],
    );
    const drawn = (words: RegExp | string) => chart().getByRole('img', { name: words }).waitFor();
    const values = chart().getByLabel('Values');
    const split = chart().getByLabel('Split by', { exact: true });
    await drawn(/^Bars: /);
    assert.deepEqual(await values.locator('option').allTextContents(), [
      ...['Number of rows', 'Average of average', 'Sum of cost'],
      ...['Sum of average', 'Minimum of average', 'Maximum of average'],
      ...['Average of cost', 'Minimum of cost', 'Maximum of cost'],
    ]);
    await values.selectOption('Average of average');
    await drawn('Bars: Average of average by day, 2 points');
    assert.deepEqual(await titles(), ['2026-03-02: 3', '2026-03-03: 7']);
    // Stacked averages would be sums.
    assert.equal(await split.isVisible(), false);
    await driver.look('chart-combination');
    await values.selectOption('Maximum of cost');
    await chart().getByLabel('Per', { exact: true }).selectOption('Month');
    await drawn('Bars: Maximum of cost per month by day, 1 point');
    assert.deepEqual(await titles(), ['2026-03: 90']);
    await chart().getByLabel('Category').selectOption('team');
    await drawn('Bars: Maximum of cost by team, 2 points');
    assert.deepEqual(await titles(), ['a: 90', 'b: 40']);
    // A line shows the numbers themselves.
    await chart().getByLabel('Chart', { exact: true }).selectOption('Line');
    await drawn('Line: cost by day, 3 points');
    await chart().getByLabel('Chart', { exact: true }).selectOption('Bars');
    await drawn(/^Bars: Sum of cost per month by day/);
    assert.equal(await split.isVisible(), true);
  });

  for (const [width, height] of [
    [800, 255],
    [800, 560],
    [1_600, 900],
  ] as const) {
    test(`a time axis of ${width} x ${height} has labels wherever they fit`, async () => {
      await page.setViewportSize({ width, height });
      for (const [days, type, per] of [
        [0.5, 'Bars', ''],
        [2.3, 'Histogram', ''],
        [25, 'Bars', ''],
        [90, 'Bars', 'day'],
        [90, 'Line', ''],
        [300, 'Bars', ''],
        [750, 'Bars', ''],
        [750, 'Bars', 'week'],
        [1_500, 'Histogram', ''],
        [9_000, 'Bars', ''],
      ] as const) {
        await open(
          [
            ['created', 'timestamptz'],
            ['department', 'text'],
          ],
          Array.from({ length: 300 }, (_, index) => [
            new Date(Date.UTC(2024, 4, 7) + (index * days * 86_400_000) / 299).toISOString(),
            'Sales',
          ]),
        );
        await chart().getByLabel('Chart', { exact: true }).selectOption(type);
        if (per !== '') await chart().getByLabel('Per', { exact: true }).selectOption(per);
        const measured = per === '' ? `^${type}: Rows` : `^${type}: Rows per ${per}`;
        await chart()
          .getByRole('img', { name: new RegExp(measured) })
          .waitFor();
        // At once, since the chart is drawn anew when the page has reported its size.
        const labels = await page.evaluate(() =>
          [...document.querySelectorAll('.chart-tick[text-anchor=middle]')].map((one) => {
            const { left, right } = one.getBoundingClientRect();
            return { text: one.textContent, left, right };
          }),
        );
        const words = `${days} days, ${type} ${per}: ${labels.map(({ text }) => text).join()}`;
        assert.ok(labels.length > 1, words);
        labels.slice(1).forEach(({ left, right }, index) => {
          const before = labels[index] ?? { left: 0, right: 0 };
          assert.ok(left >= before.right + 4, words);
          const distance = (left + right - before.left - before.right) / 2;
          assert.ok(distance <= 190, `${distance} px: ${words}`);
        });
      }
    });
  }

  test('averages stay at their times', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => [
      new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
      50 + (index % 9),
    ]);
    const columns = [
      ['created (day)', 'date'],
      ['Average of risk', 'numeric'],
    ] as const;
    await open(columns, rows, { origin: 'rows', measure: 1 });
    await chart().getByLabel('Chart', { exact: true }).selectOption('Bars');
    await chart().getByRole('img', { name: 'Bars: Average of risk by created (day), 450 points' }).waitFor();
    assert.equal((await titles())[0], '2025-01-01 00:00:00+00: 50');
    await driver.look('chart-times-averages');
    await open([columns[0], ['Number of rows', 'int8']], rows, {
      ...{ origin: 'rows', measure: 1, isMeasureSum: true },
    });
    await chart().getByLabel('Chart', { exact: true }).selectOption('Bars');
    await chart()
      .getByRole('img', { name: /^Bars: Number of rows per month by created \(day\), 15/ })
      .waitFor();
  });
});
