/**
 * Runs in the workbench as a user performs them: parameters by keyboard, focus that stays in place, and rows that are
 * kept.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readAll } from '../helpers/read-all.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';
import type { Workbench } from '../helpers/workbench.ts';

/** Returns a query for administrators that shows whether each is idle or in use. */
function admins(condition: string, idleAfterDays: number): string {
  return `SELECT global_id, alias, email, department,
  CASE WHEN last_activity_date < now() - interval '${idleAfterDays} days' THEN 'idle' ELSE 'in use' END AS status
FROM accounts
WHERE is_admin AND ${condition}
ORDER BY alias`;
}

suite('running in the workbench', () => {
  const withWindow = shareWorkbench();
  const withDraft = (name: string, text: string, body: (workbench: Workbench) => Promise<void>) =>
    withWindow(name, async (workbench) => {
      await workbench.openIdentityView();
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      await workbench.runCommand('Identity Queries: New Query');
      await workbench.tab(/Untitled/).waitFor();
      await workbench.setEditorText(text);
      await workbench.page.keyboard.press('F5');
      await body(workbench);
    });

  test('the button of a run without a connection connects and runs', async () => {
    await withDraft('connect-and-run', 'SELECT 46 AS stopped', async (workbench) => {
      const { page, webview } = workbench;
      const cell = webview.getByRole('gridcell', { name: '46' });
      await cell.waitFor();
      await workbench.runCommand('Identity Queries: Disconnect');
      await workbench.connectionStatus('not connected').waitFor();
      await workbench.editor.click();
      await page.keyboard.press('ControlOrMeta+Enter');
      await workbench.choose(
        () => webview.getByRole('button', { name: 'Connect...' }).press('Enter'),
        'Sandbox',
      );
      await cell.waitFor();
    });
  });

  test('the selection moves with its rows; a key leads back to them from a record', async () => {
    const text = 'SELECT global_id, alias FROM accounts ORDER BY alias LIMIT 9';
    await withDraft('moved', text, async (workbench) => {
      const { webview, page } = workbench;
      const grid = webview.getByRole('grid', { name: /^Rows of Untitled/ });
      await grid.waitFor();
      await workbench.editor.click();
      await workbench.runCommand('Trigger Suggest');
      const suggestions = page.locator('.suggest-widget.visible');
      await suggestions.waitFor();
      await page.keyboard.press('F5');
      await suggestions.waitFor({ state: 'detached' });
      await grid.waitFor();
      // The panel would keep the results of other tests, and its page comes first.
      const others = webview.getByRole('tab', { selected: false });
      for (let left = await others.count(); left > 0; left -= 1) {
        await others.first().focus();
        await page.keyboard.press('Delete');
        await others.nth(left - 1).waitFor({ state: 'detached' });
      }
      const selected = grid.locator('[role=row][aria-rowindex="4"] [role=gridcell][aria-selected=true]');
      const hasFocus = () =>
        grid.evaluate((one) => document.hasFocus() && one === document.activeElement).catch(() => false);
      await grid.locator('[role=row][aria-rowindex="4"] [role=gridcell]').nth(1).click();
      await selected.waitFor();
      const tab = workbench.tab(/^Result: Untitled/);
      await workbench.runCommand('Identity Queries: Show Results Beside or Below the Query');
      await tab.waitFor();
      await selected.waitFor();
      await workbench.until('the rows beside have the focus', hasFocus);
      await page.getByRole('button', { name: 'Find in Rows' }).click();
      const find = webview.getByRole('textbox', { name: 'Find in rows' });
      await find.waitFor();
      await workbench.screenshot('beside');
      await find.press('Escape');
      await workbench.until('the rows have the focus after the search', hasFocus);
      // The record opens in a tab over them.
      await page.keyboard.press('Enter');
      const record = workbench.tab(/\.identity-record/);
      await record.waitFor();
      await workbench.until('the record has the focus', () =>
        page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null),
      );
      await page.keyboard.press('Control+F6');
      await workbench.until('the rows have the focus again', hasFocus);
      await selected.waitFor();
      await page.keyboard.press('Shift+F10');
      await page.locator('.monaco-menu').first().waitFor();
      await workbench.screenshot('context-menu');
      await page.keyboard.press('Escape');
      await workbench.runCommand('Identity Queries: Show Results Beside or Below the Query');
      await tab.waitFor({ state: 'detached' });
      await selected.waitFor();
      await workbench.screenshot('below-again');
      // The query keeps its cursor while a record covers it.
      const atCursor = workbench.statusBar(/Ln 1, Col 3\b/);
      await page.keyboard.press('Control+F6');
      await workbench.until('the query has the focus', () =>
        page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null),
      );
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await atCursor.waitFor();
      await page.keyboard.press('Control+F6');
      await workbench.until('the rows below have the focus', hasFocus);
      await page.keyboard.press('Enter');
      await record.first().waitFor();
      await atCursor.waitFor({ state: 'detached' });
      await workbench.until('the record has the focus', () =>
        page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null),
      );
      await page.keyboard.press('Control+F6');
      await workbench.until('the rows below have the focus again', hasFocus);
      await page.keyboard.press('Control+F6');
      await atCursor.waitFor();
    });
  });

  test('the text of earlier rows is compared with that of the run that failed', async () => {
    await withDraft('other-text', 'SELECT alias FROM accounts ORDER BY alias LIMIT 9', async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByRole('grid', { name: /^Rows of Untitled/ }).waitFor();
      await workbench.setEditorText('SELECT alias FROM accounts ORDER BY 9');
      await page.keyboard.press('F5');
      await webview
        .getByText(/^Earlier run of .*: 9 rows · The text of the query was different\.$/)
        .waitFor();
      await webview.getByRole('button', { name: 'Compare Texts...' }).click();
      const failed = workbench.quickPick(/ORDER BY 9/).first();
      await failed.waitFor();
      await page.keyboard.press('Enter');
      await workbench.tab(/ ↔ /).waitFor();
      await page.locator('.monaco-diff-editor').getByText('LIMIT').first().waitFor();
      await workbench.screenshot('texts');
    });
  });

  test('a command that needs the rows below a chart offers to hide it', async () => {
    await withDraft('hide-chart', 'SELECT global_id, alias FROM accounts LIMIT 9', async (workbench) => {
      const { webview, page } = workbench;
      const grid = webview.getByRole('grid', { name: /^Rows of Untitled/ });
      await grid.waitFor();
      await workbench.runCommand('Identity Queries: Show Chart');
      await webview.locator('.chart-picture').waitFor();
      await grid.waitFor({ state: 'hidden' });
      await workbench.runCommand('Identity Queries: Open This Record');
      const error = page.locator('.notification-toast', { hasText: 'The chart covers the rows.' });
      await error.getByRole('button', { name: 'Hide Chart' }).click();
      await grid.waitFor();
      await workbench.until('the rows have the focus', () =>
        grid.evaluate((one) => document.hasFocus() && one === document.activeElement).catch(() => false),
      );
    });
  });

  test('other groups of the same rows open beside the first ones; changed groups replace them', async () => {
    const text = 'SELECT alias, department, enabled FROM accounts ORDER BY alias LIMIT 60';
    await withDraft('groups', text, async (workbench) => {
      const { webview } = workbench;
      const tab = (column: string) => webview.getByRole('tab', { name: new RegExp(` by ${column}$`) });
      const groupBy = async (column: string) => {
        await webview.getByLabel('Group by', { exact: true }).selectOption(column);
        await webview.getByRole('button', { name: 'Group', exact: true }).click();
        await webview.getByRole('grid', { name: new RegExp(` by ${column}$`) }).waitFor();
      };
      await webview
        .getByRole('grid', { name: /^Rows of Untitled-\d+$/ })
        .getByRole('gridcell')
        .first()
        .click();
      await workbench.runCommand('Identity Queries: Group Rows...');
      await groupBy('department');
      await webview.getByRole('button', { name: 'More Actions...' }).click();
      await webview.getByRole('menuitem', { name: 'Go to Source' }).click();
      await webview.getByRole('grid', { name: /^Rows of Untitled-\d+$/ }).waitFor();
      await workbench.runCommand('Identity Queries: Group Rows...');
      await groupBy('enabled');
      await tab('department').waitFor();
      await tab('enabled').waitFor();
      await webview.getByRole('button', { name: 'More Actions...' }).click();
      await webview.getByRole('menuitem', { name: 'Change Groups...' }).click();
      await groupBy('alias');
      await tab('alias').waitFor();
      await tab('enabled').waitFor({ state: 'detached' });
      await tab('department').waitFor();
      await workbench.screenshot('beside');
    });
  });

  test('parameters are filled in with the keyboard alone, and Enter runs', async () => {
    const text =
      'SELECT alias, department FROM accounts WHERE alias <> :alias AND enabled = :enabled LIMIT 5';
    await withDraft('parameters', text, async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByLabel('alias', { exact: true }).waitFor();
      await webview.locator('#parameter-0:focus').waitFor();
      await page.keyboard.type("o'neil; --");
      // Two Tabs skip the NULL and empty-text options, and a third reaches the next field.
      for (let index = 0; index < 3; index += 1) await page.keyboard.press('Tab');
      await page.keyboard.type('true');
      await page.keyboard.press('Enter');
      await webview.getByRole('gridcell').first().waitFor();
      // Beside many tabs, it is among the facts that are only counted.
      await webview.getByText("o'neil; --").waitFor({ state: 'attached' });
      await workbench.screenshot('rows');
      // The focus is back where the person was before the form, whether it is sent or cancelled.
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' -- typed on');
      await workbench.editor.getByText('typed on').waitFor();
      await page.keyboard.press('ControlOrMeta+Enter');
      await webview.locator('#parameter-0:focus').waitFor();
      await webview.getByRole('button', { name: 'Cancel' }).press('Enter');
      await webview.getByRole('gridcell').first().waitFor();
      await page.keyboard.type(' after all');
      await workbench.editor.getByText('typed on after all').waitFor();
      // From the rows, it leads back to the rows.
      await webview.getByRole('gridcell').first().click();
      await webview.getByRole('button', { name: 'Change Parameters' }).press('Enter');
      await webview.locator('#parameter-0:focus').waitFor();
      await page.keyboard.press('Enter');
      await webview.getByRole('grid').waitFor();
      await workbench.until('the rows have the focus', () =>
        webview
          .getByRole('grid')
          .evaluate((grid) => document.hasFocus() && grid.contains(document.activeElement)),
      );
    });
  });

  test('the focus stays in the editor; rows are unchanged after the panel was hidden', async () => {
    await withDraft('kept', 'SELECT generate_series(1, 900) AS n', async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByRole('gridcell').first().waitFor();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' -- typed on');
      await workbench.editor.getByText('typed on').waitFor();
      await webview.getByRole('gridcell').first().click();
      await page.keyboard.press('ControlOrMeta+End');
      await webview.getByText('Row 900').waitFor();
      await workbench.runCommand('View: Toggle Panel Visibility');
      await webview.getByRole('grid').waitFor({ state: 'detached' });
      await workbench.runCommand('View: Toggle Panel Visibility');
      await webview.getByText('Row 900').waitFor();
      await webview.getByRole('gridcell', { name: '900', exact: true }).waitFor();
      await workbench.screenshot('kept');
      assert.equal(await webview.getByRole('grid').getAttribute('aria-rowcount'), '901');

      // The page can no longer be loaded, so the rows open as text without taking focus.
      const pages = '**/webview/browser/pre/index.html**';
      await page.route(pages, (route) => route.abort());
      await workbench.runCommand('View: Toggle Panel Visibility');
      await page.locator('iframe.webview').waitFor({ state: 'detached' });
      await workbench.runCommand('View: Toggle Panel Visibility');
      await workbench.notification('The result panel does not open in this window').waitFor();
      await workbench.tab(/Untitled-\d+\.txt/).waitFor();
      await page
        .locator('.view-lines')
        .getByText(/^900\srows$/)
        .waitFor();
      for (const line of [
        'result panel did not come up within 30 s',
        'the rows were opened as a text instead',
      ])
        await workbench.until(`the log says ${line}`, async () => (await workbench.log()).includes(line));
      await workbench.screenshot('as-text');
      await page.unroute(pages);
      // The broken page swallows all keys, so click the editor first.
      await workbench.editor.click();
      await workbench.runCommand('View: Toggle Panel Visibility');
      await page.locator('iframe.webview').waitFor({ state: 'detached' });
      await workbench.runCommand('View: Toggle Panel Visibility');
      await webview.getByText('Row 900').waitFor();
    });
  });

  test('a hidden panel opens for a tool and for a form, which get the focus', async () => {
    const text = 'SELECT n FROM generate_series(1, 9) AS numbers (n) WHERE n > :least';
    await withDraft('hidden', text, async (workbench) => {
      const { webview, page } = workbench;
      const hide = async () => {
        await workbench.runCommand('View: Hide Panel');
        await page.locator('iframe.webview').waitFor({ state: 'detached' });
      };
      await webview.locator('#parameter-0:focus').waitFor();
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await webview.getByRole('gridcell').first().waitFor();

      await hide();
      await workbench.runCommand('Identity Queries: Find in Rows');
      const field = webview.getByRole('textbox', { name: 'Find in rows' });
      await workbench.until('the field has the focus', () =>
        field.evaluate((each) => each === each.ownerDocument.activeElement).catch(() => false),
      );

      await hide();
      await workbench.editor.click();
      await page.keyboard.press('ControlOrMeta+Enter');
      await webview.locator('#parameter-0:focus').waitFor();
    });
  });

  test('a result is kept, the query is changed and run, and the differences show who gained access', async () => {
    const before = admins("created_date < now() - interval '400 days'", 90);
    await withDraft('compared', before, async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByRole('gridcell').first().waitFor();
      const rowsOfFirst = await webview.getByText(/^\d+ rows$/).innerText();
      await workbench.runCommand('Identity Queries: Keep Result for Comparison');
      await workbench.notification('on this machine for comparison').waitFor();
      await workbench.runCommand('Notifications: Clear All Notifications');
      await workbench.setEditorText(admins('enabled', 7));
      await page.keyboard.press('ControlOrMeta+Enter');
      await webview.getByText(rowsOfFirst, { exact: true }).waitFor({ state: 'detached' });
      await webview.getByText(/^\d+ rows$/).waitFor();
      await workbench.runCommand('Identity Queries: Compare Results...');
      await workbench
        .quickPick(/Untitled-\d+/)
        .first()
        .waitFor();
      await workbench.screenshot('sides');
      await page.keyboard.press('Enter');
      await webview.getByRole('button', { name: /^\d+ added$/ }).waitFor();
      await webview.getByText('Matched by').waitFor();
      await workbench.screenshot('below');
      const rowsInSight = () =>
        readAll(webview.locator('.grid-body .grid-row'), (rows) => {
          const bottom = document.querySelector('.grid')?.getBoundingClientRect().bottom ?? 0;
          return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
        });
      assert.ok((await rowsInSight()) >= 5, `${await rowsInSight()} rows at the default height`);
      await page.setViewportSize({ width: 800, height: 600 });
      await workbench.until('the rows have room in a small window', async () => (await rowsInSight()) >= 4);
      await workbench.screenshot('below-800x600');
      await page.setViewportSize({ width: 1440, height: 900 });
      await workbench.runCommand('View: Toggle Maximized Panel');
      await webview.getByRole('gridcell').first().waitFor();
      // The number and its sign stay on one line, even with two digits.
      const numbers = await readAll(webview.locator('.grid-row[data-change] .grid-gutter'), (all) =>
        all.map((one) => one.scrollHeight <= one.clientHeight),
      );
      assert.ok(numbers.length > 10 && numbers.every(Boolean), String(numbers));
      await page.mouse.move(0, 0);
      await workbench.screenshots('comparison');
    });
  });

  test('value sets: saved from the form, run side by side into tabs; all statements; the history', async () => {
    const text = '-- @param team text Whose accounts\nSELECT :team AS team, :day::date AS day';
    await withDraft('value-sets', text, async (workbench) => {
      const { webview, page } = workbench;
      const saveSet = async (name: string, team: string) => {
        await webview.getByLabel('team', { exact: true }).fill(team);
        await webview.getByLabel('day', { exact: true }).fill('start of year');
        await webview.getByRole('button', { name: 'Save as Set' }).click();
        await workbench.quickInput.waitFor();
        await workbench.quickInput.fill(name);
        await page.keyboard.press('Enter');
        await webview.getByLabel('Value set').waitFor();
        await workbench.until(
          `${name} is chosen`,
          async () => (await webview.getByLabel('Value set').inputValue()) === name,
        );
      };
      await saveSet('Contractors DE', 'Contractors Germany');
      await saveSet('Staff', 'Own staff');
      await webview.getByLabel('Value set').selectOption('Contractors DE');
      await workbench.until(
        'its values are filled in',
        async () =>
          (await webview.getByLabel('team', { exact: true }).inputValue()) === 'Contractors Germany',
      );
      await workbench.screenshot('form');
      await webview.getByLabel('team', { exact: true }).press('Enter');
      await webview.getByRole('gridcell', { name: 'Contractors Germany' }).waitFor();

      await workbench.editor.click();
      await workbench.runCommand('Identity Queries: Run with Value Sets or on Several Connections...');
      await workbench.quickPick('With Value Sets').click();
      await workbench.quickPick('Contractors DE').waitFor();
      await workbench.screenshot('choose');
      for (const name of ['Contractors DE', 'Staff']) await workbench.quickPick(name).click();
      await page.keyboard.press('Enter');
      await webview.getByRole('tab', { name: /Staff/ }).waitFor();
      await webview.getByRole('tab', { name: /Contractors DE/ }).waitFor();
      await webview.getByRole('tab', { name: /Staff/ }).click();
      await webview.getByRole('gridcell', { name: 'Own staff' }).waitFor();
      await workbench.screenshot('tabs');

      await workbench.runCommand('Identity Queries: Show Run History...');
      await workbench
        .quickPick(/Untitled-\d+/)
        .first()
        .waitFor();
      await workbench.quickInput.fill('own staff today');
      await workbench.quickPick('Contractors DE').first().waitFor({ state: 'detached' });
      await workbench.quickPick('Staff').first().waitFor();
      await workbench.screenshot('history');
      await page.keyboard.press('Enter');
      await workbench.tab(/Untitled-\d+\.identity\.sql/).waitFor();
      await workbench.editor.getByText('Own staff').waitFor();

      await workbench.runCommand('Identity Queries: New Query');
      await workbench.setEditorText('SELECT 1 AS one;\nDELETE FROM accounts;\nSELECT no_such FROM accounts');
      await workbench.runCommand('Identity Queries: Run All Statements');
      await webview.getByRole('tab', { name: /statement 3/ }).click();
      await webview.getByRole('button', { name: 'Go to Error' }).waitFor();
      await workbench.screenshot('error');
      await webview.getByRole('button', { name: 'Go to Error' }).click();
      await workbench.statusBar(/Ln 3, Col 8/).waitFor();
      await workbench.screenshot('go-to-error');

      await workbench.runCommand('Identity Queries: Clear Local Data...');
      await workbench.quickPick('Run history').click();
      await page.keyboard.press('Enter');
      const question = page
        .getByRole('dialog')
        .filter({ hasText: 'Clear this from this machine: Run history?' });
      await workbench.screenshot('clear-local-data');
      await question.getByRole('button', { name: 'Clear', exact: true }).click();
      await workbench.runCommand('Identity Queries: Show Run History...');
      await workbench.notification('The history is empty').waitFor();
    });
  });

  test('evidence is copied and verified; the reloaded window, and no other, remembers the runs in the panel and in a tab', async () => {
    await withDraft('restored', 'SELECT generate_series(1, 900) AS n', async (workbench) => {
      const { page } = workbench;
      await workbench.webview.getByRole('gridcell').first().waitFor();
      await workbench.runCommand('Identity Queries: Copy as Evidence');
      await page.getByText('Copied evidence of 900 rows.', { exact: true }).waitFor();
      await workbench.runCommand('Identity Queries: Verify Evidence...');
      await workbench.webviewText('All 5 checks match');
      await workbench.answerNotification('All 5 checks match', 'Run Again and Compare');
      await workbench.webviewText('was run again');
      await workbench.webviewText('checks match');
      await workbench.runCommand('Notifications: Clear All Notifications');
      await workbench.screenshots('evidence');
      await workbench.runCommand('View: Close Editor');

      await workbench.applySettings({ 'identityQueries.results.location': 'beside' });
      await workbench.tab(/Untitled/).click();
      await workbench.runCommand('Identity Queries: Run in New Result Tab');
      await workbench.tab(/Result: Untitled/).waitFor();
      await workbench.until('rows are in both', async () => (await workbench.webviewsWith('900 rows')) > 1);
      await workbench.writtenTab('Result: Untitled-');
      await page.reload();
      await workbench.tab(/Result: Untitled/).waitFor();
      const restored = 'Results from before reload';
      await workbench.until('both are known', async () => (await workbench.webviewsWith(restored)) > 1);
      await workbench.screenshot('both');
      await workbench.runCommand('Identity Queries: Run Again');
      await workbench.until('one ran again', async () => (await workbench.webviewsWith(restored)) === 1);
      await workbench.screenshot('ran-again');
      const another = await workbench.openWindow();
      try {
        await another.webviewText('No result yet');
        assert.equal(await another.webviewsWith(restored), 0);
      } finally {
        await another.close();
      }
    });
  });
});
