/**
 * Runs test/host inside a real VS Code: one downloaded by @vscode/test-electron where that can be had and shown,
 * else code-server with a headless Chromium. `npm run test:host [-- --code-server]`.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from './lib/chromium.js';
import { ensureCodeServer, startCodeServer, workbenchUrl } from './lib/code-server.js';
import { findDownloadableVSCode } from './lib/desktop.js';
import { fromRoot, resultsFolder, root } from './lib/paths.js';
import { stopAll } from './lib/processes.js';
import { reportResults } from './lib/results.js';
import { connectionEnvironment, startSandbox } from './lib/sandbox.js';

const limitMs = 10 * 60_000;

/** Bundles every test file; Mocha itself comes from node_modules. */
async function buildSuite() {
  await rm(fromRoot('out/host'), { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/host/*.ts'],
    outdir: 'out/host',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    external: ['vscode', 'mocha'],
    mainFields: ['module', 'main'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/** @param {{ workspace: string, env: NodeJS.ProcessEnv, scratch: string }} options @returns {Promise<string>} */
async function runInCodeServer({ workspace, env, scratch }) {
  const vscode = await ensureCodeServer();
  const executablePath = await ensureChromium();
  const server = await startCodeServer({
    vscode,
    dataFolder: path.join(scratch, 'server'),
    extensionsFolder: path.join(scratch, 'extensions'),
    env,
    runsExtensionTests: true,
  });
  const browser = await chromium.launch({ executablePath, args: chromiumSwitches });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    /** @type {PromiseWithResolvers<number>} */
    const exit = Promise.withResolvers();
    // What the window logs: of no interest beside the results, but VS Code wants the function.
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => exit.resolve(code));
    page.on('crash', () => exit.reject(new Error('the page crashed')));
    void server.ended.then((code) =>
      exit.reject(new Error(`the server ended with code ${code}\n${server.log()}`)),
    );
    const timer = setTimeout(
      () => exit.reject(new Error(`no end after ${limitMs / 60_000} minutes`)),
      limitMs,
    );
    try {
      await page.goto(
        workbenchUrl(server.origin, {
          folder: workspace,
          development: root,
          tests: fromRoot('out/host/index.cjs'),
        }),
      );
      const code = await exit.promise;
      return code === 0 ? '' : `the suite ended with code ${code}`;
    } catch (error) {
      await mkdir(resultsFolder, { recursive: true });
      await page.screenshot({ path: path.join(resultsFolder, 'host-failure.png') });
      return error instanceof Error ? error.message : String(error);
    } finally {
      clearTimeout(timer);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** @param {{ workspace: string, env: NodeJS.ProcessEnv, scratch: string }} options @returns {Promise<string>} */
async function runInDesktop({ workspace, env, scratch }) {
  const { runTests } = await import('@vscode/test-electron');
  try {
    await runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: fromRoot('out/host/index.cjs'),
      launchArgs: [workspace, '--disable-extensions', '--user-data-dir', path.join(scratch, 'user-data')],
      extensionTestsEnv: /** @type {Record<string, string>} */ (env),
    });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-host-'));
let failed = true;
try {
  await buildSuite();
  const workspace = path.join(scratch, 'workspace');
  await cp(fromRoot('test/workspace'), workspace, { recursive: true });
  const sandbox = await startSandbox(['--faults']);
  const resultsFile = path.join(scratch, 'results.jsonl');
  await writeFile(resultsFile, '');
  const env = {
    ...connectionEnvironment(sandbox, 'Sandbox under test'),
    IDENTITY_QUERIES_TEST_RESULTS: resultsFile,
  };
  const useDesktop = !process.argv.includes('--code-server') && (await findDownloadableVSCode());
  process.stdout.write(
    useDesktop
      ? 'Host tests in a downloaded VS Code\n'
      : 'Host tests in code-server (a VS Code as an npm package)\n',
  );
  const problem = await (useDesktop ? runInDesktop : runInCodeServer)({ workspace, env, scratch });
  failed = reportResults('host', await readFile(resultsFile, 'utf8'), problem);
} finally {
  await stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);
