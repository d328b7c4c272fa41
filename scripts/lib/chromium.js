/**
 * Finds a Chromium for tests: an installed one, otherwise Playwright's, otherwise Debian's package. The headless shell
 * comes first: it draws the same pages without a browser's own interface, in little more than half the processor time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { fromRoot } from './paths.js';
import { run } from './processes.js';

/**
 * Chromium obeys only the last list of features, so this one repeats Playwright's (a unit test compares them). The last
 * five, our own, start two renderers beside each page in a Chromium with an interface, which nothing looks at.
 */
export const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'InitialWebUI',
  'WebUIReloadButton',
  'WebUIToolbar',
  'WebUIToolbarWebView',
  'SpareRendererForSitePerProcess',
];

/** Switches for a machine without a GPU or internet access, where tests may run as root in a container. */
export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
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
    const attempts = [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
      // Older Debian releases have no such package.
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ];
    for (const args of attempts) {
      if (findChromium() !== undefined) break;
      try {
        await run('apt-get', args, { env, stdio });
      } catch (error) {
        process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
      }
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
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  for (const name of names) {
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
