/**
 * Takes the pictures in README.md and docs/guide from the real workbench, in dark and light themes: `npm run pictures`.
 * The sandbox's data is always the same, but times of day in the pictures differ.
 */
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';
import { openQuery, pictureSettings, runQuery, tableColored, takePicture } from './picture.ts';

const folder = 'media/screenshots';
const size = { width: 1_120, height: 700 };

const take = (workbench: Workbench, name: string, ready?: () => Promise<void>): Promise<void> =>
  takePicture(workbench, { folder, name, ready });

async function overview(workbench: Workbench): Promise<void> {
  const { webview } = workbench;
  await workbench.treeItem('Accounts still enabled after their owner left').click();
  await workbench.editor.getByText('SELECT').first().waitFor();
  await workbench
    .treeItem(/^platform_identity/)
    .first()
    .click();
  await workbench
    .treeItem(/^accounts/)
    .first()
    .waitFor();
  await runQuery(workbench);
  await webview.getByRole('columnheader', { name: /alias/ }).click();
  await webview.locator('.grid-sort').waitFor();
  await webview.getByRole('gridcell').first().click();
  await take(workbench, 'overview', () => tableColored(workbench));
}

async function findings(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.runCommand('View: Close All Editors');
  await openQuery(workbench, [
    '-- Idle administrators and their roles',
    'SELECT a.alias, a.emial, r.name AS role',
    'FROM accounts a',
    'JOIN account_roles r ON r.global_id = a.global_id',
    'WHERE a.is_admin = "true"',
    "  AND a.last_activity_date < '2026-02-30'",
    'ORDER BY a.alias',
  ]);
  await workbench.errorSquiggles.first().waitFor();
  await workbench.runCommand('Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row').nth(4).waitFor();
  await workbench.editor.click();
  // Otherwise, the line of the selected problem stays highlighted.
  await page.keyboard.press('ControlOrMeta+Home');
  await take(workbench, 'findings', () => tableColored(workbench));
  await workbench.runCommand('View: Revert and Close Editor');
}

/** Returns a query for the enabled administrators that shows which of them are idle. */
function administrators(condition: string, day: string): readonly string[] {
  return [
    'SELECT alias, department, global_id,',
    `  CASE WHEN last_activity_date < '${day}' THEN 'idle' ELSE 'in use' END AS status`,
    'FROM accounts',
    `WHERE is_admin AND alias !~ '-' AND ${condition}`,
    'ORDER BY alias',
  ];
}

async function comparison(workbench: Workbench): Promise<void> {
  const { webview } = workbench;
  await openQuery(workbench, administrators("created_date < '2025-06-01'", '2026-03-01'));
  await runQuery(workbench);
  await workbench.runCommand('Identity Queries: Keep Result for Comparison');
  await workbench.notification('on this machine for comparison').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  const earlier = await webview.getByText(/^\d+ rows$/).innerText();
  await workbench.setEditorText(administrators('enabled', '2026-06-15').join('\n'));
  await runQuery(workbench);
  await webview.getByText(earlier, { exact: true }).waitFor({ state: 'detached' });
  await workbench.runCommand('Identity Queries: Compare Results...');
  await workbench
    .quickPick(/Untitled/)
    .first()
    .click();
  await webview.getByRole('button', { name: /^\d+ added$/ }).waitFor();
  await workbench.runCommand('View: Toggle Maximized Panel');
  await take(workbench, 'comparison');
  await workbench.runCommand('View: Toggle Maximized Panel');
  await workbench.runCommand('View: Revert and Close Editor');
}

async function chart(workbench: Workbench): Promise<void> {
  await openQuery(workbench, [
    'SELECT department, alias, email, last_activity_date',
    'FROM accounts',
    "WHERE enabled AND last_activity_date < now() - interval '90 days'",
    'ORDER BY last_activity_date',
  ]);
  await runQuery(workbench);
  await workbench.runCommand('Identity Queries: Show Chart');
  await workbench.webview.locator('.chart-picture').waitFor();
  await workbench.runCommand('View: Toggle Maximized Panel');
  await take(workbench, 'chart', () => workbench.webview.locator('.chart-picture').waitFor());
}

const sandbox = await startSandbox({ from: 'dist', now: '2026-06-30' });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  await withWorkbench(
    { name: 'pictures', env, settings: pictureSettings, deviceScaleFactor: 1.5 },
    async (workbench) => {
      await workbench.page.setViewportSize(size);
      await workbench.openIdentityView();
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      await overview(workbench);
      await findings(workbench);
      await comparison(workbench);
      await chart(workbench);
    },
  );
} finally {
  await sandbox.stop();
}
