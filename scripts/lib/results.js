/** Results of tests as JSON lines, and the counts that `npm test` adds up. */
import { appendFileSync } from 'node:fs';

/** @typedef {{ title: string, outcome: 'passed' | 'failed', ms: number, error?: string }} Result */

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
  let failed = results.length - passed;
  if (problem !== '' && failed === 0) {
    failed = 1;
    process.stdout.write(`✖ ${stage}: ${problem}\n`);
  }
  if (results.length === 0 && failed === 0) {
    failed = 1;
    process.stdout.write(`✖ ${stage}: no test ran\n`);
  }
  recordCounts(stage, passed, failed);
  return failed > 0;
}

/**
 * @param {string} stage
 * @param {number} passed
 * @param {number} failed
 */
export function recordCounts(stage, passed, failed) {
  const file = process.env['IDENTITY_QUERIES_TEST_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ stage, passed, failed })}\n`);
  else process.stdout.write(`${passed} passed, ${failed} failed\n`);
}
