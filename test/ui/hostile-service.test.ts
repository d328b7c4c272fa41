/**
 * Hostile names of a connection, a saved query, and of models, columns and exports from the service, and hostile token
 * errors: shown as text everywhere, and clicks do nothing.
 */
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startChangingService } from '../helpers/changing-service.ts';
import { listen, sendJson } from '../helpers/http.ts';
import {
  hostileName,
  hover,
  isOnlyText,
  isPlain,
  linkTo,
  ranNothingAtAll,
  tooltipIsOnlyText,
} from '../helpers/only-text.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

const names = {
  connection: linkTo('Production'),
  query: `Access reviews/${linkTo('Review')}`,
  model: hostileName('Governance'),
  description: hostileName('Reviews'),
  column: hostileName('Salary'),
  exportContext: hostileName('Everyone'),
  refused: hostileName('Staging'),
  tokenError: hostileName('Urgent'),
};

/** Escapes the name as in JSON. */
const inJson = (name: string) => JSON.stringify(name).slice(1, -1);

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
  await workbench.screenshot('0-deleted');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

async function modelAndColumn(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await page.locator('.part.sidebar .pane-header').filter({ hasText: 'Saved Queries' }).click();
  const model = workbench.treeItem(/^\[Governance\] \(command/).first();
  await isPlain(model, 'Governance');
  await tooltipIsOnlyText(workbench, model, 'Reviews');
  // The filter expands the matching rows and keeps their parents visible.
  await workbench.runCommand('Models: Filter or Show All');
  await workbench.quickInput.fill('Salary');
  const column = workbench.treeItem(/^\[Salary\] \(command/).first();
  await column.waitFor();
  await page.keyboard.press('Enter');
  await tooltipIsOnlyText(workbench, column, 'Salary');
  await workbench.screenshot('1-models');
  await workbench.runCommand('Models: Filter or Show All');

  await workbench.runCommand('Identity Queries: Search Models, Tables and Columns...');
  await workbench.quickInput.fill('Salary');
  await isPlain(workbench.quickPick(/\[Salary\] \(command/), 'Salary');
  await workbench.screenshot('2-search');
  await page.keyboard.press('Escape');
}

async function exportOfAContext(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Identity Queries: Create Export...');
  await workbench.quickInput.fill('Platform users');
  await workbench.quickPick('Platform users').waitFor();
  for (const step of ['File format', 'Link lifetime']) {
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
  }
  await page.keyboard.press('Enter');
  await isOnlyText(workbench, workbench.notification(/is ready/), 'Everyone');
  await workbench.screenshot('3-export');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

async function tokenThatIsRefused(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Identity Queries: Connect to Service...');
  const picked = workbench.quickPick(/\[Staging\] \(command/).first();
  await isPlain(picked, 'Staging');
  await picked.click();
  const notification = workbench.notification(/Not connected to/);
  await isOnlyText(workbench, notification, 'Staging');
  await isOnlyText(workbench, notification, 'Urgent');
  await workbench.screenshot('4-refused');
  await workbench.statusBar(/\[Staging\] \(command/).waitFor();
  // The language status, whose details may contain command links, exists only for queries.
  await workbench.runCommand('Identity Queries: New Query');
  await workbench.tab(/Untitled/).waitFor();
  const item = workbench.page.locator('[id="status.languageStatus"]').first();
  const status = hover(workbench).filter({ hasText: 'not connected' });
  await workbench.until('the language status is open', async () => {
    if (await status.first().isVisible()) return true;
    await item.click({ timeout: 10_000 }).catch(() => undefined); // appears and disappears with the editor
    return await status
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  });
  await isPlain(status, 'Urgent');
  await workbench.screenshot('5-status');
}

suite('names and texts that are links', () => {
  test('run nothing as names of a connection, a query, a model, a column and an export, or in a token error', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const client = createClient({ ...sandbox });
    const service = await startChangingService(sandbox, [
      ['platform_governance', inJson(names.model)],
      ['Access prepared for reviews', inJson(names.description)],
      ['"platformUsers"', JSON.stringify(names.exportContext)],
    ]);
    service.change([{ table: 'accounts', column: names.column, kind: 'added' }]);
    const tokens = await listen((_, response) => sendJson(response, 400, { error: names.tokenError }));
    try {
      const { query_id } = await client.savedQueries.create({ name: names.query, query_string: 'SELECT 1' });
      const env = {
        ...connectionEnvironment(
          { ...sandbox, address: service.address, authUrl: service.authUrl },
          names.connection,
        ),
        IDENTITY_TEST_SECRET: 'no-secret',
      };
      const refused = {
        name: names.refused,
        baseUrl: tokens.url,
        authUrl: `${tokens.url}/token`,
        clientId: 'reader',
        secretVariable: 'IDENTITY_TEST_SECRET',
      };
      const settings = { 'identityQueries.connections': [refused] };
      await withWorkbench({ name: 'hostile-service', env, settings }, async (workbench) => {
        await workbench.openIdentityView();
        await workbench.statusBar(/\[Production\] \(command/).waitFor();
        await tooltipIsOnlyText(workbench, workbench.statusBar(/\[Production\]/).first(), 'Production');
        await fileThatIsDeletedByAColleague(workbench, () => client.savedQueries.delete(query_id));
        await modelAndColumn(workbench);
        await exportOfAContext(workbench);
        await tokenThatIsRefused(workbench);
        await ranNothingAtAll(workbench);
      });
    } finally {
      await client.close();
      await tokens.close();
      await service.stop();
      await sandbox.stop();
    }
  });
});
