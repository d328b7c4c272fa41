/**
 * Controls as a user sees them: the Testing view by benchmark, the message of a failure, and the badge of a saved
 * query.
 */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';

const benchmarks = {
  benchmarks: [
    {
      title: 'SOC 2',
      children: [
        { title: 'CC6.1 Logical access', tag: 'soc2=CC6.1' },
        { title: 'CC6.2 Registration', tag: 'soc2=CC6.2' },
      ],
    },
  ],
};
const workspaceFiles = {
  '.identity-queries/benchmarks.json': JSON.stringify(benchmarks),
  'controls/none.identity.sql':
    '-- @control AC-01 No account of nobody\n-- @expect no rows\n-- @tags soc2=CC6.1\nSELECT id FROM accounts WHERE false\n',
  'controls/broken.identity.sql':
    '-- @control AC-03 A column that is gone\n-- @expect no rows\n-- @tags soc2=CC6.2\nSELECT nothing FROM accounts\n',
};
const failing = [
  '-- @control AC-07 Accounts of administrators',
  '-- @expect no rows',
  '-- @severity high',
  '-- @tags soc2=CC6.1',
  'SELECT id AS account_id, alias FROM accounts ORDER BY id LIMIT 3',
].join('\n');

suite('controls', () => {
  const withWindow = shareWorkbench();

  test('are listed by benchmark, show what failed, and mark the saved query', async () => {
    await withWindow('controls', async (workbench, sandbox) => {
      for (const [file, text] of Object.entries(workspaceFiles)) {
        const at = path.join(workbench.workspace, file);
        await mkdir(path.dirname(at), { recursive: true });
        await writeFile(at, text);
      }
      const client = createClient(sandbox);
      try {
        const { query_id } = await client.savedQueries.create({
          name: 'Controls/Administrators',
          query_string: failing,
        });
        await workbench.openIdentityView();
        await workbench.runCommand('Saved Queries: Refresh');
        const { page } = workbench;
        await workbench.statusBar('Sandbox').waitFor();
        await page.getByRole('tab', { name: 'Testing' }).click();
        for (const group of [/^SOC 2/, /^CC6\.1/, /^CC6\.2/]) {
          await workbench.treeItem(group).first().click();
          await page.keyboard.press('ArrowRight');
        }
        await workbench.treeItem(/AC-07/).first().waitFor();
        await workbench.runCommand('Test: Run All Tests');
        // Screen readers announce the name together with the outcome and its time.
        await workbench
          .treeItem(/AC-07 Accounts of administrators · Failed/)
          .first()
          .waitFor();
        await workbench
          .treeItem(/AC-01 No account of nobody · Pass/)
          .first()
          .waitFor();
        await workbench
          .treeItem(/AC-03 A column that is gone · Error/)
          .first()
          .waitFor();
        await workbench.screenshots('testing-view');

        await workbench.treeItem(/AC-07/).first().dblclick();
        await page.getByText('@expect').first().waitFor();
        await page.getByText('3 rows; expected: no rows.').first().waitFor();
        await workbench.screenshot('message');

        await workbench.runCommand('Identity Queries: Watch Control or Stop Watching');
        await workbench
          .treeItem(/AC-07.* · watched/)
          .first()
          .waitFor();
        await workbench.screenshot('watched');

        await workbench.openIdentityView();
        const row = workbench.treeItem(/Controls\/Administrators.*Control: Failed/);
        await row.first().waitFor();
        await row.first().scrollIntoViewIfNeeded();
        assert.match((await row.first().textContent()) ?? '', /Failed, /);
        await workbench.screenshots('saved-query');
        // Other tests use the window after this one, and no control may run in it.
        await client.savedQueries.delete(query_id);
        for (const file of Object.keys(workspaceFiles)) await rm(path.join(workbench.workspace, file));
      } finally {
        await client.close();
      }
    });
  });
});
