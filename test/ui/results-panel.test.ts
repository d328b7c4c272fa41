/**
 * The result panel in a real browser with its own content security policy: content, keyboard, mouse, and accessibility.
 * The rows come from the real store in its worker.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ExactNumber } from '#api/client/json.ts';
import type { RowsExtent } from '#core/reading/rows-writer.ts';
import type { ResultState } from '#panel-protocol/messages.ts';
import { readAll } from '../helpers/read-all.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import { sampleColumns, sampleRow, sampleRows } from '../helpers/result-rows.ts';
import { driveResults, type ResultsDriver } from '../helpers/results-driver.ts';
import { openResultsPage, type ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';
import { listenTo } from '../helpers/screen-reader.ts';

suite('result panel', () => {
  let shown: ResultsPage;
  let page: Page;
  let calls: string[];
  let driver: ResultsDriver;

  openResultsForEach({}, (opened) => {
    ({ shown, page, calls, driver } = opened);
  });

  const begin: ResultsDriver['begin'] = (change) => driver.begin(change);
  const finish: ResultsDriver['finish'] = (writer, change) => driver.finish(writer, change);
  const showRows: ResultsDriver['showRows'] = (count, change) => driver.showRows(count, change);
  const cell: ResultsDriver['cell'] = (row, column) => driver.cell(row, column);
  const grid = () => driver.grid();
  const active = () => driver.active();
  const press: ResultsDriver['press'] = (...keys) => driver.press(...keys);
  const until: ResultsDriver['until'] = (condition) => driver.until(condition);
  const look: ResultsDriver['look'] = (name) => driver.look(name);

  test('shows rows with their types, and an accurate row count', async () => {
    await page.setViewportSize({ width: 1_500, height: 420 });
    await showRows(1_000, { extent: 'more' });
    assert.equal(await cell(1, 1).textContent(), '9007199254740993');
    assert.equal(await cell(2, 7).textContent(), '1.10');
    assert.equal(await cell(3, 10).textContent(), 'NULL');
    assert.equal(await cell(3, 10).getAttribute('data-look'), 'null');
    assert.equal(await cell(6, 4).textContent(), '');
    assert.equal(await cell(6, 4).getAttribute('data-look'), 'text');
    await page.getByText('First 1,000').waitFor();
    // The row count is unknown, and ARIA must report that too.
    assert.equal(await grid().getAttribute('aria-rowcount'), '-1');
    assert.equal(await grid().getAttribute('aria-colcount'), String(sampleColumns.length + 1));
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Load all' }).click();
    await until(() => calls.length === 2);
    assert.deepEqual(calls, ['load more', 'load all']);
    // The next page comes by scrolling, once.
    for (const part of [0.5, 0.9, 1])
      await grid().evaluate((one, to) => one.scrollTo(0, to * one.scrollHeight), part);
    await until(() => calls.length > 2);
    assert.deepEqual(calls.slice(2), ['load more']);
    await look('rows');
  });

  test('NULL stands where the other values of its column do', async () => {
    const { writer } = begin();
    const types = ['int4', 'numeric', 'float8', 'text', 'bool', 'timestamptz', 'jsonb', '_int4'];
    writer.open(types.map((type) => ({ name: type, type })));
    const values = [1, new ExactNumber('1.50'), 2.5, 'a', true, '2026-01-01 00:00:00+00', { a: 1 }, [1]];
    await writer.append([values, types.map(() => null), values]);
    finish(writer);
    await cell(3, types.length).waitFor();
    const alignments = (row: number) =>
      Promise.all(types.map((_, at) => cell(row, at + 1).evaluate((one) => getComputedStyle(one).textAlign)));
    assert.equal(await cell(2, 1).textContent(), 'NULL');
    assert.deepEqual(await alignments(2), await alignments(1));
    assert.deepEqual(new Set((await alignments(2)).slice(0, 3)), new Set(['right']));
  });

  test('reports that the service did not send all rows, and offers no way to load them', async () => {
    const { writer } = begin();
    writer.open([{ name: 'id', type: 'int4' }]);
    await writer.append([[1], [2]]);
    writer.setRows({
      ...{ extent: 'short', totalRows: 5_000, loading: { kind: 'none' } },
      ...{ firstRowsMs: 118, totalMs: 118, finishedAt: Date.UTC(2026, 0, 31, 8) },
    });
    await page.getByText('First 2 of 5,000', { exact: true }).waitFor();
    await page
      .getByRole('alert')
      .getByText('The service reports more rows (5,000) than it sent (2).')
      .waitFor();
    assert.equal(await page.getByRole('button', { name: /^Load/ }).count(), 0);
    await look('short');
  });

  test('tells the time of the first rows only if the others took longer', async () => {
    const { writer } = begin();
    writer.open([{ name: 'id', type: 'int4' }]);
    await writer.append([[1]]);
    const times = async (firstRowsMs: number, first: string, extent: RowsExtent): Promise<string> => {
      writer.setRows({
        ...{ extent, totalRows: undefined, loading: { kind: 'none' } },
        ...{ firstRowsMs, totalMs: 5_190, finishedAt: Date.UTC(2026, 0, 31, 8) },
      });
      await page.locator('.row-count', { hasText: extent === 'complete' ? '1 row' : 'First 1' }).waitFor();
      await page.locator(`.times[title^="First rows after ${first},"]`).waitFor();
      return (await page.locator('.times').textContent()) ?? '';
    };
    assert.match(await times(5_180, '5.18 s', 'more'), /^5\.19 s · /);
    assert.match(await times(520, '520 ms', 'more'), /^5\.19 s · /);
    assert.match(await times(5_190, '5.19 s', 'complete'), /^5\.19 s · /);
    assert.match(await times(1_520, '1.52 s', 'complete'), /^first rows 1\.52 s · all 5\.19 s · /);
  });

  test('a long reason why rows are missing is shown in full on hover', async () => {
    const { writer } = begin();
    writer.open([{ name: 'id', type: 'int4' }]);
    await writer.append([[1], [2]]);
    const message = 'The query was ended because the connection was closed. '.repeat(8).trim();
    writer.setRows({
      ...{ extent: 'more', totalRows: undefined },
      loading: { kind: 'failed', failure: { message, reasons: [] } },
      ...{ firstRowsMs: 118, totalMs: 118, finishedAt: Date.UTC(2026, 0, 31, 8) },
    });
    const problem = page.getByRole('alert').getByText(message);
    await problem.waitFor();
    assert.equal(await problem.getAttribute('title'), message);
    assert.ok(await problem.evaluate((one) => one.scrollWidth > one.clientWidth), 'the line is too short');
  });

  test('shows the total if the service reports it, and loses nothing when more rows arrive', async () => {
    const { writer } = await showRows(150, { extent: 'more', totalRows: 400 });
    await page.getByText('First 150 of 400').waitFor();
    assert.equal(await grid().getAttribute('aria-rowcount'), '401');
    await grid().focus();
    await press('Control+End');
    await cell(150, 11).waitFor();
    await writer.append(sampleRows(150, 250));
    finish(writer);
    await page.getByText('400 rows', { exact: true }).waitFor();
    assert.deepEqual(await active(), [150, 11]);
    await press('Control+End');
    assert.deepEqual(await active(), [400, 11]);
    await press('Home', 'ArrowRight');
    await cell(400, 2)
      .getByText(String(sampleRow(399)[1]))
      .waitFor();
  });

  test('1,000,000 rows: every position shows its own rows, by scroll bar and by keys', async () => {
    const count = 1_000_000;
    await page.setViewportSize({ width: 1_500, height: 420 });
    await showRows(count);
    assert.equal(await grid().getAttribute('aria-rowcount'), String(count + 1));
    const rows = await page.locator('.grid-body [role=row]').count();
    assert.ok(rows < 40, `${rows} rows in the document`);
    for (const share of [0.5, 0.123, 0.999, 0.031, 0.77]) {
      await grid().evaluate((element, part) => {
        element.scrollTop = element.scrollHeight * part;
      }, share);
      // Wait until the rows at the new position are drawn and none is pending.
      await page.waitForFunction((part) => {
        const row = document.querySelector('.grid-body [role=row]')?.getAttribute('aria-rowindex');
        const isThere = Math.abs(Number(row) - part * 1_000_000) < 2_000;
        return isThere && document.querySelectorAll('.grid-cell[data-look=pending]').length === 0;
      }, share);
      const first = await page.locator('.grid-body [role=row]').first().getAttribute('aria-rowindex');
      const row = Number(first) - 1;
      assert.ok(Math.abs(row - share * count) < 2_000, `row ${row} at ${share}`);
      assert.equal(await cell(row, 2).textContent(), sampleRow(row - 1)[1]);
      assert.equal(await page.locator('.grid-body .grid-gutter').first().textContent(), String(row));
    }
    await grid().focus();
    await press('Control+End', 'Home', 'ArrowRight');
    await cell(count, 2)
      .getByText(String(sampleRow(count - 1)[1]))
      .waitFor();
    await look('million-end');
    await grid().evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await page.waitForFunction(() => {
      const row = document.querySelector('.grid-body [role=row]')?.getAttribute('aria-rowindex');
      return (
        Math.abs(Number(row) - 500_000) < 2_000 &&
        document.querySelectorAll('.grid-cell[data-look=pending]').length === 0
      );
    });
    await look('million-middle');
    await press('PageUp', 'PageUp', 'Control+Home');
    assert.deepEqual(await active(), [1, 1]);
  });

  test('fast scrolling requests few blocks and ends on the right rows', async () => {
    await showRows(100_000);
    const before = shown.received.length;
    await grid().evaluate(async (element) => {
      for (let step = 0; step < 200; step += 1) {
        element.scrollTop += 9_000;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await page.waitForFunction(() => document.querySelectorAll('.grid-cell[data-look=pending]').length === 0);
    const row = Number(await page.locator('.grid-body [role=row]').first().getAttribute('aria-rowindex')) - 1;
    assert.equal(await cell(row, 2).textContent(), sampleRow(row - 1)[1]);
    assert.ok(shown.received.length - before < 620, `${shown.received.length - before} messages`);
  });

  test('the keyboard selects and copies: cells, with names, everything', async () => {
    await showRows(1_000);
    await grid().focus();
    await press('ArrowDown', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight');
    await page.getByText('2 × 2 selected').waitFor();
    await press('Control+c');
    await until(() => shown.copied.length === 1);
    const row = (index: number) => `${String(sampleRow(index)[1])}\t${String(sampleRow(index)[2])}`;
    assert.equal(shown.copied[0], `${row(1)}\n${row(2)}`);
    await press('Control+Shift+c');
    await until(() => shown.copied.length === 2);
    assert.equal(shown.copied[1], `alias\temail\n${row(1)}\n${row(2)}`);
    await page.getByText('Copied 2 rows × 2 columns with column names').waitFor();
    await press('Control+a', 'Control+c');
    await until(() => shown.copied.length === 3);
    assert.equal(shown.copied[2]?.split('\n').length, 1_000);
    assert.equal((await page.locator('[aria-selected=true]').count()) > 50, true);
    await press('Escape');
    assert.equal(await page.locator('.grid-cell[aria-selected=true]').count(), 1);
  });

  test('the context menu copies the selection in other formats', async () => {
    await showRows(100);
    await grid().focus();
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.getByText('3 × 1 selected').waitFor();
    const context: unknown = JSON.parse((await grid().getAttribute('data-vscode-context')) ?? '{}');
    assert.deepEqual(context, {
      webviewSection: 'identityQueries.cells',
      hasQuery: true,
      hasRecord: false,
      preventDefaultContextMenuItems: true,
    });
    // Records are offered only where a row names one.
    const { writer } = begin();
    writer.open([{ name: 'global_id', type: 'text' }]);
    await writer.append([['0198c0de-0000-7000-8000-000000000001'], [null]]);
    finish(writer);
    for (const [row, hasRecord] of [
      [1, true],
      [2, false],
    ] as const) {
      await cell(row, 1).click({ button: 'right' });
      assert.match(
        (await grid().getAttribute('data-vscode-context')) ?? '',
        new RegExp(`"hasRecord":${hasRecord}`),
      );
    }
    shown.panel.show(shown.panel.results[0] ?? assert.fail());
    await page.getByText('3 × 1 selected').waitFor();
    shown.panel.copySelection('in-list', false);
    await until(() => shown.copied.length === 1);
    assert.equal(shown.copied[0], "('Finance', 'Sales', 'People')");
    shown.panel.copySelection('csv', true);
    await until(() => shown.copied.length === 2);
    assert.equal(shown.copied[1], 'department\r\nFinance\r\nSales\r\nPeople\r\n');
  });

  test('a key opens the context menu at the selected cell', async () => {
    await showRows(100);
    // The editor opens its menu where this event happens, unless the page has handled it.
    await page.evaluate(() =>
      document.addEventListener('contextmenu', (event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        document.body.dataset['menu'] = `${event.clientX},${event.clientY}`;
      }),
    );
    const opensAt = async (x: number, y: number) => {
      await page.locator(`body[data-menu="${Math.floor(x)},${Math.floor(y)}"]`).waitFor({ timeout: 5_000 });
      await page.evaluate(() => delete document.body.dataset['menu']);
    };
    const boxOf = async (row: number, column: number) =>
      (await cell(row, column).boundingBox()) ?? assert.fail();
    await grid().focus();
    await press('ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown');
    const selected = await boxOf(3, 3);
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await press(key);
      await opensAt(selected.x, selected.y + selected.height);
    }
    // The pointer still chooses its own place.
    await cell(5, 2).click({ button: 'right', position: { x: 7, y: 9 } });
    const { x, y } = await boxOf(5, 2);
    await opensAt(x + 7, y + 9);
  });

  test('the mouse selects ranges and rows, and scrolls when it leaves the grid', async () => {
    await showRows(5_000);
    await cell(2, 2).hover();
    await page.mouse.down();
    await cell(4, 3).hover();
    await page.mouse.up();
    await page.getByText('3 × 2 selected').waitFor();
    await page.locator('.grid-body .grid-gutter').nth(5).click();
    await page.getByText(`1 × ${sampleColumns.length} selected`).waitFor();
    await cell(3, 1).click();
    await cell(6, 2).click({ modifiers: ['Shift'] });
    await page.getByText('4 × 2 selected').waitFor();
    const box = (await grid().boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + box.height + 60);
    await page.waitForFunction(() => (document.querySelector('.grid')?.scrollTop ?? 0) > 200);
    await page.mouse.up();
  });

  test('headers sort by click and by key, and announce it', async () => {
    await showRows(3_000);
    const name = page.getByRole('columnheader', { name: /alias/ });
    await name.click();
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await cell(1, 2).getByText('amina.brandt10', { exact: true }).waitFor();
    await grid().focus();
    await press('Enter');
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await page.getByText('Sorted by alias descending').waitFor();
    await press('Enter');
    await cell(1, 2)
      .getByText(String(sampleRow(0)[1]), { exact: true })
      .waitFor();
    assert.equal(await page.locator('[aria-sort=ascending], [aria-sort=descending]').count(), 0);
  });

  test('an incomplete result is not sorted: it would look like the order of all rows', async () => {
    await showRows(1_000, { extent: 'more' });
    await page.getByRole('columnheader', { name: /alias/ }).click();
    await page.getByText('Not all rows are loaded').waitFor();
    assert.equal(
      shown.received.some((message) => (message as { kind: string }).kind === 'sort'),
      false,
    );
  });

  test('columns are resized by mouse, by double click and by key', async () => {
    await showRows(100);
    const head = page.getByRole('columnheader', { name: /alias/ });
    const width = async () => (await head.boundingBox())!.width;
    const before = await width();
    const box = (await head.boundingBox())!;
    await page.mouse.move(box.x + box.width - 3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 77, box.y + 10);
    await page.mouse.up();
    assert.equal(await width(), before + 80);
    await page.mouse.dblclick(box.x + box.width + 77, box.y + 10);
    assert.equal(await width(), before);
    await cell(1, 2).click();
    await press('ArrowUp', 'Alt+ArrowRight');
    assert.equal(await width(), before + 16);
  });

  test('a cell is inspected as a whole, the inspector follows, Escape closes it', async () => {
    await showRows(100);
    await grid().focus();
    await press('End', 'Enter');
    await page.getByText('"country": "DE"').waitFor();
    await look('inspector');
    await press('ArrowLeft', 'ArrowDown', 'ArrowDown');
    await page.locator('.inspector-value.null', { hasText: 'NULL' }).waitFor();
    await press('Escape');
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await press('Control+Home', 'End');
    assert.deepEqual(await active(), [1, 11]);
    await cell(1, 11).dblclick({ position: { x: 12, y: 10 } });
    await page.locator('.inspector').getByText('all-staff').first().waitFor();
    await page.getByRole('button', { name: 'Copy the value' }).click();
    await until(() => shown.copied.length === 1);
    assert.deepEqual(JSON.parse(shown.copied[0]!), sampleRow(0)[10]);
  });

  test('position, selection, widths and inspector survive hiding', async () => {
    await showRows(20_000);
    await grid().focus();
    await press('Control+End', 'ArrowUp', 'Shift+ArrowLeft', 'Enter');
    await page.locator('.inspector').waitFor();
    const before = await active();
    const top = await grid().evaluate((element) => element.scrollTop);
    // The look is stored after a short delay.
    await until(() => shown.panel.shown?.look?.includes('"side":"cell"') === true);
    await shown.reload();
    await page.locator('.inspector').waitFor();
    assert.deepEqual(await active(), before);
    assert.equal(await grid().evaluate((element) => element.scrollTop), top);
    await page.getByText('1 × 2 selected').waitFor();
    await cell(19_999, 10).waitFor();
  });

  test('an empty result shows its columns and 0 rows', async () => {
    await showRows(0);
    await page.getByText('No rows match').waitFor();
    await page.getByRole('columnheader', { name: /alias/ }).waitFor();
    await page.locator('.row-count').getByText('0 rows').waitFor();
    await look('empty');
  });

  test('one row, one column', async () => {
    const { writer } = begin();
    writer.open([{ name: 'count', type: 'int8' }]);
    await writer.append([[42]]);
    finish(writer);
    await cell(1, 1).getByText('42').waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await look('one-row');
  });

  test('a hundred columns: only the visible ones are in the document', async () => {
    const { writer } = begin();
    const columns = Array.from({ length: 100 }, (_, index) => ({ name: `column_${index}`, type: 'int4' }));
    writer.open(columns);
    await writer.append(
      Array.from({ length: 300 }, (_, row) => columns.map((_c, column) => row * 1_000 + column)),
    );
    finish(writer);
    await cell(1, 1).waitFor();
    assert.ok((await page.locator('.grid-header-cell').count()) < 20);
    await grid().focus();
    await press('Control+End');
    await cell(300, 100).getByText('299099').waitFor();
    await press('Home');
    await cell(300, 1).getByText('299000').waitFor();
  });

  test('a key pressed before the first values arrive still brings its cell into view', async () => {
    const { writer } = begin();
    const columns = Array.from({ length: 100 }, (_, index) => ({
      name: `a_long_name_of_column_${index}`,
      type: 'int4',
    }));
    writer.open(columns);
    await writer.append(
      Array.from({ length: 300 }, (_, row) => columns.map((_c, column) => row * 1_000 + column)),
    );
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const rows = document.querySelector('[role=grid]:has([role=gridcell])');
        if (rows === null) return;
        observer.disconnect();
        rows.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true }));
      }).observe(document.body, { childList: true, subtree: true });
    });
    finish(writer);
    await cell(300, 100).getByText('299099').waitFor();
    assert.deepEqual(await active(), [300, 100]);
  });

  const states: Record<string, ResultState & { kind: Exclude<ResultState['kind'], 'rows'> }> = {
    running: { kind: 'running', elapsedMs: 3_400, note: 'The service limits requests.' },
    failed: {
      kind: 'failed',
      elapsedMs: 12,
      failure: {
        message: 'column "emial" does not exist',
        code: 'QUERY_PARSE_ERROR',
        hint: 'Perhaps you meant to reference the column "accounts.email".',
        reasons: [{ code: 'MUTATION_NOT_ALLOWED', message: 'Only reading is allowed.' }],
        place: { line: 3, column: 8 },
        requestId: 'req-7f3a',
        nextStep: { title: 'Show Log', command: 'x' },
      },
    },
    refused: {
      kind: 'refused',
      failure: {
        message: 'EXPLAIN is not a SELECT statement.',
        code: 'MUTATION_NOT_ALLOWED',
        reasons: [],
        place: { line: 1, column: 1 },
      },
    },
    'refused-change': {
      kind: 'refused',
      failure: {
        message: 'DELETE removes rows.',
        code: 'MUTATION_NOT_ALLOWED',
        reasons: [],
        place: { line: 1, column: 1 },
      },
      changes: 'DELETE',
    },
    question: {
      kind: 'question',
      reason: 'syntax-error',
      failure: {
        message: 'syntax error at or near "FORM"',
        code: 'QUERY_PARSE_ERROR',
        reasons: [],
        place: { line: 1, column: 10 },
      },
    },
    cancelled: { kind: 'cancelled', elapsedMs: 2_300 },
    restored: { kind: 'restored', rowCount: 1_000, isComplete: false, finishedAt: Date.UTC(2026, 0, 31, 8) },
    disconnected: {
      kind: 'disconnected',
      message: 'Not connected. Connect to a service, or start the local sandbox.',
    },
    'refused-sign-in': {
      kind: 'failed',
      failure: {
        message: 'The service did not accept the access token.',
        code: 'UNAUTHORIZED',
        reasons: [],
        fault: 'sign-in',
        nextStep: { title: 'Edit Connection...', command: 'edit' },
      },
      elapsedMs: 10,
    },
    'no-list': {
      kind: 'failed',
      failure: {
        message: 'This service has no list of Roles. Open single records by their global ID.',
        reasons: [],
        nextStep: { title: 'Open Record by Global ID...', command: 'open' },
        isLasting: true,
      },
      elapsedMs: 10,
    },
    'service-back': {
      kind: 'failed',
      failure: {
        message: 'The service did not respond.',
        code: 'HTTP_503',
        reasons: [],
        fault: 'unavailable',
        nextStep: { title: 'Show Log', command: 'log' },
      },
      elapsedMs: 10,
      isBack: true,
    },
    'failed-connection': {
      kind: 'disconnected',
      message: 'Not connected to Sandbox: nothing listens there.',
      remedy: 'Connect Again',
    },
    reconnected: {
      kind: 'disconnected',
      message: 'Connected to Sandbox. The query was not sent.',
      isBack: true,
    },
  };
  const buttons: Record<keyof typeof states, Record<string, string>> = {
    running: { Cancel: 'cancel' },
    failed: { 'Go to Error': 'goToError', 'Run Again': 'runAgain', 'Show Log': 'nextStep' },
    refused: { 'Go to Error': 'goToError', 'Change the Setting...': 'openProofSetting' },
    'refused-change': { 'Go to Error': 'goToError' },
    question: { 'Go to Error': 'goToError', 'Run Anyway': 'runAnyway' },
    cancelled: { 'Run Again': 'runAgain' },
    restored: { 'Run Again': 'runAgain' },
    disconnected: { 'Connect...': 'nextStep', 'Run Again': 'runAgain' },
    'refused-sign-in': { 'Edit Connection...': 'nextStep', 'Run Again': 'runAgain' },
    'no-list': { 'Open Record by Global ID...': 'nextStep', 'Run Again': 'runAgain' },
    'service-back': { 'Run Again': 'runAgain' },
    'failed-connection': { 'Connect Again': 'nextStep', 'Run Again': 'runAgain' },
    reconnected: { 'Run Again': 'runAgain' },
  };
  /** Text that a screen reader announces exactly once. */
  const said: Record<string, string> = {
    running: 'The service limits requests.',
    failed: 'column "emial" does not exist',
    refused: 'EXPLAIN is not a SELECT statement.',
    'refused-change': 'DELETE removes rows.',
    question: 'syntax error at or near "FORM"',
    cancelled: 'Cancelled',
    restored: 'Results from before reload',
    disconnected: 'Not connected. Connect to a service, or start the local sandbox.',
    'refused-sign-in': 'The service did not accept the access token.',
    'no-list': 'This service has no list of Roles. Open single records by their global ID.',
    'service-back': 'The service did not respond.',
    'failed-connection': 'Not connected to Sandbox: nothing listens there.',
    reconnected: 'Connected to Sandbox. The query was not sent.',
  };
  for (const [name, state] of Object.entries(states)) {
    test(`the state ${name} shows its text, and its buttons work by key`, async () => {
      const reader = listenTo(page);
      await reader.heard();
      begin().writer.set(state);
      const main = page.getByRole('main');
      if ('failure' in state) await main.getByText(state.failure.message).waitFor();
      for (const [label, call] of Object.entries(buttons[name] ?? {})) {
        await main.getByRole('button', { name: label }).focus();
        await press('Enter');
        await until(() => calls.at(-1) === call);
      }
      if (name === 'service-back') await main.getByText('The service is available again.').waitFor();
      const drawn = main.locator('.message .buttons button');
      assert.deepEqual(await drawn.allTextContents(), Object.keys(buttons[name] ?? {}), 'their order');
      assert.deepEqual(await reader.heard(), ['Checking the query...', said[name]]);
      // The page itself shows the text only once.
      await page.locator('.announcement:empty').waitFor({ state: 'attached' });
      assert.equal(await page.getByText(said[name] ?? '', { exact: true }).count(), 1);
      await look(name);
    });
  }

  test('names and types are shown while the query runs, and replaced by those of the service', async () => {
    const { writer } = begin();
    writer.set({
      kind: 'running',
      elapsedMs: 3_400,
      columns: [
        { name: 'id', type: 'uuid' },
        { name: 'email', type: 'text' },
        { name: '?column?' },
        { name: 'last_login_at', type: 'timestamp with time zone' },
        { name: 'enabled', type: 'boolean' },
      ],
    });
    const expected = page.getByRole('list', { name: 'Columns' }).getByRole('listitem');
    await expected.first().waitFor();
    assert.deepEqual(await expected.allTextContents(), [
      'iduuid',
      'emailtext',
      '?column?',
      'last_login_attimestamp with time zone',
      'enabledboolean',
    ]);
    const overhangs = await readAll(expected, (columns) =>
      columns.map(
        (column) =>
          (column.lastElementChild?.getBoundingClientRect().right ?? 0) >
          column.getBoundingClientRect().right,
      ),
    );
    assert.ok(!overhangs.includes(true), 'a type runs into the next column');
    await page.locator('.running-line').getByText('Running').waitFor();
    await page.setViewportSize({ width: 900, height: 290 });
    await look('running-columns');
    await page.setViewportSize({ width: 1_500, height: 420 });
    writer.open([{ name: 'only', type: 'int4' }]);
    await writer.append([[1]]);
    finish(writer);
    await page.locator('.grid-header-cell').getByText('only').waitFor();
    assert.equal(await expected.count(), 0);
  });

  test('several results are tabs; a pinned one is marked; closing shows the next', async () => {
    await showRows(10);
    begin({ title: 'mfa-gaps' }).writer.set({ kind: 'running', elapsedMs: 0 });
    const tabs = page.getByRole('tab');
    await tabs.nth(1).waitFor();
    assert.deepEqual(await tabs.allTextContents(), ['stale-admins v3', 'mfa-gaps v3']);
    assert.equal(await tabs.nth(1).getAttribute('aria-selected'), 'true');
    // Its words are on the tab, and only screen readers read the heading.
    await page.getByRole('heading', { name: 'mfa-gaps v3', exact: true }).waitFor({ state: 'attached' });
    await tabs.nth(1).focus();
    await press('ArrowLeft');
    await grid().waitFor();
    await page.getByRole('button', { name: 'More Actions...' }).click();
    await page.getByRole('menuitemcheckbox', { name: /^Pin/ }).click();
    await tabs.first().locator('.icon').first().waitFor();
    await look('tabs');
    await page.locator('.tab[aria-selected="true"] .tab-close').click();
    await page.locator('.running-line').getByText('Running').waitFor();
    assert.equal(await tabs.count(), 0);
  });

  test('the rows of a closed draft say so, since the next draft may have its name', async () => {
    const { writer, result } = begin({ title: 'Untitled-1', version: undefined });
    writer.open([{ name: 'id', type: 'int4' }]);
    finish(writer);
    await page.getByRole('heading', { name: 'Untitled-1', exact: true }).waitFor();
    result.orphan();
    await page.getByRole('heading', { name: 'Untitled-1 (closed)', exact: true }).waitFor();
    begin({ title: 'Untitled-1', version: undefined });
    await page.getByRole('tab').nth(1).waitFor();
    assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Untitled-1 (closed)', 'Untitled-1']);
    // In a narrow tab, the title is cut, but not this word.
    await page.setViewportSize({ width: 400, height: 290 });
    const places = await page.locator('.tab-closed').evaluate((closed) => {
      const [own, tab] = [closed, closed.closest('.tab')].map((each) => each?.getBoundingClientRect());
      return { isWhole: closed.scrollWidth <= closed.clientWidth, right: own?.right, end: tab?.right };
    });
    assert.ok(places.isWhole && (places.right ?? Infinity) <= (places.end ?? 0), JSON.stringify(places));
    await page.setViewportSize({ width: 1_500, height: 420 });
    await look('closed-draft');
  });

  test('uses the language of the editor, also in numbers', async () => {
    await shown.close();
    const translations = {
      'All rows loaded': 'Alle Zeilen geladen',
      '{0} rows': '{0} Zeilen',
      'Run Again': 'Erneut ausführen',
      'Sort Ascending': 'Aufsteigend sortieren',
      'Column {0}': 'Spalte {0}',
      'Copied {0}': '{0} kopiert',
      '{0} columns': '{0} Spalten',
    };
    const german = await openResultsPage({
      ...{ browser: page.context().browser() ?? assert.fail(), useWorker: true },
      ...{ language: 'de', translations },
    });
    page = german.page;
    driver = driveResults(german, calls);
    await showRows(1_200);
    const header = page.getByRole('banner');
    await page.locator('.footer').getByText('Alle Zeilen geladen').waitFor();
    await header.getByRole('button', { name: 'Erneut ausführen' }).waitFor();
    await page.locator('.footer').getByText('1.200 Zeilen', { exact: true }).waitFor();
    await grid().focus();
    await press('ControlOrMeta+a', 'ControlOrMeta+c');
    await page.getByText('1.200 Zeilen × 11 Spalten kopiert').waitFor();
    await press('ControlOrMeta+Home', 'Alt+ArrowDown');
    await page.getByRole('menu', { name: 'Spalte id' }).waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Aufsteigend sortieren' }).waitFor();
    await look('translated');
    await german.close();
    assert.deepEqual(german.problems, []);
  });

  test('values are text, never markup', async () => {
    const { writer } = begin({ title: '<img src=x onerror=alert(1)>' });
    writer.open([{ name: '<b>bold</b>', type: 'text' }]);
    await writer.append([['<script>alert(1)</script>']]);
    finish(writer);
    await cell(1, 1).getByText('<script>alert(1)</script>').waitFor();
    await page.getByRole('columnheader', { name: '<b>bold</b>' }).waitFor();
    assert.equal(await page.locator('img, b').count(), 0);
  });

  test('a new state never takes the focus, and never loses it', async () => {
    const { result } = await showRows(10);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await grid().focus();
    const writer = result.begin(result.header, recordedActions(calls));
    writer.set({ kind: 'running', elapsedMs: 0 });
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    writer.open(sampleColumns);
    await writer.append(sampleRows(0, 5));
    finish(writer);
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  });

  test('nothing moves for people who want reduced motion, set in the system or in the editor', async () => {
    const moving = () =>
      page.evaluate(
        () => document.getAnimations().filter((one) => one.effect?.getComputedTiming().duration !== 0).length,
      );
    begin().writer.set({ kind: 'running', elapsedMs: 0 });
    await page.getByRole('progressbar').waitFor();
    assert.equal(await moving(), 0, 'asked for in the system');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.ok((await moving()) > 0, 'not asked for');
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await moving(), 0, 'asked for in the editor');
    await page.evaluate(() => document.body.classList.remove('vscode-reduce-motion'));
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });
});
