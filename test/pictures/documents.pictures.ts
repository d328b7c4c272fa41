/**
 * Takes the pictures of README.md and docs/guide from the real workbench, in light and dark: `npm run pictures`. The
 * sandbox's data are the same each time; times of day in the pictures differ.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressPng } from '../../scripts/lib/png.js';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

const folder = fileURLToPath(new URL('../../media/screenshots', import.meta.url));
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;
/** Readers load a page with several of them. */
const bytesMax = 150 * 1024;
/** Nothing beside the extension's own. */
const settings = {
  'editor.minimap.enabled': false,
  'editor.autoIndent': 'none',
  'workbench.layoutControl.enabled': false,
};
const size = { width: 1_120, height: 700 };

async function take(workbench: Workbench, name: string, ready?: () => Promise<void>): Promise<void> {
  const { page } = workbench;
  for (const [suffix, theme] of Object.entries(themes)) {
    await workbench.useTheme(theme);
    await page.mouse.move(180, 8);
    await workbench.until(
      'no tooltip',
      async () => (await page.locator('.workbench-hover-container:visible').count()) === 0,
    );
    await ready?.();
    const png = compressPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    const file = `${name}-${suffix}.png`;
    if (png.length > bytesMax) throw new Error(`${file} has ${Math.round(png.length / 1024)} KB`);
    await writeFile(path.join(folder, file), png);
    process.stdout.write(`${file}: ${Math.round(png.length / 1024)} KB\n`);
  }
}

async function openQuery(workbench: Workbench, lines: readonly string[]): Promise<void> {
  await workbench.runCommand('Identity Queries: New Query');
  await workbench
    .tab(/Untitled/)
    .first()
    .waitFor();
  await workbench.setEditorText(lines.join('\n'));
}

async function runQuery(workbench: Workbench): Promise<void> {
  const { page, editor, webview } = workbench;
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await editor.getByText('Run').first().waitFor();
  // Coloured by the models, once they are read.
  await editor
    .locator('.view-line span')
    .filter({ hasText: /^accounts$/ })
    .first()
    .waitFor();
  await page.keyboard.press('ControlOrMeta+Enter');
  await webview.getByRole('gridcell').first().waitFor();
}

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
  await take(workbench, 'overview');
}

async function findings(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('View: Close Primary Side Bar');
  await openQuery(workbench, [
    '-- Administrators that nobody has used for a quarter',
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
  await take(workbench, 'findings');
  await workbench.runCommand('View: Revert and Close Editor');
}

/** Enabled administrators, and which of them are idle. */
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

await mkdir(folder, { recursive: true });
const sandbox = await startSandbox({ from: 'dist', now: '2026-06-30' });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  await withWorkbench({ name: 'pictures', env, settings, deviceScaleFactor: 1.5 }, async (workbench) => {
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
  });
} finally {
  await sandbox.stop();
}
