/** A connection and a saved query that are links to commands are text wherever they are shown: a click does nothing. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createClient } from '../../api/client/client.ts';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

/** Opens a tab that is seen, where a shell would be opened by somebody else. */
const linkTo = (label: string) => `[${label}](command:workbench.action.openSettings)`;
const names = {
  connection: linkTo('Production'),
  query: `Access reviews/${linkTo('Review')}`,
};

/** A place shows a name as text: there is no link in it, and a click on it opens nothing. */
async function isOnlyText(workbench: Workbench, place: Locator, label: string): Promise<void> {
  const shown = place.filter({ hasText: new RegExp(`\\[${label}\\] ?\\(command:`) }).first();
  await shown.waitFor();
  assert.equal(await shown.locator('a').filter({ hasText: label }).count(), 0, `${label} is a link`);
  const box = await shown.getByText(`[${label}]`).last().boundingBox();
  assert.ok(box, `${label} is in sight`);
  await workbench.page.mouse.click(box.x + 8, box.y + Math.min(8, box.height / 2));
  assert.equal(await workbench.tab(/^Settings/).count(), 0, `${label} ran its command`);
}

const hover = (workbench: Workbench) => workbench.page.locator('.monaco-hover:visible');

/** What the editor shows over a row of a tree. */
async function tooltipIsOnlyText(workbench: Workbench, row: Locator, label: string): Promise<void> {
  await row.hover();
  await isOnlyText(workbench, hover(workbench), label);
  await workbench.page.keyboard.press('Escape');
}

async function fileThatIsDeletedByAColleague(
  workbench: Workbench,
  deleteIt: () => Promise<void>,
): Promise<void> {
  const row = workbench.treeItem(/\[Review\] \(command/).first();
  await row.waitFor();
  await tooltipIsOnlyText(workbench, row, 'Review');
  await row.dblclick();
  await workbench.tab(/\[Review\] \(command/).waitFor();
  await workbench.editor.getByText('SELECT').first().waitFor();
  await workbench.setEditorText('SELECT 2');
  await deleteIt();
  // The editor's own save: its notification quotes the name of the file and our failure.
  await workbench.runCommand('File: Save All');
  const notification = workbench.notification(/was deleted/).filter({ hasText: 'Failed to save' });
  await isOnlyText(workbench, notification, 'Review');
  await workbench.screenshot('1-deleted');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

suite('names that are links', () => {
  test('do nothing in a notification, a failure of the editor, a tooltip and a tab', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const client = createClient({ ...sandbox });
    try {
      const { query_id } = await client.savedQueries.create({
        name: names.query,
        query_string: 'SELECT 1',
      });
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, names.connection);
      await withWorkbench({ name: 'hostile-names', env }, async (workbench) => {
        await workbench.openIdentityView();
        await workbench.statusBar(/\[Production\] \(command/).waitFor();
        await tooltipIsOnlyText(workbench, workbench.statusBar(/\[Production\]/).first(), 'Production');
        await fileThatIsDeletedByAColleague(workbench, () => client.savedQueries.delete(query_id));
      });
    } finally {
      await client.close();
      await sandbox.stop();
    }
  });
});
