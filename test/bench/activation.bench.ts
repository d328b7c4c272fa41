/**
 * Measures activation time as VS Code reports it (Developer: Show Running Extensions): loading the bundle and calling
 * `activate`. It uses the packaged extension in fresh windows, each with a connection to create. Chromium and its
 * window share the machine, so the view opens only once both are idle. The result includes how many windows became
 * idle.
 */
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';
import { quietMachine } from './quiet-machine.ts';
import { percentile, print } from './statistics.ts';

const windows = 7;

const sandbox = await startSandbox({ from: 'dist' });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  const ms: number[] = [];
  let quietWindows = 0;
  for (let window = 0; window < windows; window += 1) {
    await withWorkbench({ name: 'activation', env }, async (workbench) => {
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
      ms.push(Number(match[1]));
    });
  }
  print({
    bench: 'activation',
    unit: 'ms',
    median: percentile(ms, 0.5),
    max: percentile(ms, 1),
    runs: ms.length,
    quietWindows,
    goal: 100,
  });
} finally {
  await sandbox.stop();
}
