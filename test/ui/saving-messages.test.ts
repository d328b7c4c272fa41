/** What a window says about saved queries that others changed, or that could not be read or saved, and for how long. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createElsewhere, save, takeNewest } from '../helpers/colleague.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';

const lines = ['SELECT', '  id,', '  alias', 'FROM accounts', 'WHERE enabled', 'ORDER BY id', 'LIMIT 10'];

suite('messages about saved queries', () => {
  const withWindow = shareWorkbench();

  test('what another window saved is the newest everywhere at once, and a merge is offered only once', async () => {
    await withWindow('two-windows', async (mine) => {
      const query = 'Dormant access';
      const theirs = await mine.openWindow();
      for (const window of [theirs, mine]) {
        await window.openIdentityView();
        await window.treeItem(query).click();
        await window.editor.getByText('SELECT').first().waitFor();
      }
      // The row of a query that Ctrl+T opens is selected, too.
      const chosen = mine.page.locator('.part.sidebar [role="treeitem"][aria-selected="true"]');
      for (const other of ['Methods in use', query]) {
        await mine.choose(async () => {
          await mine.runCommand('Go to Symbol in Workspace...');
          await mine.quickInput.fill(`#${other}`);
        }, other);
        await chosen.filter({ hasText: other }).waitFor();
      }

      await save(mine, lines.join('\n'), 2, query);
      await takeNewest(theirs, 'LIMIT');
      await save(theirs, lines.join('\n').replace('10', '20'), 3, query);
      await mine.runCommand('Saved Query: Show Versions...');
      await mine.quickPick(/Version 3.*newest/).waitFor();
      assert.equal(await mine.quickPick(/newest/).count(), 1);
      await mine.treeItem(new RegExp(`${query}, version 3`)).waitFor();
      await mine.page.keyboard.press('Escape');
      await mine.notification(/has a newer version: version 3/).waitFor();

      await mine.setEditorText(lines.join('\n').replace('id,', 'uid,'));
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.notificationButton(/do not overlap/, 'Save Merged as Version 4').waitFor();
      assert.equal(await mine.notification(/has a newer version/).count(), 0);
      await theirs.close();
    });
  });

  test('the notification about a failed refresh goes once a refresh works, and that of no connection once there is one', async () => {
    await withWindow('failed-refresh', async (window, sandbox) => {
      await window.openIdentityView();
      await window
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      const refresh = () => window.runCommand('Saved Queries: Refresh');
      const failed = () => window.notification(/The saved queries could not be read/);
      await sandbox.setFaults([
        { path: '/v1/query/saved-queries', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
      ]);
      try {
        await refresh();
        await window.notificationButton(/The saved queries could not be read/, 'Try Again').waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await refresh();
      await failed().waitFor({ state: 'hidden' });

      // That there is no connection is out of date with any command that connects.
      const notConnected = () => window.notification(/Not connected to Sandbox/);
      await sandbox.setFaults([{ path: '/v1/*', always: { kind: 'status', status: 503 } }]);
      try {
        await window.runCommand('Identity Queries: Connect to Service...');
        await window.quickPick('Sandbox').first().click();
        await notConnected().waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await window.runCommand('Identity Queries: Connect to Service...');
      await window.quickPick('Connect Again').first().click();
      await window.treeItem(/owner left/).waitFor();
      await notConnected().waitFor({ state: 'hidden' });
    });
  });

  test('the notification about a failed save goes once the query is saved', async () => {
    await withWindow('failed-save', async (window, sandbox) => {
      await window.openIdentityView();
      await createElsewhere(sandbox, 'Access/Saved at last');
      await window.runCommand('Saved Queries: Refresh');
      await window.treeItem('Saved at last').first().click();
      await window.editor.getByText('SELECT').first().waitFor();
      const refused = { kind: 'status', status: 403, code: 'FORBIDDEN' } as const;
      await sandbox.setFaults([{ method: 'PUT', path: '/v1/query/saved-queries/*', always: refused }]);
      try {
        await window.setEditorText('SELECT 1 AS mine');
        await window.page.keyboard.press('ControlOrMeta+S');
        await window.notificationButton(/was not saved/, 'Try Again').waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await window.page.keyboard.press('ControlOrMeta+S');
      await window.notification(/was not saved/).waitFor({ state: 'hidden' });
    });
  });
});
