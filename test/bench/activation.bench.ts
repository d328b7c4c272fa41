/**
 * Measures activation time as VS Code reports it (Developer: Show Running Extensions): loading the bundle and calling
 * `activate`. It uses the packaged extension in fresh windows, each with a connection to create: once after its
 * installation, and once after a reload, when the compiled code is on disk. Chromium and its window share the machine,
 * so the view opens only once both are idle. The result includes how many windows became idle.
 */
import { globSync } from 'node:fs';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';
import { quietMachine } from './quiet-machine.ts';
import { percentile, print } from './statistics.ts';

const windows = 7;
let quietWindows = 0;

async function activationMs(workbench: Workbench): Promise<number> {
  await workbench.page.waitForLoadState('networkidle');
  if (await quietMachine()) quietWindows += 1;
  await workbench.openIdentityView();
  await workbench.treeItem(/^Access reviews\/Admins/).waitFor();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .extension', {
    hasText: 'Identity Queries',
  });
  const text = await row.locator('.activation-time').first().textContent();
  const match = /(\d+)\s*ms/.exec(text ?? '');
  if (match === null) throw new Error(`no activation time in "${text ?? ''}"`);
  return Number(match[1]);
}

const sandbox = await startSandbox({ from: 'dist' });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  const first: number[] = [];
  const later: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    await withWorkbench({ name: 'activation', env }, async (workbench) => {
      first.push(await activationMs(workbench));
      await workbench.until(
        'the compiled code is on disk',
        async () =>
          await Promise.resolve(
            globSync('**/compiled/extension/client-*.bin', { cwd: workbench.serverData }).length > 0,
          ),
      );
      // The list of extensions is a modal editor.
      await workbench.page.keyboard.press('Escape');
      await workbench.page.locator('.runtime-extensions-editor').waitFor({ state: 'hidden' });
      // With the view in sight, the reloaded window would activate before the machine is idle.
      const sideBar = workbench.page.locator('.part.sidebar');
      await workbench.page.getByRole('tab', { name: 'Identity Queries' }).click();
      await sideBar.waitFor({ state: 'hidden' });
      await workbench.page.reload();
      await workbench.page.getByRole('tab', { name: 'Identity Queries' }).waitFor();
      later.push(await activationMs(workbench));
    });
  }
  for (const [start, ms] of Object.entries({ 'after installation': first, 'later starts': later })) {
    print({
      bench: 'activation',
      start,
      unit: 'ms',
      median: percentile(ms, 0.5),
      max: percentile(ms, 1),
      runs: ms.length,
      goal: 60,
    });
  }
  print({ bench: 'activation', quietWindows, of: 2 * windows });
} finally {
  await sandbox.stop();
}
