/**
 * Runs test/host in a real VS Code: downloaded by @vscode/test-electron if possible, otherwise code-server with a
 * headless Chromium. `npm run test:host [-- --code-server] [-- title part]` runs all tests, or those whose full title
 * contains the given part. `--watch` keeps the server running, and Enter rebuilds and reruns the tests.
 */
import { watchFile, unwatchFile } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
const resultsFile = path.join(scratch, 'results.jsonl');
const choiceFile = path.join(scratch, 'choice.json');
let printed = 0;

/** Prints the results since the last call. */
async function printNew() {
  const lines = (await readFile(resultsFile, 'utf8')).split('\n').slice(0, -1);
  printResults(lines.slice(printed).join('\n'));
  printed = lines.length;
}

/**
 * Runs the selected tests and prints each result as it arrives.
 * @param {() => Promise<string>} runOnce
 * @param {{ part: string, titles?: readonly string[] }} choice a part of the titles, or prefixes of titles
 * @returns {Promise<{ problem: string, lines: string }>} why the run did not end properly, and one result per line
 */
async function runChoice(runOnce, choice) {
  await writeFile(choiceFile, JSON.stringify(choice));
  await writeFile(resultsFile, '');
  printed = 0;
  watchFile(resultsFile, { interval: 500 }, () => void printNew());
  const problem = await runOnce();
  unwatchFile(resultsFile);
  await printNew();
  return { problem, lines: await readFile(resultsFile, 'utf8') };
}

/**
 * Runs all tests, then retries them if only a few failed.
 * @param {() => Promise<string>} runOnce
 * @returns {Promise<boolean>} whether a test failed
 */
async function runAndReport(runOnce) {
  const first = await runChoice(runOnce, { part: titlePart });
  const failures = parseResults(first.lines).filter(({ outcome }) => outcome === 'failed');
  if (watches || !deservesSecondRun(failures.length) || first.problem.startsWith('no end'))
    return reportResults('host', first.lines, first.problem);

  process.stdout.write(`\n${failures.length} of the tests run once more\n`);
  const titles = failures.map(({ again }) => again);
  const second = await runChoice(runOnce, { part: titlePart, titles });
  const failsAgain = second.problem !== '' || second.lines.includes('"outcome":"failed"');
  const flaky = failsAgain ? [] : failures.map(({ title, error = '' }) => failureLine(title, error));
  for (const line of flaky) process.stdout.write(`${flakyLine(line)}\n`);
  const passedFirst = first.lines.split('\n').filter((line) => line.includes('"outcome":"passed"'));
  return reportResults('host', [...passedFirst, second.lines].join('\n'), second.problem, flaky);
}

/** @param {() => Promise<string>} runOnce */
async function runAtEachEnter(runOnce) {
  await runAndReport(runOnce);
  process.stdout.write('Enter builds and runs again, Ctrl+D ends.\n');
  for await (const _line of createInterface({ input: process.stdin })) {
    await build();
    await runAndReport(runOnce);
    process.stdout.write('Enter builds and runs again, Ctrl+D ends.\n');
  }
  return false;
}

async function build() {
  // `npm test` has already built the bundles. When run alone, this stage builds them first.
  if (process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined) await run(process.execPath, ['esbuild.mjs']);
  await rm(fromRoot('out/host'), { recursive: true, force: true });
  const files = await readdir(fromRoot('test/host'));
  await buildForHost(files.filter((file) => file.endsWith('.test.ts')).sort(), 'out/host');
}

let failed = true;
try {
  await build();
  const workspace = path.join(scratch, 'workspace');
  await cp(fromRoot('test/workspace'), workspace, { recursive: true });
  const sandbox = await startSandbox(['--faults']);
  const second = await startSecondService();
  /** @type {import('./lib/extension-host.js').HostRun} */
  const options = {
    module: fromRoot('out/host/index.cjs'),
    workspace,
    scratch,
    limitMs,
    env: {
      // Pull and push store their state here.
      XDG_DATA_HOME: path.join(scratch, 'data'),
      ...connectionEnvironment(sandbox, 'Sandbox under test'),
      // Agent tests run without confirmation prompts.
      IDENTITY_QUERIES_AI: 'select',
      ...secondServiceEnvironment(second),
      IDENTITY_QUERIES_TEST_RESULTS: resultsFile,
      IDENTITY_QUERIES_TEST_CHOICE: choiceFile,
    },
  };
  const body = watches ? runAtEachEnter : runAndReport;
  if (!process.argv.includes('--code-server') && (await findDownloadableVSCode())) {
    process.stdout.write('Host tests in a downloaded VS Code\n');
    failed = await body(() => runInDesktop(options));
  } else {
    process.stdout.write('Host tests in code-server (a VS Code as an npm package)\n');
    failed = await withCodeServer(options, body);
  }
} finally {
  await stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);
