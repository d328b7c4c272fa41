/**
 * Runs node:test files in lanes: as many processes at a time as there are cores, each of which runs a group of files in
 * sequence. Starting a process and loading its modules takes longer than most files.
 */
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { fromRoot, root } from './paths.js';
import { failureLine } from './results.js';

/** A lane of UI tests holds a browser, an editor's server and a sandbox, and a lane of contract tests runs beside it. */
const bytesPerLane = 2.5 * 1024 ** 3;

/** Two lanes at least: a test often waits. */
const laneCount = Math.max(2, Math.min(availableParallelism(), Math.floor(totalmem() / bytesPerLane)));

/** Detects files that hang, not slow machines: the longest takes two minutes. */
export const limitPerFileMs = process.env['IDENTITY_QUERIES_KEEP_WINDOW'] === '1' ? Infinity : 10 * 60_000;
/** Of a group whose process does not end, also where a test that hangs keeps it busy. */
const limitOfGroupMs = 20 * 60_000;

/** @typedef {{ file: string, line: string }} Failure the path of the file, and a one-line description */

/**
 * Runs groups of files and prints the output of each group when it is done.
 * @param {readonly (readonly string[])[]} groups paths of the files; each group runs in one process
 * @param {{ isQuiet?: boolean }} [options] `isQuiet`: prints nothing
 * @returns {Promise<{ passed: number, failures: Failure[] }>}
 */
export async function runLanes(groups, { isQuiet = false } = {}) {
  const waiting = [...groups];
  let passed = 0;
  /** @type {Failure[]} */
  const failures = [];
  const runNext = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const outcome = await runGroup(group);
      if (!isQuiet) process.stdout.write(outcome.output);
      passed += outcome.passed;
      failures.push(...outcome.failures);
    }
  };
  await Promise.all(Array.from({ length: laneCount }, runNext));
  return { passed, failures };
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<{ passed: number, failures: Failure[], output: string }>}
 */
async function runGroup(files) {
  let passed = 0;
  /** @type {Failure[]} */
  const failures = [];
  /** Names of the suites that ended, one per file. @type {Set<string>} */
  const ended = new Set();
  const stream = runTests({
    files: [fromRoot('test/helpers/lane.ts')],
    argv: [...files],
    concurrency: 1,
    timeout: Math.max(limitPerFileMs, limitOfGroupMs),
  });
  // Count only tests, not suites. Exception: a file that throws before its first test counts as one failure.
  stream.on('test:pass', (event) => {
    if (event.nesting === 0) ended.add(event.name);
    if (event.details.type !== 'suite' && event.skip === undefined && event.todo === undefined) passed += 1;
  });
  stream.on('test:fail', (event) => {
    if (event.nesting === 0) ended.add(event.name);
    const { error, type } = event.details;
    if (type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed') return;
    const { cause } = error;
    // A suite of the lane is named after its file.
    const file = event.nesting === 0 ? path.resolve(root, event.name) : (event.file ?? '');
    const name = event.nesting === 0 ? event.name : `${path.relative(root, file)} › ${event.name}`;
    const message = cause instanceof Error ? cause.message : error.message;
    failures.push({ file, line: failureLine(name, message) });
  });
  const output = await text(stream.compose(spec));
  // A process that ends early does not always fail, for example after an earlier failure.
  for (const file of files) {
    const name = path.relative(root, file);
    if (!ended.has(name)) failures.push({ file, line: failureLine(name, 'did not run to its end') });
  }
  return { passed, failures, output };
}

/**
 * Splits a list into groups of at most `size`.
 * @template T
 * @param {readonly T[]} list
 * @param {number} size
 * @returns {T[][]}
 */
export function inGroupsOf(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) =>
    list.slice(n * size, (n + 1) * size),
  );
}
