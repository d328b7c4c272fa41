/** Comparing two results: correct for any order, type and key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExactNumber } from '#api/client/json.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { compareSides } from '#core/rows/compare/compare-sides.ts';
import type { ChangeKind, DiffSpec } from '#core/rows/compare/diff.ts';
import { pairColumns } from '#core/rows/compare/pair-columns.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import type { ComparedResults } from '#core/rows/result-operations.ts';
import type { StoreColumn } from '#core/rows/rows.ts';

type Row = readonly unknown[];

const factory = createLocalData();

async function dataOf(
  columns: readonly StoreColumn[],
  rows: readonly Row[],
  pageRows = 7,
): Promise<ResultData> {
  const data = factory.create(columns);
  for (let from = 0; from < rows.length; from += pageRows)
    await data.append(rows.slice(from, from + pageRows));
  return data;
}

function pairsOf(before: readonly StoreColumn[], after: readonly StoreColumn[] = before) {
  const withKind = (column: StoreColumn) => ({ ...column, kind: columnKindOf(column.type) });
  return pairColumns(before.map(withKind), after.map(withKind));
}

async function diff(
  columns: readonly StoreColumn[],
  sides: { readonly before: readonly Row[]; readonly after: readonly Row[] },
  choice: Partial<Pick<DiffSpec, 'keys' | 'ignored'>> = {},
): Promise<ComparedResults> {
  const before = await dataOf(columns, sides.before);
  const after = await dataOf(columns, sides.after, 5);
  const { pairs } = pairsOf(columns);
  return await factory.compare({ before, after }, { pairs, keys: [0], ignored: [], ...choice });
}

interface ShownRow {
  readonly change: ChangeKind | undefined;
  /** Displayed values: the current values, or the earlier values of a removed row. */
  readonly now: readonly (string | null)[];
  /** Earlier values; only meaningful for rows that exist on the earlier side. */
  readonly was: readonly (string | null)[];
}

async function rowsOf({ data, columns, outcome, summary }: ComparedResults): Promise<ShownRow[]> {
  const all = columns.map((_, column) => column);
  const window = await data.ask('window', { firstRow: 0, rowCount: outcome.rowCount, columns: all });
  return Array.from({ length: outcome.rowCount }, (_, row) => {
    const values = window.columns.slice(2, 2 + summary.changedRows.length);
    return {
      change: window.changes?.[row],
      now: values.map(({ cells }) => cells[row] ?? null),
      was: values.map(({ cells, before }) => {
        const changed = before?.find(({ at }) => at === row);
        return changed === undefined ? (cells[row] ?? null) : changed.text;
      }),
    };
  });
}

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
// The rows below contain only strings, numbers and NULL.
const texts = (rows: readonly Row[]) =>
  sorted(rows.map((row) => row.map((cell) => (cell === null ? null : `${cell as string | number}`))));

const accountColumns: readonly StoreColumn[] = [
  { name: 'account', type: 'text' },
  { name: 'role', type: 'text' },
  { name: 'level', type: 'int4' },
];
const accountRow = fc.tuple(
  fc.constantFrom('ana', 'ben', 'cy', 'di', null),
  fc.constantFrom('admin', 'reader', '', null),
  fc.constantFrom(1, 2, null),
);
const twoSides = fc.record({
  before: fc.array(accountRow, { maxLength: 14 }),
  after: fc.array(accountRow, { maxLength: 14 }),
});
const keyChoice = fc.constantFrom([0], [0, 1], []);

await test('the rows of a comparison add up to both sides', async () => {
  await fc.assert(
    fc.asyncProperty(twoSides, keyChoice, async (sides, keys) => {
      const compared = await diff(accountColumns, sides, { keys });
      const rows = await rowsOf(compared);
      assert.deepEqual(
        texts(rows.filter(({ change }) => change !== 'added').map(({ was }) => was)),
        texts(sides.before),
      );
      assert.deepEqual(
        texts(rows.filter(({ change }) => change !== 'removed').map(({ now }) => now)),
        texts(sides.after),
      );
      const { counts } = compared.summary;
      for (const kind of ['added', 'removed', 'changed', 'unchanged'] as const) {
        assert.equal(rows.filter(({ change }) => change === kind).length, counts[kind]);
      }
      for (const { change, now, was } of rows) {
        assert.equal(JSON.stringify(now) !== JSON.stringify(was), change === 'changed');
      }
    }),
    { numRuns: 400 },
  );
});

