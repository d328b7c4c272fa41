/** Options of the service that are dates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOption, UsageError } from '#service/process.ts';

test('a day that is none is refused, not taken for another one', () => {
  for (const text of [
    '1.2.2026',
    '2026-02-31',
    '2026-13-01',
    '2026-00-10',
    'yesterday',
    '2026',
    '2026-02-28T25:00:00Z',
  ])
    assert.throws(() => dateOption('since', text), UsageError, text);
  assert.equal(dateOption('since', '2028-02-29'), Date.UTC(2028, 1, 29));
  assert.equal(dateOption('since', '2026-02-28T10:00:00+02:00'), Date.UTC(2026, 1, 28, 8));
});
