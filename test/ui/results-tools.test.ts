/**
 * Interactions with result rows: column menu, filters, search, column order, whole rows, and comparisons, by keyboard
 * and mouse in a real browser with the panel's own content security policy.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readAll } from '../helpers/read-all.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import { sampleColumns, sampleRow, sampleRows } from '../helpers/result-rows.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

suite('result tools', () => {
  let shown: ResultsPage;
  let page: Page;
  let driver: ResultsDriver;

  openResultsForEach({ height: 520 }, (opened) => {
    ({ shown, page, driver } = opened);
  });

  const names = () => page.locator('.grid-header-cell .grid-name').allTextContents();
  const header = (name: RegExp) => page.getByRole('columnheader', { name });
  const item = (label: string) => page.getByRole('menuitem', { name: label, exact: true });
  async function openMenuOf(name: RegExp): Promise<void> {
    await header(name).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
  }
  const saved = (format: string) =>
    (shown.received as { kind: string; format?: string; content?: string }[]).findLast(
      (message) => message.kind === 'saved picture' && message.format === format,
    )?.content;
  async function choose(label: string): Promise<void> {
    await item(label).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }

  test('the column menu opens by key, moves by letter, and returns the focus', async () => {
    await driver.showRows(300);
    await driver.grid().focus();
    await driver.press('ArrowRight', 'Alt+ArrowDown');
    await page.getByRole('menu', { name: 'Column alias' }).waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.querySelector('.menu-label')?.textContent);
    assert.equal(await focused(), 'Sort Ascending');
    await driver.press('f');
    assert.equal(await focused(), 'Filter...');
    await driver.press('f', 'ArrowUp');
    assert.equal(await focused(), 'Hide');
    await driver.look('column-menu');
    await driver.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
    assert.deepEqual(await driver.active(), [1, 2]);
  });

  test('a form over the rows closes for another tool, on Escape first, and when the page loses the focus', async () => {
    await driver.showRows(300);
    const form = page.getByRole('dialog', { name: 'Group Rows' });
    const chart = page.locator('.chart-picture');
    shown.panel.showTool('group');
    await form.waitFor();
    shown.panel.showTool('chart');
    await chart.waitFor();
    assert.equal(await form.count(), 0);

    // Escape closes what is on top, even if the focus is under it.
    shown.panel.showTool('group');
    await form.waitFor();
    await driver.grid().focus();
    await driver.press('Escape');
    assert.deepEqual([await form.count(), await chart.count()], [0, 1]);

    const leavePage = () => page.evaluate(() => void window.dispatchEvent(new Event('blur')));
    shown.panel.showTool('group');
    await form.waitFor();
    await leavePage();
    assert.equal(await form.count(), 0);
    // The page does not take the focus back.
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);

    // Input is kept, since its other half may be in another window.
    shown.panel.showTool('group');
    await page.getByLabel('Pivot by', { exact: true }).selectOption('alias');
    await leavePage();
    assert.equal(await page.getByLabel('Pivot by', { exact: true }).inputValue(), '1');
  });

  test('times are grouped by month at first, and changed groups replace the earlier ones', async () => {
    await driver.showRows(300);
    shown.panel.showTool('group', 'result-of-groups');
    await page.getByLabel('Group by', { exact: true }).selectOption('last_activity');
    const unit = page.getByLabel('Group by: part of the time');
    assert.equal(await unit.inputValue(), 'month');
    await unit.selectOption('by day');
    await page.getByLabel('Then by', { exact: true }).selectOption('last_activity');
    assert.equal(await page.getByLabel('Then by: part of the time').inputValue(), 'month');
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    const { grouping, replaces } = await driver.received('group');
    assert.deepEqual(grouping, {
      by: [
        { column: 7, unit: 'day' },
        { column: 7, unit: 'month' },
      ],
      measure: { kind: 'count' },
    });
    assert.equal(replaces, 'result-of-groups');
  });

  test('columns are hidden, moved by key, frozen, and chosen again; copying follows the display', async () => {
    await driver.showRows(300);
    await openMenuOf(/^alias/);
    await choose('Hide');
    assert.deepEqual((await names()).slice(0, 3), ['id', 'email', 'department']);
    assert.equal(await driver.grid().getAttribute('aria-colcount'), '11');
    await driver.cell(1, 2).click();
    await driver.press('ArrowUp', 'Alt+Shift+ArrowLeft');
    assert.deepEqual((await names()).slice(0, 3), ['email', 'id', 'department']);
    await driver.press('ArrowDown', 'Shift+ArrowRight', 'Control+c');
    await driver.until(() => shown.copied.length === 1);
    assert.equal(shown.copied[0], `${String(sampleRow(0)[2])}\t9007199254740993`);
    await openMenuOf(/^email/);
    await choose('Freeze');
    await driver.grid().focus();
    await driver.press('End');
    await driver.cell(1, 10).waitFor();
    // The frozen column stays visible next to the last column.
    assert.equal((await names())[0], 'email');
    const box = await driver.cell(1, 1).boundingBox();
    assert.ok(box !== null && box.x < 120, `frozen at ${box?.x}`);
    await driver.look('frozen');
    // An export uses the columns as displayed.
    const { columns } = await driver.received('layout');
    assert.deepEqual(columns, [2, 0, 3, 4, 5, 6, 7, 8, 9, 10]);
    shown.panel.showTool('columns');
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await page.getByLabel('alias', { exact: true }).check();
    await page.getByLabel('id', { exact: true }).focus();
    await driver.press('Alt+ArrowUp');
    await driver.look('columns');
    await driver.press('Escape');
    await driver.grid().focus();
    await driver.press('Home');
    assert.deepEqual((await names()).slice(0, 2), ['id', 'email']);
    assert.equal(await driver.grid().getAttribute('aria-colcount'), '12');
  });

  test('hidden columns are counted, also in a low and narrow panel, and are chosen with one click', async () => {
    await page.setViewportSize({ width: 360, height: 255 });
    await driver.showRows(300);
    await openMenuOf(/^alias/);
    await choose('Hide');
    const fact = page.getByRole('button', { name: '1 column hidden', exact: true });
    await fact.waitFor();
    await header(/^id/).focus();
    await openMenuOf(/^id/);
    await choose('Hide');
    const more = page.getByRole('button', { name: '2 columns hidden', exact: true });
    await more.waitFor();
    const [own, facts] = [await more.boundingBox(), await page.locator('.footer-facts').boundingBox()];
    assert.ok(
      own !== null && facts !== null && own.x + own.width <= facts.x + facts.width,
      JSON.stringify([own, facts]),
    );
    await driver.look('hidden-columns');
    await more.focus();
    await driver.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Show All' }).click();
    await more.waitFor({ state: 'detached' });
    await driver.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  });

  test('Enter on a row without a record shows the cell, and says why', async () => {
    const { writer } = driver.begin();
    writer.open([{ name: 'department', type: 'text' }]);
    await writer.append([['Sales']]);
    driver.finish(writer);
    await driver.cell(1, 1).click();
    await driver.press('Enter');
    await page.getByText('This row has no global_id, so it opens no record.').waitFor();
    await page.getByRole('complementary', { name: 'Cell' }).getByText('Sales').waitFor();
  });

  test('another run with the same columns keeps the sort order, the filters and the hidden columns', async () => {
    const { result } = await driver.showRows(3_000);
    await openMenuOf(/^alias/);
    await choose('Hide');
    await driver.cell(1, 3).click();
    shown.panel.showTool('filter-by-value');
    await page.getByText('500 of 3,000 rows shown').waitFor();
    await header(/^email/).click();
    await page.locator('[aria-sort=ascending]').waitFor();
    const again = result.begin(result.header, recordedActions([]));
    again.set({ kind: 'running', elapsedMs: 0 });
    await page.getByText('500 of 3,000 rows shown').waitFor({ state: 'detached' });
    again.open(sampleColumns);
    await again.append(sampleRows(0, 600));
    driver.finish(again);
    await page.getByText('100 of 600 rows shown').waitFor();
    await page.getByRole('button', { name: /^department is/ }).waitFor();
    await page
      .getByRole('columnheader', { name: /^email/ })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('button', { name: '1 column hidden' }).waitFor();
    assert.deepEqual((await names()).slice(0, 3), ['id', 'email', 'department']);
    await driver.look('run-again');
  });

  test('another run keeps the chart open, with the choices whose columns are still there', async () => {
    const { result } = await driver.showRows(300);
    const chart = page.getByRole('complementary', { name: 'Chart' });
    const drawn = (name: RegExp) => chart.getByRole('img', { name }).waitFor();
    const again = async (columns: readonly number[], count: number) => {
      const writer = result.begin(result.header, recordedActions([]));
      writer.set({ kind: 'running', elapsedMs: 0 });
      await chart.waitFor({ state: 'detached' });
      writer.open(columns.flatMap((column) => sampleColumns[column] ?? []));
      await writer.append(sampleRows(0, count).map((row) => columns.map((column) => row[column])));
      driver.finish(writer);
    };
    const all = [...sampleColumns.keys()];
    await driver.cell(1, 4).click();
    shown.panel.showTool('chart');
    await drawn(/^Bars: Rows by department, 6 points/);
    // Nothing is chosen, and another cell is active by now.
    await driver.cell(1, 2).click();
    await again(all, 299);
    await drawn(/^Bars: Rows by department, 6 points/);
    assert.equal(await chart.evaluate((element) => element.contains(document.activeElement)), false);
    await chart.getByLabel('Category').selectOption('department');
    await chart.getByLabel('Split by', { exact: true }).selectOption('manager');
    await drawn(/^Bars: Rows by department, split by manager/);
    await again(all, 0);
    await chart.getByText('nothing to draw').waitFor();
    await driver.look('chart-of-no-rows');
    await again(all, 301);
    await drawn(/^Bars: Rows by department, split by manager/);
    // Other columns, in another order.
    await again([5, 9, 3], 300);
    await drawn(/^Bars: Rows by department, split by manager/);
    await again([5, 3], 300);
    await drawn(/^Bars: Rows by department, 6 points/);
    await again([5, 8], 300);
    await drawn(/^Bars: Rows by is_admin, 2 points/);
    await driver.press('Escape');
    await again([5, 8], 300);
    await driver.cell(1, 1).waitFor();
    assert.equal(await chart.count(), 0);
  });

  test('columns fit their rows after a run whose rows were all filtered out', async () => {
    const { result } = await driver.showRows(30);
    shown.panel.showTool('filter-by-value');
    await page.getByText('of 30 rows shown').waitFor();
    const again = result.begin(result.header, recordedActions([]));
    again.set({ kind: 'running', elapsedMs: 0 });
    again.open(sampleColumns);
    await again.append(sampleRows(40, 30));
    driver.finish(again);
    await page.getByText('0 of 30 rows shown').waitFor();
    // There is no row to open.
    await driver.grid().focus();
    await driver.press('Enter');
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    await driver.cell(1, 3).getByText('@').waitFor();
    const isCut = await driver.cell(1, 3).evaluate((cell) => cell.scrollWidth > cell.clientWidth);
    assert.equal(isCut, false);
    assert.equal(await page.getByRole('complementary').count(), 0);
  });

  test('a column is moved with the mouse; Escape leaves it where it was; a click still sorts', async () => {
    await driver.showRows(50);
    const drag = async (from: RegExp, to: RegExp) => {
      const start = await header(from).boundingBox();
      const end = await header(to).boundingBox();
      assert.ok(start !== null && end !== null);
      await page.mouse.move(start.x + 20, start.y + 10);
      await page.mouse.down();
      await page.mouse.move(end.x + end.width - 5, end.y + 10, { steps: 4 });
    };
    await drag(/^id/, /^email/);
    await page.locator('.grid-drop-mark').waitFor();
    await page.mouse.up();
    assert.deepEqual((await names()).slice(0, 3), ['alias', 'email', 'id']);
    await drag(/^alias/, /^id/);
    await driver.press('Escape');
    await page.mouse.up();
    assert.deepEqual((await names()).slice(0, 3), ['alias', 'email', 'id']);
    assert.equal(await page.locator('[aria-sort=ascending]').count(), 0);
    await header(/^email/).click();
    await page.locator('[aria-sort=ascending]').waitFor();
  });

  test('a text filter: typed, applied with Enter, announced, changed, removed', async () => {
    await driver.showRows(3_000);
    await openMenuOf(/^email/);
    await choose('Filter...');
    await page.getByRole('dialog', { name: 'Filter email' }).waitFor();
    await page.keyboard.type('KELLER');
    await driver.press('Enter');
    await page.getByText('376 of 3,000 rows shown').waitFor();
    assert.equal(await driver.grid().getAttribute('aria-rowcount'), '377');
    await page.getByText('376 rows match the filters').waitFor();
    for (const text of await page.locator('.grid-body [aria-colindex="4"]').allTextContents()) {
      assert.match(text, /keller/);
    }
    await driver.look('filtered');
    await page.getByRole('button', { name: 'email contains “KELLER”' }).click();
    await page.getByLabel('Condition').selectOption('is NULL');
    assert.equal(await page.getByLabel('Value', { exact: true }).isDisabled(), true);
    await driver.press('Enter');
    await page.getByText('No rows match the filters').waitFor();
    await driver.look('filtered-to-nothing');
    await page.getByRole('button', { name: 'Remove the filter on email' }).focus();
    await driver.press('Enter');
    await page.getByText('3,000 rows', { exact: true }).waitFor();
    // When the filter bar closes, focus moves to the rows and is not lost.
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  });

  test('the values of a filter are one stop of the Tab key, with keys that move in them', async () => {
    await page.setViewportSize({ width: 1_000, height: 400 });
    await driver.showRows(300);
    await openMenuOf(/^alias/);
    await choose('Filter...');
    const boxes = page.getByRole('group', { name: 'Values' }).getByRole('checkbox');
    await boxes.nth(199).waitFor({ state: 'attached' });
    const focused = () =>
      page.evaluate(() => document.activeElement?.parentElement?.querySelector('.filter-value')?.textContent);
    const values = await page.locator('.filter-value').allTextContents();
    await page.getByLabel('Search values').focus();
    await driver.press('Tab');
    assert.equal(await focused(), values[0]);
    await driver.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Apply');
    await driver.press('Shift+Tab', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Space');
    assert.deepEqual([await focused(), await boxes.nth(1).isChecked()], [values[1], true]);
    await driver.press('End');
    assert.equal(await focused(), values[199]);
    await driver.press('ArrowDown', 'PageUp');
    assert.ok(values.indexOf((await focused()) ?? '') < 199);
    await driver.press('Home', 'ArrowUp');
    assert.equal(await focused(), values[0]);
    const typed = values.findLastIndex((value) => value.startsWith('noah'));
    await page.keyboard.type(values[typed] ?? assert.fail());
    assert.equal(await focused(), values[typed]);
    await driver.press('Space', 'Tab', 'Shift+Tab');
    assert.equal(await focused(), values[typed]);
    // Rows are pale until the ticks are applied.
    await page.getByText('2 of 300 rows shown').waitFor();
    await driver.look('filter-one-stop');
    // As in every field of the form.
    await driver.press('Enter');
    await page.getByText('2 of 300 rows shown').waitFor();
  });

  test('a filter by values with their counts, and one by number beside it', async () => {
    await page.setViewportSize({ width: 1_500, height: 620 });
    await driver.showRows(3_000);
    await openMenuOf(/^department/);
    await choose('Filter...');
    await page.getByText('6 different values').waitFor();
    assert.match((await page.locator('.filter-choice').first().textContent()) ?? '', /\D500$/);
    await page.getByLabel('Search values').fill('e');
    await page.locator('.filter-choice', { hasText: 'Legal' }).locator('input').check();
    // A tick applies at once, and the form stays for more.
    await page.getByText('500 of 3,000 rows shown').waitFor();
    await page.locator('.filter-choice', { hasText: '(empty)' }).locator('input').check();
    await page.getByText('1,000 of 3,000 rows shown').waitFor();
    await driver.look('filter-values');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1,000 of 3,000 rows shown').waitFor();
    await openMenuOf(/^risk_score/);
    await choose('Filter...');
    await page.getByLabel('Condition').selectOption('≥');
    await page.getByLabel('Value', { exact: true }).fill('ninety');
    await driver.press('Enter');
    await page.getByText('risk_score contains numbers').waitFor();
    // In a form in front of the rows, the key that runs is the form's.
    await page.getByLabel('Value', { exact: true }).fill('90.1');
    await driver.press('Control+Enter');
    const expected = Array.from({ length: 3_000 }, (_, index) => index).filter(
      (index) => (index % 6 === 4 || index % 6 === 5) && index % 100 >= 90,
    ).length;
    await page.getByText(`${expected} of 3,000 rows shown`).waitFor();
    // Sort within the filtered rows.
    await header(/^risk_score/).click();
    await page.locator('[aria-sort=ascending]').waitFor();
    await page.getByText(`${expected} of 3,000 rows shown`).waitFor();
    await page.getByRole('button', { name: 'Add as WHERE' }).click();
    const added = await driver.received('added to query');
    assert.deepEqual(added['filters'], [
      { column: 3, rule: { kind: 'values', values: ['Legal', ''] } },
      { column: 6, rule: { kind: 'compare', operator: '>=', text: '90.1' } },
    ]);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('3,000 rows', { exact: true }).waitFor();
  });

  test('the same record stays active while filters and the sort order change', async () => {
    await driver.showRows(3_000);
    await driver.cell(15, 4).click();
    const chosen = (await driver.cell(15, 2).textContent()) ?? '';
    /** Waits until a row is active, or a row other than this one, and contains the chosen alias. */
    const isFollowed = (place: { row?: number; not?: number }) =>
      page.waitForFunction(
        ([{ row, not }, alias]) => {
          const id = document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant');
          const active = document.getElementById(id ?? '')?.closest('[role=row]');
          const at = Number(active?.getAttribute('aria-rowindex')) - 1;
          const text = active?.querySelector('[aria-colindex="3"]')?.textContent;
          return text === alias && (row === undefined ? at !== not : at === row);
        },
        [place, chosen] as const,
      );
    // The filter leaves every sixth row.
    shown.panel.showTool('filter-by-value');
    await page.getByText('500 of 3,000 rows shown').waitFor();
    await isFollowed({ row: 3 });
    await page.getByRole('button', { name: 'Remove the filter on department' }).click();
    await page.getByText('3,000 rows', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
    await isFollowed({ row: 15 });
    const sort = async (label: string) => {
      await driver.press('Alt+ArrowDown');
      await page.getByRole('menuitemcheckbox', { name: label }).click();
    };
    await sort('Sort Descending');
    await page.locator('[aria-sort=descending]').waitFor();
    await isFollowed({ not: 15 });
    // Without a chosen row, the first row of a new order is active.
    await driver.press('Control+Home');
    await sort('Sort Ascending');
    await page.locator('[aria-sort=ascending]').waitFor();
    await driver.cell(1, 1).getByText('9007199254740993', { exact: true }).waitFor();
    assert.deepEqual(await driver.active(), [1, 1]);
  });

  test('an incomplete result can be filtered, and shows how many rows were searched', async () => {
    const { writer } = await driver.showRows(600, { extent: 'more' });
    await driver.cell(1, 4).click();
    shown.panel.showTool('filter-by-value');
    await page.getByText('100 of 600 rows shown, more on the service').waitFor();
    await writer.append(Array.from({ length: 600 }, (_, index) => sampleRow(600 + index)));
    driver.finish(writer, { extent: 'more', totalRows: 5_000 });
    await page.getByText('200 of 1,200 loaded rows shown, 5,000 rows in all').waitFor();
  });

  test('find goes forward and back and wraps around, in the visible columns', async () => {
    await driver.showRows(2_000);
    await driver.grid().focus();
    await driver.press('Control+f');
    await page.keyboard.type('TARIQ.CHEN');
    await page.getByText('1 of 62').waitFor();
    const expected = sampleRowIndexes((alias) => alias.startsWith('tariq.chen'));
    assert.deepEqual(await driver.active(), [(expected[0] ?? 0) + 1, 2]);
    await driver.press('Enter');
    await page.getByText('2 of 62').waitFor();
    assert.deepEqual(await driver.active(), [(expected[0] ?? 0) + 1, 3]);
    await driver.press('Enter');
    await page.getByText('3 of 62').waitFor();
    assert.deepEqual(await driver.active(), [(expected[1] ?? 0) + 1, 2]);
    // Press the keys faster than responses can arrive.
    await page.getByRole('textbox', { name: 'Find in rows' }).evaluate((field) => {
      const back = { key: 'Enter', shiftKey: true, bubbles: true, cancelable: true };
      for (let step = 0; step < 3; step += 1) field.dispatchEvent(new KeyboardEvent('keydown', back));
    });
    await page.getByText('62 of 62').waitFor();
    assert.deepEqual(await driver.active(), [(expected.at(-1) ?? 0) + 1, 3]);
    // Every match in view is marked, and the current one differs. Nothing covers the headers.
    const marks = page.locator('.grid-cell mark');
    await marks.nth(1).waitFor();
    const marked = await marks.allTextContents();
    assert.deepEqual([...new Set(marked)], ['tariq.chen']);
    const colors = await readAll(marks, (all) =>
      all.map((one) => [
        one.closest('.grid-cell')?.classList.contains('is-active'),
        getComputedStyle(one).backgroundColor,
      ]),
    );
    const current = colors.filter(([isCurrent]) => isCurrent === true);
    assert.equal(current.length, 1);
    assert.ok(colors.every(([isCurrent, color]) => isCurrent === true || color !== current[0]?.[1]));
    const bar = await page.getByRole('search').boundingBox();
    const rows = await driver.grid().boundingBox();
    assert.ok(bar !== null && rows !== null && bar.y + bar.height <= rows.y, JSON.stringify([bar, rows]));
    await driver.look('find');
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByText('No matches').waitFor();
    assert.equal(await marks.count(), 0);
    await page.getByRole('button', { name: 'Match case' }).click();
    await marks.nth(0).waitFor();
    await driver.press('Escape');
    assert.equal(await page.getByRole('search').count(), 0);
    assert.equal(await marks.count(), 0);
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  });

  test('the row inspector follows the selection; several rows are compared', async () => {
    await page.setViewportSize({ width: 1_200, height: 620 });
    await driver.showRows(100);
    await driver.cell(3, 2).click();
    await driver.press('Shift+Enter');
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByText('Row 3').waitFor();
    await inspector.getByText(String(sampleRow(2)[2])).waitFor();
    await driver.press('ArrowDown');
    await inspector.getByText(String(sampleRow(3)[2])).waitFor();
    await driver.look('record');
    await driver.press('Shift+ArrowDown', 'Shift+ArrowDown');
    await inspector.getByText('Rows 4, 5, 6').waitFor();
    assert.equal(await inspector.getByRole('row').count(), 12);
    await driver.look('compare');
    await inspector.getByRole('button', { name: 'Only differences' }).click();
    assert.equal(
      await inspector.getByText('differs').count(),
      (await inspector.getByRole('row').count()) - 1,
    );
    await inspector.getByRole('button', { name: 'Copy as JSON' }).click();
    await driver.until(() => shown.copied.length === 1);
    const copied = JSON.parse(shown.copied[0] ?? '') as { alias: string }[];
    assert.deepEqual(
      copied.map(({ alias }) => alias),
      [3, 4, 5].map((index) => sampleRow(index)[1]),
    );
    await driver.press('Escape');
    await inspector.waitFor({ state: 'detached' });
  });

  test('an ID is a link, which shows its record, and opens it by mouse and by key', async () => {
    const id = 'e7c86a88-6833-87f3-ac9e-2248b28241e0';
    const unknown = '0a1b2c3d-6833-87f3-ac9e-2248b28241e0';
    const { result, writer } = driver.begin({ title: 'roles' });
    writer.open([
      { name: 'name', type: 'text' },
      { name: 'global_id', type: 'text' },
      { name: 'global_membership', type: 'text[]' },
    ]);
    await writer.append([
      ['Admins', id, [id, 'acc:0002']],
      ['Auditors', unknown, []],
    ]);
    driver.finish(writer);
    shown.panel.show(result);
    const card = page.getByRole('tooltip');
    await driver.cell(1, 2).hover();
    await card.getByText('Account: e7c8').waitFor();
    await driver.look('id-card');
    await driver.cell(2, 2).hover();
    await card.getByText('Not looked up').waitFor();
    // A plain click only selects.
    await driver.cell(1, 2).click();
    assert.equal(await card.count(), 0);
    await driver.press('F12');
    await driver.cell(1, 2).click({ modifiers: ['ControlOrMeta'] });
    await driver.cell(1, 1).click({ modifiers: ['ControlOrMeta'] });
    await driver.cell(1, 3).click();
    // Use Space, since Enter would open the row's record.
    await driver.press('Space');
    const inspector = page.getByRole('complementary', { name: 'Cell' });
    await inspector.getByRole('button', { name: 'acc:0002' }).waitFor();
    await driver.look('id-list');
    await inspector.getByRole('button', { name: 'acc:0002' }).click();
    await driver.press('Escape', 'ArrowLeft', 'Space');
    await inspector.getByText('Account: e7c8').waitFor();
    const opened = () =>
      (shown.received as { kind: string; globalId?: string }[])
        .filter(({ kind }) => kind === 'record opened')
        .map(({ globalId }) => globalId);
    await driver.until(() => opened().length === 3);
    assert.deepEqual(opened(), [id, id, 'acc:0002']);
  });

  test('a time shows local time on hover, and selected numbers are added up exactly', async () => {
    await page.setViewportSize({ width: 1_500, height: 420 });
    await driver.showRows(100);
    await driver.cell(1, 8).hover();
    await page.waitForFunction(() => {
      const title = document.querySelector('.grid-cell[data-look=time][title]')?.getAttribute('title') ?? '';
      return (
        title.includes('2026-01-01 00:00:00+00') && /\n?.*2026-01-01T\d\d:\d\d:00[+-]\d\d:\d\d/.test(title)
      );
    });
    await driver.cell(2, 7).click();
    await driver.cell(4, 7).click({ modifiers: ['Shift'] });
    const facts = page.getByText('3 × 1 selected · sum 6.30 · average 2.1 · 3 distinct values');
    await facts.waitFor();
    assert.match((await facts.getAttribute('title')) ?? '', /\nminimum 1\.10\nmaximum 3\.10$/);
    // Select seven departments, the last of which equals the first.
    await driver.cell(1, 4).click();
    await driver.cell(7, 4).click({ modifiers: ['Shift'] });
    await page.getByText('7 × 1 selected · 6 distinct values').waitFor();
    await driver.look('selection-distinct');
    await driver.cell(1, 7).click();
    await page.getByText('Row 1', { exact: true }).waitFor();
  });

  test('a chart of the active column: types, numbers as a table, saved as PNG and SVG', async () => {
    await page.setViewportSize({ width: 1_300, height: 560 });
    await driver.showRows(3_000);
    await driver.cell(1, 4).click();
    shown.panel.showTool('chart');
    const chart = page.getByRole('complementary', { name: 'Chart' });
    await chart.getByRole('img', { name: 'Bars: Rows by department, 6 points' }).waitFor();
    assert.equal(await chart.locator('.chart-bar').count(), 6);
    await driver.look('chart-bars');
    // Bars may lie on their side.
    const choices = () => chart.locator('.chart-choice-name:visible').allTextContents();
    assert.deepEqual(await choices(), ['Chart', 'Category', 'Values', 'Split by']);
    await chart.getByLabel('Chart', { exact: true }).selectOption('Line');
    await chart.getByRole('img', { name: /^Line: risk_score by last_activity/ }).waitFor();
    assert.deepEqual(await choices(), ['Chart', 'Horizontal', 'Vertical', 'Split by']);
    await chart.getByText('333 omitted (no number)').waitFor();
    await chart.getByLabel('Chart', { exact: true }).selectOption('Scatter');
    await chart.getByRole('img', { name: /^Scatter/ }).waitFor();
    await chart.getByLabel('Horizontal axis').selectOption('id');
    await chart.getByRole('img', { name: /^Scatter: risk_score by id/ }).waitFor();
    await chart.getByLabel('Chart', { exact: true }).selectOption('Histogram');
    await chart.getByLabel('Horizontal axis').selectOption('last_activity');
    await chart.getByRole('img', { name: /^Histogram: Rows by last_activity/ }).waitFor();
    await driver.look('chart-histogram');
    await chart.getByRole('button', { name: 'SVG' }).click();
    await driver.until(() => saved('svg') !== undefined);
    assert.match(saved('svg') ?? '', /^<\?xml[^>]+>\n<svg[\s\S]+fill="rgb\(/);
    await chart.getByRole('button', { name: 'PNG' }).click();
    await driver.until(() => saved('png') !== undefined);
    assert.equal(
      Buffer.from(saved('png') ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
      'PNG',
    );
    await chart.getByRole('button', { name: 'Numbers' }).click();
    await chart.getByRole('columnheader', { name: 'last_activity' }).waitFor();
    await driver.look('chart-table');
    // The chart covers only the displayed rows.
    await chart.getByLabel('Chart', { exact: true }).selectOption('Bars');
    await chart.getByLabel('Category').selectOption('department');
    await driver.cell(1, 4).click();
    shown.panel.showTool('filter-by-value');
    await chart.getByText('500 of 3,000 rows shown').waitFor();
    await driver.grid().focus();
    await driver.press('Escape');
    await chart.waitFor({ state: 'detached' });
  });

  test('true and false keep a color of their own under the pointer', async () => {
    await driver.showRows(30);
    const cell = driver.cell(3, 5);
    await cell.hover();
    await page.locator('.grid-row:hover').waitFor();
    const colors = await Promise.all(
      [cell, driver.cell(3, 4)].map((one) => one.evaluate((shown) => getComputedStyle(shown).color)),
    );
    assert.notEqual(colors[0], colors[1]);
    await driver.look('boolean-hovered');
  });

  test('the filter of a boolean column starts with true and false', async () => {
    await driver.showRows(30);
    await driver.cell(1, 5).click();
    shown.panel.showTool('filter');
    const condition = page.getByLabel('Condition');
    await condition.waitFor();
    const words = await condition.locator('option').allTextContents();
    assert.deepEqual(words, ['is true', 'is false', 'is NULL', 'is not NULL']);
    assert.equal(await page.getByLabel('Value', { exact: true }).isVisible(), false);
    await page.getByRole('group', { name: 'Values' }).getByText('false').waitFor();
    await driver.look('filter-boolean');
    await condition.selectOption('is false');
    await driver.press('Enter');
    await page.getByText('10 of 30 rows shown').waitFor();
    await page.getByText('enabled is false').waitFor();
    // Opened again, the form shows the filter.
    shown.panel.showTool('filter');
    await page.getByRole('checkbox', { name: 'false' }).waitFor();
    assert.equal(await condition.inputValue(), 'is:false');
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] select'));
    assert.ok(await page.getByRole('checkbox', { name: 'false' }).isChecked());
    await condition.selectOption('is true');
    await driver.press('Enter');
    await page.getByText('20 of 30 rows shown').waitFor();
  });

  test('a chart starts with a column of few values if the active one has too many', async () => {
    await page.setViewportSize({ width: 1_300, height: 560 });
    await driver.showRows(141);
    await driver.cell(1, 3).click();
    shown.panel.showTool('chart');
    const chart = page.getByRole('complementary', { name: 'Chart' });
    await chart.getByRole('img', { name: 'Bars: Rows by department, 6 points' }).waitFor();
    // The user can still choose the other.
    await chart.getByLabel('Category').selectOption('email');
    await chart.getByRole('img', { name: 'Bars: Rows by email, 40 points' }).waitFor();
    await chart.getByText('The 40 largest of 141 values are drawn. Filter the rows to see others.').waitFor();
    await driver.look('chart-many-values');
  });

  test('a chart of rows that the query has grouped shows their number instead of one row each', async () => {
    await page.setViewportSize({ width: 1_000, height: 420 });
    const { writer } = driver.begin();
    writer.open([
      { name: 'department', type: 'text' },
      { name: 'model_id', type: 'int8' },
      { name: 'accounts', type: 'int8' },
    ]);
    await writer.append([
      ['Sales', '1', '40'],
      ['Finance', '2', '25'],
      ['Legal', '3', '5'],
    ]);
    driver.finish(writer, {});
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
    const chart = page.getByRole('complementary', { name: 'Chart' });
    await chart.getByRole('img', { name: 'Bars: Sum of accounts by department, 3 points' }).waitFor();
    await driver.look('chart-grouped');
    // The user can still count the rows.
    await chart.getByLabel('Values').selectOption('Number of rows');
    await chart.getByRole('img', { name: 'Bars: Rows by department, 3 points' }).waitFor();
  });

  test('a chart of rows that the query has grouped by two columns adds up their counts', async () => {
    const { writer } = driver.begin();
    writer.open([
      { name: 'department', type: 'text' },
      { name: 'enabled', type: 'bool' },
      { name: 'accounts', type: 'int8' },
    ]);
    await writer.append([
      ['Sales', 'true', '40'],
      ['Sales', 'false', '2'],
      ['Legal', 'true', '5'],
      ['Legal', 'false', '1'],
    ]);
    driver.finish(writer, {});
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
    const chart = page.getByRole('complementary', { name: 'Chart' });
    await chart.getByRole('img', { name: 'Bars: Sum of accounts by department, 2 points' }).waitFor();
    const titles = await chart.locator('.chart-bar title').allTextContents();
    assert.deepEqual(
      titles.map((title) => /\d+/.exec(title)?.[0]),
      ['42', '6'],
    );
  });

  test('chart labels never overlap: forty bars, and IDs beyond double precision', async () => {
    const { writer } = driver.begin();
    writer.open([
      { name: 'department', type: 'text' },
      { name: 'id', type: 'int8' },
    ]);
    const rows = Array.from({ length: 40 }, (_, index) => [
      `Department ${index + 1}`,
      String(9_007_199_254_740_993n + BigInt(index % 4)),
    ]);
    await writer.append(rows);
    driver.finish(writer, {});
    await driver.cell(1, 2).waitFor();
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
    const chart = page.getByRole('complementary', { name: 'Chart' });
    await chart.getByRole('img', { name: 'Bars: Rows by department, 40 points' }).waitFor();
    for (const [name, width, height] of [
      ['narrow', 800, 290],
      ['wide', 1_600, 620],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction(() => {
        const drawn = document.querySelector('.chart-picture')?.getBoundingClientRect();
        const place = document.querySelector('.chart-place')?.getBoundingClientRect();
        return drawn !== undefined && place !== undefined && Math.abs(drawn.width - place.width) < 40;
      });
      await driver.look(`chart-forty-bars-${name}`);
      // The names are whole, one below the other, each beside its bar.
      const places = await readAll(chart.locator('.chart-tick'), (all) =>
        all.map((tick) => {
          const { top, right, bottom } = tick.getBoundingClientRect();
          return { text: tick.textContent, top, right, bottom };
        }),
      );
      assert.deepEqual(places.map(({ text }) => text).sort(), rows.map(([department]) => department).sort());
      places.slice(1).forEach(({ top, text }, index) => {
        assert.ok(top >= (places[index]?.bottom ?? 0) - 2, `${text} (${name})`);
      });
      const bars = await readAll(chart.locator('.chart-bar'), (all) =>
        all.map((bar) => bar.getBoundingClientRect().left),
      );
      assert.ok(
        places.every(({ right }, index) => right <= (bars[index] ?? 0)),
        name,
      );
    }
    await chart.getByLabel('Chart', { exact: true }).selectOption('Histogram');
    await chart.getByLabel('Horizontal axis').selectOption('id');
    await chart.getByRole('img', { name: /^Histogram: Rows by id/ }).waitFor();
    await driver.look('chart-large-ids');
    const ids = await chart.locator('.chart-tick[text-anchor=middle]').allTextContents();
    assert.ok(ids.includes('9,007,199,254,740,993'), ids.join());
    assert.equal(new Set(ids).size, ids.length, ids.join());
    const boxes = await readAll(chart.locator('.chart-tick[text-anchor=middle]'), (all) => {
      const picture = all[0]?.closest('svg')?.getBoundingClientRect();
      return all.map((tick) => {
        const { left, right } = tick.getBoundingClientRect();
        return { left: left - (picture?.left ?? 0), right: right - (picture?.right ?? 0) };
      });
    });
    assert.ok(
      boxes.every(({ left, right }) => left >= 0 && right <= 0),
      `cut: ${JSON.stringify(boxes)}`,
    );
    await chart.getByRole('button', { name: 'Numbers' }).click();
    await chart.getByRole('cell', { name: '9,007,199,254,740,996' }).first().waitFor();
  });

  test('sort order, filters, layout and open inspectors survive hiding', async () => {
    await driver.showRows(3_000);
    await openMenuOf(/^id/);
    await choose('Hide');
    await driver.cell(1, 3).click();
    shown.panel.showTool('filter-by-value');
    await page.getByText('500 of 3,000 rows shown').waitFor();
    await header(/^alias/).click();
    await page.locator('[aria-sort=ascending]').waitFor();
    await driver.press('ArrowDown', 'Shift+Enter');
    await page.getByRole('complementary', { name: 'Row inspector' }).waitFor();
    await driver.until(() => shown.panel.shown?.look?.includes('"side":"record"') === true);
    await shown.reload();
    await page.getByRole('complementary', { name: 'Row inspector' }).getByText('Row 1').waitFor();
    await page.getByText('500 of 3,000 rows shown').waitFor();
    await page.locator('[aria-sort=ascending]').waitFor();
    assert.equal((await names())[0], 'alias');
  });
});

function sampleRowIndexes(condition: (alias: string) => boolean): number[] {
  return Array.from({ length: 2_000 }, (_, index) => index).filter((index) =>
    condition(String(sampleRow(index)[1])),
  );
}
