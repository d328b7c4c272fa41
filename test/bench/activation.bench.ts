/**
 * Measures activation time as VS Code reports it (Developer: Show Running Extensions): loading the bundle and calling
 * `activate`. It uses the packaged extension in fresh windows, each with a connection to create: after its installation,
 * and with the compiled code of an earlier start on disk, one after the other. Chromium and its window share the machine,
 * so the view opens only once both are idle. The result includes how many windows became idle.
 */
import { globSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';
import { quietMachine } from './quiet-machine.ts';
import { percentile, print } from './statistics.ts';

const windows = 7;
let quietWindows = 0;

async function activationMs(workbench: Workbench): Promise<number> {
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

/** The extension's storage folder in a window's data. Its compiled code is what a first start leaves for the next. */
const compiled = 'data/User/globalStorage/identity-queries.identity-queries/compiled/extension';

const sandbox = await startSandbox({ from: 'dist' });
const kept = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  const first: number[] = [];
  const later: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    await withWorkbench({ name: 'activation', env }, async (workbench) => {
      first.push(await activationMs(workbench));
      const folder = path.join(workbench.serverData, compiled);
      // Each file is written under a temporary name first.
      const isWritten = () =>
        globSync('client-*.bin', { cwd: folder }).length > 0 &&
        globSync('*.tmp', { cwd: folder }).length === 0;
      await workbench.until('the compiled code is on disk', () => Promise.resolve(isWritten()));
      await cp(folder, kept, { recursive: true, filter: (file) => !file.endsWith('.tmp') });
    });
    // A new window and a new extension host, as after the editor was closed. A reload would keep parts of them warm.
    await withWorkbench({ name: 'activation', env }, async (workbench) => {
      await cp(kept, path.join(workbench.serverData, compiled), { recursive: true });
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
  await rm(kept, { recursive: true });
}
