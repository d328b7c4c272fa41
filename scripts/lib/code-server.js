/**
 * A real VS Code without a download: code-server packages the workbench and the extension host for npm. It is installed
 * once into .vscode-test/, without native builds.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cacheFolder, packageFile } from './paths.js';
import { run, start, stop } from './processes.js';

/** `CODE_SERVER_VERSION` selects another version, such as the oldest one that the manifest allows. */
const version = process.env['CODE_SERVER_VERSION'] ?? '4.139.1';
const startLimitMs = 120_000;
const folder = path.join(cacheFolder, `code-server-${version}`);

/**
 * Installs code-server if it is missing. The folder is renamed only when complete, so an interrupted installation
 * starts over.
 * @returns {Promise<string>} the folder of its VS Code
 */
export async function ensureCodeServer() {
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  if (existsSync(folder)) return vscode;
  process.stdout.write(
    `Installing code-server ${version}, a VS Code as an npm package (about a minute, once) ...\n`,
  );
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(path.join(partial, 'package.json'), '{ "private": true }\n');
  const inside = path.join(partial, 'node_modules/code-server/lib/vscode');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  // Hide npm's standard output, but show its errors.
  /** @type {('ignore' | 'inherit')[]} */
  const stdio = ['ignore', 'ignore', 'inherit'];
  await run('npm', ['install', `code-server@${version}`, ...quiet], { cwd: partial, stdio });
  await takeWatcherFromRegistry(inside);
  await run('npm', ['install', '--omit=dev', ...quiet], { cwd: inside, stdio });
  await run('npm', ['install', '--omit=dev', ...quiet], { cwd: path.join(inside, 'extensions'), stdio });
  await buildLogWriter(partial, inside);
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return vscode;
}

/**
 * Older versions take this library from GitHub, without its prebuilt binary. The registry has the same version with the
 * binary, so the editor can watch files even if only a registry is reachable.
 * @param {string} folder
 */
async function takeWatcherFromRegistry(folder) {
  const name = '@parcel/watcher';
  const manifestFile = path.join(folder, 'package.json');
  const lockFile = path.join(folder, 'npm-shrinkwrap.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  if (!manifest.dependencies[name]?.includes('#')) return;
  const lock = JSON.parse(await readFile(lockFile, 'utf8'));
  const { version } = lock.packages[`node_modules/${name}`];
  delete lock.packages[`node_modules/${name}`];
  for (const each of [manifest, lock.packages['']]) each.dependencies[name] = version;
  await writeFile(manifestFile, JSON.stringify(manifest));
  await writeFile(lockFile, JSON.stringify(lock));
}

/**
 * Builds the native module that VS Code uses to write its log files, if a compiler is available. Otherwise logs stay
 * empty. The headers come from the npm package of the pinned Node.
 * @param {string} partial
 * @param {string} vscode
 */
async function buildLogWriter(partial, vscode) {
  const headers = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const stdio = /** @type {('ignore' | 'inherit')[]} */ (['ignore', 'ignore', 'ignore']);
  try {
    const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', [...install, `${headers}@${process.versions.node}`], { cwd: partial, stdio });
    const env = { ...process.env, npm_config_nodedir: path.join(partial, 'node_modules', headers) };
    await run('npm', ['rebuild', '@vscode/spdlog'], { cwd: vscode, stdio, env });
  } catch {
    process.stdout.write('No compiler for the log writer of code-server: its log files stay empty.\n');
  }
}

/**
 * @typedef {object} CodeServer
 * @property {string} origin for example http://127.0.0.1:41234
 * @property {() => string} log its output
 * @property {() => Promise<void>} stop
 * @property {Promise<number | null>} ended
 */

/**
 * Starts the VS Code server on a free port of this machine.
 * @param {{ vscode: string, dataFolder: string, extensionsFolder: string, env?: NodeJS.ProcessEnv, asksForTrust?:
 * boolean, runsExtensionTests?: boolean, token?: string, language?: string, readsUserShell?: boolean,
 * hasFewBuiltIns?: boolean }} options
 *   `token`: required to open the workbench. Without one, anyone on this machine can open it, which is fine for tests.
 *   `asksForTrust`: folders open in restricted mode, as on a desktop. Otherwise they are trusted.
 *   `runsExtensionTests`: allows paths in the workbench's URL. Notifications then do not pop up.
 *   `language`: display language of extensions. The editor itself stays English.
 *   `hasFewBuiltIns`: only those of the editor's own extensions that tests use. The others take time to start.
 *   `readsUserShell`: extensions get the variables that the user's shell sets. Without it, windows start faster.
 * @returns {Promise<CodeServer>}
 */
export async function startCodeServer({
  vscode,
  dataFolder,
  extensionsFolder,
  env = {},
  asksForTrust = false,
  runsExtensionTests = false,
  token,
  language,
  readsUserShell = false,
  hasFewBuiltIns = false,
}) {
  await mkdir(extensionsFolder, { recursive: true });
  const builtIns = hasFewBuiltIns ? await linkFewBuiltIns(vscode, dataFolder) : undefined;
  if (language !== undefined) await writeLanguagePack(path.join(dataFolder, 'data'), language);
  const child = start(
    process.execPath,
    [
      path.join(vscode, 'out/server-main.js'),
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        '0',
        ...(token === undefined ? ['--without-connection-token'] : ['--connection-token', token]),
        '--accept-server-license-terms',
      ],
      ...['--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder],
      ...['--telemetry-level', 'off'],
      ...(runsExtensionTests ? ['--enable-smoke-test-driver'] : []),
      ...(asksForTrust ? [] : ['--disable-workspace-trust']),
      ...(language === undefined ? [] : ['--locale', language]),
      ...(builtIns === undefined ? [] : ['--builtin-extensions-dir', builtIns]),
      // On one machine, compression only takes time.
      '--disable-websocket-compression',
      ...(readsUserShell ? [] : ['--force-disable-user-env']),
    ],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  /** @type {string[]} */
  const lines = [];
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  const port = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const match = /agent listening on (\d+)/.exec(line);
        if (match !== null) resolve(Number(match[1]));
      });
    }
    child.once('exit', (code) =>
      reject(new Error(`code-server ended with code ${code}:\n${lines.join('\n')}`)),
    );
    setTimeout(
      () => reject(new Error(`code-server did not start within ${startLimitMs / 1000} seconds`)),
      startLimitMs,
    ).unref();
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    log: () => lines.join('\n'),
    stop: () => stop(child),
    ended,
  };
}

