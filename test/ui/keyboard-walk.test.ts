/**
 * From the palette to copied rows by keyboard alone, with the screen reader's announcements at each step. Also at 200%
 * zoom, with half as many pixels in each direction.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listenTo, type ScreenReader } from '../helpers/screen-reader.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';
import type { Workbench } from '../helpers/workbench.ts';

const sizes = [
  { name: '100-percent', width: 1440, height: 900 },
  { name: '200-percent', width: 720, height: 450 },
] as const;

suite('keyboard navigation', () => {
  const withWindow = shareWorkbench();

  for (const { name, ...size } of sizes)
    test(`${name}: from New Query through parameters to copied rows`, async () => {
      await withWindow(`keyboard-${name}`, async (workbench) => {
        await workbench.openIdentityView();
        // Wait for the models, which determine the parameter's type.
        const columns = workbench.treeItem(/^accounts.*72 columns/);
        await workbench.until('the columns are known', async () => {
          if (await columns.isVisible()) return true;
          const model = workbench.treeItem(/^platform_identity/).first();
          if ((await model.getAttribute('aria-expanded')) === 'false') await model.click();
          return false;
        });
        await workbench.page.setViewportSize(size);
        await walk(workbench, listenTo(workbench.page));
      });
    });

  async function walk(workbench: Workbench, reader: ScreenReader): Promise<void> {
    const { page } = workbench;
    const { keyboard } = page;
    const told = async (expected: RegExp) => {
      // If the element is being replaced, try again in the next round.
      const isTold = () =>
        reader.focus().then(
          (text) => expected.test(text),
          () => false,
        );
      await workbench.until(`the screen reader tells ${String(expected)}`, isTold);
    };
    const heard = async (expected: RegExp) => {
      await workbench.until(`the screen reader announces ${String(expected)}`, async () =>
        (await reader.heard()).some((text) => expected.test(text)),
      );
    };
    const command = async (title: string) => {
      await keyboard.press('F1');
      await told(/^- '?option /);
      await keyboard.type(title);
      await told(new RegExp(`^- '?option "Identity Queries: ${RegExp.escape(title)}[",]`));
      await keyboard.press('Enter');
    };

    await reader.heard();
    await command('New Query');
    await told(/^- textbox "Untitled-\d+"/);
    await keyboard.type('SELECT alias, email FROM accounts WHERE is_admin = :admin ORDER BY alias LIMIT 9');
    await command('Run Query');
    await told(/^- combobox "admin": .*- boolean as accounts\.is_admin/);
    await workbench.screenshot('form');

    await reader.heard();
    await keyboard.press('Enter');
    await heard(/^9 rows\b/);
    await told(/^- textbox "Untitled-\d+/);
    await keyboard.press('Control+F6');
    await told(/^- gridcell "[^"]+" \[selected\]$/);
    const grid = workbench.webview.getByRole('grid', { name: /^Rows of Untitled-\d+/ });
    assert.match(await grid.ariaSnapshot(), /columnheader "alias text"[^]*rowheader "1"/);
    assert.equal(await grid.getAttribute('aria-rowcount'), '10');

    await keyboard.press('ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+Space');
    await heard(/^2 × 2 selected/);
    const rows = await Promise.all(
      ['3', '4'].map((index) =>
        grid
          .locator(`[aria-rowindex="${index}"]`)
          .getByRole('gridcell', { selected: true })
          .allTextContents(),
      ),
    );
    await keyboard.press('ControlOrMeta+Shift+C');
    await heard(/^Copied 2 rows × 2 columns with column names$/);
    await workbench.screenshot('copied');
    const copied = [['alias', 'email'], ...rows].map((cells) => cells.join('\t')).join('\n');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), copied);

    // The other formats are in the palette.
    await command('Copy As (CSV, JSON, Markdown, SQL)...');
    await told(/^- '?option "CSV/);
    await keyboard.type('INSERT');
    await told(/^- '?option "SQL INSERT/);
    await keyboard.press('Enter');
    await workbench.until('the rows were copied as INSERT', async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).startsWith('INSERT INTO '),
    );
    await told(/^- gridcell /);

    // The same key moves to the query, then back to the rows.
    await keyboard.press('Control+F6');
    await told(/^- textbox "Untitled-\d+/);
    await keyboard.press('Control+F6');
    await told(/^- gridcell /);

    // Errors are announced, too.
    await keyboard.press('Control+F6');
    await told(/^- textbox "Untitled-\d+/);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('SELECT email FORM accounts');
    await keyboard.press('Escape');
    await keyboard.press('ControlOrMeta+Enter');
    await heard(/^Syntax error at or near "accounts"/);
    await keyboard.press('Control+F6');
    await told(/^- button "Go to Error"/);
    await keyboard.press('Enter');
    await told(/^- textbox "Untitled-\d+/);
  }
});
