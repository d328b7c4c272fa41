/** Runs a module with `run()` in the extension host of a real VS Code, with this extension loaded from source. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from './chromium.js';
import { ensureCodeServer, startCodeServer, workbenchUrl } from './code-server.js';
import { resultsFolder, root } from './paths.js';

/**
 * @typedef {object} HostRun
 * @property {string} module path of the module
 * @property {string} workspace the folder to open
 * @property {string} scratch a folder for everything that the editor writes
 * @property {NodeJS.ProcessEnv} env
 * @property {number} limitMs
 */

/**
 * Bundles the host tests and the module that runs them. One bundle for all files: they share most of their modules, so
 * loading it takes a fraction of the time and memory of one bundle a file. Mocha comes from node_modules, `vscode` from
 * the editor.
 * @param {readonly string[]} files names of the files in test/host
 * @param {string} outdir relative to the root
 */
export async function buildForHost(files, outdir) {
  /** @type {esbuild.BuildOptions} */
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    external: ['vscode', 'mocha'],
    mainFields: ['module', 'main'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  };
  await esbuild.build({ ...options, entryPoints: ['test/host/index.ts'], outfile: `${outdir}/index.cjs` });
  const contents = files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n');
  await esbuild.build({
    ...options,
    stdin: { contents, resolveDir: path.join(root, 'test/host'), sourcefile: 'tests.js' },
    outfile: `${outdir}/tests.cjs`,
  });
}

/** Host tests look at no pixels, and what does not fit into a window is not laid out. */
const viewport = { width: 480, height: 320 };

/** Leaves everything out of the drawing; elements keep their places. Runs in the page and its frames. */
const drawNothing = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { clip-path: inset(100%); }');
  document.adoptedStyleSheets.push(sheet);
}`;

/** Shows the page again, for a picture of it. Runs in the page. */
const drawAll = `document.documentElement.style.clipPath = 'none'`;

/** Settings that keep the window from drawing and starting more than the tests need. */
const quietSettings = {
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'remote.autoForwardPorts': false,
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // Parts of the window that show what the tests ask the editor for.
  'breadcrumbs.enabled': false,
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.editor.editorActionsLocation': 'hidden',
  'workbench.editor.showTabs': 'none',
  'workbench.layoutControl.enabled': false,
  'workbench.statusBar.visible': false,
  'workbench.tree.renderIndentGuides': 'none',
  // What the text editor adds by itself.
  'editor.bracketPairColorization.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.folding': false,
  'editor.glyphMargin': false,
  'editor.guides.indentation': false,
  'editor.lineNumbers': 'off',
  'editor.matchBrackets': 'never',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.renderLineHighlight': 'none',
  'editor.selectionHighlight': false,
  'editor.stickyScroll.enabled': false,
  'problems.decorations.enabled': false,
};

/**
 * Starts code-server and a headless Chromium, and stops them after `body`. Each `runOnce` opens a new window.
 * @template T
 * @param {HostRun} options
 * @param {(runOnce: () => Promise<string>) => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withCodeServer({ module, workspace, scratch, env, limitMs }, body) {
  const vscode = await ensureCodeServer();
  const executablePath = await ensureChromium();
  const dataFolder = path.join(scratch, 'server');
  const machineFolder = path.join(dataFolder, 'data/Machine');
  await mkdir(machineFolder, { recursive: true });
  await writeFile(path.join(machineFolder, 'settings.json'), JSON.stringify(quietSettings));
  const server = await startCodeServer({
    vscode,
    dataFolder,
    extensionsFolder: path.join(scratch, 'extensions'),
    env,
    runsExtensionTests: true,
    hasFewBuiltIns: true,
  });
  try {
    const browser = await chromium.launch({ executablePath, args: chromiumSwitches });
    try {
      return await body(() => runInWindow(browser, server, { module, workspace, limitMs }));
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('./code-server.js').CodeServer} server
 * @param {{ module: string, workspace: string, limitMs: number }} options
 */
async function runInWindow(browser, server, { module, workspace, limitMs }) {
  const page = await browser.newPage({ viewport });
  /** @type {PromiseWithResolvers<number>} */
  const exit = Promise.withResolvers();
  // VS Code requires this function, but the window's log output is not needed.
  await page.exposeFunction('codeAutomationLog', () => undefined);
  await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => exit.resolve(code));
  page.on('crash', () => exit.reject(new Error('the page crashed')));
  void server.ended.then((code) =>
    exit.reject(new Error(`the server ended with code ${code}\n${server.log()}`)),
  );
  const timer = setTimeout(() => exit.reject(new Error(`no end after ${limitMs / 60_000} minutes`)), limitMs);
  try {
    await page.addInitScript({ content: drawNothing });
    await page.goto(workbenchUrl(server.origin, { folder: workspace, development: root, tests: module }));
    const code = await exit.promise;
    return code === 0 ? '' : `the suite ended with code ${code}`;
  } catch (error) {
    await mkdir(resultsFolder, { recursive: true });
    await page.evaluate(drawAll).catch(() => undefined);
    await page.screenshot({ path: path.join(resultsFolder, 'host-failure.png') }).catch(() => undefined);
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
    await page.close().catch(() => undefined); // a crashed page is already closed
  }
}

/**
 * Runs the module in a VS Code downloaded by @vscode/test-electron.
 * @param {HostRun} options
 * @returns {Promise<string>} the problem, or an empty string if there was none
 */
export async function runInDesktop({ module, workspace, scratch, env, limitMs }) {
  const { runTests } = await import('@vscode/test-electron');
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${limitMs / 60_000} minutes`)), limitMs);
  });
  try {
    const launchArgs = [workspace, '--disable-extensions', '--disable-workspace-trust'];
    launchArgs.push('--user-data-dir', path.join(scratch, 'user-data'));
    if (process.getuid?.() === 0) launchArgs.push('--no-sandbox');
    const tests = runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: module,
      launchArgs,
      extensionTestsEnv: /** @type {Record<string, string>} */ (env),
    });
    await Promise.race([tests, limit]);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
