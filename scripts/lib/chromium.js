/** Finds a Chromium for tests: an installed one, otherwise Playwright's, otherwise Debian's package. */
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { fromRoot } from './paths.js';
import { run } from './processes.js';

/** Switches for a machine without a GPU or internet access, where tests may run as root in a container. */
export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns {Promise<string>} path of the executable */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write("Installing Debian's Chromium for the tests ...\n");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    /** @type {('ignore' | 'inherit')[]} */
    const stdio = ['ignore', 'ignore', 'inherit'];
    try {
      await run('apt-get', ['update', '-qq'], { env, stdio });
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio });
    } catch (error) {
      process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  if (findChromium() === undefined) {
    process.stdout.write('Downloading a Chromium for the tests ...\n');
    await run(process.execPath, [fromRoot('node_modules/playwright-core/cli.js'), 'install', 'chromium']);
  }
  const installed = findChromium();
  if (installed === undefined) {
    throw new Error('No Chromium: install one and name it in CHROMIUM_PATH, or put `chromium` on the PATH.');
  }
  return installed;
}

/** @returns {string | undefined} */
function findChromium() {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const found = which(name);
    if (found !== undefined) return found;
  }
  const own = chromium.executablePath();
  return own !== '' && existsSync(own) ? own : undefined;
}

/** @param {string} name @returns {string | undefined} */
export function which(name) {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (folder !== '' && existsSync(file) && isProgram(file)) return file;
  }
  return undefined;
}

/**
 * Returns false for the stub that some systems install instead of Chromium, which only prints how to install it.
 * @param {string} file
 */
function isProgram(file) {
  return (
    process.platform === 'win32' ||
    spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
  );
}
