/**
 * Runs test/host inside a real VS Code: one downloaded by @vscode/test-electron where that can be had and shown,
 * else code-server with a headless Chromium. `npm run test:host [-- --code-server] [-- title part]` runs all of it, or
 * the tests whose full title contains that part.
 */
import { watchFile, unwatchFile } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findDownloadableVSCode } from './lib/desktop.js';
import { buildForHost, runInCodeServer, runInDesktop } from './lib/extension-host.js';
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

/** For a window that hangs, not for a machine that is slow: each test has a limit of its own. */
const limitMs = Math.max(40, Number(process.env['FUZZ_STORIES'] ?? 0)) * 60_000;
const titlePart = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';

const scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-host-'));
const resultsFile = path.join(scratch, 'results.jsonl');
let failed = true;
let printed = 0;

/** Prints the results that have come since the last time. */
async function printNew() {
  const lines = (await readFile(resultsFile, 'utf8')).split('\n').slice(0, -1);
  printResults(lines.slice(printed).join('\n'));
  printed = lines.length;
}

try {
  // `npm test` has just built; alone, this stage builds what it runs.
  if (process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined) await run(process.execPath, ['esbuild.mjs']);
  await rm(fromRoot('out/host'), { recursive: true, force: true });
  await buildForHost(['test/host/*.ts'], 'out/host');
  const workspace = path.join(scratch, 'workspace');
  await cp(fromRoot('test/workspace'), workspace, { recursive: true });
  const sandbox = await startSandbox(['--faults']);
  const second = await startSecondService();
  await writeFile(resultsFile, '');
  /** @type {import('./lib/extension-host.js').HostRun} */
  const options = {
    module: fromRoot('out/host/index.cjs'),
    workspace,
    scratch,
    limitMs,
    env: {
      ...connectionEnvironment(sandbox, 'Sandbox under test'),
      ...secondServiceEnvironment(second),
      IDENTITY_QUERIES_TEST_RESULTS: resultsFile,
      IDENTITY_QUERIES_TEST_TITLE: titlePart,
    },
  };
  watchFile(resultsFile, { interval: 500 }, () => void printNew());
  const useDesktop = !process.argv.includes('--code-server') && (await findDownloadableVSCode());
  process.stdout.write(
    useDesktop
      ? 'Host tests in a downloaded VS Code\n'
      : 'Host tests in code-server (a VS Code as an npm package)\n',
  );
  const runAll = () => (useDesktop ? runInDesktop(options) : runInCodeServer(options));
  let problem = await runAll();
  await printNew();
  let results = await readFile(resultsFile, 'utf8');
  const firstFailures = parseResults(results).filter(({ outcome }) => outcome === 'failed');
  /** @type {string[]} */
  let flaky = [];
  if (deservesSecondRun(firstFailures.length) && !problem.startsWith('no end')) {
    process.stdout.write(`\n${firstFailures.length} of the tests run once more\n`);
    await writeFile(resultsFile, '');
    printed = 0;
    const again = firstFailures.map(({ again: title = '' }) => title);
    options.env = { ...options.env, IDENTITY_QUERIES_TEST_TITLES: JSON.stringify(again) };
    problem = await runAll();
    await printNew();
    const second = await readFile(resultsFile, 'utf8');
    const passedFirst = results.split('\n').filter((line) => line.includes('"outcome":"passed"'));
    const failedAgain = parseResults(second).filter(({ outcome }) => outcome === 'failed');
    if (failedAgain.length === 0)
      flaky = firstFailures.map(({ title, error = '' }) => failureLine(title, error));
    for (const line of flaky) process.stdout.write(`${flakyLine(line)}\n`);
    results = `${passedFirst.join('\n')}\n${second}`;
  }
  unwatchFile(resultsFile);
  failed = reportResults('host', results, problem, flaky);
} finally {
  await stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);
