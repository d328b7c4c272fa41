/**
 * Runs test/host in a real VS Code: downloaded by @vscode/test-electron if possible, otherwise code-server with a
 * headless Chromium. `npm run test:host [-- --code-server] [-- title part]` runs all tests, or those whose full title
 * contains the given part. `--watch` keeps the server running, and Enter rebuilds and reruns the tests. With more than
 * two cores, several windows share the files, each with its own editor and services; `--windows=N` sets how many.
 */
import { watchFile, unwatchFile } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { findDownloadableVSCode } from './lib/desktop.js';
import { buildForHost, runInDesktop, withCodeServer } from './lib/extension-host.js';
import { fromRoot } from './lib/paths.js';
import { run, stopAll } from './lib/processes.js';
import {
  deservesSecondRun,
  failureLine,
  flakyLine,
  parseResults,
  printResults,
  reportResults,
} from './lib/results.js';
import {
  connectionEnvironment,
  secondServiceEnvironment,
  startSandbox,
  startSecondService,
} from './lib/sandbox.js';

/** Detects hanging windows, not slow machines: each test has its own timeout. */
const limitMs = Math.max(90, Number(process.env['FUZZ_STORIES'] ?? 0)) * 60_000;
const watches = process.argv.includes('--watch');
const titlePart = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';

const scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-host-'));

/** A window, its editor's server, its two services, and what other stages leave of the memory. */
const bytesPerWindow = 4 * 1024 ** 3;

/** A window keeps about two cores busy: its renderer and its extension host. */
function windowCount() {
  const wanted = process.argv.find((argument) => argument.startsWith('--windows='))?.split('=')[1];
  if (wanted !== undefined) return Math.max(1, Number(wanted));
  if (watches || titlePart !== '') return 1;
  return Math.max(
    1,
    Math.min(Math.floor(availableParallelism() / 2), Math.floor(totalmem() / bytesPerWindow), 4),
  );
}

/**
 * @typedef {object} Outcome of one window's share
 * @property {string} problem why the run did not end properly
 * @property {string} lines one result per line
 */

/**
 * Runs the selected tests and prints each result as it arrives.
 * @param {string} folder of the window
 * @param {() => Promise<string>} runOnce
 * @param {{ part: string, titles?: readonly string[] }} choice a part of the titles, or prefixes of titles
 * @returns {Promise<Outcome>}
 */
async function runChoice(folder, runOnce, choice) {
  const resultsFile = path.join(folder, 'results.jsonl');
  let printed = 0;
  const printNew = async () => {
    const lines = (await readFile(resultsFile, 'utf8')).split('\n').slice(0, -1);
    printResults(lines.slice(printed).join('\n'));
    printed = lines.length;
  };
  await writeFile(path.join(folder, 'choice.json'), JSON.stringify(choice));
  await writeFile(resultsFile, '');
  watchFile(resultsFile, { interval: 500 }, () => void printNew());
  const problem = await runOnce();
  unwatchFile(resultsFile);
  await printNew();
  return { problem, lines: await readFile(resultsFile, 'utf8') };
}

/**
 * Runs all tests of a window, then retries them if only a few failed.
 * @param {string} folder of the window
 * @param {() => Promise<string>} runOnce
 * @returns {Promise<Outcome & { flaky: string[] }>}
 */
async function runTwice(folder, runOnce) {
  const first = await runChoice(folder, runOnce, { part: titlePart });
  const failures = parseResults(first.lines).filter(({ outcome }) => outcome === 'failed');
  if (watches || !deservesSecondRun(failures.length) || first.problem.startsWith('no end'))
    return { ...first, flaky: [] };

  process.stdout.write(`\n${failures.length} of the tests run once more\n`);
  const titles = failures.map(({ again }) => again);
  const second = await runChoice(folder, runOnce, { part: titlePart, titles });
  const failsAgain = second.problem !== '' || second.lines.includes('"outcome":"failed"');
  const flaky = failsAgain
    ? []
    : failures.map(({ title, error = '', load }) => failureLine(title, error, load));
  for (const line of flaky) process.stdout.write(`${flakyLine(line)}\n`);
  const passedFirst = first.lines.split('\n').filter((line) => line.includes('"outcome":"passed"'));
  return { problem: second.problem, lines: [...passedFirst, second.lines].join('\n'), flaky };
}

