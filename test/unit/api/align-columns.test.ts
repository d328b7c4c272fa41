/** Values stay in the column with their name, on any page and in any order. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { JsonValue } from '#api/client/json.ts';
import { decodeQueryPage } from '#api/client/query-page.ts';

const context = { status: 200, requestId: undefined, request: 'POST /v1/query/execute' };

/** Reads the pages in order; returns the column names and complete rows. */
function read(...pages: readonly JsonValue[]) {
  const aligner = new ColumnAligner();
  const rows: (readonly unknown[])[] = [];
  for (const page of pages) rows.push(...aligner.align(decodeQueryPage(page, context)).rows);
  const names = aligner.columns.map(({ name }) => name);
  return { names, rows: rows.map((row) => names.map((_, at) => row[at] ?? null)) };
}

suite('page columns', () => {
  test('may change their order', () => {
    assert.deepEqual(
      read({ columns: ['a', 'b'], rows: [[1, 2]] }, { columns: ['b', 'a'], rows: [[4, 3]] }),
      { names: ['a', 'b'], rows: [[1, 2], [3, 4]] }, // oxfmt-ignore
    );
  });

  test('may first appear later, or disappear', () => {
    assert.deepEqual(
      read(
        { columns: ['a', 'b'], rows: [[1, 2]] },
        { columns: ['c', 'b'], rows: [[5, 4]] },
        { columns: ['a'], rows: [[6]] },
      ),
      { names: ['a', 'b', 'c'], rows: [[1, 2, null], [null, 4, 5], [6, null, null]] }, // oxfmt-ignore
    );
  });

  test('with the same name are refused where rows are objects, which have one value for both', () => {
    assert.throws(
      () => read({ columns: ['n', 'n'], rows: [{ n: 3 }] }),
      /two columns have the same name.*Name each column with AS\./,
    );
    assert.deepEqual(read({ columns: ['n', 'm'], rows: [{ n: 3 }] }).rows, [[3, null]]);
  });

  test('with the same name keep their order', () => {
    assert.deepEqual(
      read({ columns: ['n', 'n'], rows: [[1, 2]] }, { columns: ['x', 'n', 'n'], rows: [[0, 3, 4]] }),
      { names: ['n', 'n', 'x'], rows: [[1, 2, null], [3, 4, 0]] }, // oxfmt-ignore
    );
  });

  test('may be named only on the first page, which may be empty', () => {
    assert.deepEqual(read({ columns: ['a', 'b'], rows: [] }, { rows: [[1, 2]] }, { rows: [[3, 4, 5]] }), {
      names: ['a', 'b', 'column 3'],
      rows: [[1, 2, null], [3, 4, 5]],
    }); // oxfmt-ignore
  });

  test('may follow an empty page without columns', () => {
    assert.deepEqual(read({ rows: [] }, { columns: ['a'], rows: [[1]] }), { names: ['a'], rows: [[1]] });
  });

  test('are limited for a service that invents endless names', () => {
    const aligner = new ColumnAligner();
    const page = (at: number) => ({ columns: Array.from({ length: 600 }, (_, n) => ({ name: `${at}-${n}` })), rows: [] }); // oxfmt-ignore
    assert.throws(() => {
      for (let at = 0; at < 100; at += 1) aligner.align(page(at));
    }, /10,000 columns/);
  });
});

suite('rows that are objects', () => {
  test('may have members in a different order, or that first appear in a later row', () => {
    assert.deepEqual(read({ data: [{ a: 1 }, { b: 3, a: 2 }] }, { data: [{ c: 5, a: 4 }] }), {
      names: ['a', 'b', 'c'],
      rows: [[1, null, null], [2, 3, null], [4, null, 5]],
    }); // oxfmt-ignore
  });

  test('may have more members than there are columns', () => {
    assert.deepEqual(read({ columns: ['a'], rows: [{ a: 1, more: 2 }] }), {
      names: ['a', 'more'],
      rows: [[1, 2]],
    });
  });

  test('may have members that every object inherits', () => {
    assert.deepEqual(read({ rows: [{ a: 1 }, { constructor: 2 }] }), {
      names: ['a', 'constructor'],
      rows: [[1, null], [null, 2]],
    }); // oxfmt-ignore
  });

  test('are shown as received if they are neither a list nor an object', () => {
    assert.deepEqual(read({ columns: ['a'], rows: [[1], 'odd', null] }), {
      names: ['a', 'unreadable row'],
      rows: [[1, null], [null, 'odd'], [null, null]],
    }); // oxfmt-ignore
  });
});
