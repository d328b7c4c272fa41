/**
 * Connections and saved queries whose names are command links: the names appear as text everywhere, and clicks do
 * nothing.
 */
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { isOnlyText, linkTo, ranNothingAtAll, tooltipIsOnlyText } from '../helpers/only-text.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

const names = {
  connection: linkTo('Production'),
  query: `Access reviews/${linkTo('Review')}`,
};

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
  // The notification from the editor's Save All contains the file name and our error.
  await workbench.runCommand('File: Save All');
  const notification = workbench.notification(/was deleted/).filter({ hasText: 'Failed to save' });
  await isOnlyText(workbench, notification, 'Review');
  await workbench.screenshot('1-deleted');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

suite('names that are links', () => {
  test('do nothing in a notification, an editor error, a tooltip and a tab', async () => {
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
        await ranNothingAtAll(workbench);
      });
    } finally {
      await client.close();
      await sandbox.stop();
    }
  });
});
