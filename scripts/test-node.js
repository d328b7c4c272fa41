/**
 * Runs one stage of node:test files and counts the tests: `node scripts/test-node.js unit|contract|ui [name part]`.
 * Concurrency is limited, since some files start processes. `--keep` leaves the workbench of a failing UI test open and
 * prints its URL. `--themes` also takes screenshots of views in the light and high contrast themes.
 */
import { existsSync, globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { finished } from 'node:stream/promises';
import { ensureChromium } from './lib/chromium.js';
import { ensureCodeServer, ensurePackageInstalled } from './lib/code-server.js';
import { fromRoot, resultsFolder, root } from './lib/paths.js';
import { run } from './lib/processes.js';
import { deservesSecondRun, failureLine, flakyLine, recordCounts } from './lib/results.js';

const keeps = process.argv.includes('--keep');
const [stage = 'unit', part = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (keeps) process.env['IDENTITY_QUERIES_KEEP_WINDOW'] = '1';
if (process.argv.includes('--themes')) process.env['IDENTITY_QUERIES_ALL_THEMES'] = '1';
const files = globSync(`test/${stage}/**/*.test.ts`, { cwd: root })
  .filter((file) => file.includes(part))
  .sort()
  .map((file) => fromRoot(file));

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

/** @typedef {{ file: string, line: string }} Failure the path of the file, and a one-line description */

/**
 * Runs test files and prints their output.
 * @param {readonly string[]} testFiles
 * @returns {Promise<{ passed: number, failures: Failure[] }>}
 */
async function runFiles(testFiles) {
  let passed = 0;
  /** @type {Failure[]} */
  const failures = [];
  // Detects hanging files, not slow machines.
  const stream = runTests({ files: testFiles, concurrency: 2, timeout: keeps ? Infinity : 20 * 60_000 });
  // Count only tests, not suites or files. Exception: a file that throws before its first test counts as one failure.
  stream.on('test:pass', (event) => {
    if (
      event.details.type !== 'suite' &&
      event.skip === undefined &&
      event.todo === undefined &&
      !isFile(event)
    )
      passed += 1;
  });
  stream.on('test:fail', (event) => {
    const { error, type } = event.details;
    if (type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed') return;
    const { cause } = error;
    const name = event.file === undefined ? '' : `${path.relative(root, event.file)} › `;
    const message = cause instanceof Error ? cause.message : error.message;
    failures.push({ file: event.file ?? '', line: failureLine(`${name}${event.name}`, message) });
  });
  const output = stream.compose(spec);
  output.pipe(process.stdout, { end: false });
  await finished(output);
  return { passed, failures };
}

let { passed, failures } = await runFiles(files);
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
  const second = await runFiles(failedFiles);
  passed += Math.max(0, before.length - second.failures.length);
  failures = second.failures;
  const failedAgain = new Set(second.failures.map(({ file }) => file));
  flaky = before.filter(({ file }) => !failedAgain.has(file)).map(({ line }) => line);
  for (const line of flaky) process.stdout.write(`${flakyLine(line)}\n`);
}
const lines = failures.map(({ line }) => line);
if (passed + lines.length === 0) {
  process.stdout.write(`✖ ${stage}: no test ran\n`);
  lines.push('no test ran');
}
recordCounts(stage, { passed, failures: lines, flaky });
process.exit(lines.length > 0 ? 1 : 0);

/** @param {{ name: string, nesting: number, file?: string }} event */
function isFile(event) {
  return event.nesting === 0 && event.file === event.name;
}
