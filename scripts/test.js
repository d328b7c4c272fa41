/**
 * Runs everything: the checks, the build, then each stage. The last lines show how long each took and the total number
 * of tests. Tests in windows mostly wait for them, so host tests and then UI tests run in parallel with the other stages.
 * So does packaging, which uses the tested bundles. Their output is printed when they finish. `--fast` stops after the
 * unit tests, for daily work.
 */
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resultsFolder } from './lib/paths.js';
import { exitCodeOf, start } from './lib/processes.js';
import { measureProcessorTime } from './lib/processor-time.js';
import { flakyLine } from './lib/results.js';

/** @typedef {{ name: string, args: string[], counts: boolean }} Stage */

/** @satisfies {Record<string, Stage>} */
const stages = {
  check: { name: 'check', args: ['scripts/check.js'], counts: false },
  build: { name: 'build', args: ['esbuild.mjs'], counts: false },
  // The tests run on production bundles.
  production: { name: 'build', args: ['esbuild.mjs', '--production'], counts: false },
  unit: { name: 'unit', args: ['scripts/test-node.js', 'unit'], counts: true },
  contract: { name: 'contract', args: ['scripts/test-node.js', 'contract'], counts: true },
  host: { name: 'host', args: ['scripts/test-host.js'], counts: true },
  package: { name: 'package', args: ['scripts/package.js', '--built'], counts: false },
  ui: { name: 'ui', args: ['scripts/test-node.js', 'ui'], counts: true },
};

/**
 * What each stage may take, in seconds of processor time on two cores of a common server. A stage far over it is
 * named, and does not fail: another machine may be half as fast. New tests of the slow stages make room for themselves.
 * @type {Record<string, number>}
 */
const budgets = { check: 80, build: 15, package: 18, unit: 360, contract: 480, host: 560, ui: 800 };
/** Noise of a shared machine. */
const tolerated = 1.25;

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-test-'));
let passed = 0;
/** @type {string[]} failures, one line each */
const failures = [];
/** @type {string[]} tests that passed only on retry, one line each */
const flaky = [];
/** @type {{ stage: string, seconds: number, processor: number | undefined }[]} */
const times = [];

/**
 * @param {Stage} stage
 * @param {{ isBeside?: boolean }} [options] `isBeside`: another stage prints at the same time
 * @returns {Promise<boolean>} whether the stage succeeded
 */
async function runStage({ name, args, counts }, { isBeside = false } = {}) {
  const countsFile = path.join(folder, `${name}.jsonl`);
  const outputFile = path.join(folder, `${name}.log`);
  await writeFile(countsFile, '');
  if (!isBeside) process.stdout.write(`\n== ${name} ==\n`);
  const started = performance.now();
  const env = { ...process.env, IDENTITY_QUERIES_TEST_COUNTS: countsFile };
  const output = isBeside ? await open(outputFile, 'w') : undefined;
  const child = start(process.execPath, args, {
    env,
    stdio: output === undefined ? 'inherit' : ['ignore', output.fd, output.fd],
  });
  const processorTime = measureProcessorTime(child.pid);
  const code = await exitCodeOf(child);
  const seconds = (performance.now() - started) / 1000;
  times.push({ stage: name, seconds, processor: processorTime() });
  await output?.close();
  if (isBeside) process.stdout.write(`\n== ${name} ==\n${await readFile(outputFile, 'utf8')}`);

  const lines = (await readFile(countsFile, 'utf8')).split('\n').filter((line) => line !== '');
  /** @type {import('./lib/results.js').Counts[]} */
  const results = lines.map((line) => JSON.parse(line));
  const stageFailures = results.flatMap((each) => each.failures);
  passed += results.reduce((sum, each) => sum + each.passed, 0);
  flaky.push(...results.flatMap((each) => each.flaky ?? []).map((line) => flakyLine(`${name}: ${line}`)));
  // A nonzero exit code or missing counts are also a failure, even if no test failed.
  if ((code !== 0 && stageFailures.length === 0) || (counts && results.length === 0))
    stageFailures.push(`ended with code ${code}`);
  failures.push(...stageFailures.map((failure) => `✖ ${name}: ${failure}`));
  process.stdout.write(`== ${name}: ${Math.round(seconds)} s ==\n`);
  return code === 0;
}

const isFast = process.argv.includes('--fast');

// Delete earlier runs' screenshots.
if (!isFast) await rm(resultsFolder, { recursive: true, force: true });

// Install code-server early for the host and UI tests. If this fails, they retry and report the reason.
const codeServer = isFast
  ? Promise.resolve(0)
  : exitCodeOf(start(process.execPath, ['scripts/ensure-code-server.js']));

async function runHost() {
  await codeServer;
  await runStage(stages.host, { isBeside: true });
}

// After a failed build, skip the tests, since they would run on outdated bundles.
if (isFast) {
  if (await runStage(stages.build)) await runStage(stages.unit);
} else {
  // The tests run even if a check fails, so that one run shows everything that is red.
  await runStage(stages.check);
  if (await runStage(stages.production)) {
    const packaged = runStage(stages.package, { isBeside: true });
    const windows = runHost().then(async () => {
      if (await packaged) await runStage(stages.ui, { isBeside: true });
    });
    await runStage(stages.unit);
    await runStage(stages.contract);
    await windows;
  }
}
await rm(folder, { recursive: true, force: true });
process.stdout.write('\nstage        wall  processor  budget\n');
for (const { stage, seconds, processor } of times) {
  const budget = budgets[stage] ?? Infinity;
  const isOver = processor !== undefined && processor > budget * tolerated;
  process.stdout.write(
    `${stage.padEnd(10)} ${seconds.toFixed(0).padStart(4)} s ${(processor?.toFixed(0) ?? '?').padStart(8)} s ${String(budget).padStart(5)} s${isOver ? '  ⚠ over its budget, or a slow machine' : ''}\n`,
  );
}
// Repeat the failures at the end, where they are visible. The stage's output has the details.
for (const line of [...flaky, ...failures]) process.stdout.write(`\n${line}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length > 0 ? 1 : 0);
