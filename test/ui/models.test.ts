/**
 * The Models view in the packaged extension: browsing, filter, search, preview, drag and drop, changed tables, kept
 * state.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startChangingService, type ChangingService } from '../helpers/changing-service.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

async function withModels(
  body: (workbench: Workbench, service: ChangingService) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ from: 'dist' });
  const service = await startChangingService(sandbox);
  try {
    const env = connectionEnvironment(
      { ...sandbox, address: service.address, authUrl: service.authUrl },
      'Sandbox',
    );
    await withWorkbench({ name: 'models', env }, async (workbench) => {
      await workbench.openIdentityView();
      await workbench.treeItem(/^platform_identity/).waitFor();
      await body(workbench, service);
    });
  } finally {
    await service.stop();
    await sandbox.stop();
  }
}

/** Expands a tree row with a click, unless it is already expanded. A view that is still being filled can move the row. */
async function expand(workbench: Workbench, name: RegExp): Promise<void> {
  const row = workbench.treeItem(name).first();
  await row.waitFor();
  await workbench.until(`${String(name)} is expanded`, async () => {
    if ((await row.getAttribute('aria-expanded')) === 'true') return true;
    const expanded = row.and(workbench.page.locator('[aria-expanded="true"]'));
    return await row
      .click({ timeout: 5_000 })
      .then(() => expanded.waitFor({ timeout: 5_000 }))
      .then(
        () => true,
        () => false,
      );
  });
}

/** Collapses the other views, so that the Models view gets all the space. */
async function onlyModels(workbench: Workbench): Promise<void> {
  for (const name of ['Saved Queries', 'Records']) {
    const header = workbench.page.locator('.part.sidebar .pane-header', { hasText: name }).first();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }
}

/** Drags a tree row to the end of `text` in the query. Editors accept the drop only with Shift. */
async function dragIntoQuery(workbench: Workbench, row: RegExp, text: RegExp): Promise<void> {
  const { page } = workbench;
  const from = await workbench.treeItem(row).boundingBox();
  const to = await workbench.editor.getByText(text).last().boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 40, from.y + from.height / 2);
  await page.mouse.down();
  try {
    await page.keyboard.down('Shift');
    await page.mouse.move(to.x + to.width + 20, to.y + to.height / 2, { steps: 12 });
    await page.mouse.move(to.x + to.width + 24, to.y + to.height / 2, { steps: 4 });
    await workbench.screenshot('drag');
  } finally {
    await page.mouse.up();
    await page.keyboard.up('Shift');
  }
}

/** Another window shows them even if the service does not describe them. */
async function hasTheTablesAtOnce(first: Workbench, service: ChangingService): Promise<void> {
  const reads = service.schemaReads;
  const second = await first.openWindow();
  await second.openIdentityView();
  await onlyModels(second);
  await expand(second, /^platform_identity/);
  await expand(second, /^accounts, /);
  await second.treeItem(/^email, /).waitFor();
  assert.equal(service.schemaReads, reads);
  await second.screenshot('kept');
  await second.close();
}

/** Waits until Enter chooses this row, and no longer one of what was typed before. */
const chosen = async ({ page }: Workbench, label: string) => {
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: label }).waitFor();
};

