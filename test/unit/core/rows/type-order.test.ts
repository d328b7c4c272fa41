import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { parseJson } from '#api/client/json.ts';
import { packingOf, packRows } from '#core/rows/chunk.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { orderOf } from '#core/rows/order/type-order.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { encoderOf } from '#service/query/encode.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { ownTypes, typedValues, valuesOf } from '#test/helpers/typed-values.ts';

/** Random values of each type; `npm run fuzz -- values` has more. */
const count = Number(process.env['VALUES_COUNT'] ?? 150);
const pause = () => Promise.resolve();

describe("PostgreSQL's order", () => {
  let database: PGlite;
  before(async () => {
    database = await newDatabase();
    for (const statement of ownTypes) await database.exec(statement);
  });
  after(async () => {
    await database.close();
  });

  it('reads intervals in every style', async () => {
    const values = typedValues.find(({ type }) => type === 'interval');
    assert.ok(values !== undefined);
    const signs = ['-', ''].flatMap((days) => ['-', ''].map((time) => `${days}3 days ${time}04:05:06.5`));
    const written = [...signs, '-2 days', '25 hours', ...valuesOf(values, count, 7)];
    for (const style of ['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601']) {
      await database.exec(`SET IntervalStyle = '${style}'`);
      const { rows } = await database.query<{ text: string; rank: number }>(
        `SELECT t::interval::text AS text, dense_rank() OVER (ORDER BY t::interval)::int4 AS rank
         FROM unnest($1::text[]) AS one (t) ORDER BY t::interval`,
        [written],
      );
      const { compare } = orderOf('interval', columnKindOf('interval'));
      const pairs = rows.slice(1).map((row, index) => ({ ...row, before: rows[index] }));
      for (const { text, rank, before } of pairs) {
        assert.equal(
          Math.sign(compare(before?.text ?? '', text)),
          before?.rank === rank ? 0 : -1,
          `${style}: ${before?.text ?? ''}, ${text}`,
        );
      }
    }
    await database.exec('RESET IntervalStyle');
  });

  for (const [type, bounds] of [
    [
      'interval',
      ['2 hrs', '1 h', '1d', '2 w', '1 yr', '1 decade', '1 century', '100 ms', '5 s', '10', '-10', '90 min'],
    ],
    ['time', ['1:00', '09:30']],
    ['inet', ['10/8', '10.0/16', '10.0.0.0/8']],
    ['cidr', ['10/8', '192.168/16']],
    [
      'uuid',
      [
        '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}',
        'A0EEBC999C0B4EF8BB6D6BB9BD380A11',
        'ffffffff-ffffffff-ffffffff-ffffffff',
      ],
    ],
    ['macaddr', ['ff-ff-ff-ff-ff-ff', '08002b:010203', '0800.2b01.0203']],
    ['bytea', [String.raw`\xFF`]],
    ['int4range', ['[1,4]', '(0,5)', '(0,1)', '[,4]']],
    ['int8range', ['(0,)', '[1,1]']],
    ['daterange', ['[2026-01-01,2026-01-31]', '(2025-12-31,2026-02-01)', '[2026-01-01,infinity]']],
  ] as const)
    it(`reads values of ${type} as a person writes them for a filter`, async () => {
      const values = typedValues.find((each) => each.type === type);
      assert.ok(values !== undefined);
      const written = [...valuesOf(values, 40, 5), ...bounds];
      const order = orderOf(type, columnKindOf(type));
      for (const bound of bounds) {
        assert.ok(order.has(bound), bound);
        const { rows } = await database.query<{ text: string; sign: number }>(
          `SELECT t::${type}::text AS text, CASE WHEN t::${type} < $2::text::${type} THEN -1 WHEN t::${type} > $2::text::${type} THEN 1 ELSE 0 END AS sign
           FROM unnest($1::text[]) AS one (t)`,
          [written, bound],
        );
        for (const { text, sign } of rows)
          assert.equal(Math.sign(order.compare(text, bound)), sign, `${text}, ${bound}`);
      }
    });

  it('is that of intervals, whatever fields their type names', () => {
    for (const type of ['interval', 'interval(3)', 'interval day to second(3)', 'INTERVAL YEAR TO MONTH'])
      assert.ok(orderOf(type, columnKindOf(type)).compare('9 days', '10 days') < 0, type);
    const type = 'interval day to second[]';
    assert.ok(orderOf(type, columnKindOf(type)).compare('{"9 days"}', '{"10 days"}') < 0);
  });

  it('reads money of every locale', () => {
    const { compare } = orderOf('money', columnKindOf('money'));
    for (const sorted of [
      ['-20.00 MANAT', '-1.10 MANAT', '0.05 MANAT', '3.00 MANAT', '10.00 MANAT'],
      ['-kr 1.234,50', '-kr 5,00', 'kr 7,00', 'kr 1.000,00'],
      ['(CHF 5.00)', 'CHF 1.00', "CHF 1'000.00"],
    ]) {
      assert.deepEqual(sorted.toReversed().sort(compare), sorted);
    }
  });

  for (const [seed, values] of typedValues.entries()) {
    if (values.isOrderUnknown === true) continue;
    const { type, base = type } = values;
    it(`is that of ${type}`, async () => {
      const written = valuesOf(values, count, seed + 1);
      const { rows } = await database.query<{ text: string; rank: number }>(
        `SELECT ${type === 'bool' ? `left(v::text, 1)` : 'v::text'} AS text, dense_rank() OVER (ORDER BY v)::int4 AS rank
         FROM (SELECT t::${type} AS v, place FROM unnest($1::text[]) WITH ORDINALITY AS one (t, place)) AS typed
         ORDER BY place`,
        [written],
      );
      const kind = columnKindOf(base);
      const order = orderOf(base, kind);
      const encode = encoderOf(base);
      const cells = rows.map(({ text, rank }) => ({ text: encode(text), rank }));
      const columns = [{ name: 'v', type: base }];
      const store = new ResultStore(columns);
      store.append(
        packRows(
          cells.map(({ text }) => [parseJson(text)]),
          packingOf(columns),
        ),
      );
      const shown = cells.map((_, row) => store.cell(row, 0).text ?? '');

      for (const descending of [false, true]) {
        store.sortAndFilter({ sort: [{ column: 0, descending }], filters: [] });
        const sorted = cells.map((_, row) => store.cell(row, 0).text ?? '');
        const expected = cells
          .map(({ rank }, row) => ({ rank, row }))
          .sort((a, b) => (descending ? b.rank - a.rank : a.rank - b.rank) || a.row - b.row)
          .map(({ row }) => shown[row]);
        assert.deepEqual(sorted, expected);
      }
      const distinct = new Set(cells.map(({ rank }) => rank)).size;
      assert.equal(new Set(shown.map((text) => order.identityOf(text))).size, distinct);
      store.sortAndFilter({ sort: [], filters: [] });
      if (type !== 'bool') {
        const footer = await store.aggregate({ firstRow: 0, lastRow: cells.length, columns: [0] }, pause);
        assert.equal(footer.distinct, distinct);
        assert.ok(
          order.compare(footer.min ?? '', shown[cells.findIndex(({ rank }) => rank === 1)] ?? '') === 0,
        );
        assert.ok(
          order.compare(footer.max ?? '', shown[cells.findIndex(({ rank }) => rank === distinct)] ?? '') ===
            0,
        );
      }
      const groups = await store.group({ by: [{ column: 0 }], measure: { kind: 'count' } }, pause);
      assert.ok(groups.kind === 'groups');
      const counts = Array.from({ length: distinct }, (_, rank) =>
        String(cells.filter((cell) => cell.rank === rank + 1).length),
      );
      assert.deepEqual(
        groups.rows.map(([, rows]) => rows),
        counts,
      );
      for (const [index, bound] of shown.slice(0, values.edges.length).entries()) {
        const rank = cells[index]?.rank ?? 0;
        for (const [operator, isMet] of [
          ['<', (one: number) => one < rank],
          ['>=', (one: number) => one >= rank],
          ['=', (one: number) => one === rank],
          ['<>', (one: number) => one !== rank],
        ] as const) {
          const found = store.sortAndFilter({
            sort: [],
            filters: [{ column: 0, rule: { kind: 'compare', operator, text: bound } }],
          });
          assert.equal(found, cells.filter((cell) => isMet(cell.rank)).length, `${operator} ${bound}`);
        }
      }
    });
  }
});
