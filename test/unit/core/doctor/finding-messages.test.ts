/** The consequence of a finding is true of what the client does about it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Seen } from '#api/client/doctor/finding.ts';
import { findingWords } from '#core/doctor/finding-messages.ts';

suite('the position of an SQL error', () => {
  const request = 'POST /v1/query/execute';
  const cases: readonly (readonly [string, Seen, RegExp])[] = [
    [
      'with another status is read by its code',
      { kind: 'status', request, status: 422, code: 'QUERY_PARSE_ERROR' },
      /^Nothing: the code/,
    ],
    ['with another code has no marker', { kind: 'status', request, status: 400, code: 'X' }, /missing/],
    ['that is not told has no marker', { kind: 'member', request, member: 'details.line' }, /missing/],
    ['that counts from 0 is learned', { kind: 'value', request, member: 'details.line' }, /from 0/],
  ];
  for (const [what, seen, meaning] of cases)
    test(what, () => {
      assert.match(findingWords({ id: 'parse-error', verdict: 'differs', seen }).meaning ?? '', meaning);
    });
});
