/** Row counts are formatted in one place, which handles the singular. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeWords } from '#core/history/outcome-labels.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import { textsOf } from '#scripts/lib/texts.js';

await test('only the text "{0} rows" counts rows', () => {
  const counting = ['client/src', 'base', 'core/src'].flatMap((folder) =>
    [...textsOf(folder)].filter(([text]) => /\{\d\} rows\b/.test(text)),
  );
  // Exceptions: text with two numbers, or with a number that is never 1.
  const known = [
    '{0} rows',
    '{0}, first {1} rows',
    '{0} rows in alarm',
    'of {0} rows in all',
    'The first {0} rows follow. Export to get all of them.',
    'The query returns more than {0} rows, so its outcome is unknown.',
  ];
  assert.deepEqual(
    counting.filter(([text]) => !known.includes(text)).map(([text, place]) => `${place} ${text}`),
    [],
  );
});

await test('a run of one row uses the singular, even if there are more', () => {
  const run = { outcome: 'rows', rowCount: 1, ms: 1_200 } as RunRecord; // `outcomeWords` reads no other members
  assert.equal(outcomeWords(run), '1 row in 1.2 s');
  assert.equal(outcomeWords({ ...run, hasMore: true }), '1 row and more in 1.2 s');
  assert.equal(outcomeWords({ ...run, rowCount: 2 }), '2 rows in 1.2 s');
});
