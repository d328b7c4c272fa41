/**
 * Takes the pictures in the walkthrough from the real workbench, in dark and light themes:
 * `npm run pictures -- walkthrough`. The window is small, since the walkthrough shrinks its pictures.
 */
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { openLeaversControl, runLibraryControls, testRow } from '../helpers/testing-view.ts';
import { withWorkbench, type Workbench, type WorkbenchOptions } from '../helpers/workbench.ts';
import { openQuery, pictureSettings, runQuery, tableColored, takePicture } from './picture.ts';

const size = { width: 800, height: 560 };
const folder = 'media/walkthrough';
/** Without the title bar. */
const clip = { x: 0, y: 35, width: 800, height: 525 };

const take = (workbench: Workbench, name: string, ready?: () => Promise<void>): Promise<void> =>
  takePicture(workbench, { folder, name, clip, ready });

async function inWindow(
  env: WorkbenchOptions['env'],
  body: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const options = { name: 'walkthrough', settings: pictureSettings, deviceScaleFactor: 1.5 };
  await withWorkbench({ ...options, ...(env === undefined ? {} : { env }) }, async (workbench) => {
    await workbench.page.setViewportSize(size);
    await workbench.openIdentityView();
    await body(workbench);
  });
}

/** Expands one section of the view and collapses the others. */
async function showOnly(workbench: Workbench, section: string): Promise<void> {
  for (const name of ['Saved Queries', 'Models', 'Records']) {
    const header = workbench.page.locator('.part.sidebar .pane-header').filter({ hasText: name }).first();
    const isExpanded = (await header.getAttribute('aria-expanded')) === 'true';
    // The header's middle may have a button.
    if (isExpanded !== (name === section)) await header.click({ position: { x: 40, y: 10 } });
  }
}

async function connect(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await page.getByRole('button', { name: 'Start Sandbox' }).waitFor();
  await showOnly(workbench, 'Saved Queries');
  await workbench.runCommand('Identity Queries: Add Connection...');
  await workbench.webview.getByRole('textbox').first().waitFor();
  // The line above the buttons depends on the scroll position, which counts as an animation.
  await takePicture(workbench, { folder, name: 'connect', clip, animations: 'allow' });
}

async function openSavedQuery(workbench: Workbench): Promise<void> {
  await workbench.treeItem('Accounts still enabled after their owner left').click();
  await workbench.editor.getByText('Run').first().waitFor();
}

async function open(workbench: Workbench): Promise<void> {
  await showOnly(workbench, 'Saved Queries');
  await openSavedQuery(workbench);
  await take(workbench, 'open', () => tableColored(workbench));
}

async function run(workbench: Workbench): Promise<void> {
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.runCommand('View: Close All Editors');
  await openQuery(workbench, [
    '-- @param unused_days integer = 90 Days without a sign-in',
    'SELECT alias, department, last_activity_date',
    'FROM accounts',
    'WHERE last_activity_date < now() - make_interval(days => :unused_days)',
    'ORDER BY last_activity_date',
  ]);
  await runQuery(workbench);
  await take(workbench, 'run', () => tableColored(workbench));
  await workbench.runCommand('View: Toggle Panel Visibility');
  await workbench.runCommand('View: Revert and Close Editor');
}

async function save(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  // The prompt covers the first lines.
  await openQuery(workbench, [
    '',
    '',
    '',
    'SELECT alias, emial',
    'FROM accounts',
    'WHERE enabled',
    'ORDER BY alias',
  ]);
  await workbench.errorSquiggles.first().waitFor();
  await workbench.runCommand('Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row').nth(1).waitFor();
  await workbench.editor.click();
  // Otherwise, the word at the cursor and the line of the selected problem are highlighted.
  await page.keyboard.press('ControlOrMeta+Home');
  await takePicture(workbench, {
    folder,
    name: 'save',
    // With the title bar, where the prompt has its title.
    clip: { ...clip, y: 0 },
    ready: async () => {
      // Closes the prompt in the previous theme.
      await page.keyboard.press('Escape');
      await tableColored(workbench);
      await workbench.runCommand('Identity Queries: Save as New...');
      await workbench.quickInput.fill('Access/Enabled accounts');
    },
  });
  await page.keyboard.press('Escape');
  await workbench.runCommand('View: Toggle Panel Visibility');
  await workbench.runCommand('View: Revert and Close Editor');
  await workbench.openIdentityView();
}

async function models(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await showOnly(workbench, 'Saved Queries');
  // This row moves the others down.
  await workbench.treeItem(/^Recently Opened/).waitFor();
  await openSavedQuery(workbench);
  await showOnly(workbench, 'Models');
  await workbench
    .treeItem(/^platform_identity/)
    .first()
    .click();
  const table = workbench.treeItem(/^accounts/).first();
  await table.click();
  await take(workbench, 'models', async () => {
    // Closes the menu in the previous theme.
    await page.keyboard.press('Escape');
    await tableColored(workbench);
    await table.click({ button: 'right' });
    await page.locator('.monaco-menu .action-item').first().waitFor();
  });
}

async function library(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Identity Queries: Add Query Library to Folder...');
  await workbench.dialog.getByText('58 of 58 queries fit your models.').waitFor();
  await workbench.dialog.getByRole('button', { name: 'Add to Folder' }).click();
  await workbench.answerNotification('Run its controls in the Testing view', 'Show Testing View');
  await testRow(workbench, 'leavers').waitFor();
  await runLibraryControls(workbench);
  await openLeaversControl(workbench);
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Toggle Panel Visibility');
  await take(workbench, 'library', () => tableColored(workbench));
}

await inWindow(undefined, connect);
const sandbox = await startSandbox({ from: 'dist', now: '2026-06-30' });
try {
  await inWindow(
    connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox'),
    async (workbench) => {
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      await open(workbench);
      await run(workbench);
      await save(workbench);
      await models(workbench);
      await library(workbench);
    },
  );
} finally {
  await sandbox.stop();
}
