/** What beside rows or items tells that there are more, and what does not. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasHints, linkInHeader, saysCut, tellsLongerThan } from '#api/client/answers/more-hints.ts';
import type { JsonValue } from '#api/client/json.ts';

type Members = Readonly<Record<string, JsonValue>>;

/** Whether a response with five items is told to be a part. */
function tellsMore(members: Members, headers: Readonly<Record<string, string>> = {}): boolean {
  const others = new Map(Object.entries(members));
  return (
    hasHints(others, headers) ||
    saysCut(others, headers) ||
    tellsLongerThan({ rows: 5, pages: 1 }, others, headers)
  );
}

const more: readonly Members[] = [
  { has_more: 1 },
  { hasMore: 'yes' },
  { hasMoreRows: 'Y' },
  { more: '1' },
  { last: 0 },
  { isLast: 'no' },
  { complete: 0 },
  { a: { b: { c: { next: 'x' } } } },
  { marker: 'abc' },
  ...[
    { paging: { cursors: { before: 'x', after: 'y' } } },
    { next_offset: 0 },
    { offset: 50 },
    { start_next: 'x' },
  ],
  { pageState: 'abc' },
  { LastEvaluatedKey: { id: 'x' } },
  { links: [{ rel: 'NEXT', href: '/x' }] },
  { links: [{ rel: ['self', 'next'], href: '/x' }] },
  { link: [{ relation: 'next', url: '/x' }] },
  { numFound: 12 },
  { found: 12 },
  { nbPages: 3 },
  { range: '0-4/12' },
  { showing: '1 to 5 of 12' },
  { notice: 'Only the first 5 are shown.' },
  { warnings: ['Result truncated to 5 rows'] },
  { warnings: [{ code: 'ROW_LIMIT', message: 'The row limit was reached.' }] },
  { meta: { message: 'There are more results.' } },
  { rowsComplete: 'false', is_complete: 'n' },
  { last_page: 3 },
  { childrenCount: 9 },
  { more_count: 9 },
  { endOfResults: false },
  { stats: { totalRows: 900 } },
  { rows_before_limit_at_least: 900 },
  { info: 'Showing 1 to 5 of 12' },
  { pagination: '1-5/12' },
  // Flags of a limit, the reason of an end, and shares of the whole.
  ...['limitReached', 'row_limit_hit', 'maxRowsReached', 'isOverLimit', 'hit_row_limit', 'reachedMax'].map(
    (name) => ({ [name]: true }),
  ),
  { overflow: true },
  { sampled: 'true' },
  { row_limit_reached: 1 },
  { truncatedRows: 7 },
  { truncated: 'ROW_LIMIT' },
  { truncationReason: 'MAX_ROWS' },
  { partial: 'rows' },
  { stopReason: 'limit' },
  { finish_reason: 'length' },
  { meta: { endReason: 'MAX_RESULT_SIZE' } },
  ...[
    ...[
      'Cut to stay within the size limit',
      'no budget left',
      'not all rows: limit',
      'ROW_LIMIT',
      'time out',
    ],
    ...['no more rows; limit reached', 'because of the row limit', 'under load: the row limit'],
  ].map((reason) => ({ reason })),
  ...[
    'terminationReason',
    'resultTruncationReason',
    'earlyEndReason',
    'row_limit_reason',
    'partialReason',
  ].map((name) => ({ [name]: 'MAX_ROWS' })),
  // Rows that are not the final ones, or not of all sources.
  ...['preview', 'isPreview', 'interim', 'is_provisional', 'limitApplied', 'row_limit_applied'].map(
    (name) => ({ [name]: true }),
  ),
  ...['finished', 'is_finished', 'exhaustive', 'allRows', 'has_all_results', 'fetchedAll', 'isWhole'].map(
    (name) => ({ [name]: false }),
  ),
  ...['failedShards', 'shards_failed', 'missing_partitions', 'partitionsUnavailable', 'timedOutNodes'].map(
    (name) => ({ meta: { [name]: 1 } }),
  ),
  ...['unavailable_partitions', 'skippedSources', 'incompleteReasons'].map((name) => ({ [name]: ['x'] })),
  { complete: 'partially' },
  { result_complete: 'N' },
  { resultTruncation: 'ROW_COUNT' },
  ...['SAMPLE', 'partial', 'preview', 'truncated_rows', 'limited'].flatMap((text): readonly Members[] => [
    { resultType: text },
    { response_kind: text },
  ]),
  { done: 'limit' },
  { complete: 'ROW_LIMIT' },
  { sampled: true, trace: { sampled: true } },
  { engine: { stopReason: 'MAX_ROWS' } },
  { scan: { endReason: 'limit' } },
  { completeness: 'partial' },
  { completeness: 0.4 },
  { progress: '40 %' },
  { percentComplete: 40 },
  ...['RESULT_TRUNCATED', 'ROW_LIMIT_EXCEEDED', 'MAX_ROWS_REACHED', 'PARTIAL_RESULTS'].flatMap(
    (code): readonly Members[] => [{ warnings: [code] }, { notices: [{ code }] }],
  ),
  ...[
    'The row limit of 5 was applied.',
    'The maximum number of rows was exceeded.',
    'Reached the limit of result rows.',
    'The result size exceeds 5 MB.',
    'Query exceeded the time limit.',
    'The maximum was not exceeded, but the limit was hit: it reached the maximum of 5.',
    'First 5 of 12 rows',
    'First 1 of 12',
    'Nothing was left out, but not all rows are shown.',
    'Row limit of 10,000 reached',
    'The query hit the 10,000 row limit',
    'The result exceeds 2.5 million rows; 1.000.000 is the limit.',
    'Results incomplete: no response from 2 of 5 sources',
    'Incomplete: none of the shards answered in time',
    'Truncated: 0 of 3 shards failed',
    'Partial results are shown.',
    'The result was cut off.',
    '12 rows were omitted.',
    'Some rows are missing',
    // What denies one word denies no other.
    ...['Rows skipped: 10', 'rows read: 10, rows skipped: 3', 'rows_omitted=7', '10 items were skipped'],
    ...['10 of 20 rows skipped', '10,000 rows omitted', '1 row was dropped', 'One entry is missing'],
    ...['Rows skipped: 0.5 million', 'rows skipped: 0, rows omitted: 4', 'No items skipped, 3 rows dropped'],
    ...['Rows beyond 5,000 were omitted', 'Rows may be missing', 'More rows: yes', 'Row limit reached: true'],
    ...['Omitted 12 rows', 'Dropped some rows', 'Incomplete: no answer: shard 3', 'Row limit reached: 5'],
    ...['Dropped no column, omitted 3 rows', 'Truncated: 0 of 3 shards failed', 'not all rows skipped: 0'],
  ].map((note) => ({ note })),
];
const noMore: readonly Members[] = [
  { has_more: 0, last: 1 },
  { hasMore: 'no', isLast: 'yes' },
  { current_page: 1, last_page: 1 },
  { preview: false, previewUrl: 'https://a.test', interimResults: 0, limitApplied: false, finished: true },
  {
    finishedAt: '2026-12-01',
    allRows: true,
    exhaustive: true,
    fetchedAll: 'yes',
    readAll: false,
    isWhole: true,
  },
  { failedShards: 0, missingPartitions: [], unavailableNodes: null, skippedSources: 'none', chunks: 3 },
  { shards: { total: 3, failed: 0 }, segmentsPruned: 4, partitionsPruned: 9, failedLogins: 3 },
  {
    complete: 'fully',
    result_complete: 'Y',
    resultType: 'table',
    response_kind: 'RESULT',
    resultTruncation: 'none',
    dataType: 'fixed size',
  },
  // Texts that tell what a result is, or where the last page is.
  ...['rows', 'records', 'RESULT', 'results', 'bytes'].flatMap((text): readonly Members[] => [
    { resultType: text, nextPageToken: null },
    { response_type: text, answerKind: text, resultMode: text },
  ]),
  ...[
    'https://a.test/accounts?page=9&page[size]=50',
    '/accounts?offset=400&limit=50',
    '?maxResults=50&page=9',
    'accounts?page=9&page_size=50',
    'Maxwell',
    'LIMIT',
  ].map((last) => ({ links: { first: last, last, next: null }, results_last: last })),
  { prev_cursor: 'x', next_cursor: null },
  { pageInfo: { startCursor: 'x', endCursor: '', hasNextPage: false, hasPreviousPage: true } },
  { paging: { cursors: { before: 'x' } }, previousPageToken: 'x', currentToken: 'x' },
  { offset: 0, limit: 50, skip: '0' },
  { found: 5, numFound: 5, total: 5, hits: 5 },
  { range: '0-4/5' },
  { links: [{ rel: 'self', href: '/x' }, { rel: 'prev' }] },
  { cacheHits: 40, rowsScanned: 900, limit: 50, pageSize: 50 },
  { message: 'No more results.', notice: 'The result was not truncated.' },
  { warnings: ['The column type is deprecated.'], info: 'Sorted by the first column.' },
  { finishedAt: '2026-11-30T16:00:00Z', completedSteps: 0 },
  // Words and numbers under names that are not of flags.
  { lastInsertId: '0', lastOid: '0', finalState: '0', endPosition: '0', completed: 'n', remainingQuota: '1' },
  { page: 0, last_page: 0 },
  { uncapped: true, unlimited: 'true', untruncated: true, endpointEnabled: false, ended: true },
  { limitReached: false, maxRowsReached: 'no', cacheHit: true, cap: 5, endReached: true, captured: true },
  { truncated: 'none', truncationReason: '', partial: 'no', finish_reason: 'stop', stopReason: 'completed' },
  { completeness: 1, progress: 100, percentComplete: '100%', coverage: 'full', reason: 'Asked by a person' },
  // Reasons of something else, and reasons that deny a limit.
  { cache: { missReason: 'entry size' }, queue: { reason: 'concurrency limit' } },
  { statusReason: 'completed within the time limit', engineReason: 'small result size' },
  { stopReason: 'completed within the time limit', endReason: 'no row limit', reason: 'not truncated' },
  { finishReason: 'below the maximum', trace: { sampled: true }, tracing: { sampled: 'true' } },
  { traceSampled: true, scheduling: { reason: 'MAX_SLOTS' }, cacheReason: 'size' },
  // A member as deep as no leaf, or as odd as no number.
  { a: { b: { c: { d: { e: { toString: 1, valueOf: 1 } } } } }, offset: [{ toString: 1 }] },
  { endReason: 'NO_LIMIT', completeness: 'unlimited', truncatedRows: 0, sampleSize: 5 },
  // Counts and ranges of something else.
  { attemptCount: 9, retry_count: 9, warningCount: 9, requestCount: 9 },
  { stats: { cache: { hits: 12 }, scanned: { rows: 100 }, totalSplits: 40 }, metrics: { entries: 9 } },
  { id: '2-3/2026', path: '/v1/3-14/159', period: '1-2 of 2026' },
  { warnings: ['Memory use exceeded 80 percent of 2 GB'], info: { sql: 'SELECT 1 -- more rows' } },
  { notes: [{ query: 'SELECT 1 -- not all', message: 'fine' }] },
  ...[
    'No row limit was applied.',
    '5 rows (row limit 10000)',
    'Nothing was truncated.',
    'Cache hit for this result',
    'Masking was applied to the rows.',
    'No limit was exceeded.',
    'truncated: false',
    'truncated=false limit=10',
    'truncated: no, capped: 0; partial = none',
    'The limit was set. 5 rows were hit, 2 reached',
    'The row limit was not reached.',
    'First 5 of 5',
    'The first 5 rows of 5',
    'No results were cut.',
    'No rows were omitted, none is missing.',
    'NO_LIMIT_REACHED',
    // That none is missing is said in as many ways.
    ...['Rows skipped: 0', 'rows read: 10, rows skipped: 0', 'rows_omitted=0', 'No items skipped'],
    ...['0 items were skipped', 'No entries were omitted', '0 duplicate rows dropped', '0 of 5 rows skipped'],
    ...['Result column types missing', 'Result cache entry missing', 'None of the rows were skipped'],
    ...['Not a single row was dropped', 'No further rows are missing', 'No other items have been left out'],
    ...['rows skipped=0 limit=10', 'Rows skipped: 0 of 5', 'skipped: none, dropped: no', 'More rows: no'],
    ...['Row limit reached: false', 'Row limit exceeded: no', 'Dropped 0 rows', 'Omitted no items.'],
    ...['(rows omitted: 0)', 'ROWS_SKIPPED: 0', 'No record is missing', 'Zero results were discarded'],
  ].map((info) => ({ info })),
];