await test('swapping the sides mirrors the comparison', async () => {
  await fc.assert(
    fc.asyncProperty(twoSides, keyChoice, async ({ before, after }, keys) => {
      const there = (await diff(accountColumns, { before, after }, { keys })).summary;
      const back = (await diff(accountColumns, { before: after, after: before }, { keys })).summary;
      assert.equal(there.counts.added, back.counts.removed);
      assert.equal(there.counts.removed, back.counts.added);
      assert.equal(there.counts.changed, back.counts.changed);
      assert.equal(there.counts.unchanged, back.counts.unchanged);
      assert.deepEqual(there.changedRows, back.changedRows);
      assert.equal(there.duplicates.keys, back.duplicates.keys);
    }),
    { numRuns: 300 },
  );
});

await test('row order does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(twoSides, keyChoice, fc.func(fc.nat()), async (sides, keys, shuffle) => {
      const shuffled = (rows: readonly Row[]) =>
        rows
          .map((row, index) => ({ row, at: shuffle(index) }))
          .sort((a, b) => a.at - b.at)
          .map(({ row }) => row);
      const one = await diff(accountColumns, sides, { keys });
      const other = await diff(
        accountColumns,
        { before: shuffled(sides.before), after: shuffled(sides.after) },
        { keys },
      );
      assert.deepEqual(other.summary, one.summary);
      const lines = async (compared: ComparedResults) =>
        (await rowsOf(compared)).map((row) => JSON.stringify(row)).sort();
      assert.deepEqual(await lines(other), await lines(one));
    }),
    { numRuns: 300 },
  );
});

await test('a result compared with itself has only unchanged rows, whatever it contains', async () => {
  const columns = [
    { name: 'id', type: 'int8' },
    { name: 'note', type: 'text' },
    { name: 'data', type: 'jsonb' },
  ];
  const row = fc.tuple(fc.bigInt(), fc.option(fc.string({ unit: 'binary' })), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), keyChoice, async (rows, keys) => {
      const { summary } = await diff(columns, { before: rows, after: rows }, { keys });
      assert.deepEqual(summary.counts, { added: 0, removed: 0, changed: 0, unchanged: rows.length });
    }),
  );
});

await test('duplicate keys are reported, and their rows are neither merged nor guessed', async () => {
  const compared = await diff(accountColumns, {
    before: [
      ['ana', 'admin', 1],
      ['ana', 'reader', 1],
      ['ben', 'reader', 1],
    ],
    after: [
      ['ana', 'reader', 1],
      ['ana', 'owner', 2],
      ['ana', 'auditor', 2],
      ['ben', 'admin', 1],
    ],
  });
  assert.deepEqual(compared.summary.duplicates, { keys: 1, rowsBefore: 2, rowsAfter: 3 });
  // 'reader' is unchanged. Two rows were added and one was removed; they cannot be paired.
  assert.deepEqual(compared.summary.counts, { added: 2, removed: 1, changed: 1, unchanged: 1 });
});

await test('of the rows with a duplicate key, the last one left on each side counts as changed', async () => {
  const compared = await diff(accountColumns, {
    before: [
      ['ana', 'admin', 1],
      ['ana', 'reader', 1],
    ],
    after: [
      ['ana', 'reader', 1],
      ['ana', 'owner', 1],
    ],
  });
  assert.deepEqual(compared.summary.counts, { added: 0, removed: 0, changed: 1, unchanged: 1 });
});

await test('NULL in a key matches NULL, and is reported', async () => {
  const compared = await diff(accountColumns, {
    before: [[null, 'admin', 1]],
    after: [[null, 'reader', 1]],
  });
  assert.deepEqual(compared.summary.nullKeys, { before: 1, after: 1 });
  assert.equal(compared.summary.counts.changed, 1);
});

