/** Filtering, grouping and sorting the view, and the items to redraw. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  arrangeQueries,
  compareArrangements,
  splitName,
  type Arrangement,
  type QueryGroup,
} from '#core/saved-queries/arrange-queries.ts';
import { nameOrder, type KnownQuery } from '#core/saved-queries/known-query.ts';

function query(name: string, fields: Partial<KnownQuery> = {}): KnownQuery {
  return { query_id: name, name, model: 'platform_identity', version: 1, ...fields };
}

const textOf = (queryId: string) => (queryId === 'Admins' ? 'SELECT last_login FROM accounts' : undefined);

const plain: Arrangement = { grouping: 'prefix', sorting: 'name', filter: '' };

function arrange(
  queries: readonly KnownQuery[],
  fields: Partial<Arrangement> = {},
  marked: Partial<Parameters<typeof arrangeQueries>[2]> = {},
): QueryGroup {
  const sorted = queries.toSorted((a, b) => nameOrder.compare(a.name, b.name));
  return arrangeQueries(sorted, { ...plain, ...fields }, { favourites: [], recent: [], ...marked }, textOf);
}

/** Formats a group as indented lines: its groups with a slash and a count, its rows by label. */
function drawn(group: QueryGroup, indent = ''): string[] {
  return [
    ...group.groups.flatMap((each) => [
      `${indent}${each.label || each.kind}/ ${each.count}`,
      ...drawn(each, `${indent}  `),
    ]),
    ...group.rows.map((row) => indent + row.label),
  ];
}

suite('groups of saved queries', () => {
  test('the parts of a name before slashes are folders, and folders come first', () => {
    const names = [
      'Zebra',
      'Access reviews/Orphans',
      'Access reviews/EU/Admins',
      'access reviews/leavers',
      'Alone',
    ];
    assert.deepEqual(drawn(arrange(names.map((name) => query(name)))), [
      'Access reviews/ 3',
      '  EU/ 1',
      '    Admins',
      '  leavers',
      '  Orphans',
      'Alone',
      'Zebra',
    ]);
  });

  for (const name of ['/', 'a/', '/a', 'a//b', ' / ', 'a / ']) {
    test(`"${name}" has no folder and keeps its whole name`, () => {
      assert.deepEqual(splitName(name), { folders: [], label: name });
    });
  }

  test('are by model or author, if requested', () => {
    const queries = [
      query('b', { model: 'platform_governance', created_by: { type: 'user', id: 'mara' } }),
      query('a', { created_by: { type: 'user', id: 'jonas' } }),
      query('c'),
    ];
    assert.deepEqual(drawn(arrange(queries, { grouping: 'model' })), [
      'platform_governance/ 1',
      '  b',
      'platform_identity/ 2',
      '  a',
      '  c',
    ]);
    assert.deepEqual(drawn(arrange(queries, { grouping: 'author' })), [
      'author/ 1',
      '  c',
      'jonas/ 1',
      '  a',
      'mara/ 1',
      '  b',
    ]);
    assert.deepEqual(drawn(arrange(queries, { grouping: 'none' })), ['a', 'b', 'c']);
  });

  test('are by last change, newest first, if requested', () => {
    const queries = [
      query('old', { last_modified_at: '2026-01-01T00:00:00Z' }),
      query('new', { last_modified_at: '2026-03-01T00:00:00+02:00' }),
      query('never said'),
      query('created', { created_at: '2026-02-01T00:00:00Z' }),
    ];
    assert.deepEqual(drawn(arrange(queries, { sorting: 'changed' })), [
      'new',
      'created',
      'old',
      'never said',
    ]);
  });

  test('favourites and recently opened queries are listed first, and nowhere while the view is filtered', () => {
    const [a, b] = [query('a'), query('b')];
    const marked = { favourites: [b], recent: [b, a] };
    assert.deepEqual(drawn(arrange([a, b], {}, marked)), [
      'favourites/ 1',
      '  b',
      'recent/ 2',
      '  b',
      '  a',
      'a',
      'b',
    ]);
    assert.deepEqual(drawn(arrange([a, b], { filter: 'b' }, marked)), ['b']);
  });

  test('a filter searches name, description, model, author and text; each word must occur', () => {
    const queries = [
      query('Orphans', { description: 'Accounts without an owner' }),
      query('Leavers', { created_by: { type: 'user', id: 'mara.keller' } }),
      query('Admins', { model: 'platform_governance' }),
    ];
    const filtered = (filter: string) => drawn(arrange(queries, { filter }));
    assert.deepEqual(filtered('OWNER acc'), ['Orphans']);
    assert.deepEqual(filtered('keller'), ['Leavers']);
    assert.deepEqual(filtered('governance'), ['Admins']);
    assert.deepEqual(filtered('owner keller'), []);
    assert.deepEqual(filtered('LAST_LOGIN admins'), ['Admins']);
    assert.deepEqual(filtered('  '), ['Admins', 'Leavers', 'Orphans']);
  });
});

suite('redrawing', () => {
  const queries = ['A/x', 'A/y', 'z'].map((name) => query(name));

  test('is not needed if nothing changed', () => {
    assert.deepEqual(compareArrangements(arrange(queries), arrange(queries)), {
      isStructureChanged: false,
      rows: [],
    });
  });

  test('affects one row if one record changed', () => {
    const changed = queries.map((each) => (each.name === 'A/y' ? { ...each, version: 2 } : each));
    assert.deepEqual(compareArrangements(arrange(queries), arrange(changed)), {
      isStructureChanged: false,
      rows: [{ groupKey: 'prefix:a', queryId: 'A/y' }],
    });
  });

  test('affects both rows of a changed favourite', () => {
    const changed = queries.map((each) => (each.name === 'z' ? { ...each, version: 2 } : each));
    const marked = (from: readonly KnownQuery[]) => ({ favourites: from.filter(({ name }) => name === 'z') });
    const before = arrange(queries, {}, marked(queries));
    const { rows } = compareArrangements(before, arrange(changed, {}, marked(changed)));
    assert.deepEqual(
      rows.map(({ groupKey }) => groupKey),
      ['', 'favourites'],
    );
  });

  test('affects everything if rows are added, removed or moved', () => {
    const before = arrange(queries);
    const without = arrange(queries.slice(1));
    const renamed = arrange(queries.map((each) => (each.name === 'z' ? { ...each, name: 'B/z' } : each)));
    assert.equal(compareArrangements(before, without).isStructureChanged, true);
    assert.equal(compareArrangements(before, renamed).isStructureChanged, true);
  });

  test('affects everything if the order by last change is different', () => {
    const at = (name: string, time: string) => query(name, { last_modified_at: time });
    const before = arrange([at('a', '2026-01-01T00:00:00Z'), at('b', '2026-01-02T00:00:00Z')], {
      sorting: 'changed',
    });
    const after = arrange([at('a', '2026-01-03T00:00:00Z'), at('b', '2026-01-02T00:00:00Z')], {
      sorting: 'changed',
    });
    assert.equal(compareArrangements(before, after).isStructureChanged, true);
  });
});
