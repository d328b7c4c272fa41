/** Test results as JSON lines, and the counts that `npm test` sums. */
import { appendFileSync } from 'node:fs';

/**
 * @typedef {object} Result
 * @property {string} title
 * @property {string} again the title to run again: a test's own, or a hook's suite
 * @property {'passed' | 'failed'} outcome
 * @property {number} ms
 * @property {string} [error]
 * @property {number} [load] of the machine when it failed
 */

/**
 * @typedef {object} Counts of a stage
 * @property {number} passed
 * @property {readonly string[]} failures one line per failure
 * @property {readonly string[]} [flaky] tests that failed first and then passed, one line per test
 */

/** More failures suggest a common cause, so they are not retried. */
const maxSecondRuns = 5;

/**
 * Returns whether to retry failures in a real window or process, so that one lost keystroke in an hour of tests does
 * not decide the outcome. A test that fails twice counts as failed; one that passes on retry is reported as flaky.
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
 * @param {string} problem why the stage did not end properly, or an empty string if it did
 * @param {readonly string[]} [flaky] tests that failed first and then passed, one per line
 * @returns {boolean} whether the stage failed
 */
export function reportResults(stage, lines, problem, flaky = []) {
  const results = parseResults(lines);
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const failures = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ title, error = '', load }) => failureLine(title, error, load));
  if (problem !== '') {
    process.stdout.write(`✖ ${stage}: ${problem}\n`);
    // Failed tests already explain a failed suite. In an unfinished suite, some tests never ran.
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
 * Returns a one-line description of a failure, for the list at the end.
 * @param {string} title
 * @param {string} error its message, with or without the stack
 * @param {number} [load] processes that waited for a processor or had one, on average of the minute before
 */
export function failureLine(title, error, load) {
  const message = error.split(/\n\s+at /, 1)[0] ?? '';
  const loaded = load === undefined ? '' : ` (load ${load.toFixed(1)})`;
  return `${title}: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}${loaded}`;
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
 * Returns the line for a test that passed only on retry.
 * @param {string} failure the line of its failure
 */
export function flakyLine(failure) {
  return `⚠ passed the second time only: ${failure}`;
}
