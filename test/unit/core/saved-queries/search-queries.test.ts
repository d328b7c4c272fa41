/** Quick open: matches and their ranking. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { searchQueries, suggestQueries } from '#core/saved-queries/search-queries.ts';

function query(name: string, fields: Partial<KnownQuery> = {}): KnownQuery {
  return { query_id: name, name, model: 'platform_identity', version: 1, ...fields };
}

const queries = [
  query('Admins'),
  query('Leavers', { description: 'Who still has admin rights' }),
  query('Old admins'),
  query('Orphans'),
  query('Unread'),
];
const texts: Record<string, string | undefined> = {
  Admins: 'SELECT 1',
  Leavers: 'SELECT 2',
  'Old admins': 'SELECT 3',
  Orphans: 'SELECT id,\r\n\t owner\r\nFROM accounts -- not an ADMIN',
};

async function search(words: string, limit = 100) {
  const result = await searchQueries(queries, {
    words,
    textOf: (queryId) => texts[queryId],
    limit,
    isCancelled: () => false,
  });
  assert.ok(result);
  return result;
}

const namesOf = (found: readonly { readonly query: KnownQuery }[]) => found.map((each) => each.query.name);

suite('quick open', () => {
  test('ranks names before descriptions and texts, and names that start with the text first', async () => {
    const { found } = await search('admin');
    assert.deepEqual(namesOf(found), ['Admins', 'Old admins', 'Leavers', 'Orphans']);
  });

  test('shows the line of a match in the text', async () => {
    const { found } = await search('OWNER');
    assert.deepEqual(
      found.map((each) => each.line),
      ['owner'],
    );
  });

  test('requires every word, anywhere', async () => {
    assert.deepEqual(namesOf((await search('orphans admin')).found), ['Orphans']);
    assert.deepEqual(namesOf((await search('owner accounts')).found), ['Orphans']);
    assert.deepEqual(namesOf((await search('owner nowhere')).found), []);
  });

  test('counts unknown texts', async () => {
    assert.equal((await search('owner')).unknownTexts, 1);
    assert.equal((await search('unread')).unknownTexts, 0, 'its name matches, so its text does not matter');
  });

  test('shows the best matches, and counts all', async () => {
    const { found, count } = await search('admin', 2);
    assert.deepEqual(namesOf(found), ['Admins', 'Old admins']);
    assert.equal(count, 4);
  });

  test('truncates a long line around the match', async () => {
    const long = [query('long')];
    const text = `SELECT ${'a, '.repeat(200)}needle, ${'b, '.repeat(200)} 1`;
    const result = await searchQueries(long, {
      words: 'needle',
      textOf: () => text,
      limit: 1,
      isCancelled: () => false,
    });
    const line = result?.found[0]?.line ?? '';
    assert.match(line, /^…(a, )+.*needle.*…$/);
    assert.ok(line.length <= 122);
  });

  test('yields during a long search, and stops when it is cancelled', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => query(`Query ${index}`));
    let breaths = 0;
    const result = await searchQueries(many, {
      words: 'x',
      textOf: () => '',
      limit: 1,
      isCancelled: () => {
        breaths += 1;
        return breaths === 3;
      },
    });
    assert.equal(result, undefined);
    assert.equal(breaths, 3);
  });

  test('shows recently opened queries and then recently changed ones before typing', () => {
    const at = (name: string, time: string) => query(name, { last_modified_at: time });
    const [a, b, c] = [
      at('a', '2026-01-01T00:00:00Z'),
      at('b', '2026-01-03T00:00:00Z'),
      at('c', '2026-01-02T00:00:00Z'),
    ];
    assert.deepEqual(
      suggestQueries([a, b, c], [a], 10).map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    assert.equal(suggestQueries([a, b, c], [a], 2).length, 2);
  });
});
