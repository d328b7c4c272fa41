/** Results of tests as JSON lines, and the counts that `npm test` adds up. */
import { appendFileSync } from 'node:fs';

/** @typedef {{ title: string, outcome: 'passed' | 'failed', ms: number, error?: string }} Result */

/** @typedef {{ passed: number, failures: readonly string[] }} Counts what a stage counted: failures are a line each */

/** @param {string} lines one Result a line @returns {Result[]} */
function parseResults(lines) {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** @param {string} lines one Result a line */
export function printResults(lines) {
  for (const { title, outcome, ms, error } of parseResults(lines)) {
    process.stdout.write(`${outcome === 'passed' ? '✔' : '✖'} ${title} (${ms} ms)\n`);
    if (error !== undefined) process.stdout.write(`${error.replaceAll(/^/gm, '    ')}\n`);
  }
}

/**
 * Adds the counts of a stage to the file that `npm test` reads.
 * @param {string} stage
 * @param {string} lines one Result a line
 * @param {string} problem what kept the stage from ending well; empty when nothing did
 * @returns {boolean} whether the stage failed
 */
export function reportResults(stage, lines, problem) {
  const results = parseResults(lines);
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const failures = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ title, error = '' }) => failureLine(title, error));
  if (problem !== '') {
    process.stdout.write(`✖ ${stage}: ${problem}\n`);
    // That the suite ended badly, its tests tell; a suite without an end has tests that nobody ran.
    if (failures.length === 0 || problem.startsWith('no end')) failures.push(problem);
  }
  if (results.length === 0 && failures.length === 0) {
    failures.push('no test ran');
    process.stdout.write(`✖ ${stage}: no test ran\n`);
  }
  recordCounts(stage, { passed, failures });
  return failures.length > 0;
}

/**
 * One line of a failure, for the list at the end.
 * @param {string} title
 * @param {string} error its message, or that with its stack
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
