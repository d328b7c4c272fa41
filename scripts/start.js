/**
 * Builds, starts the sandbox, and opens a VS Code window with the extension connected to it. Ctrl+C stops everything.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { which } from './lib/chromium.js';
import { ensureCodeServer, installExtension, startCodeServer, workbenchUrl } from './lib/code-server.js';
import { findDesktopCode, findDownloadableVSCode, hasDisplay } from './lib/desktop.js';
import { cacheFolder, fromRoot, packageFile, root } from './lib/paths.js';
import { exitCodeOf, run, start, stopAll } from './lib/processes.js';
import { connectionEnvironment, startSandbox } from './lib/sandbox.js';

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);
const folder = path.join(cacheFolder, 'start');

/** Settings that keep unrelated content out of the first window. */
const windowSettings = `${JSON.stringify(
  {
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
    'git.openRepositoryInParentFolders': 'never',
    'telemetry.telemetryLevel': 'off',
  },
  null,
  2,
)}\n`;

const firstSteps = `
What to try first
  1. Open "Identity Queries" in the activity bar on the left.
  2. Open a query under Saved Queries and press Ctrl+Enter (Cmd+Enter on a Mac): the rows appear.
  3. Change it and press Ctrl+S: it is now version 2.
  4. Type DELETE FROM accounts: it is refused before it is sent.
`;

try {
  say('Building ...');
  await run(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  say('Starting the sandbox with sample identity data ...');
  await mkdir(folder, { recursive: true });
  const sandbox = await startSandbox(['--data', path.join(folder, 'sandbox')]);
  say(`  address        ${sandbox.address}`);
  say(`  token address  ${sandbox.authUrl}`);
  say(`  client         ${sandbox.clientId} / ${sandbox.clientSecret}`);
  const workspace = path.join(folder, 'workspace');
  if (!existsSync(workspace)) await cp(fromRoot('media/sample-workspace'), workspace, { recursive: true });
  const env = { ...process.env, ...connectionEnvironment(sandbox, 'Sandbox') };
  const code = process.argv.includes('--code-server') ? undefined : await desktopProgram();
  if (code === undefined) await openInCodeServer(workspace, env);
  else await openOnDesktop(code, workspace, env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
await stopAll();
process.exit();

/** @returns {Promise<string | undefined>} */
async function desktopProgram() {
  const installed = hasDisplay() ? findDesktopCode() : undefined;
  if (installed !== undefined) return installed;
  if (!(await findDownloadableVSCode())) {
    say('No desktop VS Code here, and none can be downloaded: using code-server.');
    return undefined;
  }
  say('Downloading a VS Code (once) ...');
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  return await downloadAndUnzipVSCode({ cachePath: cacheFolder });
}

/**
 * Opens a separate window, without the user's settings and extensions. Resolves when the window is closed.
 * @param {string} code
 * @param {string} workspace
 * @param {NodeJS.ProcessEnv} env
 */
async function openOnDesktop(code, workspace, env) {
  say('Opening VS Code. Close its window, or press Ctrl+C here, to end everything.');
  say(firstSteps);
  const userData = path.join(folder, 'user-data');
  await mkdir(path.join(userData, 'User'), { recursive: true });
  await writeFile(path.join(userData, 'User/settings.json'), windowSettings);
  const args = [
    ...['--new-window', '--wait', '--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
    ...['--user-data-dir', userData, '--extensionDevelopmentPath', root],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    workspace,
  ];
  // `code` only asks VS Code's main process to open a window and waits, so stopping `code` would leave the window open.
  process.on('exit', () => endWindow(path.join(userData, 'code.lock')));
  const isShellScript = process.platform === 'win32';
  const program = isShellScript ? `"${code}"` : code;
  await exitCodeOf(start(program, args, { env, stdio: 'ignore', shell: isShellScript }));
}

/**
 * Closes the window. VS Code writes its process ID to its lock file.
 * @param {string} lockFile
 */
function endWindow(lockFile) {
  try {
    const id = Number(readFileSync(lockFile, 'utf8').trim());
    if (id > 0) process.kill(id, 'SIGTERM');
  } catch {
    // Without a lock file or process, the window is already closed.
  }
}

/**
 * @param {string} workspace
 * @param {NodeJS.ProcessEnv} env
 */
async function openInCodeServer(workspace, env) {
  const vscode = await ensureCodeServer();
  const dataFolder = path.join(folder, 'server');
  await mkdir(path.join(dataFolder, 'data/Machine'), { recursive: true });
  await writeFile(path.join(dataFolder, 'data/Machine/settings.json'), windowSettings);
  const extensionsFolder = path.join(folder, 'extensions');
  await rm(extensionsFolder, { recursive: true, force: true });
  say('Packing the extension and installing it there ...');
  await run(process.execPath, ['scripts/package.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await installExtension({
    vscode,
    vsix: packageFile(),
    extensionsFolder,
    dataFolder: path.join(folder, 'install'),
  });
  // The workbench contains a terminal and the client secret, so other users of this machine must not have access.
  const token = randomUUID();
  const server = await startCodeServer({
    ...{ vscode, dataFolder, extensionsFolder, env, token },
    readsUserShell: true,
  });
  const url = workbenchUrl(server.origin, { folder: workspace, token });
  say(`\nVS Code is at\n  ${url}`);
  say('Press Ctrl+C here to end everything.');
  say(firstSteps);
  openBrowser(url);
  await server.ended;
}

/**
 * Opens the URL if a browser is available. The URL is printed in any case.
 * @param {string} url
 */
function openBrowser(url) {
  const isDesktop =
    process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!isDesktop || process.env['CI']) return;
  const program =
    process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : which('xdg-open');
  if (program !== undefined) spawn(program, [url], { stdio: 'ignore', detached: true }).unref();
}