/** Extensions of the editor that tests use: Source Control, icons, and the languages of what they open. */
const usedBuiltIns = [
  'git',
  'git-base',
  'json',
  'markdown-basics',
  'markdown-language-features',
  'sql',
  'theme-defaults',
  'theme-seti',
  'yaml',
];

/**
 * Returns a folder with links to the built-in extensions that tests use.
 * @param {string} vscode
 * @param {string} dataFolder
 */
async function linkFewBuiltIns(vscode, dataFolder) {
  const folder = path.join(dataFolder, 'built-in-extensions');
  await mkdir(folder, { recursive: true });
  for (const name of usedBuiltIns)
    await symlink(path.join(vscode, 'extensions', name), path.join(folder, name), 'junction');
  return folder;
}

/**
 * Writes an empty language pack, because the editor accepts a language only if a pack is installed.
 * @param {string} folder
 * @param {string} language
 */
async function writeLanguagePack(folder, language) {
  const texts = path.join(folder, 'no-texts.i18n.json');
  const extensions = [{ extensionIdentifier: { id: 'no.texts' }, version: '1.0.0' }];
  const pack = { hash: 'no-texts', label: language, extensions, translations: { vscode: texts } };
  await mkdir(folder, { recursive: true });
  await writeFile(texts, '{ "contents": {} }\n');
  await writeFile(path.join(folder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/**
 * Installs an extension package into an extensions folder.
 * @param {{ vscode: string, vsix: string, extensionsFolder: string, dataFolder: string }} options
 */
export async function installExtension({ vscode, vsix, extensionsFolder, dataFolder }) {
  await mkdir(extensionsFolder, { recursive: true });
  await run(
    process.execPath,
    [
      path.join(vscode, 'out/server-main.js'),
      ...['--install-extension', vsix, '--force', '--accept-server-license-terms'],
      ...['--extensions-dir', extensionsFolder, '--server-data-dir', dataFolder],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/**
 * Returns an extensions folder that contains the package. Each package is installed once and shared by all workbenches.
 * @param {string} vscode
 */
export async function ensurePackageInstalled(vscode) {
  const vsix = packageFile();
  const { mtimeMs, size } = await stat(vsix);
  const all = path.join(cacheFolder, 'ui-extensions');
  const extensionsFolder = path.join(all, `${mtimeMs}-${size}`);
  if (existsSync(extensionsFolder)) return extensionsFolder;
  await rm(all, { recursive: true, force: true });
  // The folder is renamed only when complete, so an interrupted installation starts over.
  const partial = path.join(all, 'partial');
  await installExtension({
    vscode,
    vsix,
    extensionsFolder: partial,
    dataFolder: path.join(all, 'installer'),
  });
  await rename(partial, extensionsFolder);
  return extensionsFolder;
}

/**
 * Returns the URL of a workbench.
 * @param {string} origin
 * @param {{ folder: string, development?: string, tests?: string, token?: string, logLevel?: string }} options
 *   `development`: folder of an extension to load from source. `tests`: a module with `run()`. `logLevel`: as in
 *   VS Code's command line option `--log`, for example `publisher.name:trace`.
 */
export function workbenchUrl(origin, { folder: workspace, development, tests, token, logLevel }) {
  const remote = (/** @type {string} */ file) => `vscode-remote://${new URL(origin).host}${file}`;
  /** @type {[string, string][]} */
  const payload = [['skipWelcome', 'true']];
  if (development !== undefined) payload.push(['extensionDevelopmentPath', remote(development)]);
  if (tests !== undefined) payload.push(['extensionTestsPath', remote(tests)]);
  if (logLevel !== undefined) payload.push(['logLevel', logLevel]);
  const url = new URL(origin);
  if (token !== undefined) url.searchParams.set('tkn', token);
  url.searchParams.set('folder', workspace);
  if (payload.length > 1) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}
