/** Files of rows that DuckDB sorts, filters and pages, as the panel does with rows in memory. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as duckdb from '@duckdb/node-api';
import { quoteText } from '#base/sql-names.ts';
import { arrangedSql, jsonFunctions, valuesSql, type ArrangedColumn } from '#core/duckdb/arranged-sql.ts';
import { columnTypeOf, valueOf } from '#core/duckdb/duckdb-values.ts';
import { fileRows, fileValues, type RowsFile } from '#core/duckdb/file-rows.ts';
import { giveJsonFunctions } from '#core/duckdb/locked-duckdb.ts';
import { withJson } from '#core/duckdb/query-files.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { FilterRule, SortAndFilters, StoreColumn } from '#core/rows/rows.ts';

const root = path.join(import.meta.dirname, '../../../..');
const library = path.join(root, 'node_modules/@duckdb/node-api');
const script = new URL('../../../../core/src/duckdb/duckdb-process.ts', import.meta.url);
const { signal } = new AbortController();

let folder: string;
let file: RowsFile;
let connection: duckdb.DuckDBConnection;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-file-rows-'));
  const parquet = path.join(folder, "o'rows.parquet");
  connection = await (await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  // The product takes any version, so its types are wider.
  await giveJsonFunctions(connection, duckdb as unknown as Parameters<typeof giveJsonFunctions>[1]);
  await connection.run(`COPY (
    SELECT * FROM (VALUES
      (1::BIGINT, 'Ärzte', 1.5::DECIMAL(10,2), 0.1::FLOAT, 2.0::DOUBLE, true, DATE '2026-01-31',
        TIMESTAMPTZ '2026-01-31 08:00:00+00', UUID '00000000-0000-0000-0000-000000000001', {'a': [1], 'd': 1.50::DECIMAL(30,2), 'b': 12345678901234567890::HUGEINT}, '\\xFF'::BLOB,
        INTERVAL 2 DAY, TIME '08:00:00', 'a'::VARCHAR),
      (2, 'arzt', 10, 9.25, -1e300, false, DATE '2026-02-01', TIMESTAMPTZ '2026-02-01 00:30:00+02',
        UUID '00000000-0000-0000-0000-00000000000a', {'a': [2], 'd': 9007199254740993.25, 'b': 2}, ''::BLOB, INTERVAL 1 MONTH, TIME '23:59:59.5', 'b'),
      (9007199254740993, '100%_\\\\''x', 9.75, 1e10, 3.25, NULL, DATE '1999-12-31', TIMESTAMPTZ '1999-12-31 23:59:59.123+00',
        UUID 'ffffffff-0000-0000-0000-000000000000', {'a': [], 'd': NULL, 'b': 0}, '\\x00'::BLOB, INTERVAL 36 HOUR, TIME '00:00:00', 'B'),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (-5, '', 0, 0, 0, true, DATE '2026-01-31', TIMESTAMPTZ '2026-01-31 08:00:00+00',
        UUID '00000000-0000-0000-0000-000000000001', {'a': [1], 'd': 1.50, 'b': 12345678901234567890}, '\\xFF'::BLOB, INTERVAL 2 DAY, TIME '08:00:00', 'a'),
      (6, 'x' || chr(0), -1, 1e-7, 'NaN', true, '-infinity', '0044-03-15 (BC) 10:00:00+00', NULL, NULL, NULL, INTERVAL 48 HOUR, NULL, NULL),
      (7, NULL, NULL, 'inf', '-inf', NULL, '0044-03-15 (BC)', '-infinity', NULL, NULL, NULL, NULL, NULL, NULL),
      (8, NULL, NULL, NULL, 1e-7, NULL, '10000-01-31', '10000-01-31 00:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL)
    ) AS t(i, t, n, f, d, b, day, "at", u, j, y, "interval", tod, "select ""x")
  ) TO '${parquet.replaceAll("'", "''")}' (FORMAT parquet)`);
  await connection.run(`CREATE VIEW file AS FROM '${parquet.replaceAll("'", "''")}'`);
  file = { library, script, file: { path: parquet, format: 'parquet' } };
});
after(() => rm(folder, { recursive: true }));

/** What DuckDB answers, in this process, which is quicker than one for each question. */
async function answer(sql: string) {
  const stream = await connection.stream(sql);
  const types = stream.columnTypes().map(columnTypeOf);
  const columns = stream.deduplicatedColumnNames().map((name, at) => ({ name, type: types[at] ?? '' }));
  const rows: (readonly unknown[])[] = [];
  for (;;) {
    const chunk = await stream.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return await shownOf(columns, withJson(columns, rows));
    rows.push(...chunk.getRows().map((row) => row.map((value, at) => valueOf(value, types[at]))));
  }
}

