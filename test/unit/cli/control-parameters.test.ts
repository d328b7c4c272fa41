/** A value that no control takes is refused, since the default would stay in place. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CliError } from '#cli/context.ts';
import { requireUsed } from '#cli/controls/run-controls.ts';
import { enteredParameters } from '#cli/run/parameters.ts';
import { readControl } from '#core/controls/control.ts';

function isUsed(parameter: string, ...lines: readonly string[]): boolean {
  const text = ['-- @control AC-1', ...lines].join('\n');
  const control = readControl(text);
  assert.ok(control !== undefined);
  try {
    requireUsed(enteredParameters([parameter]), [{ control, text }]);
    return true;
  } catch (error) {
    assert.ok(error instanceof CliError);
    return false;
  }
}

describe('the value of a parameter', () => {
  it('is taken where the query or its population has the placeholder', () => {
    assert.ok(isUsed('since=1', 'SELECT * FROM a WHERE b > :since'));
    assert.ok(isUsed('date=1', 'SELECT a::date FROM a WHERE b > :date::date'));
    assert.ok(isUsed('x=1', "-- @param x text = 'a'", 'SELECT 1'));
    assert.ok(isUsed('x=1', '-- @population SELECT count(*) FROM a WHERE b = :x', 'SELECT 1'));
  });

  it('is refused where the text only looks like it', () => {
    for (const line of [
      'SELECT a::date FROM a',
      'SELECT a :: date FROM a',
      "SELECT ':date'",
      'SELECT ":date" FROM a',
      'SELECT $$ :date $$',
      'SELECT 1 -- :date',
      'SELECT 1 /* :date */',
      'SELECT :dates, :date_1',
      'SELECT a[1:dates] FROM a',
    ])
      assert.ok(!isUsed('date=2020-01-01', line), line);
  });
});