suite('models view', () => {
  test('browse, filter, search, preview, drag; another window has the tables at once; changed tables; broken saved queries', async () => {
    await withModels(async (workbench, service) => {
      const { page } = workbench;
      await onlyModels(workbench);
      await page.getByText(/^Updated (this minute|\d minutes? ago)$/).waitFor();
      await expand(workbench, /^platform_identity/);
      await expand(workbench, /^accounts, /);
      await workbench.treeItem(/^email, text, never NULL, The email address of the account/).waitFor();
      await workbench.treeItem(/^accounts, .*Used by \d+ saved queries/).waitFor();
      await workbench.treeItem(/^enabled, boolean, .*Used by \d+ saved quer/).waitFor();
      await workbench.screenshot('dark');
      await hasTheTablesAtOnce(workbench, service);

      await workbench.chooseInMenu(/^enabled, boolean/, 'Show Saved Queries That Read This...');
      await page.getByText('Saved Queries That Read accounts.enabled').waitFor();
      await workbench.screenshot('readers');
      await page.keyboard.press('Escape');

      await workbench.runCommand('Models: Filter or Show All');
      await workbench.quickInput.fill('accounts mail');
      await workbench.treeItem(/^alias, /).waitFor({ state: 'detached' });
      await workbench.treeItem(/^email, /).waitFor();
      await workbench.screenshot('filter');
      await page.keyboard.press('Enter');
      await page.getByText('Filter: accounts mail').waitFor();
      await workbench.runCommand('Models: Filter or Show All');
      await workbench.treeItem(/^alias, /).waitFor();

      await workbench.runCommand('Identity Queries: Search Models, Tables and Columns...');
      // The words may be in any order.
      await workbench.quickInput.fill('entitlement access');
      await workbench.quickPick('access.entitlement').first().waitFor();
      await workbench.quickInput.fill('access.entitlement');
      await chosen(workbench, 'access.entitlement');
      await workbench.screenshot('search');
      await page.keyboard.press('Enter');
      await workbench.treeItem(/^entitlement, /).waitFor();

      await workbench.chooseInMenu(/^access, \d+ columns/, 'Preview First 100 Rows');
      await workbench.webview.getByRole('gridcell').first().waitFor();
      await workbench.screenshot('preview');

      await workbench.runCommand('Identity Queries: New Query');
      await workbench.tab(/Untitled/).waitFor();
      await workbench.setEditorText('-- dropped: ');
      const dropped = workbench.editor.getByText(/dropped:\sentitlement/).last();
      await workbench.until('the column is dropped into the query', async () => {
        await dragIntoQuery(workbench, /^entitlement, /, /--\sdropped:/);
        // If the view is redrawn, the drag is cancelled and the text is unchanged, so drag again.
        return dropped.waitFor({ timeout: 15_000 }).then(
          () => true,
          () => false,
        );
      });

      // A column added after the schema was read causes one more read, and is never reported as unknown.
      service.change([{ table: 'accounts', column: 'shoe_size', kind: 'added' }]);
      const reads = service.schemaReads;
      await workbench.setEditorText('SELECT shoe_size, alias FROM accounts');
      await workbench.until('the schema is read again', () => Promise.resolve(service.schemaReads > reads));
      await workbench.runCommand('Identity Queries: Search Models, Tables and Columns...');
      await workbench.quickInput.fill('accounts.shoe_size');
      await chosen(workbench, 'accounts.shoe_size');
      await page.keyboard.press('Enter');
      await workbench.treeItem(/^shoe_size, text/).waitFor();
      assert.equal(service.schemaReads, reads + 1);
      assert.equal(await workbench.editor.locator('.squiggly-warning').count(), 0);

      // After a refresh, a removed column is marked without further typing.
      service.change([{ table: 'accounts', column: 'is_admin', kind: 'hidden' }]);
      await workbench.setEditorText('SELECT is_admin, alias FROM accounts');
      await workbench.runCommand('Models: Refresh');
      await workbench.editor.locator('.squiggly-error').first().waitFor();

      await workbench.runCommand('Identity Queries: Check All Saved Queries');
      const broken = workbench.treeItem(/Admins without MFA, version 1, model platform_identity: /);
      await broken.waitFor();
      await workbench
        .treeItem(/is_admin.*UNKNOWN_COLUMN, line \d/)
        .first()
        .waitFor();
      const badge = page.locator('.activitybar .badge-content:visible');
      await badge.first().waitFor();
      await workbench.screenshots('drift');
      await workbench.runCommand('Identity Queries: Open List of Broken Saved Queries');
      await workbench.tab(/Broken Saved Queries/).waitFor();
      await workbench.editor.locator('.squiggly-error').first().waitFor();
      await workbench.screenshot('drift-document');
      await workbench
        .treeItem(/is_admin.*UNKNOWN_COLUMN, line \d/)
        .first()
        .click();
      await workbench
        .tab(/Accounts still enabled|Admins without MFA|Stale accounts/)
        .first()
        .waitFor();
    });
  });
});
