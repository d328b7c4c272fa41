/** What a row of a control says about its last run. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { outcomeText } from '#core/controls/outcome-messages.ts';

suite('the last outcome of a control', () => {
  for (const [outcome, rows, text] of [
    ['warn', 6, 'Warning, 6 rows, this minute'],
    ['fail', 1, 'Failed, 1 row, this minute'],
    ['pass', 0, 'Pass, this minute'],
    ['fail', undefined, 'Failed, this minute'],
    ['error', 3, 'Error, this minute'],
  ] as const)
    test(`${outcome} with ${String(rows)} rows`, () => {
      assert.equal(outcomeText({ outcome, at: Date.now(), ...(rows !== undefined && { rows }) }), text);
    });
});
