/** What beside rows or items tells that there are more, and what does not. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasHints, linkInHeader, saysCut, tellsLongerThan } from '#api/client/answers/more-hints.ts';
import type { JsonValue } from '#api/client/json.ts';

type Members = Readonly<Record<string, JsonValue>>;

/** Whether a response with five items is told to be a part. */
function tellsMore(members: Members, headers: Readonly<Record<string, string>> = {}): boolean {
  const others = new Map(Object.entries(members));
  return hasHints(others, headers) || saysCut(others) || tellsLongerThan(5, others, headers);
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
];
const noMore: readonly Members[] = [
  { has_more: 0, last: 1 },
  { hasMore: 'no', isLast: 'yes' },
  { current_page: 1, last_page: 1 },
  { found: 5, numFound: 5, total: 5, hits: 5 },
  { range: '0-4/5' },
  { links: [{ rel: 'self', href: '/x' }, { rel: 'prev' }] },
  { cacheHits: 40, rowsScanned: 900, limit: 50, pageSize: 50 },
  { message: 'No more results.', notice: 'The result was not truncated.' },
  { warnings: ['The column type is deprecated.'], info: 'Sorted by the first column.' },
  { finishedAt: '2026-11-30T16:00:00Z', completedSteps: 0 },
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
    ['link', '</x>; rel="prev", </y>; rel = "last next"'],
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