/** The rows as the panel shows them, and what it makes of them in memory. */
async function shownOf(columns: readonly StoreColumn[], rows: readonly (readonly unknown[])[]) {
  const data = createLocalData().create(columns);
  const { kinds } = await data.append(rows);
  const shown = async (wanted: SortAndFilters) => {
    const rowCount = await data.ask('sortAndFilter', wanted);
    const all = columns.map((_, at) => at);
    const window = await data.ask('window', { firstRow: 0, rowCount: Math.max(1, rowCount), columns: all });
    return Array.from({ length: rowCount }, (_, row) =>
      window.columns.map(({ cells }) => cells[row] ?? null),
    );
  };
  return {
    columns: columns.map((column, at): ArrangedColumn => ({ ...column, kind: kinds[at] ?? 'text' })),
    values: async (column: number) => (await data.ask('values', { column })).values,
    rows: await shown({ sort: [], filters: [] }),
    shown,
  };
}

describe('a file of rows by DuckDB', () => {
  it('sorts each column as rows in memory, and NULL last', async () => {
    const memory = await answer('FROM file');
    for (const [column, { name }] of memory.columns.entries())
      for (const descending of [false, true]) {
        // The first column decides between equal values, for which each side has an order of its own.
        const sort = [
          { column, descending },
          { column: 0, descending: false },
        ];
        const wanted = { columns: memory.columns, sort, filters: [] };
        assert.deepEqual(
          (await answer(arrangedSql('file', wanted))).rows.map((row) => row[column]),
          (await memory.shown(wanted)).map((row) => row[column]),
          `${name} ${descending ? 'descending' : 'ascending'}`,
        );
      }
  });

  it('filters each column by its own values, bounds and texts as rows in memory, and counts them', async () => {
    const memory = await answer('FROM file');
    const differences: string[] = [];
    for (const [column, { name }] of memory.columns.entries()) {
      const values = await memory.values(column);
      const texts = values.map(({ text }) => text);
      const given = texts.filter((text) => text !== null);
      const rules: readonly FilterRule[] = [
        ...texts.map((text) => ({ kind: 'values' as const, values: [text] })),
        { kind: 'values', values: texts },
        { kind: 'null', isNull: true },
        { kind: 'null', isNull: false },
        ...[...given, (given[1] ?? '').replaceAll(',', ' , '), 'no value', "'", '1'].flatMap((text) =>
          (['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => ({
            kind: 'compare' as const,
            operator,
            text,
          })),
        ),
        ...[given[1]?.slice(0, 2) ?? '', '%', 'ÄR', "\\'x", 'BC', 'infinity', 'NaN', '\0'].flatMap((text) =>
          (['contains', 'does-not-contain', 'equals', 'starts-with', 'ends-with'] as const).flatMap(
            (operator) =>
              [true, false].map((matchCase) => ({ kind: 'text' as const, operator, text, matchCase })),
          ),
        ),
      ];
      const wanted = (rule: FilterRule) => ({
        columns: memory.columns,
        sort: [],
        filters: [{ column, rule }],
      });
      // One question for all rules: each has its rows.
      const parts = rules.map((rule, at) => `SELECT ${at}, i FROM (${arrangedSql('file', wanted(rule))})`);
      const { rows } = await answer(parts.join(' UNION ALL '));
      for (const [at, rule] of rules.entries()) {
        const expected = (await memory.shown(wanted(rule))).map(([first]) => first);
        const found = rows.flatMap(([of, first]) => (of === String(at) ? [first] : []));
        if (String(found) !== String(expected))
          differences.push(`${name} ${JSON.stringify(rule)}: ${String(found)}, not ${String(expected)}`);
      }
    }
    assert.deepEqual(differences, []);
  });

  it('offers the values of a column as the rows show them, with the filters of the others', async () => {
    const { columns } = await answer('FROM file');
    for (const [column, name] of [
      [0, 'i'],
      [9, 'j'],
    ] as const) {
      const { values, distinct } = await fileValues(
        file,
        { columns, sort: [], filters: [{ column, rule: { kind: 'null', isNull: true } }] },
        { column, signal },
      );
      const memory = await (await answer('FROM file')).values(column);
      const sorted = (some: typeof values) => some.map(({ text, count }) => `${text} ${count}`).sort();
      assert.deepEqual(sorted(values), sorted(memory), name);
      assert.equal(distinct, memory.length);
    }
  });

  it('finds JSON by its content, as in memory', async () => {
    const texts = [
      '{"b":1,"a":2}',
      '{ "a" : 2.0, "b" : 1e0 }',
      '{"a":2,"b":12345678901234567890.10}',
      '{"a":2,"b":12345678901234567890.11}',
      '{"b":12345678901234567890.1,"a":2}',
      '"\\u00e9"',
      '"é"',
      '[1, [2, {"x": null}]]',
      '[1,[2,{"x":null}]]',
      '[1,[{"x":null},2]]',
      'null',
      '1.0',
      '1',
      '"1"',
      '{"__proto__":1,"":2}',
      '{"":2,"__proto__":1}',
    ];
    await connection.run(
      `CREATE OR REPLACE VIEW texts AS SELECT i, CAST(j AS JSON) AS j FROM (VALUES ${[...texts, null]
        .map((text, row) => `(${row}, ${text === null ? 'NULL' : quoteText(text)})`)
        .join(', ')}) AS t(i, j)`,
    );
    const memory = await answer('FROM texts');
    const { columns } = memory;
    const differences: string[] = [];
    const offered = await memory.values(1);
    const rules: FilterRule[] = [
      { kind: 'null', isNull: true },
      { kind: 'null', isNull: false },
      ...offered.map(({ text }) => ({ kind: 'values' as const, values: [text] })),
      ...[...texts, '{"a":2,"b":1}', '{"a": 2, ', 'x'].flatMap((text) => [
        { kind: 'compare' as const, operator: '=' as const, text },
        { kind: 'compare' as const, operator: '<>' as const, text },
        { kind: 'text' as const, operator: 'contains' as const, text, matchCase: true },
      ]),
    ];
    for (const rule of rules) {
      const wanted = { columns, sort: [{ column: 0, descending: false }], filters: [{ column: 1, rule }] };
      const [found, expected] = [
        (await answer(arrangedSql('texts', wanted))).rows,
        await memory.shown(wanted),
      ].map((rows) => rows.map(([row]) => row).join());
      if (found !== expected)
        differences.push(`${JSON.stringify(rule)}: ${found ?? ''}, not ${expected ?? ''}`);
    }
    assert.deepEqual(differences, []);
    const values = await answer(
      valuesSql('texts', { columns, sort: [], filters: [] }, { column: 1, limit: 99 }),
    );
    assert.deepEqual(
      values.rows.map(([, count]) => count),
      offered.map(({ count }) => String(count)),
    );
  });

  it('compares JSON by its own means where DuckDB takes no functions', async () => {
    const older = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
    await giveJsonFunctions(older, {});
    const texts = ['{ "a": 1}', 'no JSON', ' null '];
    const keys = texts.map((text) => `${jsonFunctions.key}(${quoteText(text)})`);
    const found = await older.runAndReadAll(`SELECT ${keys.join(', ')}`);
    assert.deepEqual(found.getRows(), [['{"a":1}', 'no JSON', null]]);
  });

  it('reads pages when they are asked for, and says how many rows match', async () => {
    const many = path.join(folder, 'many.parquet');
    await connection.run(`COPY (SELECT range AS n, range % 7 AS rest FROM range(50000)) TO '${many}'`);
    const columns: readonly ArrangedColumn[] = [
      { name: 'n', type: 'int8', kind: 'number' },
      { name: 'rest', type: 'int8', kind: 'number' },
    ];
    const filters = [{ column: 1, rule: { kind: 'compare', operator: '=', text: '3' } }] as const;
    const sort = [{ column: 0, descending: true }];
    const source = { library, script, file: { path: many, format: 'parquet' } } as const;
    const pages = fileRows(source, { columns, sort, filters }, signal);
    const first = (await pages.next()).value ?? assert.fail();
    assert.equal(first.totalRows, 7143);
    assert.equal(first.isLast, false);
    assert.deepEqual((first.rows as readonly unknown[])[0], [49997n, 3n]);
    assert.ok(first.rows.length < 7143);
    await pages.return(undefined);
  });

  it('sorts page after page, each row once, equal ones in the order of the file', async () => {
    const equal = path.join(folder, 'equal.parquet');
    const count = 40_000;
    await connection.run(`COPY (SELECT range AS n, range % 3 AS rest FROM range(${count})) TO '${equal}'`);
    const columns: readonly ArrangedColumn[] = [
      { name: 'n', type: 'int8', kind: 'number' },
      { name: 'rest', type: 'int8', kind: 'number' },
    ];
    const source = { library, script, file: { path: equal, format: 'parquet' } } as const;
    const sort = [{ column: 1, descending: true }];
    const rows: (readonly bigint[])[] = [];
    let isComplete = false;
    for await (const page of fileRows(source, { columns, sort, filters: [] }, signal)) {
      rows.push(...(page.rows as readonly (readonly bigint[])[]));
      isComplete = page.isLast;
    }
    const expected = Array.from({ length: count }, (_, n) => n).sort((a, b) => (b % 3) - (a % 3) || a - b);
    assert.deepEqual(
      rows.map(([n]) => Number(n)),
      expected,
    );
    assert.equal(isComplete, true);
  });

  it('sorts and filters numbers of CSV, which has no types, as numbers', async () => {
    const csv = path.join(folder, 'sizes.csv');
    await writeFile(csv, 'name,size\r\nb,10\r\na,9\r\nc,\r\n');
    const columns: readonly ArrangedColumn[] = [
      { name: 'name', type: '', kind: 'text' },
      { name: 'size', type: '', kind: 'number' },
    ];
    const rowsOf = async (wanted: Partial<SortAndFilters>) => {
      const rows: unknown[] = [];
      const source = { library, script, file: { path: csv, format: 'csv' } } as const;
      const pages = fileRows(source, { columns, sort: [], filters: [], ...wanted }, signal);
      for await (const page of pages) {
        assert.deepEqual(
          page.columns.map(({ type }) => type),
          ['', ''],
        );
        rows.push(...(page.rows as unknown[]));
      }
      return rows;
    };
    assert.deepEqual(await rowsOf({ sort: [{ column: 1, descending: false }] }), [
      ['a', '9'],
      ['b', '10'],
      ['c', null],
    ]);
    const rule = { kind: 'compare', operator: '>', text: '9.5' } as const;
    assert.deepEqual(await rowsOf({ filters: [{ column: 1, rule }] }), [['b', '10']]);
  });
});
