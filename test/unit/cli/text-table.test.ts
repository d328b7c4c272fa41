import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextTable } from '#cli/terminal/text-table.ts';

test('a table has the start of long values on a terminal, and whole values in a pipe', () => {
  const long = 'x'.repeat(300);
  const lengthIn = (cells: 'whole' | 'start') =>
    Math.max(
      ...new TextTable([{ name: 'v' }], cells)
        .rows([[long]])
        .split('\n')
        .map((line) => line.length),
    );
  assert.equal(lengthIn('start'), 60);
  assert.equal(lengthIn('whole'), 300);
});
