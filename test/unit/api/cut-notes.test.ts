/** What a note, a reason or a page size says of the rows of a result: lost rows are never called complete. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasHints, isCutNote } from '#api/client/answers/more-hints.ts';
import { saysError } from '#api/client/answers/outcome.ts';
import { assumedPaging, pageEnd, toldRowsOf } from '#api/client/execute-paging.ts';
import type { JsonValue } from '#api/client/json.ts';

/** Whether the last page of a result, whose paging is known, is taken for its end. */
function isComplete(rowCount: number, members: Readonly<Record<string, JsonValue>>, isFirst = true): boolean {
  const told = { others: new Map(Object.entries(members)), rowCount, isFirst };
  const end = pageEnd(told, {}, assumedPaging);
  return end.kind === 'last' && toldRowsOf(told, {}, end) <= rowCount;
}

suite('a note', () => {
  for (const [rows, note] of [
    [500, 'Result truncated at 5 MB (page size 1000).'],
    [500, 'Result truncated to 2,500 rows (page size 1,000).'],
    [200, 'Only the first 10,000 rows are sent, 1,000 per page.'],
    [40, 'Page size is 100; 3 rows were dropped.'],
  ] as const)
    test(`of a page size and of a cut: ${note}`, () => {
      assert.equal(isComplete(rows, { nextPageToken: null, note }), false);
      assert.equal(isComplete(rows, { nextPageToken: null, note }, false), false);
    });

  for (const note of ['Page size reduced to 200', 'Results are limited to 200 per page.'])
    test(`of a page size alone: ${note}`, () => {
      assert.equal(isComplete(150, { nextPageToken: null, note }), true);
    });

  test('of lost rows is one on a page with a next one, too', () => {
    for (const note of [
      'Result truncated: 3 partitions were skipped. Next page: use nextPageToken.',
      'Partial result: shard 2 did not answer. Continue with the next page.',
    ]) {
      const told = { others: new Map([['note', note]]), rowCount: 200, isFirst: true };
      assert.equal(toldRowsOf(told, {}, { kind: 'more', nextPageToken: 'a' }), Infinity, note);
    }
  });

  for (const text of [
    'Rows of shard 3 missing',
    'Rows on node 3 missing',
    'Rows after that missing',
    'Rows of the last day are missing',
    'Missing rows: 300',
  ])
    test(`of missing rows: ${text}`, () => {
      assert.equal(isCutNote(text), true);
    });

  for (const text of [
    '0 malformed rows skipped',
    'No invalid rows were skipped',
    'No archived items omitted',
    '0 of the 5 rows skipped',
    'None of the 20 rows were dropped',
    'No rows had to be skipped',
    'Missing rows: 0',
    'Result column types missing',
  ])
    test(`that nothing is missing: ${text}`, () => {
      assert.equal(isCutNote(text), false);
    });
});

suite('a reason', () => {
  for (const [name, reason] of [
    ['statusReason', 'ROW_LIMIT'],
    ['doneReason', 'length'],
    ['done_reason', 'length'],
    ['capReason', 'max_rows'],
    ['truncationReason', 'to keep the response within the size limit'],
  ] as const)
    test(`that not all rows were sent: ${name} ${reason}`, () => {
      assert.equal(hasHints(new Map([[name, reason]])), true);
    });

  test('that they were is none', () => {
    assert.equal(hasHints(new Map([['statusReason', 'completed within the time limit']])), false);
  });
});

suite('a severity', () => {
  const messages: readonly Readonly<Record<string, JsonValue>>[] = [
    { severity: 'error', title: 'Shard 3 is down', timestamp: 1_712_345 },
    { severity: 'critical', description: 'node down', id: 12 },
    { type: 'error', detail: 'bad value', row: 5 },
    { severity: 'error', summary: 'Shard 3 is down' },
  ];
  for (const told of messages)
    test(`of a message is an error: ${JSON.stringify(told)}`, () => {
      assert.equal(saysError([['diagnostics', [told]]]), true);
    });

  const counted: readonly Readonly<Record<string, JsonValue>>[] = [
    { type: 'failure', title: 'Failed sign-ins', count: 3 },
    { severity: 'critical', open: 5, title: 'Risks' },
  ];
  for (const told of counted)
    test(`of what is counted is none: ${JSON.stringify(told)}`, () => {
      assert.equal(saysError([['facets', [told]]]), false);
    });
});
