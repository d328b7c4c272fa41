/** Test results as JSON lines, and the counts that `npm test` adds up. */
import { appendFileSync } from 'node:fs';

/**
 * @typedef {object} Result
 * @property {string} title
 * @property {string} again whose title to run again: the test's, of a hook its suite's
 * @property {'passed' | 'failed'} outcome
 * @property {number} ms
 * @property {string} [error]
 */

/**
 * @typedef {object} Counts of a stage
 * @property {number} passed
 * @property {readonly string[]} failures one line each
 * @property {readonly string[]} [flaky] tests that failed first and then passed, one line each
 */

/** More failures than this have a systematic cause, so they are not retried. */
const maxSecondRuns = 5;

/**
 * Whether failures in a real window or process run once more, so that one lost keystroke in an hour of tests does not
 * decide the outcome. A test that fails twice has failed; one that passes the second time is reported as flaky.
 * @param {number} failed
 */
export function deservesSecondRun(failed) {
  return failed > 0 && failed <= maxSecondRuns;
}

/**
 * @param {string} lines one Result per line
 * @returns {Result[]}
 */
export function parseResults(lines) {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** @param {string} lines one Result per line */
export function printResults(lines) {
  for (const { title, outcome, ms, error } of parseResults(lines)) {
    process.stdout.write(`${outcome === 'passed' ? '✔' : '✖'} ${title} (${ms} ms)\n`);
    if (error !== undefined) process.stdout.write(`${error.replaceAll(/^/gm, '    ')}\n`);
  }
}

/**
 * Adds a stage's counts to the file that `npm test` reads.
 * @param {string} stage
 * @param {string} lines one Result per line
 * @param {string} problem why the stage did not end properly; empty if it did
 * @param {readonly string[]} [flaky] tests that failed first and then passed, one per line
 * @returns {boolean} whether the stage failed
 */
export function reportResults(stage, lines, problem, flaky = []) {
  const results = parseResults(lines);
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const failures = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ title, error = '' }) => failureLine(title, error));
  if (problem !== '') {
    process.stdout.write(`✖ ${stage}: ${problem}\n`);
    // Tests already explain a failed suite; an unfinished suite has tests that never ran.
    if (failures.length === 0 || problem.startsWith('no end')) failures.push(problem);
  }
  if (results.length === 0 && failures.length === 0) {
    failures.push('no test ran');
    process.stdout.write(`✖ ${stage}: no test ran\n`);
  }
  recordCounts(stage, { passed, failures, flaky });
  return failures.length > 0;
}

/**
 * One line about a failure, for the list at the end.
 * @param {string} title
 * @param {string} error its message, with or without the stack
 */
export function failureLine(title, error) {
  const message = error.split(/\n\s+at /, 1)[0] ?? '';
  return `${title}: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
}

/**
 * @param {string} stage
 * @param {Counts} counts
 */
export function recordCounts(stage, counts) {
  const file = process.env['IDENTITY_QUERIES_TEST_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ stage, ...counts })}\n`);
  else process.stdout.write(`${counts.passed} passed, ${counts.failures.length} failed\n`);
}

/**
 * The line for a test that passed only on the second run.
 * @param {string} failure the line of its failure
 */
export function flakyLine(failure) {
  return `⚠ passed the second time only: ${failure}`;
}
