/**
 * Every regular expression in the sources must take linear time on any text: with a quadratic one, a column name could
 * hang the editor. The test finds the expressions in the sources, so new ones are covered.
 * test/fuzz/expressions.fuzz.ts does the same with megabyte strings.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacksOn, textOf, type Attack } from '../helpers/regex-attacks.ts';
import { expressionsOfSources } from '../helpers/regex-sources.ts';

const expressions = await expressionsOfSources();

/**
 * Returns the time of the fastest of several runs, since other load only slows a run down. Stops after a fast run, and
 * after one that no load explains.
 */
function millisecondsOf(expression: RegExp, text: string): number {
  let best: number | undefined;
  for (let run = 0; run < 5 && (best === undefined || (best > quickMs && best < hopelessMs)); run += 1) {
    const started = process.cpuUsage();
    expression.lastIndex = 0;
    if (expression.global) text.replaceAll(expression, '');
    else expression.exec(text);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best ?? Infinity, (user + system) / 1_000);
  }
  return best ?? 0;
}

/**
 * Lengths of attack strings, shortest first, so that an exponential expression is found while it still terminates. On
 * the longest, a linear expression takes about 0.1 ms, and a quadratic one between 130 ms and a second.
 */
const lengths = [10, 18, 22, 26, 30, 34, 38, 42, 46, 400, 3_000, 24_000];
const quickMs = 20;
const slowMs = 60;
const hopelessMs = 240;

/** Returns the first attack that exceeds the time limit; undefined if there is none. */
function slowest(expression: RegExp): { readonly attack: Attack; readonly length: number } | undefined {
  for (const attack of attacksOn(expression)) {
    for (const length of lengths) {
      if (millisecondsOf(expression, textOf(attack, length)) > slowMs) return { attack, length };
    }
  }
  return undefined;
}

describe('regular expressions', () => {
  it('are found, and slow ones are recognized', () => {
    assert.ok(expressions.length > 250, `${expressions.length} expressions`);
    const source = '^(today|now';
    assert.ok(
      expressions.some((expression) => expression.source.startsWith(source)),
      'one that is put together',
    );
    for (const slow of [/\s+$/, /\(.*?\)/g, /(?:a|a)*b/]) {
      assert.notEqual(slowest(slow), undefined, String(slow));
    }
    for (const quick of [/^\s+/, /[^\w]+/g, /^'(?:[^']|'')*'$/])
      assert.equal(slowest(quick), undefined, String(quick));
  });

  it('take linear time', () => {
    const slow = expressions.flatMap((expression) => {
      const found = slowest(expression);
      return found === undefined ? [] : [`${String(expression)} with ${JSON.stringify(found.attack)}`];
    });
    assert.deepEqual(slow, []);
  });
});