await test('without a key, rows are compared as a whole, and duplicates are counted', async () => {
  const compared = await diff(
    accountColumns,
    {
      before: [
        ['ana', 'admin', 1],
        ['ana', 'admin', 1],
        ['ben', 'reader', 1],
      ],
      after: [
        ['ana', 'admin', 1],
        ['ben', 'admin', 1],
      ],
    },
    { keys: [] },
  );
  assert.deepEqual(compared.summary.counts, { added: 1, removed: 2, changed: 0, unchanged: 1 });
});

await test('ignored columns are shown but do not count', async () => {
  const compared = await diff(
    accountColumns,
    { before: [['ana', 'admin', 1]], after: [['ana', 'admin', 2]] },
    { ignored: [2] },
  );
  assert.equal(compared.summary.counts.unchanged, 1);
  assert.deepEqual((await rowsOf(compared))[0]?.now, ['ana', 'admin', '2']);
});

const sameValue: readonly (readonly [string, unknown, unknown, boolean])[] = [
  ['numeric', new ExactNumber('1.0'), 1, true],
  ['numeric', new ExactNumber('1.00'), new ExactNumber('1.0'), true],
  ['numeric', new ExactNumber('9007199254740993'), new ExactNumber('9007199254740992'), false],
  ['numeric', 'NaN', 'NaN', true],
  ['numeric', '1e3', 1_000, true],
  ['float8', 'NaN', 'nan', true],
  ['float8', 'Infinity', '+inf', true],
  ['float8', '-Infinity', '-Inf', true],
  ['float8', 'Infinity', '-inf', false],
  ['float8', 'NaN', 'Infinity', false],
  ['float8', 'NaN', '', false],
  ['int8', 0, -0, true],
  ['text', '1.0', '1', false],
  ['text', 5, '5', true],
  ['text', 'a', 'A', false],
  ['text', '', null, false],
  ['timestamptz', '2026-01-01 00:00:00+00', '2026-01-01T01:00:00+01:00', true],
  ['timestamptz', '2026-01-01 00:00:00.000001+00', '2026-01-01 00:00:00+00', false],
  ['timestamp', '2026-01-01 00:00:00', '2026-01-01 00:00:00.0', true],
  ['timestamp', '2026-01-01 00:00:00', '2026-01-01 00:00:00+00', false],
  ['timestamp', '2026-02-01 00:00:00', '2026-01-32 00:00:00', false],
  ['date', '2026-01-31', '2026-01-31', true],
  ['date', '2026-02-01', '2026-01-32', false],
  ['date', '2026-01-31', 'infinity', false],
  ['bool', true, 'true', true],
  ['bool', true, 't', true],
  ['bool', true, false, false],
  ['jsonb', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
  ['jsonb', { a: new ExactNumber('1.0') }, { a: 1 }, true],
  ['jsonb', { a: [1, 2] }, { a: [2, 1] }, false],
  ['jsonb', '1', 1, false],
];

for (const [type, one, other, isSame] of sameValue) {
  await test(`${type}: ${JSON.stringify(one)} and ${JSON.stringify(other)} are ${isSame ? '' : 'not '}the same`, async () => {
    const columns = [
      { name: 'id', type: 'int4' },
      { name: 'value', type },
    ];
    const asValue = await diff(columns, { before: [[1, one]], after: [[1, other]] });
    assert.equal(asValue.summary.counts.unchanged === 1, isSame);
    // As keys, equal values must have equal hashes.
    const asKey = await diff(columns, { before: [[1, one]], after: [[1, other]] }, { keys: [1] });
    assert.equal(asKey.summary.counts.unchanged === 1, isSame);
  });
}

await test('columns are paired by name, duplicates in order, and unpaired ones are reported', () => {
  const before = [
    { name: 'id', type: 'int4' },
    { name: 'x', type: 'text' },
    { name: 'gone', type: 'text' },
    { name: 'x', type: 'int4' },
  ];
  const after = [
    { name: 'new', type: 'text' },
    { name: 'x', type: 'text' },
    { name: 'x', type: 'int4' },
    { name: 'id', type: '' },
  ];
  const { pairs, onlyBefore, onlyAfter } = pairsOf(before, after);
  assert.deepEqual(
    pairs.map(({ name, kind, before: from, after: to }) => [name, kind, from, to]),
    [
      ['x', 'text', 1, 1],
      ['x', 'number', 3, 2],
      ['id', 'number', 0, 3],
    ],
  );
  assert.deepEqual([onlyBefore, onlyAfter], [['gone'], ['new']]);
});

const accessColumns = [
  { name: 'granted_at', type: 'timestamptz' },
  { name: 'account_id', type: 'text' },
  { name: 'entitlement_id', type: 'text' },
  { name: 'risk', type: 'numeric' },
];
const access = (account: number, entitlement: number) => [
  '2026-01-01',
  `a${account}`,
  `e${entitlement}`,
  account,
];

await test('the suggested key identifies all rows on both sides: one column, or else a pair of IDs', async () => {
  const people = await dataOf(accessColumns, [access(1, 1), access(2, 1)]);
  const pairs = await dataOf(accessColumns, [access(1, 1), access(1, 2), access(2, 1)]);
  const same = await dataOf(accessColumns, [access(1, 1), access(1, 1)]);
  const columns = pairsOf(accessColumns).pairs;
  const suggest = (before: ResultData, after: ResultData) => factory.suggestKeys({ before, after }, columns);
  assert.deepEqual(await suggest(people, people), [1]);
  assert.deepEqual(await suggest(people, pairs), [1, 2]);
  assert.deepEqual(await suggest(same, people), []);
});

await test('of columns with one name, the suggested key is one, and the others are compared', async () => {
  const columns = ['id', 'id', 'id'].map((name) => ({ name, type: 'text' }));
  const held = async (rows: readonly Row[]) => {
    const data = factory.create(columns);
    return { data, columns, outcome: await data.append(rows), isCut: false };
  };
  const sides = {
    before: await held([['a', 'x', '1'], ['b', 'x', '2']]), // oxfmt-ignore
    after: await held([['a', 'y', '1'], ['b', 'x', '2']]), // oxfmt-ignore
  };
  const { compared, keys } = await compareSides(factory, sides, {});
  assert.deepEqual(keys, ['id']);
  assert.deepEqual(compared.summary.counts, { added: 0, removed: 0, changed: 1, unchanged: 1 });
  // By the name of its key, it is the same comparison again, also with the sides exchanged.
  for (const { before, after } of [sides, { before: sides.after, after: sides.before }])
    assert.deepEqual(
      (await compareSides(factory, { before, after }, { keys })).compared.summary.counts,
      compared.summary.counts,
    );
});

await test('a day and its midnight are equal, also before Christ and after the year 9999, and a zone is not', async () => {
  const columns = [
    { name: 'id', type: 'int4' },
    { name: 'at', type: 'timestamp' },
  ];
  const { summary } = await diff(columns, {
    before: ['10000-01-31', '0044-03-15 BC', '2026-01-31', '10000-01-31'].map((at, id) => [id, at]),
    after: [
      ...['10000-01-31 00:00:00', '0044-03-15 00:00:00 BC', '2026-01-31 00:00:00'],
      '10000-01-31 00:00:00+00',
    ].map((at, id) => [id, at]),
  });
  assert.deepEqual(summary.counts, { added: 0, removed: 0, changed: 1, unchanged: 3 });
});

await test('a name given twice as a key means both of its columns', async () => {
  const columns = ['id', 'id', 'role'].map((name) => ({ name, type: 'text' }));
  const held = async (rows: readonly Row[]) => {
    const data = factory.create(columns);
    return { data, columns, outcome: await data.append(rows), isCut: false };
  };
  const sides = {
    before: await held([['a', 'x', '1'], ['a', 'y', '1'], ['b', 'x', '1']]), // oxfmt-ignore
    after: await held([['b', 'x', '2'], ['a', 'y', '1'], ['a', 'x', '1']]), // oxfmt-ignore
  };
  const { compared, keys } = await compareSides(factory, sides, {});
  assert.deepEqual(keys, ['id', 'id']);
  assert.deepEqual(compared.summary.counts, { added: 0, removed: 0, changed: 1, unchanged: 2 });
  const again = await compareSides(factory, sides, { keys });
  assert.deepEqual(again.compared.summary.counts, compared.summary.counts);
});

await test('the rows of a comparison are sorted, filtered, searched and copied like any others', async () => {
  const compared = await diff(accountColumns, {
    before: [
      ['ana', 'admin', 1],
      ['ben', null, 1],
      ['cy', 'reader', 3],
    ],
    after: [
      ['ana', 'reader', 1],
      ['ben', 'admin', 1],
      ['di', 'admin', 2],
    ],
  });
  const { data } = compared;
  const options = { withHeaders: true, nullText: 'NULL', guardFormulas: false, tableName: 't' };
  const isDifferent = { column: 0, rule: { kind: 'values', values: ['changed'] } } as const;
  assert.equal(
    await data.ask('sortAndFilter', { filters: [isDifferent], sort: [{ column: 2, descending: true }] }),
    2,
  );
  const rows = { firstRow: 0, lastRow: 1 };
  const copied = {
    tsv: 'change\taccount\trole\trole (before)\nchanged\tben\tNULL → admin\tNULL\nchanged\tana\tadmin → reader\tadmin',
    csv: 'change,account,role,role (before)\r\nchanged,ben,NULL → admin,NULL\r\nchanged,ana,admin → reader,admin\r\n',
    markdown:
      '| change | account | role | role (before) |\n| --- | --- | --- | --- |\n| changed | ben | NULL → admin | NULL |\n| changed | ana | admin → reader | admin |',
    // For programs, cells contain only the current value.
    jsonl:
      '{ "change": "changed", "account": "ben", "role": "admin", "role (before)": null }\n{ "change": "changed", "account": "ana", "role": "reader", "role (before)": "admin" }',
  } as const;
  for (const format of ['tsv', 'csv', 'markdown', 'jsonl'] as const) {
    const text = await data.ask('copy', {
      range: { ...rows, columns: [0, 2, 3, 5] },
      options: { ...options, format },
    });
    assert.equal(text, copied[format]);
  }
  // A single cell is copied as displayed.
  const only = { firstRow: 1, lastRow: 1, columns: [3] };
  const bare = { ...options, withHeaders: false, format: 'tsv' } as const;
  assert.equal(await data.ask('copy', { range: only, options: bare }), 'admin → reader');
  assert.equal(
    await data.ask('copy', { range: only, options: { ...options, format: 'in-list' } }),
    "('reader')",
  );
  assert.deepEqual(await data.ask('cell', { row: 0, column: 3 }), {
    text: 'admin',
    isJson: false,
    change: 'changed',
    before: null,
  });
  assert.equal((await data.ask('values', { column: 0 })).distinct, 3);
  const found = await data.ask('find', {
    text: 'admin',
    matchCase: true,
    columns: [3, 5],
    from: { row: 0, place: -1 },
    backwards: false,
  });
  assert.equal(found.matches, 2);
});

await test('a comparison does not need its source rows', async () => {
  const before = await dataOf(accountColumns, [['ana', 'admin', 1]]);
  const after = await dataOf(accountColumns, [['ana', 'reader', 1]]);
  const compared = await factory.compare(
    { before, after },
    { pairs: pairsOf(accountColumns).pairs, keys: [0], ignored: [] },
  );
  before.dispose();
  after.dispose();
  assert.deepEqual((await rowsOf(compared))[0], {
    change: 'changed',
    now: ['ana', 'reader', '1'],
    was: ['ana', 'admin', '1'],
  });
});

await test('a comparison of many rows yields, reports progress, and can be stopped', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => [`account ${index}`, 'reader', index]);
  const before = await dataOf(accountColumns, rows, 10_000);
  const after = await dataOf(accountColumns, rows.toReversed(), 10_000);
  const spec = { pairs: pairsOf(accountColumns).pairs, keys: [0], ignored: [] };
  const controller = new AbortController();
  const stopped = factory.compare({ before, after }, spec, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(stopped, { name: 'AbortError' });
  const { summary } = await factory.compare({ before, after }, spec);
  assert.deepEqual(summary.counts, { added: 0, removed: 0, changed: 0, unchanged: 30_000 });
});
