/**
 * Records, a single record, exports from creation to the opened file, and changes from confirmation to completion, by
 * mouse and keyboard in the packaged extension.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

async function enabledAccount(sandbox: RunningSandbox) {
  const { baseUrl, authUrl, clientId, clientSecret } = sandbox;
  const client = createClient({ baseUrl, authUrl, clientId, clientSecret });
  try {
    const { items } = await client.accounts.list();
    const account = items.find(({ enabled }) => enabled);
    assert.ok(account);
    return account;
  } finally {
    await client.close();
  }
}

/** Starts the command from the palette and confirms it. A protected environment also requires the connection's name. */
async function disableAccount(
  workbench: Workbench,
  account: { readonly globalId: string; readonly alias: string },
  { pictures: [ofDialog, ofName] = [] }: { readonly pictures?: readonly string[] } = {},
): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Identity Queries: Make a Change...');
  await workbench.quickPick('Disable Account').click();
  await workbench.quickInput.fill(account.globalId);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').filter({ hasText: account.alias });
  await dialog.getByText('Disable Account on "Sandbox"?').waitFor();
  await dialog.getByText('Sandbox is a protected environment').waitFor();
  if (ofDialog !== undefined) await workbench.screenshot(ofDialog);
  await dialog.getByRole('button', { name: 'Disable Account' }).click();
  await workbench.quickInput.fill('Sandbox');
  if (ofName !== undefined) await workbench.screenshot(ofName);
  await page.keyboard.press('Enter');
}

const activityHeader = ({ page }: Workbench) =>
  page.locator('.part.sidebar .pane-header').filter({ hasText: 'Activity' });

/** Expands the Activity view, which nothing opens by itself, and which the editor may have remembered as open. */
async function expandActivity(workbench: Workbench): Promise<void> {
  const header = activityHeader(workbench);
  if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
}

/** Returns the owners of an account's changes, based on file names. A change may be switching owners at that moment. */
function ownersOf({ serverData }: Workbench, globalId: string): readonly string[] {
  const files = globSync('**/changes/*.json', { cwd: serverData });
  return files.flatMap((file) => {
    const isOfAccount = textOf(path.join(serverData, file)).includes(globalId);
    return isOfAccount ? [path.basename(file).split('.')[1] ?? ''] : [];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // renamed after the files were listed
  }
}

/** Owner ID of changes that a closed window left behind. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Follows an export through its states, then saves its file and opens it as rows. */
async function exportAndOpen(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Identity Queries: Create Export...');
  await workbench.quickInput.fill('Platform users');
  await workbench.quickPick('Platform users').waitFor();
  await workbench.screenshot('7-export-data-set');
  for (const step of ['File format', 'Link lifetime']) {
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
  }
  await page.keyboard.press('Enter');
  const ready = workbench.treeItem(/^Platform users, ready/);
  await ready.waitFor();
  await workbench.notification('The export "Platform users" is ready').waitFor();
  await workbench.screenshots('8-export-ready');
  await ready.click();
  // The editor's own dialog suggests a workspace file named after the data set.
  await workbench.until('the dialog asks where to', async () =>
    (await workbench.quickInput.inputValue()).endsWith('platformUsers.csv'),
  );
  await page.keyboard.press('Enter');
  await workbench.answerNotification('is in platformUsers.csv', 'Open in Results');
  await workbench.webview.getByRole('tab', { name: 'platformUsers.csv' }).waitFor();
  await workbench.webview.getByRole('gridcell').first().waitFor();
  await workbench.treeItem(/^Platform users, saved/).waitFor();
  await workbench.screenshots('9-export-rows');
}

/** A rate limit that the test removes once its effect is visible. */
const limited = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '2' } as const;

