/**
 * Every regular expression of the sources takes time in proportion to the text, whatever the text: a quadratic one stops
 * an editor with the name of a column. Expressions are found in the sources, so that a new one is tried too.
 * test/fuzz/expressions.fuzz.ts does the same with a megabyte.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacksOn, textOf, type Attack } from '../helpers/regex-attacks.ts';
import { expressionsOfSources } from '../helpers/regex-sources.ts';

const expressions = await expressionsOfSources();

/** The least of some runs: others use the processor too. Stops when one was quick. */
function millisecondsOf(expression: RegExp, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 5 && best > quickMs; run += 1) {
    const started = process.cpuUsage();
    expression.lastIndex = 0;
    if (expression.global) text.replaceAll(expression, '');
    else expression.exec(text);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/**
 * From short to long, so that an exponential one is met while it still ends. A linear one takes about a tenth of a
 * millisecond for the longest, a quadratic one from 130 on a fast machine to a second.
 */
const lengths = [10, 18, 22, 26, 30, 34, 38, 42, 46, 400, 3_000, 24_000];
const quickMs = 20;
const slowMs = 60;

/** The attack that takes more than its share; undefined where there is none. */
function slowest(expression: RegExp): { readonly attack: Attack; readonly length: number } | undefined {
  for (const attack of attacksOn(expression)) {
    for (const length of lengths) {
      if (millisecondsOf(expression, textOf(attack, length)) > slowMs) return { attack, length };
    }
  }
  return undefined;
}

describe('regular expressions', () => {
  it('are found, and slow ones are recognised', () => {
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

  it('take time in proportion to the text', () => {
    const slow = expressions.flatMap((expression) => {
      const found = slowest(expression);
      return found === undefined ? [] : [`${String(expression)} with ${JSON.stringify(found.attack)}`];
    });
    assert.deepEqual(slow, []);
  });
});
