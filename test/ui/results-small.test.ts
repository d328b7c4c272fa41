/**
 * The result panel with little space: the editor panel's default height (290 px, of which the page gets 255), 800 x
 * 600, and 200% zoom. Also covers keyboard focus and screen readers.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { parameterFields } from '../helpers/parameter-fields.ts';
import { takePicture, takesPictures } from '../helpers/pictures.ts';
import { readAll } from '../helpers/read-all.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import { sampleColumns, sampleRows } from '../helpers/result-rows.ts';
import type { ResultsDriver } from '../helpers/results-driver.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

const sizes = [
  { name: '290', width: 800, height: 255 },
  { name: '800x600', width: 800, height: 560 },
  // At 200% zoom, the page has half as many pixels in each direction.
  { name: '200-percent', width: 640, height: 270 },
] as const;

const plainConnection = { label: undefined, environment: undefined, isProtected: false } as const;

suite('result panel with little space', () => {
  let shown: ResultsPage;
  let page: Page;
  let calls: string[];
  let driver: ResultsDriver;

  openResultsForEach({}, (opened) => {
    ({ shown, page, calls, driver } = opened);
  });

  async function picture(name: string): Promise<void> {
    if (!takesPictures) return;
    for (const theme of ['dark', 'light'] as const) {
      await shown.setTheme(theme);
      await takePicture(page, `results/small-${name}-${theme}`);
    }
  }

  async function boxOf(place: Locator) {
    for (;;) {
      await place.waitFor();
      const box = await place.boundingBox();
      if (box !== null) return box;
      // It was replaced in the meantime.
    }
  }

  /** Shows a result without rows, and returns once it is complete. */
  async function showHeader(header: Parameters<typeof driver.begin>[0]): Promise<void> {
    const { writer } = driver.begin(header);
    writer.open(sampleColumns);
    await writer.append([]);
    driver.finish(writer);
    await driver.grid().waitFor();
  }

  async function isInSight(place: Locator): Promise<void> {
    const { y, height } = await boxOf(place);
    const size = page.viewportSize() ?? assert.fail();
    assert.ok(y >= 0 && y + height <= size.height, `${y} to ${y + height} of ${size.height}`);
  }

  for (const { name, width, height } of sizes) {
    test(`${name}: rows get the space, with tabs beside the header`, async () => {
      await page.setViewportSize({ width, height });
      await driver.showRows(1_000, { extent: 'more', totalRows: 5_000 });
      await driver.showRows(40);
      const second = shown.panel.results[1];
      if (second !== undefined) shown.panel.show(second);
      await page
        .getByText('All rows loaded')
        .or(page.locator('.row-count', { hasText: '40 rows' }))
        .first()
        .waitFor();
      const grid = await boxOf(driver.grid());
      assert.ok(height - grid.height <= 58, `${height - grid.height} px around the rows`);
      await isInSight(page.getByRole('button', { name: 'Run Again' }));
      await picture(`rows-${name}`);
    });

    test(`${name}: a chart is drawn`, async () => {
      await page.setViewportSize({ width, height });
      await driver.showRows(400);
      shown.panel.showTool('chart');
      const drawn = page.locator('.chart-picture');
      await drawn.waitFor();
      // The chart is redrawn, as a new element, once the page has reported its size.
      const isLarge = `(({ width, height }) => width >= 260 && height >= 120)(
        document.querySelector('.chart-picture').getBoundingClientRect())`;
      await page.waitForFunction(isLarge);
      await isInSight(page.getByRole('button', { name: 'Close' }).last());
      await picture(`chart-${name}`);
      // A low panel offers the height of the window.
      const maximize = page.getByRole('button', { name: 'Maximize Panel' });
      if (height > 320) assert.equal(await maximize.count(), 0);
      else {
        await maximize.click();
        await driver.received('maximized');
      }
      // Names of categories are whole, and leave enough room for the bars.
      await page.getByLabel('Chart', { exact: true }).last().selectOption('Bars');
      await page.getByLabel('Category').selectOption('alias');
      await page.getByRole('img', { name: /^Bars: .* by alias,/ }).waitFor();
      const names = await readAll(page.locator('.chart-tick'), (all) => all.map((one) => one.textContent));
      assert.ok(
        names.length === 40 && names.every((one) => /^\w+\.\w+/.test(one) && !one.includes('…')),
        names.join(),
      );
      const [bars, whole = 0] = await page.evaluate(() => {
        const widths = (selector: string) =>
          [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().width);
        return [Math.max(...widths('.chart-bar')), ...widths('.chart-picture')];
      });
      assert.ok(bars > whole * 0.4, `${bars} of ${whole} px`);
      // The bars that are out of sight are reached with the keyboard.
      const place = page.locator('.chart-place');
      await place.focus();
      await driver.press('End');
      await page.waitForFunction(() => (document.querySelector('.chart-place')?.scrollTop ?? 0) > 50);
      await driver.press('Home');
      await page.waitForFunction(() => document.querySelector('.chart-place')?.scrollTop === 0);
      await picture(`chart-bars-${name}`);
    });

    test(`${name}: rows are grouped with a form that fits, with the keyboard alone`, async () => {
      await page.setViewportSize({ width, height });
      await driver.showRows(400);
      shown.panel.showTool('group');
      const dialog = page.getByRole('dialog', { name: 'Group Rows' });
      await dialog.waitFor();
      // The form has the focus, rather than the rows behind it.
      await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] *'));
      await page.getByLabel('Pivot by', { exact: true }).selectOption('alias');
      await page.getByLabel('Show', { exact: true }).selectOption('Different values');
      const { y, height: own } = await boxOf(dialog);
      assert.ok(y >= 0 && y + own <= height, `${y} to ${y + own} of ${height}`);
      await picture(`group-${name}`);
      const unreadable = await readAll(dialog.locator('select:visible'), (all) =>
        (all as HTMLSelectElement[])
          .map((one) => {
            const words = one.selectedOptions[0]?.label ?? '';
            const canvas = document.createElement('canvas').getContext('2d');
            const { font, paddingLeft, paddingRight } = getComputedStyle(one);
            if (canvas !== null) canvas.font = font;
            const arrow = 20;
            const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
            return { words, spare: room - (canvas?.measureText(words).width ?? 0), title: one.title };
          })
          .filter(({ words, spare, title }) => spare < 0 || title !== words),
      );
      assert.deepEqual(unreadable, []);
      await page.getByLabel('Group by', { exact: true }).focus();
      await driver.press('Enter');
      const { grouping } = await driver.received('group');
      assert.deepEqual(grouping, {
        by: [{ column: 0 }],
        across: { column: 1 },
        measure: { kind: 'distinct', column: 0 },
      });
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
    });

    test(`${name}: the buttons of an error are visible`, async () => {
      await page.setViewportSize({ width, height });
      driver.begin().writer.set({
        kind: 'failed',
        failure: {
          message: 'column "nmae" does not exist. '.repeat(12),
          hint: 'Perhaps you meant to reference the column "accounts.name".',
          code: 'QUERY_FAILED',
          reasons: [{ code: '42703', message: 'undefined_column' }],
          place: { line: 3, column: 8 },
          requestId: 'f0c1',
        },
        elapsedMs: 20,
      });
      await page.getByRole('heading', { name: 'The query failed' }).waitFor();
      await isInSight(page.getByRole('button', { name: 'Go to Error' }));
      await isInSight(page.getByRole('main').getByRole('button', { name: 'Run Again' }));
      await picture(`error-${name}`);
    });

    test(`${name}: a fault of the service is no failure of the query, and names the request once`, async () => {
      await page.setViewportSize({ width, height });
      const titles = {
        unavailable: 'The service is not available',
        unreachable: "The service can't be reached",
        failed: 'The service failed',
        'sign-in': 'Sign-in was refused',
      } as const;
      for (const fault of ['unavailable', 'unreachable', 'failed', 'sign-in'] as const) {
        const message = `Told ${fault}. Give the operator the request ID f0c1.`;
        const failure = { message, code: 'X', reasons: [], fault, requestId: 'f0c1' };
        driver.begin().writer.set({ kind: 'failed', failure, elapsedMs: 20 });
        await page.getByRole('heading', { name: titles[fault] }).waitFor();
        await page.getByText(message).waitFor();
        assert.equal(await page.getByRole('main').getByText('f0c1').count(), 1);
      }
      await picture(`service-fault-${name}`);
    });

    test(`${name}: the focused field is not hidden by the buttons`, async () => {
      await page.setViewportSize({ width, height });
      const result = shown.newResult({ connection: 'Sandbox' });
      const writer = result.begin(result.header, recordedActions(calls));
      writer.set({ kind: 'parameters', revision: 1, fields: parameterFields, valueSets: [] });
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      const fields = page.locator(
        '.form input:visible:enabled, .form textarea:visible:enabled, .form select:visible:enabled',
      );
      const { y: start } = await boxOf(page.locator('.form').first());
      const buttons = await boxOf(page.locator('.form .buttons'));
      for (let index = 0; index < (await fields.count()); index += 1) {
        await fields.nth(index).focus();
        const { y, height: own } = await boxOf(fields.nth(index));
        const place = `field ${index}: ${y} to ${y + own} of ${start} to ${buttons.y}`;
        assert.ok(y >= start - 1 && y + own <= buttons.y + 1, place);
      }
      await picture(`form-${name}`);
      // The hint beside the buttons has no room here, so an empty list says itself what Enter does.
      const list = page.locator('.form textarea').first();
      await list.focus();
      assert.match((await list.getAttribute('placeholder')) ?? '', /\(Enter\).*Ctrl\+Enter runs$/);
      const described = (await list.getAttribute('aria-describedby')) ?? '';
      assert.match(described, /parameter-\d+-rules/, 'also once there is text');
      await isInSight(page.locator('.field:has(textarea) .field-type').first());
      await picture(`form-list-${name}`);
      // Fading fields and a line show that more follow, until the last one is in sight.
      const isLine = (opacity: string) =>
        page.waitForFunction(
          ([selector, expected]) => {
            const buttons = document.querySelector(selector);
            return buttons !== null && getComputedStyle(buttons, '::before').opacity === expected;
          },
          ['.form .buttons', opacity] as const,
          { timeout: 5_000 },
        );
      await page.locator('.form').evaluate((form) => (form.scrollTop = 0));
      await isLine('1');
      // No line of the fields shows below the buttons.
      const isBelow = await page
        .locator('.form .buttons')
        .evaluate((buttons) => buttons.getBoundingClientRect().bottom > window.innerHeight);
      assert.equal(isBelow, true);
      // Disabling animations would take the line away.
      await takePicture(page, `results/small-form-start-${name}`, { animations: 'allow' });
      await page.locator('.form').evaluate((form) => (form.scrollTop = form.scrollHeight));
      await isLine('0');
      await page.setViewportSize({ width, height: 1_000 });
      await isLine('0');
    });
  }

  test('the choices of a chart are whole in a narrow panel', async () => {
    await page.setViewportSize({ width: 447, height: 255 });
    const { writer } = driver.begin({ measure: 1, connection: undefined });
    writer.open([
      { name: 'department', type: 'text' },
      { name: 'Total', type: 'int8' },
    ]);
    await writer.append([
      ['Sales', '40'],
      ['Legal', '5'],
    ]);
    driver.finish(writer);
    await driver.cell(1, 1).waitFor();
    shown.panel.showTool('chart');
    await page.getByRole('img', { name: 'Bars: Total by department, 2 points' }).waitFor();
    const widths = await readAll(page.locator('.chart-form select:visible'), (all) =>
      all.map((one) => {
        const { value } = one as HTMLSelectElement;
        const words = [...(one as HTMLSelectElement).options].find((option) => option.value === value)?.label;
        const canvas = document.createElement('canvas').getContext('2d');
        const { font, paddingLeft, paddingRight } = getComputedStyle(one);
        if (canvas !== null) canvas.font = font;
        // The padding contains the arrow. Widths are whole pixels.
        const room = one.clientWidth + 1 - parseFloat(paddingLeft) - parseFloat(paddingRight);
        return room - (canvas?.measureText(words ?? '').width ?? 0);
      }),
    );
    assert.ok(
      widths.every((spare) => spare >= 0),
      widths.join(),
    );
    await isInSight(page.getByRole('button', { name: 'Close' }).last());
    const close = await boxOf(page.getByRole('button', { name: 'Close' }).last());
    assert.ok(close.x + close.width <= 447, 'the button to close is in sight');
    await picture('chart-choices');
  });

  test('names of categories are whole at the edge of a low chart, whatever their letters', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    const { writer } = driver.begin();
    writer.open([
      { name: 'badge', type: 'text' },
      { name: 'name', type: 'text' },
    ]);
    const rows = Array.from({ length: 60 }, (_, row) => [
      `${4_000_000_000_000_000 + (row % 20)}`,
      `${'漢字の名前と役職'.repeat(5)} ${row % 20}`,
    ]);
    await writer.append(rows);
    driver.finish(writer);
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
    for (const name of ['badge', 'name']) {
      await page.getByLabel('Category').selectOption(name);
      await page.getByRole('img', { name: `Bars: Rows by ${name}, 20 points` }).waitFor();
      await picture(`chart-names-${name}`);
      const edge = (await boxOf(page.locator('.chart-picture'))).x;
      const lefts = await readAll(page.locator('.chart-picture text'), (all) =>
        all.map((one) => one.getBoundingClientRect().left),
      );
      assert.ok(Math.min(...lefts) >= edge, `${name}: ${Math.min(...lefts) - edge} px`);
      // The bars keep their room.
      const bars = await readAll(page.locator('.chart-bar'), (all) =>
        all.map((one) => one.getBoundingClientRect().width),
      );
      assert.ok(Math.max(...bars) > 300, bars.join());
    }
  });

  test('a split chart fits into a low and narrow panel, and no choice leaves the line', async () => {
    await page.setViewportSize({ width: 447, height: 255 });
    await driver.showRows(400);
    await driver.cell(1, 1).click();
    shown.panel.showTool('chart');
    // Almost every row has its own ID: a column with few values comes first.
    await page.getByRole('img', { name: /^Bars: Rows by department, 6 points/ }).waitFor();
    for (const name of ['Chart', 'Category', 'Values', 'Split by']) {
      const label = page.locator('.chart-choice-name', { hasText: name });
      assert.ok(await label.isVisible(), name);
      assert.ok(await label.evaluate((one) => one.scrollWidth <= one.clientWidth), `${name} is whole`);
    }
    await page.getByLabel('Category').selectOption('department');
    const split = page.getByLabel('Split by', { exact: true });
    for (const name of ['last_activity', 'manager']) {
      await split.selectOption(name);
      const drawn = page.getByRole('img', {
        name: new RegExp(`^Bars: .* by department, split by ${name}`),
      });
      await drawn.waitFor();
      const line = await boxOf(page.locator('.chart-form'));
      const parts = page.locator('.chart-form > :visible');
      for (const part of await parts.all()) {
        const { x, y, width, height } = await boxOf(part);
        assert.ok(x >= 0 && x + width <= 447, `${x} to ${x + width}`);
        assert.ok(y >= line.y && y + height <= line.y + line.height + 1, 'on the line');
      }
      // The names of the series leave most of the height to the bars.
      const { y, height } = await boxOf(drawn);
      const names = await page.locator('.chart-legend').all();
      assert.equal(names.length, 8);
      for (const one of names) {
        const box = await boxOf(one);
        assert.ok(box.x + box.width <= 447 && box.y >= y && box.y + box.height < y + height / 3, `${box.x}`);
      }
      await picture(`chart-split-${name}`);
    }
    await page.getByLabel('Chart', { exact: true }).last().selectOption('Line');
    await page.getByLabel('Horizontal axis').selectOption('last_activity');
    await page.getByRole('img', { name: /^Line: .* by last_activity, split by manager/ }).waitFor();
    await picture('chart-split-lines');
  });

  test('a fact above the rows that does not fit ends with an ellipsis, and its tooltip is whole', async () => {
    await page.setViewportSize({ width: 520, height: 255 });
    const connection = 'Identity service of the northern region';
    await showHeader({ connection });
    await showHeader({ connection });
    const chip = page.locator('.header-facts .chip').first();
    await page.getByRole('tab').nth(1).waitFor();
    assert.equal(await chip.getAttribute('title'), `Connection, marked as protected: ${connection} (PROD)`);
    const [own, line] = [await boxOf(chip), await boxOf(page.locator('.header-facts'))];
    assert.ok(own.width <= line.width, `${own.width} of ${line.width}`);
    const name = await chip.getByText(connection).evaluate((part) => ({
      isCut: part.scrollWidth > part.clientWidth,
      end: getComputedStyle(part).textOverflow,
    }));
    assert.deepEqual(name, { isCut: true, end: 'ellipsis' });
    await picture('facts');
  });

  for (const [width, tabCount] of [
    [1_440, 2],
    [800, 4],
    [447, 4],
    [447, 1],
    [360, 1],
  ] as const)
    test(`at ${width} px with ${tabCount} tabs, facts are shown whole or counted, and the connection is read`, async () => {
      await page.setViewportSize({ width, height: 290 });
      const writer = Array.from({ length: tabCount }, () => driver.begin(plainConnection)).at(-1)?.writer;
      writer?.open(sampleColumns);
      await writer?.append([]);
      if (writer !== undefined) driver.finish(writer);
      await driver.grid().waitFor();
      const read = () =>
        page.evaluate(() => {
          const edge = document.querySelector('.header-facts')?.getBoundingClientRect().right ?? 0;
          const all = [...document.querySelectorAll<HTMLElement>('.header-facts .chip')];
          const chips = all.filter((chip) => chip.checkVisibility());
          const isWhole = (chip: HTMLElement) =>
            [chip, ...chip.querySelectorAll('span')].every((one) => one.scrollWidth <= one.clientWidth) &&
            chip.getBoundingClientRect().right <= edge + 1;
          const more = document.querySelector<HTMLElement>('.facts-more');
          const counted = more?.checkVisibility() === true ? Number(more.textContent) : 0;
          return {
            // The end of the values may be cut, and is in the tooltip.
            cut: chips
              .filter((chip) => !isWhole(chip) && !chip.classList.contains('parameters'))
              .map((chip) => chip.textContent),
            first: chips[0]?.textContent,
            isEachCounted: chips.length + counted === all.length,
          };
        });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      assert.deepEqual(await read(), { cut: [], first: 'Sandbox', isEachCounted: true });
      await picture(`facts-whole-${width}-${tabCount}`);
    });

  test('the connection is named with the one whose text ran on it, however many facts there are', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    const connection = { ...plainConnection, home: 'Staging', label: 'Local', environment: 'production' };
    await showHeader(connection);
    const chip = page.locator('.header-facts .chip').first();
    /** Whether both names are in sight, and none is cut. */
    const areNamesWhole = () =>
      chip
        .locator('span:not(.connection-place)')
        .evaluateAll(
          (names) =>
            names.length === 2 &&
            names.every((one) => one.checkVisibility() && one.scrollWidth <= one.clientWidth),
        );
    assert.equal(await chip.textContent(), 'Sandbox (Local · production), text of Staging');
    assert.ok(await areNamesWhole(), 'the names are whole');
    assert.match((await chip.getAttribute('title')) ?? '', /\(Local · production\), text of Staging$/);
    // Beside a side bar in a window of 800 px, the mark, the environment and the query's name give way.
    await page.setViewportSize({ width: 447, height: 223 });
    await showHeader({ title: 'Tour/enabled accounts', home: 'Staging' });
    await page.locator('.chip.is-protected').waitFor();
    assert.equal(await chip.textContent(), 'Sandbox (PROD), text of Staging');
    await picture('foreign-tabs');
    assert.ok(await areNamesWhole(), 'the names are whole beside tabs');
    const tabs = page.getByRole('tab');
    await tabs.first().press('Delete');
    await tabs.nth(1).waitFor({ state: 'detached' });
    assert.ok(await areNamesWhole(), 'the names are whole beside the title');
    await picture('foreign-narrow');
  });

  test('beside a side bar at 800 px, the folder of the query gives way to the values', async () => {
    await page.setViewportSize({ width: 447, height: 223 });
    const parameters = [{ name: 'idle_days', text: '60', isNull: false }];
    await showHeader({ ...plainConnection, title: 'Access reviews/Dormant access', parameters });
    const value = page.locator('.chip .parameter-value');
    await value.waitFor();
    await picture('values-narrow');
    assert.ok(await value.evaluate((one) => one.scrollWidth <= one.clientWidth), 'the value is whole');
  });

  test('in a narrow panel, a list has a line of its own', async () => {
    await page.setViewportSize({ width: 447, height: 223 });
    const fields = parameterFields.filter(({ control }) => control === 'list');
    driver.begin().writer.set({ kind: 'parameters', revision: 1, fields, valueSets: [] });
    const list = await boxOf(page.locator('.form textarea'));
    const ticks = await boxOf(page.getByLabel('teams is NULL'));
    assert.ok(ticks.y >= list.y + list.height, `${list.width} px for the list`);
  });

  test('a run that took too long shows its duration', async () => {
    const failure = { message: 'Told to stop.', reasons: [], code: 'QUERY_TIMEOUT' };
    driver.begin().writer.set({ kind: 'failed', failure, elapsedMs: 3_012 });
    await page.getByRole('heading', { name: /^Timed out after 3 s$/ }).waitFor();
  });

  test('the rows get the focus as soon as the page does, and it returns to the query', async () => {
    await driver.showRows(20);
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      window.dispatchEvent(new Event('focus'));
    });
    await driver.press('ArrowDown', 'ArrowRight');
    assert.deepEqual(await driver.active(), [2, 2]);
    await driver.press('Control+c');
    await driver.until(() => shown.copied.length > 0);
    assert.equal(shown.copied[0], await driver.cell(2, 2).textContent());
    await driver.press('Control+F6');
    await driver.until(() => calls.includes('goToQuery'));
    assert.ok(!calls.includes('runAgain'));
    await driver.press('F5');
    await driver.until(() => calls.includes('runAgain'));
    calls.length = 0;
    await driver.press('Control+Enter');
    await driver.until(() => calls.includes('runAgain'));
  });

  test('a chart that covers the rows gets the focus, and commands do not use the cells behind it', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    const { result } = await driver.showRows(20);
    await driver.cell(2, 1).click();
    shown.panel.showTool('chart');
    const chart = page.locator('.chart-view');
    const isIn = (selector: string) =>
      page.waitForFunction((place) => document.activeElement?.closest(place) !== null, selector);
    await chart.getByRole('img').waitFor();
    await driver.until(() => shown.panel.isCovered(result));
    assert.equal(shown.panel.areaOf(result), undefined);
    assert.equal(await page.locator('.footer-selection').textContent(), '');
    // Neither the command nor the Tab key gets to the rows.
    await page.locator('.chart-maximize').focus();
    shown.panel.focus();
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      window.dispatchEvent(new Event('focus'));
    });
    await isIn('.chart-view');
    await driver.grid().waitFor({ state: 'hidden' });
    await page.getByRole('grid', { includeHidden: true }).evaluate((grid) => grid.focus());
    await isIn('.chart-view');
    const covered = page.getByText('The chart covers the rows. Close it to select rows.');
    shown.panel.copySelection('tsv', false);
    await covered.waitFor();
    await picture('chart-covers-rows');
    await page.locator('.notice').evaluate((notice) => notice.replaceChildren());
    shown.panel.showTool('add-where');
    await covered.waitFor();
    // A button leads back to the rows, as that of the error of a command does.
    const hide = page.getByRole('button', { name: 'Hide Chart' });
    await page.setViewportSize({ width: 447, height: 255 });
    const { x, width } = await boxOf(hide);
    assert.ok(x >= 0 && x + width <= 447, `${x} to ${x + width}`);
    await picture('chart-covers-rows-narrow');
    await page.setViewportSize({ width: 800, height: 255 });
    await hide.press('Enter');
    await isIn('[role=grid]');
    assert.equal(await covered.count(), 0);
    await driver.until(() => shown.panel.areaOf(result)?.firstRow === 1);
    shown.panel.showTool('chart');
    await driver.until(() => shown.panel.isCovered(result));
    shown.panel.showTool('rows');
    await isIn('[role=grid]');
    await driver.until(() => shown.panel.areaOf(result)?.firstRow === 1);
    shown.panel.showTool('chart');
    await driver.until(() => shown.panel.isCovered(result));
    // The selection that comes later shows that nothing was sent before.
    await driver.press('Escape');
    await driver.until(() => shown.panel.areaOf(result)?.firstRow === 1);
    assert.deepEqual(shown.copied, []);
    assert.ok(!shown.received.some((message) => (message as { kind?: string }).kind === 'addToQuery'));
    // The rows have the focus, and their cell is as before.
    await driver.press('ArrowDown');
    assert.deepEqual(await driver.active(), [3, 1]);
    // In a higher panel, rows and chart are side by side. A panel that becomes low hands the focus over.
    await page.setViewportSize({ width: 800, height: 560 });
    shown.panel.showTool('chart');
    await chart.getByRole('img').waitFor();
    await driver.grid().waitFor();
    shown.panel.focus();
    await isIn('[role=grid]');
    await driver.until(() => shown.panel.areaOf(result)?.firstRow === 2);
    await page.setViewportSize({ width: 800, height: 255 });
    await isIn('.chart-view');
    await driver.until(() => shown.panel.isCovered(result));
    // The matches of a search are cells.
    shown.panel.showTool('find');
    await driver.grid().waitFor();
    assert.equal(await chart.count(), 0);
  });

  test('the initially selected cell is available to other features', async () => {
    const { result } = await driver.showRows(20);
    assert.deepEqual(shown.panel.areaOf(result), { firstRow: 0, lastRow: 0, columns: [0] });
    const empty = await driver.showRows(0);
    assert.equal(shown.panel.areaOf(empty.result), undefined);
  });

  test('Enter opens the record of a row; Space opens the value of a cell', async () => {
    const { result, writer } = driver.begin();
    writer.open([
      { name: 'alias', type: 'text' },
      { name: 'global_id', type: 'text' },
    ]);
    await writer.append([
      ['amina', '0f0d6f0e-1111-4222-8333-444455556666'],
      ['nobody', null],
    ]);
    driver.finish(writer);
    await driver.cell(1, 1).waitFor();
    assert.equal(result.state.kind, 'rows');
    await driver.grid().focus();
    await driver.press('Enter');
    const { globalId } = await driver.received('record opened');
    assert.equal(globalId, '0f0d6f0e-1111-4222-8333-444455556666');
    assert.equal(await page.locator('.inspector').count(), 0);
    await driver.press('Space');
    await page.locator('.inspector-value', { hasText: 'amina' }).waitFor();
    await driver.press('Escape', 'ArrowDown', 'Enter');
    // A row without a record shows its value instead.
    await page.locator('.inspector-value', { hasText: 'nobody' }).waitFor();
  });

  test('facts that do not fit beside the tabs are counted, and shown by key', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    for (let index = 0; index < 4; index += 1) await driver.showRows(5);
    await page.getByRole('tab', { selected: true }).and(page.getByRole('tab').nth(3)).waitFor();
    const more = page.getByRole('button', { name: 'About This Result' });
    await more.waitFor();
    assert.match((await more.textContent()) ?? '', /^\+[1-9]$/);
    await more.focus();
    await driver.press('Enter');
    const facts = page.getByRole('dialog', { name: 'About This Result' });
    await facts.getByText('Model: platform_identity').waitFor();
    await facts.getByText('Parameter since: 2026-01-01').waitFor();
    await driver.look('small-facts');
    await driver.press('Escape');
    await facts.waitFor({ state: 'detached' });
    await more.and(page.locator(':focus')).waitFor();
    await page.setViewportSize({ width: 2_400, height: 255 });
    await more.waitFor({ state: 'hidden' });
    assert.ok(await page.getByTitle('Parameter since: 2026-01-01', { exact: true }).isVisible());
  });

  test('once all facts fit, Escape in their list leaves the focus above the rows', async () => {
    await page.setViewportSize({ width: 700, height: 255 });
    const title = 'Accounts of people who left and are still enabled';
    const { result, writer } = driver.begin({ title, parameters: [] });
    writer.open(sampleColumns);
    await writer.append([]);
    driver.finish(writer);
    const more = page.getByRole('button', { name: 'About This Result' });
    await more.focus();
    await driver.press('Enter');
    const facts = page.getByRole('dialog', { name: 'About This Result' });
    await facts.waitFor();
    result.rename({ title: 'Left' });
    await more.waitFor({ state: 'hidden' });
    await driver.press('Escape');
    await facts.waitFor({ state: 'detached' });
    await page.locator('.header-actions button:focus').waitFor();
  });

  for (const [width, height] of [
    [800, 255],
    [447, 255],
  ] as const)
    test(`four tabs at ${width} px keep a readable width, and the active one is in view`, async () => {
      await page.setViewportSize({ width, height });
      for (let index = 0; index < 4; index += 1) await driver.showRows(5);
      await page.waitForFunction(() => document.querySelectorAll('[role=tab]').length === 4);
      for (const active of [3, 0, 2]) {
        shown.panel.show(shown.panel.results[active] ?? assert.fail());
        await page.waitForFunction((index) => {
          const tab = document.querySelectorAll('[role=tab]')[index];
          const [list, own] = [document.querySelector('.tabs'), tab].map((one) =>
            one?.getBoundingClientRect(),
          );
          const isIn = list && own && own.left >= list.left - 1 && own.right <= list.right + 1;
          return tab?.getAttribute('aria-selected') === 'true' && isIn === true;
        }, active);
        // Found and measured at once: tabs that are drawn again in between have no width.
        const boxes = await page.evaluate(() =>
          [...document.querySelectorAll('[role=tab]')].map((tab) => {
            const { left, right, width } = tab.getBoundingClientRect();
            return { left, right, width };
          }),
        );
        assert.ok(
          boxes.every((box) => box.width >= 119),
          boxes.map((box) => box.width).join(),
        );
        // None covers its neighbor.
        boxes
          .slice(1)
          .forEach((box, index) => assert.ok(box.left >= (boxes[index]?.right ?? 0) - 1, `tab ${index + 2}`));
      }
      await picture(`tabs-${width}`);
      // Others are reached with the wheel, and a narrower panel still shows the active one.
      await page.locator('.tabs').hover();
      await page.mouse.wheel(0, -1_000);
      await page.waitForFunction(() => document.querySelector('.tabs')?.scrollLeft === 0);
      shown.panel.show(shown.panel.results[3] ?? assert.fail());
      await page.locator('[role=tab][aria-selected=true]').waitFor();
      await page.setViewportSize({ width: 400, height });
      await page.waitForFunction(() => {
        const list = document.querySelector('.tabs')?.getBoundingClientRect();
        const own = document.querySelectorAll('[role=tab]')[3]?.getBoundingClientRect();
        return list && own && own.left >= list.left - 1 && own.right <= list.right + 1;
      });
    });

  for (const [width, height] of [
    [800, 255],
    [447, 255],
  ] as const) {
    test(`${width} x ${height}: the menu of a column shows every item`, async () => {
      await page.setViewportSize({ width, height });
      await driver.showRows(300);
      await driver.grid().focus();
      await driver.press('Alt+ArrowDown');
      const items = page.getByRole('menu').getByRole('menuitem');
      await items.first().waitFor();
      for (const item of await items.all()) await isInSight(item);
      await picture(`menu-${width}`);
      const focused = () =>
        page.evaluate(() => document.activeElement?.querySelector('.menu-label')?.textContent);
      await driver.press('ArrowRight');
      assert.equal(await focused(), 'Fit Width');
      await driver.press('ArrowLeft');
      assert.equal(await focused(), 'Sort Ascending');
      await driver.press('End');
      assert.equal(await focused(), 'Chart...');
    });

    test(`${width} x ${height}: the values of a filter get the height of the page`, async () => {
      await page.setViewportSize({ width, height });
      await driver.showRows(300);
      await driver.grid().focus();
      await driver.press('ArrowRight');
      shown.panel.showTool('filter');
      const list = page.getByRole('group', { name: 'Values' });
      await list.getByRole('checkbox').nth(20).waitFor();
      const { height: own } = await boxOf(list);
      assert.ok(own >= 150, `${own} px for the values`);
      await isInSight(page.getByRole('button', { name: 'Apply' }));
      const title = await boxOf(page.getByRole('heading', { name: 'Filter alias' }));
      assert.ok(title.height >= 14, `${title.height} px for the title`);
      await picture(`filter-${width}`);
      await list.getByRole('checkbox').nth(19).focus();
      await driver.press('ArrowDown');
      await isInSight(list.getByRole('checkbox').nth(20));
    });
  }

  test('a failed run offers the rows of the run before, which say when they were read', async () => {
    await page.setViewportSize({ width: 1_000, height: 290 });
    const { result } = await driver.showRows(20);
    const writer = result.begin(result.header, recordedActions([]), () => undefined);
    const message = 'column "emial" does not exist';
    writer.set({ kind: 'failed', elapsedMs: 80, failure: { message, reasons: [], code: '42703' } });
    const show = page.getByRole('button', { name: 'Show Earlier Rows' });
    await show.waitFor();
    await page.getByRole('alert').getByText(message).waitFor();
    await isInSight(show);
    await page.getByText(/^Earlier run of .*2026.*: 20 rows$/).waitFor();
    await picture('failed-earlier');
    await show.focus();
    await driver.press('Enter');
    await driver.cell(1, 2).waitFor();
    await page
      .locator('.footer')
      .getByText(/^Earlier run of .*2026/)
      .waitFor();
    await picture('earlier-rows');
  });

  test('earlier rows say that the text of their query was different, and offer to compare it', async () => {
    await page.setViewportSize({ width: 1_000, height: 290 });
    const textOf = (statement: string) => ({
      ...recordedActions(calls),
      ...{ statement: () => statement, compareText: () => void calls.push(`compare ${statement}`) },
    });
    const { result } = driver.begin();
    const rows = result.begin(result.header, textOf('SELECT email'));
    rows.open(sampleColumns);
    await rows.append(sampleRows(0, 20));
    driver.finish(rows);
    await driver.cell(1, 2).waitFor();
    const failure = { message: 'column "emial" does not exist', reasons: [] };
    const fail = (statement: string) =>
      result
        .begin(result.header, textOf(statement), () => undefined)
        .set({ kind: 'failed', elapsedMs: 80, failure });
    const compare = page.getByRole('button', { name: 'Compare Texts...' });
    fail('SELECT email');
    await page.getByText(/^Earlier run of .*2026.*: 20 rows$/).waitFor();
    assert.equal(await compare.count(), 0);
    fail('SELECT emial');
    await page.getByText(/^Earlier run of .*: 20 rows · The text of the query was different\.$/).waitFor();
    await isInSight(compare);
    await picture('failed-other-text');
    await compare.press('Enter');
    await driver.until(() => calls.includes('compare SELECT email'));
    await page.getByRole('button', { name: 'Show Earlier Rows' }).press('Enter');
    await page
      .locator('.footer')
      .getByText(/^Earlier run of .*2026.*, with another text$/)
      .waitFor();
    await picture('earlier-other-text');
  });

  test('a menu that fits neither in one column nor in two scrolls to the focused item', async () => {
    await page.setViewportSize({ width: 300, height: 180 });
    await driver.showRows(20);
    await driver.grid().focus();
    await driver.press('Alt+ArrowDown');
    const last = page.getByRole('menuitem', { name: 'Chart...' });
    await last.waitFor();
    await picture('menu-narrow');
    await driver.press('End');
    await page.waitForFunction(() => document.activeElement?.textContent.includes('Chart...'));
    await isInSight(last);
    await picture('menu-narrow-end');
  });

  test('a tab shows the name before its folder, and tabs take the free space', async () => {
    await page.setViewportSize({ width: 1_040, height: 255 });
    for (const name of ['Admins now', 'Admins today', 'Dormant access', 'Over-privileged roles']) {
      const { writer } = driver.begin({ title: `Access reviews/${name}` });
      writer.open(sampleColumns);
      driver.finish(writer);
    }
    const tab = page.getByRole('tab', { name: 'Access reviews/Over-privileged roles v3', exact: true });
    await tab.waitFor();
    const names = page.locator('.tab-title');
    assert.deepEqual(await names.allTextContents(), [
      'Admins now',
      'Admins today',
      'Dormant access',
      'Over-privileged roles',
    ]);
    assert.deepEqual(await page.locator('.tab-version').allTextContents(), Array(4).fill(' v3'));
    const cut = await readAll(names, (all) => all.map((one) => one.scrollWidth > one.clientWidth));
    assert.deepEqual(cut, Array(4).fill(false));
    assert.equal(await page.locator('.tab-folder').count(), 0);
    // Tabs of the same name say where they are from.
    const { writer } = driver.begin({ title: 'HR/Admins today' });
    writer.open(sampleColumns);
    driver.finish(writer);
    await page.getByRole('tab', { name: 'HR/Admins today v3', exact: true }).waitFor();
    assert.deepEqual(await page.locator('.tab-folder').allTextContents(), ['Access reviews', 'HR']);
    await picture('tabs-folders');
  });

  test('above the rows, the folder gives way to the name', async () => {
    await page.setViewportSize({ width: 447, height: 255 });
    const { writer } = driver.begin({ title: 'Access reviews/Enabled after leaving' });
    writer.open(sampleColumns);
    driver.finish(writer);
    const parts = page.locator('.header-title .title-part');
    await page.getByRole('button', { name: 'Access reviews/Enabled after leaving', exact: true }).waitFor();
    const widths = await readAll(parts, (all) => all.map((one) => [one.clientWidth, one.scrollWidth]));
    assert.equal(widths[0]?.[0], 0, 'the folder is out of sight');
    assert.ok((widths[1]?.[0] ?? 0) > 0 && widths[1]?.[0] === widths[1]?.[1], 'the name is whole');
    await picture('title-folder');
  });

  test('a tab of grouped rows keeps what they are grouped by, however long the name', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    const summarized = 'Access reviews/Accounts without a login for ninety days v3';
    const show = (column: string) => {
      const { writer } = driver.begin({
        ...{ origin: 'rows', version: undefined, summarized, title: `${summarized} by ${column}` },
      });
      writer.open(sampleColumns);
      driver.finish(writer);
    };
    const isWhole = (one: Locator) => one.evaluate((words) => words.scrollWidth <= words.clientWidth);
    show('department');
    const title = page.locator('.header-title');
    await title.getByText('by department').waitFor();
    assert.equal(await title.textContent(), `${summarized} by department`);
    assert.ok(await isWhole(title.getByText('by department')));
    await picture('grouped-header');
    // Values of the run are facts here; the form for them belongs to the query.
    await page.locator('.chip .parameter').first().waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('button', { name: 'Change Parameters' }).count(), 0);
    show('manager');
    for (const column of ['department', 'manager']) {
      const tab = page.getByRole('tab', { name: `${summarized} by ${column}`, exact: true });
      const rest = tab.getByText(`by ${column}`, { exact: true });
      await rest.waitFor();
      assert.ok(await isWhole(rest), column);
      assert.match((await tab.textContent()) ?? '', /^Accounts without/);
    }
    await picture('tabs-grouped');
  });

  test('a tab says that the query was edited, however long its name; the header does not repeat it', async () => {
    await page.setViewportSize({ width: 900, height: 290 });
    const show = (title: string) => {
      const { writer } = driver.begin({ title, version: 4, isModified: true, parameters: [] });
      writer.open(sampleColumns);
      driver.finish(writer);
    };
    show('A Tour/Conflict');
    // Without tabs, the header says it.
    await page.locator('.header-version').getByText('v4 (edited)').waitFor();
    assert.equal((await page.locator('.header-version').boundingBox())?.width === 1, false);
    show('A Tour/Accounts without a login for more than ninety days');
    const name = 'A Tour/Accounts without a login for more than ninety days v4 (edited)';
    const tab = page.getByRole('tab', { name, exact: true });
    await tab.waitFor();
    const places = await tab.locator('.tab-version').evaluate((version) => {
      const [own, whole] = [version, version.closest('.tab')].map((one) => one?.getBoundingClientRect());
      return { text: version.textContent, right: own?.right ?? Infinity, end: whole?.right ?? 0 };
    });
    assert.equal(places.text, ' v4 (edited)');
    assert.ok(places.right <= places.end, JSON.stringify(places));
    assert.equal((await page.locator('.header-version').boundingBox())?.width, 1);
    await page
      .getByRole('heading', { name: /Accounts without a login .* v4 \(edited\)/ })
      .waitFor({ state: 'attached' });
    await picture('tab-edited');
  });

  test('six tabs keep their short names whole, and show what tells long ones apart', async () => {
    await page.setViewportSize({ width: 1_050, height: 290 });
    const long = 'Access reviews/Accounts still enabled after their owner left';
    const rows = { origin: 'rows', version: undefined } as const;
    driver.begin({ title: long });
    driver.begin({ ...rows, summarized: `${long} v3`, title: `${long} v3 by profile` });
    for (const title of ['My admins', 'Dormant access', 'Untitled-1']) driver.begin({ title });
    driver.begin({ ...rows, title: long, part: 'comparison' });
    await page.getByRole('tab').nth(5).waitFor();
    const isCut = (one: Element) => one.scrollWidth > one.clientWidth;
    const titles = page.locator('.tab-title');
    const shown = await readAll(titles, (all) =>
      all.map((one) => [one.textContent, one.scrollWidth > one.clientWidth] as const),
    );
    const whole = shown.filter(([, isCut]) => !isCut).map(([words]) => words);
    assert.deepEqual(whole, [' by profile', 'My admins', 'Dormant access', 'Untitled-1', '· comparison']);
    assert.equal(await page.locator('.tab-part').evaluate(isCut), false);
    // Words that follow a name have their own space.
    const rest = page.locator('.title-rest');
    const hole = await rest.evaluate(
      (one) =>
        one.getBoundingClientRect().left -
        (one.previousElementSibling?.getBoundingClientRect().right ?? Number.NaN),
    );
    assert.ok(hole <= 0.5, `${hole} px`);
    await picture('tabs-six');
  });

  test('only rows of a query offer in their menu to add to it', async () => {
    for (const [title, origin] of [
      ['My admins', undefined],
      ['Accounts', 'rows'],
    ] as const) {
      const { writer } = driver.begin({ title, ...(origin === undefined ? {} : { origin }) });
      writer.open(sampleColumns);
      driver.finish(writer);
      await page.getByRole('heading', { name: title }).waitFor({ state: 'attached' });
      const grid = page.locator('[data-vscode-context*="identityQueries.cells"]:visible');
      const context = JSON.parse((await grid.getAttribute('data-vscode-context')) ?? '{}') as unknown;
      assert.equal((context as { readonly hasQuery: unknown }).hasQuery, origin === undefined);
    }
  });

  test('tabs that fit are whole, however short their names', async () => {
    await page.setViewportSize({ width: 1_050, height: 255 });
    for (const title of ['Untitled-1', 'My admins', 'A']) {
      const { writer } = driver.begin({ title, version: undefined });
      writer.open(sampleColumns);
      driver.finish(writer);
    }
    await page.getByRole('tab').nth(2).waitFor();
    const { clientWidth, scrollWidth } = await page
      .locator('.tabs')
      .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
    assert.equal(scrollWidth, clientWidth);
    assert.equal(await page.getByRole('button', { name: /^All Results/ }).count(), 0);
    await picture('tabs-short');
  });

  test('tabs that do not fit are counted, and all are listed and chosen by key', async () => {
    await page.setViewportSize({ width: 800, height: 255 });
    for (let part = 1; part <= 10; part += 1) {
      // Tabs leave the values the room that these need.
      const parameters = [{ name: 'days', text: '90', isNull: false }];
      const { writer } = driver.begin({ part: `statement ${part}`, parameters });
      writer.open(sampleColumns);
      if (part !== 7) driver.finish(writer);
    }
    shown.panel.show(shown.panel.results[0] ?? assert.fail());
    const all = page.getByRole('button', { name: 'All Results: 10' });
    await all.waitFor();
    assert.equal(await all.textContent(), '10');
    await picture('tabs-all');
    await page.locator('[role=tab][aria-selected=true]').focus();
    await driver.press('Tab', 'Enter');
    const items = page.getByRole('menuitemcheckbox');
    await items.nth(9).waitFor();
    assert.match((await items.nth(6).textContent()) ?? '', /statement 7, running$/);
    assert.deepEqual(await readAll(items, (every) => every.map((one) => one.getAttribute('aria-checked'))), [
      'true',
      ...Array<string>(9).fill('false'),
    ]);
    await picture('tabs-all-menu');
    // Typing finds an item by its start, a later word or a number.
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.type('10');
    assert.match(await focused(), /statement 10$/);
    await driver.press('End', 'Enter');
    await driver.until(() => shown.panel.shown === shown.panel.results[9]);
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'statement 10' }).waitFor();
    // Nothing else gets the focus, and few tabs need no list.
    assert.equal(await all.evaluate((one) => one === document.activeElement), true);
    for (const result of shown.panel.results.slice(2)) shown.panel.remove(result);
    await page.locator('.tabs-all').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-selected') === 'true');
  });

  test('tabs of the same name say when their query ran', async () => {
    await page.setViewportSize({ width: 1_200, height: 255 });
    for (const title of ['Untitled-1', 'Untitled-1', 'Dormant access']) {
      const { writer } = driver.begin({ title, version: undefined });
      writer.open(sampleColumns);
      driver.finish(writer);
    }
    await page.getByRole('tab').nth(2).waitFor();
    const times = await readAll(page.getByRole('tab'), (all) =>
      all.map((one) => one.querySelector('.tab-time')?.textContent ?? ''),
    );
    assert.match(times.join(), /^ \d\d:\d\d:\d\d, \d\d:\d\d:\d\d,$/);
    assert.match((await page.getByRole('tab').first().getAttribute('aria-label')) ?? '', /^Untitled-1 \d/);
    await picture('tabs-same-name');
  });

  test('of many tabs, the active one is visible', async () => {
    await page.setViewportSize({ width: 500, height: 300 });
    for (let index = 0; index < 8; index += 1) await driver.showRows(5);
    const last = shown.panel.results.at(-1) ?? assert.fail();
    shown.panel.show(last);
    const tab = page.locator('[role=tab][aria-selected=true]');
    await page.waitForFunction(() => {
      const list = document.querySelector('.tabs')?.getBoundingClientRect();
      const own = document.querySelectorAll('[role=tab]')[7]?.getBoundingClientRect();
      return (
        list !== undefined && own !== undefined && own.right <= list.right + 1 && own.left >= list.left - 1
      );
    });
    await tab.waitFor();
  });

  test('the first tab in view is whole, whichever is chosen by key and at any width', async () => {
    await page.setViewportSize({ width: 800, height: 300 });
    for (const title of ['A', 'Dormant access', 'B', 'Accounts still enabled', 'Stale', 'C', 'Last of all']) {
      const { writer } = driver.begin({ title, version: undefined });
      writer.open(sampleColumns);
      driver.finish(writer);
    }
    await page.getByRole('tab').nth(6).waitFor();
    const untilWhole = (chosen: number) =>
      page.waitForFunction((at) => {
        const list = document.querySelector('.tabs')?.getBoundingClientRect();
        const tabs = [...document.querySelectorAll('[role=tab]')];
        const own = tabs[at]?.getBoundingClientRect();
        if (list === undefined || own === undefined) return false;
        const isCut = tabs.some((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return left < list.left - 1 && right > list.left + 1;
        });
        const isChosen = tabs[at]?.getAttribute('aria-selected') === 'true';
        return isChosen && !isCut && own.left >= list.left - 1 && own.right <= list.right + 1;
      }, chosen);
    shown.panel.show(shown.panel.results[0] ?? assert.fail());
    await untilWhole(0);
    await page.locator('[role=tab][aria-selected=true]').focus();
    for (const chosen of [1, 2, 3, 4, 5, 6]) {
      await driver.press('ArrowRight');
      await untilWhole(chosen);
    }
    await picture('tabs-whole');
    for (const width of [640, 900, 700]) {
      await page.setViewportSize({ width, height: 300 });
      await untilWhole(6);
    }
    await driver.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Home');
    await untilWhole(0);
  });

  test('a value is filtered by two clicks, and its column stays in sight', async () => {
    await page.setViewportSize({ width: 800, height: 258 });
    await driver.showRows(300);
    const header = page.getByRole('columnheader', { name: /^alias/ });
    await header.hover();
    await header.locator('.grid-filter').waitFor();
    assert.equal(await header.getByRole('img').count(), 0, 'the icon is no part of the name of the column');
    await header.locator('.grid-filter').click();
    const form = page.getByRole('dialog', { name: 'Filter alias' });
    await form.getByRole('checkbox').nth(1).click();
    await page.getByText(/ of 300 rows shown/).waitFor();
    const [column, popup] = [await boxOf(header), await boxOf(form)];
    assert.ok(
      column.x + column.width <= popup.x || popup.x + popup.width <= column.x,
      JSON.stringify([column, popup]),
    );
    await picture('filter-beside');
    await driver.press('Escape');
    // The sign of the filter opens it again.
    const sign = header.getByRole('img', { name: 'filtered', exact: true });
    assert.equal(await sign.getAttribute('title'), 'Change this filter');
    await sign.click();
    await form.waitFor();
  });

  test('a column of less than 96 px has no icon to filter by, and that of its filter sorts', async () => {
    await driver.showRows(300);
    const header = page.getByRole('columnheader', { name: /^alias/ });
    const widen = async (width: number) => {
      const { x, y, width: before } = await boxOf(header);
      await page.mouse.move(x + before - 3, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + width - 3, y + 10);
      await page.mouse.up();
      await header.hover();
    };
    const filter = header.locator('.grid-filter');
    await widen(94);
    await filter.waitFor({ state: 'hidden' });
    await widen(98);
    await filter.click();
    const form = page.getByRole('dialog', { name: 'Filter alias' });
    await form.getByRole('checkbox').nth(1).click();
    await page.getByText(/ of 300 rows shown/).waitFor();
    await driver.press('Escape');
    const sign = header.locator('.grid-filtered');
    await widen(94);
    const { x, y, width, height } = await boxOf(sign);
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForFunction(() => document.querySelector('[aria-sort=ascending]') !== null);
    assert.equal(await form.count(), 0);
    await widen(98);
    await sign.click();
    await form.waitFor();
  });

  test('the header of a filtered column shows its type whole or not at all', async () => {
    await driver.showRows(20);
    await driver.grid().focus();
    await driver.press('ArrowRight', 'ArrowRight', 'ArrowRight');
    shown.panel.showTool('filter');
    await page.getByLabel('Condition').selectOption('is not NULL');
    await driver.press('Enter');
    const header = page.locator('.grid-header-cell:has(.grid-filtered svg)');
    await header.hover();
    const types = await readAll(page.locator('.grid-type'), (all) =>
      all.map((one) => {
        const [own, sight] = [one, one.parentElement].map((each) => each?.getBoundingClientRect());
        if ((own?.top ?? 0) >= (sight?.bottom ?? 0) - 1) return 'out of sight';
        return one.scrollWidth <= one.clientWidth && (own?.right ?? 0) <= (sight?.right ?? 0) + 1
          ? 'whole'
          : 'cut';
      }),
    );
    assert.ok(types.includes('whole') && !types.includes('cut'), types.join());
    await picture('filtered-header');
  });

  test('a notice is shown in the line below the rows', async () => {
    await page.setViewportSize({ width: 447, height: 255 });
    await driver.showRows(20);
    await driver.grid().focus();
    await driver.press('Control+c');
    const notice = page.locator('.notice.is-shown', { hasText: 'Copied' });
    await notice.waitFor();
    const [rows, own] = [await boxOf(driver.grid()), await boxOf(notice)];
    assert.ok(own.y >= rows.y + rows.height - 1, `${own.y} over ${rows.y + rows.height}`);
    await picture('notice');
    // It covers neither the number of rows nor the totals of the selection.
    await page.setViewportSize({ width: 900, height: 255 });
    await driver.cell(2, 1).click();
    await driver.cell(4, 1).click({ modifiers: ['Shift'] });
    const totals = page.locator('.footer-selection', { hasText: 'sum' });
    await totals.waitFor();
    await driver.grid().focus();
    await driver.press('Control+c');
    await driver.until(() => shown.copied.length === 2);
    await notice.waitFor();
    const [said, sums, count] = [
      await boxOf(notice),
      await boxOf(totals),
      await boxOf(page.locator('.row-count')),
    ];
    assert.ok(
      said.x + said.width <= sums.x && count.x + count.width <= said.x,
      JSON.stringify([count, said, sums]),
    );
    await picture('notice-totals');
  });

  test('a notice leaves nothing for screen readers when it is over', async () => {
    await driver.showRows(20);
    await driver.grid().focus();
    shown.spend();
    await page.clock.install();
    await driver.press('Control+c');
    const notice = page.locator('.notice');
    await page.locator('.notice.is-shown', { hasText: 'Copied' }).waitFor();
    await page.clock.runFor(4_000);
    assert.equal(await notice.textContent(), '');
    assert.equal(await notice.getAttribute('title'), '');
  });

  test('Select All marks no text of tabs, facts and footer, and none stays marked in an inspector', async () => {
    await driver.showRows(20);
    await driver.showRows(20);
    const marked = () => page.evaluate(() => document.getSelection()?.toString() ?? '');
    await driver.grid().focus();
    await driver.press('Space', 'Control+a');
    assert.equal(await marked(), '');
    await page.locator('[role=tab][aria-selected=true]').focus();
    await driver.press('Control+a');
    assert.doesNotMatch(await marked(), /stale-admins|Sandbox|20 rows/);
    await driver.grid().focus();
    assert.equal(await marked(), '');
  });

  test('the sort indicator and the menu are side by side', async () => {
    await driver.showRows(20);
    await page.getByRole('columnheader', { name: /alias/ }).click();
    const sign = page.locator('.grid-sort');
    await sign.waitFor();
    await page.getByRole('columnheader', { name: /alias/ }).hover();
    const [left, menu] = [await boxOf(sign), await boxOf(page.locator('.grid-header-cell:hover .grid-more'))];
    assert.ok(left.x + left.width <= menu.x, `${left.x + left.width} over ${menu.x}`);
    // The sort order is announced for users who cannot see the arrow, without a box over the rows.
    await page
      .getByRole('status')
      .getByText(/^Sorted by /)
      .waitFor({ state: 'attached' });
    assert.equal(await page.locator('.notice.is-shown').count(), 0);
  });
});