suite('five items are a part', () => {
  for (const members of more)
    test(`with ${JSON.stringify(members)}`, () => {
      assert.ok(tellsMore(members));
    });
  for (const [name, value] of [
    ['x-pagination', '{"TotalCount":12}'],
    ['x-pagination', '{"HasNext":true}'],
    ['x-cursor', 'abc'],
    ['x-total', '12'],
    ['x-matched-rows', '12'],
    ['x-wp-totalpages', '3'],
    ['row-count', '12'],
    ['warning', '299 - "The result is incomplete"'],
    ['x-warnings', 'ROW_LIMIT_REACHED'],
    ['link', '</x>; rel="prev", </y>; rel = "last next"'],
    ['x-incomplete', 'true'],
    ['x-result-complete', 'false'],
    ['x-preview', 'yes'],
  ] as const)
    test(`with the header ${name}: ${value}`, () => {
      assert.ok(tellsMore({}, { [name]: value }));
    });
});

suite('five items are not a part', () => {
  for (const members of noMore)
    test(`with ${JSON.stringify(members)}`, () => {
      assert.ok(!tellsMore(members));
    });
  for (const [name, value] of [
    ['x-pagination', '{"TotalCount":5,"HasNext":false}'],
    ['x-pagination', 'on'],
    ['x-envoy-attempt-count', '9'],
    ['x-total-cost', '12'],
    ['x-incomplete', 'false'],
    ['x-result-complete', 'true'],
    ['x-complete-at', '0'],
    ['x-total-units', '9'],
    ['x-cache-total-hits', '9'],
    ['warning', '110 - "Response is stale"'],
    ['link', '</next>; rel="self"; title="next, page"'],
  ] as const)
    test(`with the header ${name}: ${value}`, () => {
      assert.ok(!tellsMore({}, { [name]: value }));
    });
});

suite('the next page in a Link header', () => {
  const headers: Readonly<Record<string, string | undefined>> = {
    '</a>; rel=next': '/a',
    '</a>; REL="Next"': '/a',
    "</a>; rel='next'": '/a',
    '</a>; rel = "prev next"': '/a',
    '</a>;title="x, y";rel="next"': '/a',
    '</a?x=1,2>; rel="first", </b>; rel="next"; foo': '/b',
    '</a>; rel="nextish"': undefined,
    '</a>; title="rel=next"': undefined,
    '</a>; title="a; rel=next; b"; rel="prev"': undefined,
    '</a>; title="a, <b>"; rel="next"': '/a',
    '</a>; title="a, <b>; rel=next"; rel="prev"': undefined,
    '</a>; title="\\"; rel=next; \\""; rel=next': '/a',
    '</a>; rel="prev"; rel="next"': undefined,
    next: undefined,
    '': undefined,
  };
  for (const [header, address] of Object.entries(headers))
    test(header, () => {
      assert.equal(linkInHeader(header), address);
    });
  test('in several headers', () => {
    assert.equal(linkInHeader(['</a>; rel="prev"', '</b>; rel="next"']), '/b');
  });
});
