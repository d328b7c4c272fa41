/**
 * Shares one window and one sandbox between the tests of a file, and in a lane between its files, because starting
 * them takes longer than most tests. Each test starts without editors, panels or notifications, but with the data and
 * stored state of earlier tests.
 */
import { after } from 'node:test';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox, type RunningSandbox } from './sandbox.ts';
import { openWorkbench, watched, windowSize, type Workbench } from './workbench.ts';

interface Shared {
  readonly sandbox: RunningSandbox;
  readonly workbench: Workbench;
}

export type WithWorkbench = (
  name: string,
  body: (workbench: Workbench, sandbox: RunningSandbox) => Promise<void>,
) => Promise<void>;

let shared: Shared | undefined;
let isShared = false;

/** From now on, suites leave the window open for the next one. The caller closes it with the returned function. */
export function keepWorkbench(): () => Promise<void> {
  isShared = true;
  return end;
}

/** To be called in a suite. The returned function's `name` is the prefix of the test's screenshots. */
export function shareWorkbench(): WithWorkbench {
  after(async () => {
    if (!isShared) await end();
  });
  return async (name, body) => {
    const isNew = shared === undefined;
    shared ??= await start();
    const { workbench, sandbox } = shared;
    workbench.name = name;
    try {
      await watched(workbench, async () => {
        if (!isNew) await clear(workbench);
        await body(workbench, sandbox);
      });
    } catch (error) {
      // The window's state is unknown, so the next test gets a new window.
      await end();
      throw error;
    }
  };
}

async function end(): Promise<void> {
  const ending = shared;
  shared = undefined;
  try {
    await ending?.workbench.close();
  } finally {
    await ending?.sandbox.stop();
  }
}

async function start(): Promise<Shared> {
  const sandbox = await startSandbox({ from: 'dist' });
  try {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    const workbench = await openWorkbench({ name: 'shared', env });
    return { sandbox, workbench };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

async function clear(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await page.setViewportSize(windowSize);
  await workbench.useSettings({});
  await workbench.runCommand('View: Close All Editors');
  const editors = page.locator('.editor-group-container .editor-instance, .tabs-container .tab');
  const discard = workbench.dialog.getByRole('button', { name: "Don't Save" });
  await workbench.until('no editor is open', async () => {
    if (await discard.isVisible()) await discard.click();
    return (await editors.count()) === 0;
  });
  if (await page.locator('.part.panel').isVisible()) await workbench.runCommand('View: Hide Panel');
  await workbench.runCommand('Notifications: Clear All Notifications');
}