/** Checks what is shown instead of rows if the service denies, delays or fails the request, or has no rows. */
async function rowsThatDoNotCome(workbench: Workbench, sandbox: RunningSandbox): Promise<void> {
  const { page, webview } = workbench;
  await sandbox.setFaults([{ path: '/v1/roles', always: { kind: 'status', status: 404 } }]);
  await workbench.treeItem(/^Roles, /).click();
  await workbench.treeItem(/^Roles, no list on this service/).waitFor();
  await sandbox.setFaults([
    { path: '/v1/roles', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
    { path: '/v1/account-roles', always: { kind: 'status', status: 500, code: 'INTERNAL_ERROR' } },
    {
      path: '/v1/entity-assigned-access-to-object',
      always: limited,
    },
  ]);
  await workbench.treeItem(/^Roles, /).click();
  await webview.getByText('Ask for the read scope').waitFor();
  await workbench.screenshots('14-forbidden');
  await workbench.treeItem(/^Account Roles, /).click();
  await webview.getByText('Nothing is wrong with your request').waitFor();
  await workbench.screenshot('15-failed');
  await workbench.treeItem(/^Access Assignments, /).click();
  const waiting = /^The service limits requests\. Retrying at/;
  await webview.getByRole('main').getByText(waiting).waitFor();
  await workbench.screenshot('16-rate-limited');
  await sandbox.setFaults([]);
  await webview.getByText(/^First \d/).waitFor();
  await workbench.treeItem(/^Accounts, People and/).hover();
  await workbench.runCommand('Records: Find...');
  await workbench.quickPick('Accounts').first().click();
  await workbench.quickInput.fill('00000000-0000-4000-8000-000000000000');
  await workbench.quickPick('00000000-0000-4000-8000-000000000000').waitFor();
  await page.keyboard.press('Enter');
  await webview.getByText('There is no data for the selection above.').waitFor();
  await workbench.screenshot('17-empty');
}

/** Creates an export that the service first delays, then refuses to show, and finally completes. */
async function exportHeldUp(workbench: Workbench, sandbox: RunningSandbox): Promise<void> {
  const forbidden = {
    path: '/v1/downloads/*',
    always: { kind: 'status', status: 403, code: 'FORBIDDEN' },
  } as const;
  await sandbox.setFaults([{ method: 'POST', path: '/v1/downloads', always: limited }, forbidden]);
  await workbench.runCommand('Identity Queries: Create Export...');
  await workbench.quickInput.fill('Access inventory accounts');
  for (const step of ['File format', 'Link lifetime', undefined]) {
    await workbench.page.keyboard.press('Enter');
    if (step !== undefined)
      await workbench.page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
  }
  await workbench.notification('The service limits requests. Retrying at').waitFor();
  await workbench.screenshot('18-export-rate-limited');
  await sandbox.setFaults([forbidden]);
  await workbench.treeItem(/^Access inventory accounts, .*may not/).waitFor();
  await workbench.screenshots('19-export-forbidden');
  await sandbox.setFaults([]);
  await workbench.treeItem(/^Access inventory accounts, ready/).waitFor();
}

/** Starts a change that hits a rate limit. One window follows it and, after that window closes, another takes over. */
async function changeOutlivesItsWindow(workbench: Workbench, sandbox: RunningSandbox): Promise<void> {
  const account = await enabledAccount(sandbox);
  const change = `/v1/accounts/${account.globalId}/disable`;
  // While the job cannot be read, its outcome is unknown.
  const hidden = { path: '/v1/action-jobs/*', always: { kind: 'status', status: 503 } } as const;
  await sandbox.setFaults([{ path: change, always: limited }, hidden]);
  const sending = await workbench.openWindow();
  await sending.openIdentityView();
  await sending.treeItem(/^Accounts, People and/).waitFor();
  await disableAccount(sending, account);
  await expandActivity(sending);
  const label = new RegExp(`${account.alias}.*, `);
  await sending.treeItem(/retrying at/).waitFor();
  await sending.screenshot('20-change-rate-limited');
  await sandbox.setFaults([hidden]);
  await sending.treeItem(/Accepted; following its job/).waitFor();
  // The other window shows the change as well.
  await workbench.treeItem(/Accepted; following its job/).waitFor();
  // The remaining window may already own earlier changes, so check that this change gets a new owner.
  const [sender] = ownersOf(sending, account.globalId);
  assert.ok(sender);
  await sending.close();
  await workbench.until('the window that stays looks after the change', () =>
    Promise.resolve(
      ownersOf(workbench, account.globalId).some((owner) => owner !== sender && owner !== nobody),
    ),
  );
  await sandbox.setFaults([]);
  await workbench.treeItem(label).filter({ hasText: 'changed, visible in the data' }).first().waitFor();
  await workbench
    .notification(new RegExp(`Account disabled: .*\\(${account.alias}\\)`))
    .first()
    .waitFor();
  await workbench
    .treeItem(new RegExp(`^Account disabled, .*\\(${account.alias}\\)`))
    .first()
    .waitFor();
  await workbench.screenshots('21-change-taken-over');
  const sent = (await sandbox.requests()).filter(
    ({ method, path, status }) => method === 'POST' && path === change && status !== 429,
  );
  assert.equal(sent.length, 1, 'sent once, apart from what the rate limit refused');
}

/** Reloads a window while a slow file is being saved. The partial file is then resumed. */
async function exportOverReload(workbench: Workbench, sandbox: RunningSandbox): Promise<void> {
  const { page, workspace } = workbench;
  const slow = { kind: 'trickle', bytes: 1_000, everyMs: 100 } as const;
  await sandbox.setFaults([{ path: '/downloads/*', always: slow }]);
  await workbench.treeItem(/^Access inventory accounts, ready/).click();
  await workbench.until('the dialog asks where to', async () =>
    (await workbench.quickInput.inputValue()).endsWith('accessInventoryAccounts.csv'),
  );
  await page.keyboard.press('Enter');
  await workbench.treeItem(/^Access inventory accounts, being saved/).waitFor();
  const sizes = () =>
    globSync('.accessInventoryAccounts.csv.*.part', { cwd: workspace }).map(
      (name) => statSync(path.join(workspace, name)).size,
    );
  await workbench.until('some of the file has arrived', () => Promise.resolve((sizes()[0] ?? 0) > 0));
  await page.reload();
  const left = workbench.treeItem(/^Access inventory accounts, partial: .* of /);
  await left.waitFor();
  const offer = 'The export "Access inventory accounts" is partial';
  await workbench.notification(offer).waitFor();
  await workbench.screenshot('22-export-in-part');
  await sandbox.setFaults([]);
  await sandbox.forgetRequests();
  await workbench.answerNotification(offer, 'Continue Saving');
  await workbench.treeItem(/^Access inventory accounts, saved$/).waitFor();
  const asked = (await sandbox.requests()).filter((request) => request.path.endsWith('/file'));
  assert.deepEqual(
    asked.map(({ status }) => status),
    [206],
  );
  assert.deepEqual(sizes(), []);
  assert.match(
    readFileSync(path.join(workspace, 'accessInventoryAccounts.csv'), 'utf8'),
    /^id,globalId,.*\r\n$/s,
  );
}

async function openRecords(workbench: Workbench, records: string): Promise<void> {
  await workbench.runCommand('Records: Open...');
  const first = workbench.page.locator('.quick-input-list .monaco-list-row[aria-posinset="1"]:visible');
  // The list may still change while it opens, so clicking a row could hit the wrong one.
  await workbench.quickInput.fill(records);
  await first.filter({ hasText: new RegExp(`^${records}`) }).waitFor();
  await workbench.page.keyboard.press('Enter');
  await workbench.webview.getByRole('tab', { name: records, selected: true }).waitFor();
}

/** Checks that an open prompt gets the focus back that the rows took. */
async function promptKeepsFocus(workbench: Workbench): Promise<void> {
  const hasFocus = () =>
    workbench.page.evaluate(() => document.activeElement?.closest('.quick-input-widget') !== null);
  await workbench.until('the prompt has the focus', hasFocus);
  await workbench.webview.getByRole('gridcell').first().focus();
  await workbench.until('the prompt has the focus again', hasFocus);
}

/** Selects two accounts in the grid and disables both together. */
async function changeSelectedRows(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await openRecords(workbench, 'Accounts');
  const cells = workbench.webview.getByRole('gridcell');
  await workbench.webview.getByText('First 200').waitFor();
  const id = workbench.webview.locator('.grid-cell[data-look="id"]').first();
  await cells.first().click();
  // Scroll the global ID column into view.
  for (let column = 1; column < 10; column += 1) await page.keyboard.press('ArrowRight');
  const tip = workbench.webview.getByRole('tooltip').getByText(/Account: /);
  // Scrolling hides a tip, so the pointer comes again.
  await workbench.until('the ID says what it is', async () => {
    await workbench.webview.getByRole('columnheader').first().hover();
    await id.hover();
    return await tip.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await workbench.screenshots('10-id');
  await page.keyboard.press('Shift+ArrowDown');
  await workbench.webview.locator('.grid-cell[aria-selected="true"]').nth(1).waitFor();
  await workbench.runCommand('Identity Queries: Make a Change...');
  await workbench.quickPick('Disable Account').click();
  await promptKeepsFocus(workbench);
  await page.keyboard.press('Escape');
  await workbench.runCommand('Identity Queries: Make a Change...');
  await workbench.quickPick('Change Selected Records...').click();
  await workbench.quickPick('Disable Account').click();
  await page.locator('.quick-input-title').filter({ hasText: '2 targets' }).waitFor();
  // When a prompt closes, the rows take the focus, maybe a moment after the next prompt has opened.
  await promptKeepsFocus(workbench);
  await workbench.screenshot('12-targets');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').filter({ hasText: /Disable .*Account/ });
  // An account that is already disabled starts unchecked.
  await dialog.getByText(/The (ID is|IDs are) from the column "globalId"/).waitFor();
  await dialog.getByRole('button', { name: /Disable (2 Accounts|Account)/ }).click();
  await workbench.quickInput.fill('Sandbox');
  await page.keyboard.press('Enter');
  await workbench
    .notification(/ccounts? disabled/)
    .last()
    .waitFor();
  await workbench.webview.getByText('Older than a change').waitFor();
  await workbench.screenshots('13-job-of-rows');
}

suite('the rest of the service', () => {
  test('shows records, a single record, an export and changes', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    try {
      const env = {
        ...connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox'),
        IDENTITY_QUERIES_PROTECTED: '1',
      };
      await withWorkbench({ name: 'service', env }, async (workbench) => {
        const { page } = workbench;
        await workbench.openIdentityView();
        await page.locator('.part.sidebar .pane-header').filter({ hasText: 'Records' }).click();
        await workbench.treeItem(/^Authenticators, /).waitFor();
        await workbench.treeItem(/^Accounts, People and/).click();
        await workbench.webview.getByRole('gridcell').first().waitFor();
        await workbench.webview.getByText('First 200').waitFor();
        await workbench.screenshots('1-accounts');
        await workbench.webview.getByRole('gridcell').first().click();
        for (let column = 1; column < 10; column += 1) await page.keyboard.press('ArrowRight');
        await workbench.runCommand('Identity Queries: Open This Record');
        await workbench.editor
          .getByText(/#\sAccount:/)
          .first()
          .waitFor();
        await openRecords(workbench, 'Activities');
        await workbench.webview.getByRole('button', { name: 'Previous Window' }).click();
        await workbench.webview.getByRole('button', { name: 'Next Window' }).waitFor();
        await workbench.screenshot('2-activities');
        const account = await enabledAccount(sandbox);
        await workbench.runCommand('Identity Queries: Open by ID or Link...');
        await workbench.quickInput.fill(account.globalId);
        await page.keyboard.press('Enter');
        await workbench.quickPick('Record').click();
        await workbench.editor
          .getByText(new RegExp(`Account:\\s${account.alias}`))
          .first()
          .waitFor();
        await workbench.screenshots('3-record');
        await disableAccount(workbench, account, { pictures: ['4-confirm', '5-protected'] });
        await workbench.notification('Account disabled').first().waitFor();
        const isCollapsed = (await activityHeader(workbench).getAttribute('aria-expanded')) === 'false';
        assert.ok(isCollapsed, 'a change switches no view');
        assert.ok(
          await page.evaluate(() => document.activeElement?.closest('.part.editor') !== null),
          'the focus stays in the record',
        );
        await expandActivity(workbench);
        // A finished change starts closed.
        await workbench.treeItem(/^Account disabled/).click();
        await workbench.treeItem(/changed, visible in the data/).waitFor();
        await workbench.screenshots('6-job');
        await exportAndOpen(workbench);
        await changeSelectedRows(workbench);
        await rowsThatDoNotCome(workbench, sandbox);
        await exportHeldUp(workbench, sandbox);
        await changeOutlivesItsWindow(workbench, sandbox);
        await exportOverReload(workbench, sandbox);
      });
    } finally {
      await sandbox.stop();
    }
  });
});