/**
 * @param {readonly (readonly string[])[]} shares files of each window
 * @param {string} folder of the window
 * @param {() => Promise<string>} runOnce
 */
async function runAtEachEnter(shares, folder, runOnce) {
  for (;;) {
    const { lines, problem } = await runTwice(folder, runOnce);
    reportResults('host', lines, problem);
    process.stdout.write('Enter builds and runs again, Ctrl+D ends.\n');
    if (!(await enterPressed())) return { lines, problem, flaky: [] };
    await build(shares);
  }
}

/** @returns {Promise<boolean>} false: the input ended */
async function enterPressed() {
  const lines = createInterface({ input: process.stdin });
  for await (const _line of lines) {
    lines.close();
    return true;
  }
  return false;
}

/** @param {readonly (readonly string[])[]} shares files of each window */
async function build(shares) {
  // `npm test` has already built the bundles. When run alone, this stage builds them first.
  if (process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined) await run(process.execPath, ['esbuild.mjs']);
  await rm(fromRoot('out/host'), { recursive: true, force: true });
  await Promise.all(shares.map((files, window) => buildForHost(files, `out/host/${window}`)));
}

/**
 * Deals the files to windows, so that each gets about the same amount of text.
 * @param {number} count
 */
async function sharesOf(count) {
  const names = (await readdir(fromRoot('test/host'))).filter((file) => file.endsWith('.test.ts'));
  const sized = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(fromRoot('test/host', name))).size })),
  );
  const shares = Array.from({ length: count }, () => ({ names: /** @type {string[]} */ ([]), size: 0 }));
  for (const { name, size } of sized.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))) {
    const smallest = shares.reduce((least, each) => (each.size < least.size ? each : least));
    smallest.names.push(name);
    smallest.size += size;
  }
  return shares.map((share) => share.names.sort());
}

/**
 * Runs one window's share with services of its own.
 * @param {readonly (readonly string[])[]} shares files of each window
 * @param {number} window
 * @param {boolean} inDesktop
 */
async function runWindow(shares, window, inDesktop) {
  const folder = path.join(scratch, String(window));
  await mkdir(folder);
  const workspace = path.join(folder, 'workspace');
  await cp(fromRoot('test/workspace'), workspace, { recursive: true });
  const sandbox = await startSandbox(['--faults']);
  const second = await startSecondService();
  /** @type {import('./lib/extension-host.js').HostRun} */
  const options = {
    module: fromRoot(`out/host/${window}/index.cjs`),
    workspace,
    scratch: folder,
    limitMs,
    env: {
      // Pull and push store their state here.
      XDG_DATA_HOME: path.join(folder, 'data'),
      ...connectionEnvironment(sandbox, 'Sandbox under test'),
      // Agent tests run without confirmation prompts.
      IDENTITY_QUERIES_AI: 'select',
      ...secondServiceEnvironment(second),
      IDENTITY_QUERIES_TEST_RESULTS: path.join(folder, 'results.jsonl'),
      IDENTITY_QUERIES_TEST_CHOICE: path.join(folder, 'choice.json'),
    },
  };
  /** @param {() => Promise<string>} runOnce */
  const body = (runOnce) => (watches ? runAtEachEnter(shares, folder, runOnce) : runTwice(folder, runOnce));
  return inDesktop ? await body(() => runInDesktop(options)) : await withCodeServer(options, body);
}

let failed = true;
try {
  const inDesktop = !process.argv.includes('--code-server') && (await findDownloadableVSCode());
  process.stdout.write(
    inDesktop
      ? 'Host tests in a downloaded VS Code\n'
      : 'Host tests in code-server (a VS Code as an npm package)\n',
  );
  const shares = await sharesOf(windowCount());
  await build(shares);
  const outcomes = await Promise.all(shares.map((_, window) => runWindow(shares, window, inDesktop)));
  failed = reportResults(
    'host',
    outcomes.map(({ lines }) => lines).join('\n'),
    outcomes.flatMap(({ problem }) => (problem === '' ? [] : [problem])).join('\n'),
    outcomes.flatMap(({ flaky }) => flaky),
  );
} finally {
  await stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);
