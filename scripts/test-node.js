/**
 * Runs one stage of node:test files and counts the tests: `node scripts/test-node.js unit|contract|ui [name part]`.
 * `--keep` leaves the workbench of a failing UI test open and prints its URL. `--themes` also takes screenshots of views
 * in the light and high contrast themes.
 */
import { existsSync, globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ensureChromium } from './lib/chromium.js';
import { ensureCodeServer, ensurePackageInstalled } from './lib/code-server.js';
import { inGroupsOf, runLanes } from './lib/lanes.js';
import { fromRoot, resultsFolder, root } from './lib/paths.js';
import { exitCodeOf, run, start } from './lib/processes.js';
import { deservesSecondRun, flakyLine, recordCounts } from './lib/results.js';

/**
 * How many files run in one process, in sequence. UI files of one process share a browser.
 * @type {Record<string, number>}
 */
const groupSizes = { unit: 20, contract: 4, ui: 4 };

/**
 * Seconds of the files that take longest, roughly: the groups with most of them start first, so that no lane is left
 * with a long one while the others have ended.
 * @type {Record<string, number>}
 */
const longSeconds = {
  'contract/team-service': 65,
  'contract/postgres': 60,
  'contract/init-ci': 45,
  'contract/team-suite': 45,
  'contract/second-service': 40,
  'contract/drawn-services': 40,
  'contract/advice': 30,
  'contract/doctor': 25,
  'contract/changes': 20,
  'contract/execute': 20,
  'contract/own-identity': 20,
  'ui/connection': 70,
  'ui/service': 60,
  'ui/saving': 50,
  'ui/results-panel': 40,
  'ui/hostile-service': 40,
  'ui/hostile-folder': 35,
  'ui/results-tools': 35,
  'ui/results-small': 25,
  'ui/own-data': 25,
  'ui/saved-queries-view': 25,
  'ui/library': 20,
};

const keeps = process.argv.includes('--keep');
const [stage = 'unit', part = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (keeps) process.env['IDENTITY_QUERIES_KEEP_WINDOW'] = '1';
if (process.argv.includes('--themes')) process.env['IDENTITY_QUERIES_ALL_THEMES'] = '1';
const files = globSync(`test/${stage}/**/*.test.ts`, { cwd: root })
  .filter((file) => file.includes(part))
  .sort()
  .map((file) => fromRoot(file));

for (const name of Object.keys(longSeconds))
  if (!existsSync(fromRoot(`test/${name}.test.ts`))) throw new Error(`test/${name}.test.ts is not there.`);

if (stage !== 'ui' && !existsSync(fromRoot('dist/cli.js'))) {
  process.stderr.write('Some of these tests run what is built, but dist is missing. Run: npm run build\n');
  process.exit(1);
}

// Many processes load the same modules, so they share Node.js's compile cache.
process.env['NODE_COMPILE_CACHE'] ??= fromRoot('node_modules/.cache/compiled');

if (stage === 'ui') {
  process.env['CHROMIUM_PATH'] = await ensureChromium();
  const vscode = await ensureCodeServer();
  // `npm test` has already packaged and cleared the screenshots. When run alone, this stage does both.
  if (process.env['IDENTITY_QUERIES_TEST_COUNTS'] === undefined) {
    await rm(resultsFolder, { recursive: true, force: true });
    await run(process.execPath, ['scripts/package.js']);
  }
  // Install it once up front, since test files run in parallel.
  await ensurePackageInstalled(vscode);
}

const stopDatabases = stage === 'unit' ? undefined : await serveDatabases();
let { passed, failures } = await runLanes(await groups());
/** @type {string[]} */
let flaky = [];
// Unit tests do not depend on timing, so they are not retried.
const failedFiles = [...new Set(failures.map(({ file }) => file))];
if (
  stage !== 'unit' &&
  deservesSecondRun(failures.length) &&
  failedFiles.every((file) => files.includes(file))
) {
  process.stdout.write(`\n${failedFiles.length} of the files run once more\n`);
  const before = failures;
  const second = await runLanes(inGroupsOf(failedFiles, 1));
  passed += Math.max(0, before.length - second.failures.length);
  failures = second.failures;
  const failedAgain = new Set(second.failures.map(({ file }) => file));
  flaky = before.filter(({ file }) => !failedAgain.has(file)).map(({ line }) => line);
  for (const line of flaky) process.stdout.write(`${flakyLine(line)}\n`);
}
await stopDatabases?.();
const lines = failures.map(({ line }) => line);
if (passed + lines.length === 0) {
  process.stdout.write(`✖ ${stage}: no test ran\n`);
  lines.push('no test ran');
}
recordCounts(stage, { passed, failures: lines, flaky });
process.exit(lines.length > 0 ? 1 : 0);

/** Starts a server for the databases of sandboxes, and tells all that is started from now on. Returns what stops it. */
async function serveDatabases() {
  const server = start(process.execPath, ['test/helpers/sample-databases-process.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error('The server of the sample databases has no pipes.');
  /** @type {Promise<string | undefined>} */
  const line = new Promise((resolve) => {
    createInterface({ input: stdout })
      .once('line', resolve)
      .once('close', () => resolve(undefined));
  });
  const said = await line;
  if (said !== undefined)
    [process.env['IDENTITY_QUERIES_TEST_POSTGRES'], process.env['IDENTITY_QUERIES_TEST_POSTGRES_PROGRAMS']] =
      JSON.parse(said);
  const ended = exitCodeOf(server);
  return async () => {
    stdin.end();
    await ended;
  };
}

/**
 * Returns the files in groups, the longest first. Those that share a window are one group, which takes longest. Those
 * that run other files with another service or database run alone, since both count for the whole process. So do those
 * that count the steps of code, which is slow from then on.
 */
async function groups() {
  /** @type {Record<'sharing' | 'alone' | 'others', string[]>} */
  const by = { sharing: [], alone: [], others: [] };
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const runsAlone = /\b(?:use(?:Service|Databases)|startCounting)\(/.test(text);
    by[text.includes('shareWorkbench()') ? 'sharing' : runsAlone ? 'alone' : 'others'].push(file);
  }
  const rest = [...by.alone.map((file) => [file]), ...inGroupsOf(by.others, groupSizes[stage] ?? 1)];
  return [...(by.sharing.length > 0 ? [by.sharing] : []), ...longestFirst(rest)];
}

/** @param {string[][]} all */
function longestFirst(all) {
  const secondsOf = (/** @type {string} */ file) =>
    longSeconds[path.relative(fromRoot('test'), file).replaceAll(path.sep, '/').replace('.test.ts', '')] ?? 0;
  const total = (/** @type {string[]} */ group) => group.reduce((sum, file) => sum + secondsOf(file), 0);
  return all.sort((a, b) => total(b) - total(a));
}
