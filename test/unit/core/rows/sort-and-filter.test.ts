/** Filters, value counts, search and totals: each against a naive implementation over plain rows. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '#api/client/json.ts';
import { packRows } from '#core/rows/chunk.ts';
import { groupedTexts } from '#core/rows/filter/column-values.ts';
import { cellTag } from '#core/rows/packed-rows.ts';
import type { FilterRule, FindRequest, StoreColumn } from '#core/rows/rows.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { distinctMax } from '#core/rows/summary/distinct-values.ts';

const noPause = () => Promise.resolve();

function storeOf(
  columns: readonly StoreColumn[],
  rows: readonly (readonly unknown[])[],
  pageRows = 3,
): ResultStore {
  const store = new ResultStore(columns);
  for (let from = 0; from < rows.length; from += pageRows) {
    store.append(
      packRows(
        rows.slice(from, from + pageRows),
        columns.map(({ type }) => ({ isJson: type.startsWith('json') })),
      ),
    );
  }
  return store;
}

function shown(store: ResultStore, column = 0): (string | null)[] {
  return Array.from({ length: store.viewRowCount }, (_, row) => store.cell(row, column).text);
}

function filtered(type: string, values: readonly unknown[], rule: FilterRule): (string | null)[] {
  const store = storeOf(
    [{ name: 'v', type }],
    values.map((value) => [value]),
  );
  assert.equal(store.sortAndFilter({ sort: [], filters: [{ column: 0, rule }] }), store.viewRowCount);
  return shown(store);
}

const exact = (text: string) => new ExactNumber(text);
const compare = (operator: '=' | '<>' | '<' | '<=' | '>' | '>=', text: string): FilterRule => ({
  kind: 'compare',
  operator,
  text,
});

suite('filters', () => {
  test('numbers are compared exactly, whatever their size', () => {
    const values = [1, 2, null, exact('9007199254740993'), exact('9007199254740992'), exact('0.10'), 'NaN'];
    assert.deepEqual(filtered('numeric', values, compare('=', '9007199254740993')), ['9007199254740993']);
    assert.deepEqual(filtered('numeric', values, compare('>', '9007199254740992')), [
      '9007199254740993',
      'NaN',
    ]);
    assert.deepEqual(filtered('numeric', values, compare('=', '0.1')), ['0.10']);
    assert.deepEqual(filtered('numeric', values, compare('<', '2')), ['1', '0.10']);
    assert.deepEqual(filtered('int4', [3, 1, 2, null], compare('>=', '2')), ['3', '2']);
    assert.deepEqual(filtered('int4', [3, 1, 2, null], compare('<>', '2')), ['3', '1']);
  });

  test('times are compared as points in time', () => {
    const values = ['2026-01-01 10:00:00+02', '2026-01-01 09:00:00+00', null, 'infinity'];
    assert.deepEqual(filtered('timestamptz', values, compare('<', '2026-01-01 08:30:00Z')), [values[0]]);
    assert.deepEqual(filtered('timestamptz', values, compare('=', 'infinity')), ['infinity']);
    assert.deepEqual(filtered('date', ['2026-01-01', '2025-12-31'], compare('>=', '2026-01-01')), [
      '2026-01-01',
    ]);
  });

  for (const type of ['json', 'jsonb'])
    test(`${type} is equal whatever its blanks, members and numbers look like`, () => {
      const values = [{ a: 1, bb: [1, 2] }, { bb: [2, 1], a: 1 }, 'a', null, exact('1.0')];
      const [first] = values;
      const text = JSON.stringify(first);
      for (const bound of [text, ' { "bb" : [1, 2.0],"a":1.0 }', '{"a":2,"bb":[1,2],"a":1}']) {
        assert.deepEqual(filtered(type, values, compare('=', bound)), [text]);
        assert.equal(filtered(type, values, compare('<>', bound)).length, 3);
      }
      assert.deepEqual(filtered(type, values, compare('=', '1')), ['1.0']);
      assert.deepEqual(filtered(type, values, compare('=', '"a"')), ['"a"']);
      assert.deepEqual(filtered(type, values, compare('=', '{"a": 1')), []);
    });

  for (const [type, wanted, same, others] of [
    ['numeric', '0', ['-0', '0.00', '0e5', ' 0'], ['00.1', 'none']],
    ['numeric', '12.5', ['12.50', '+12.5', '125e-1', '12.5\u00a0'], ['21.5', '-12.5', '125', '1.25']],
    ['numeric', '1e21', ['1000000000000000000000'], ['10', '121']],
    ['numeric', 'NaN', ['nan'], ['Infinity']],
    [
      'jsonb',
      '{"a":[12,0],"b":"3e"}',
      ['{"b":"3e","a":[12.0,-0]}', '{"a":[12e0,0],"b":"3\\u0065"}'],
      ['{"a":[21,0],"b":"3e"}'],
    ],
    ['jsonb', '"a\\nb"', ['"a\\u000ab"'], ['"anb"', '"a\\\\nb"']],
    ['jsonb', '1', ['1.0', '10e-1'], ['10', '"1"', '[1]']],
    ['jsonb', 'true', [], ['false', '"true"']],
  ] as const)
    test(`a filter by the ${type} value ${wanted} finds its spellings`, () => {
      const values = [...same, ...others, wanted];
      const rows = values.map((text) => [text]);
      const chunk = packRows(rows, [{ isJson: false }]);
      chunk.columns[0]?.tags.fill(type === 'jsonb' ? cellTag.json : cellTag.text);
      const store = new ResultStore([{ name: 'v', type }]);
      store.append(chunk);
      store.sortAndFilter({ sort: [], filters: [{ column: 0, rule: { kind: 'values', values: [wanted] } }] });
      assert.deepEqual(shown(store), [...same, wanted]);
    });

  test('texts compare in sort order, and are equal only if identical', () => {
    const values = ['Zoe', 'arzt', 'Ärzte', 'b', null];
    assert.deepEqual(filtered('text', values, compare('<', 'b')), ['arzt', 'Ärzte']);
    assert.deepEqual(filtered('text', values, compare('=', 'zoe')), []);
  });

  test('NULL matches only explicit conditions', () => {
    const values = ['a', null, '', 'NULL'];
    assert.deepEqual(filtered('text', values, { kind: 'null', isNull: true }), [null]);
    assert.deepEqual(filtered('text', values, { kind: 'null', isNull: false }), ['a', '', 'NULL']);
    assert.deepEqual(filtered('text', values, { kind: 'values', values: [null, ''] }), [null, '']);
    const without = { kind: 'text', operator: 'does-not-contain', text: 'a', matchCase: false } as const;
    assert.deepEqual(filtered('text', values, without), ['', 'NULL']);
  });

  test('a text filter matches the same rows as a naive search', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'ä', 'Ä', '🙂', ' ', '1'), maxLength: 6 });
    const value = fc.oneof(piece, fc.constant(null), fc.integer({ min: 0, max: 30 }), fc.boolean());
    const operator = fc.constantFrom(
      'contains',
      'does-not-contain',
      'equals',
      'starts-with',
      'ends-with' as const,
    );
    fc.assert(
      fc.property(fc.array(value), piece, operator, fc.boolean(), (values, text, how, matchCase) => {
        const fold = (one: string) => (matchCase ? one : one.toLowerCase());
        const meets = (one: string) => {
          const [a, b] = [fold(one), fold(text)];
          if (how === 'contains') return a.includes(b);
          if (how === 'does-not-contain') return !a.includes(b);
          if (how === 'equals') return a === b;
          return how === 'starts-with' ? a.startsWith(b) : a.endsWith(b);
        };
        const expected = values.filter((one) => one !== null && meets(String(one))).map(String);
        assert.deepEqual(
          filtered('text', values, { kind: 'text', operator: how, text, matchCase }),
          expected,
        );
      }),
    );
  });

  test('a filter by values matches exactly those values', () => {
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'ä', '🙂', '1'), maxLength: 3 }),
      fc.constantFrom(null, true, 1, 11),
    );
    fc.assert(
      fc.property(
        fc.array(value),
        fc.array(fc.oneof(value), { minLength: 1, maxLength: 4 }),
        (values, wanted) => {
          const texts = wanted.map((one) => (one === null ? null : String(one)));
          const expected = values
            .map((one) => (one === null ? null : String(one)))
            .filter((one) => texts.includes(one));
          assert.deepEqual(filtered('text', values, { kind: 'values', values: texts }), expected);
        },
      ),
    );
  });

  for (const [type, values, found] of [
    ['numeric', ['1.0', '1', '1.00', '2', null], [3, 1, 1]],
    ['interval', ['1 day', '24:00:00', '2 days'], [2, 1]],
    ['jsonb', ['{"a":1,"b":[2]}', '{"b": [2.0], "a": 1.0}', '{"a":1,"b":[3]}'], [2, 1]],
    ['bool', ['t', 'true', 'FALSE', 'f'], [2, 2]],
    ['uuid', ['AAAAAAAA-0000-0000-0000-000000000000', 'aaaaaaaa-0000-0000-0000-000000000000'], [2]],
    ['timestamptz', ['2026-01-01 00:00:00+00', '2026-01-01 01:00:00+01', 'infinity'], [2, 1]],
    ['int8', ['9007199254740993', '9007199254740992', '9007199254740993'], [2, 1]],
    ['numeric[]', ['{1.0,2}', '[1,2.0]', '{1}'], [2, 1]],
    ['text', ['1.0', '1', 'a', 'A'], [1, 1, 1, 1]],
  ] as const)
    test(`a filter offers each value of ${type} once, and finds it in every spelling`, () => {
      const rows = values.map((value) => [
        type === 'numeric' || type === 'int8' || type === 'jsonb' ? parseJson(value ?? 'null') : value,
      ]);
      const store = storeOf([{ name: 'a', type }], rows);
      const offered = store.values(0, 10).values;
      assert.deepEqual(
        offered.map(({ count }) => count),
        found,
      );
      for (const { text, count } of offered) {
        const filters = [{ column: 0, rule: { kind: 'values' as const, values: [text] } }];
        assert.equal(store.sortAndFilter({ sort: [], filters }), count, String(text));
      }
    });

  for (const [type, spellings, other] of [
    ['numeric', ['1.0', '1.00', '1'], (n: number) => String(n)],
    ['numeric[]', ['[1.0]', '[1.00]', '[1]'], (n: number) => `[${n}]`],
  ] as const)
    test(`a filter counts equal values of ${type} together, however many other ones there are`, () => {
      const others = Array.from({ length: groupedTexts + 1 }, (_, index) => [parseJson(other(index + 10))]);
      const rows = [...spellings.map((text) => [parseJson(text)]), ...others];
      const store = storeOf([{ name: 'a', type }], rows);
      const { values, distinct } = store.values(0, 1);
      assert.equal(values[0]?.count, 3);
      assert.equal(distinct, others.length + 1);
      const filters = [{ column: 0, rule: { kind: 'values' as const, values: [values[0].text] } }];
      assert.equal(store.sortAndFilter({ sort: [], filters }), 3);
    });

  for (const equal of [
    ['1e400', '10e399', '0.1e401'],
    ['1.00000000000000000001', '1.00000000000000000001e0', '10.0000000000000000001e-1'],
    ['100000000000000000001', '1.00000000000000000001e20', '100000000000000000001.0'],
    ['-1e-400', '-0.1e-399'],
  ])
    test(`a filter takes JSON numbers for equal: ${equal.join(', ')}`, () => {
      const texts = [...equal, '7'].flatMap((text) => [text, `{"a":[${text}]}`]);
      const store = storeOf(
        [{ name: 'a', type: 'jsonb' }],
        texts.map((text) => [parseJson(text)]),
      );
      for (const { text, count } of store.values(0, 2).values) {
        assert.equal(count, equal.length);
        const filters = [{ column: 0, rule: { kind: 'values' as const, values: [text] } }];
        assert.equal(store.sortAndFilter({ sort: [], filters }), equal.length, String(text));
      }
    });

  test('filters combine with a sort order, and later rows are filtered too', () => {
    const columns = [
      { name: 'n', type: 'int4' },
      { name: 's', type: 'text' },
    ];
    const store = storeOf(columns, [
      [3, 'x'],
      [1, 'y'],
      [2, 'x'],
    ]);
    const filters = [{ column: 1, rule: { kind: 'values', values: ['x'] } as const }];
    store.sortAndFilter({ sort: [{ column: 0, descending: false }], filters });
    assert.deepEqual(shown(store), ['2', '3']);
    store.sortAndFilter({ sort: [], filters });
    store.append(
      packRows(
        [
          [9, 'y'],
          [8, 'x'],
        ],
        [{ isJson: false }, { isJson: false }],
      ),
    );
    assert.deepEqual(shown(store), ['3', '2', '8']);
    assert.equal(store.rowCount, 5);
    assert.equal(store.sortAndFilter({ sort: [], filters: [] }), 5);
  });

  test('a visible row is followed to its new place, unless a filter hides it', () => {
    const store = storeOf([{ name: 'a', type: 'text' }], [['x'], ['b'], ['x'], ['a']]);
    const only = (value: string) => [{ column: 0, rule: { kind: 'values' as const, values: [value] } }];
    const descending = [{ column: 0, descending: true }];
    assert.deepEqual(store.rearrange({ sort: [], filters: only('x'), row: 2 }), { viewRowCount: 2, row: 1 });
    assert.deepEqual(store.rearrange({ sort: [], filters: [], row: 1 }), { viewRowCount: 4, row: 2 });
    assert.deepEqual(store.rearrange({ sort: descending, filters: [], row: 3 }), { viewRowCount: 4, row: 3 });
    assert.deepEqual(store.rearrange({ sort: [], filters: only('b'), row: 3 }), {
      viewRowCount: 1,
      row: undefined,
    });
    assert.deepEqual(store.rearrange({ sort: [], filters: [], row: 0 }), { viewRowCount: 4, row: 1 });
  });

  test('the values of a column are listed by frequency, and restricted only by filters on other columns', () => {
    const columns = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ];
    const store = storeOf(columns, [
      ['x', '1'],
      ['y', '1'],
      ['x', '2'],
      [null, '1'],
    ]);
    assert.deepEqual(store.values(0, 10).values, [
      { text: 'x', count: 2 },
      { text: 'y', count: 1 },
      { text: null, count: 1 },
    ]);
    store.sortAndFilter({
      sort: [],
      filters: [
        { column: 0, rule: { kind: 'values', values: ['x'] } },
        { column: 1, rule: { kind: 'values', values: ['1'] } },
      ],
    });
    assert.deepEqual(store.values(0, 2), {
      values: [
        { text: 'x', count: 1 },
        { text: 'y', count: 1 },
      ],
      distinct: 3,
    });
  });
});

suite('finding', () => {
  const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'text' }));
  const request = (change: Partial<FindRequest>): FindRequest => ({
    ...{ text: 'x', matchCase: false, columns: [0, 1, 2], from: { row: 0, place: -1 }, backwards: false },
    ...change,
  });

  test('visits all matches in display order, and wraps around', async () => {
    const cell = fc.constantFrom('x', 'X1', 'y', '', null);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        async (rows, backwards, isSorted) => {
          const store = storeOf(columns, rows);
          if (isSorted) store.sortAndFilter({ sort: [{ column: 1, descending: true }], filters: [] });
          const order = [2, 0, 1];
          const expected: string[] = [];
          for (let row = 0; row < store.viewRowCount; row += 1) {
            order.forEach((column, place) => {
              if (store.cell(row, column).text?.toLowerCase().includes('x') === true)
                expected.push(`${row}/${place}`);
            });
          }
          const seen: string[] = [];
          let from = backwards ? { row: 0, place: -1 } : { row: 0, place: -1 };
          for (let turn = 0; turn < expected.length + 1; turn += 1) {
            const answer = await store.find(request({ columns: order, from, backwards }), noPause);
            assert.equal(answer.matches, expected.length);
            if (answer.at === undefined) break;
            const at = `${answer.at.row}/${answer.at.place}`;
            assert.equal(expected[answer.ordinal - 1], at);
            seen.push(at);
            from = answer.at;
          }
          const wanted = backwards ? expected.toReversed() : expected;
          assert.deepEqual(seen, expected.length === 0 ? [] : [...wanted, wanted[0]]);
        },
      ),
    );
  });

  test('the result of a search is not used after the rows change', async () => {
    const store = storeOf(columns, [['x', '', '']]);
    let goOn: () => void = () => undefined;
    const first = store.find(request({}), () => new Promise<void>((resolve) => (goOn = resolve)));
    store.append(
      packRows(
        [['x', 'x', '']],
        columns.map(({ type }) => ({ isJson: type.startsWith('json') })),
      ),
    );
    goOn();
    assert.equal((await first).matches, 1);
    assert.equal((await store.find(request({}), noPause)).matches, 3);
  });
});

suite('sums', () => {
  const of = (type: string, values: readonly unknown[]) => {
    const store = storeOf(
      [{ name: 'v', type }],
      values.map((value) => [value]),
    );
    return store.aggregate({ firstRow: 0, lastRow: 1_000, columns: [0] }, noPause);
  };

  test('sums are exact, with cents and beyond double precision', async () => {
    const cents = await of(
      'numeric',
      Array.from({ length: 10 }, () => exact('0.10')),
    );
    assert.deepEqual(cents.numbers, {
      ...{ count: 10, sum: '1.00' },
      ...{ average: '0.1', isAverageRounded: false },
    });
    const big = await of('int8', [exact('9007199254740993'), exact('9007199254740993'), 1, null]);
    assert.equal(big.numbers?.sum, '18014398509481987');
    assert.deepEqual(
      [big.cells, big.nulls, big.distinct, big.min, big.max],
      [4, 1, 2, '1', '9007199254740993'],
    );
    assert.equal((await of('float8', [1, 2, 2])).numbers?.average, '1.666666666666667');
    assert.equal((await of('int4', [-1, -2])).numbers?.average, '-1.5');
    // The zeros of small numbers are not significant, however many there are.
    for (const zeros of [3, 63, 64, 100, 323]) {
      const small = `0.${'0'.repeat(zeros)}5`;
      assert.equal((await of('float8', [0, exact(small)])).numbers?.average, `0.${'0'.repeat(zeros)}25`);
    }
    assert.equal((await of('float8', [1, 'NaN'])).numbers?.sum, 'NaN');
  });

  test('the sum of any whole numbers equals that of big integers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), async (values) => {
        const { numbers } = await of(
          'int8',
          values.map((value) => exact(value.toString())),
        );
        const sum = values.reduce((a, b) => a + b, 0n);
        assert.equal(numbers?.sum, values.length === 0 ? undefined : sum.toString());
      }),
    );
  });

  test('times and texts have a minimum and a maximum, but no sum', async () => {
    const times = await of('timestamptz', ['2026-01-01 10:00:00+02', '2026-01-01 09:00:00+00']);
    assert.deepEqual(
      [times.min, times.max, times.numbers],
      ['2026-01-01 10:00:00+02', '2026-01-01 09:00:00+00', undefined],
    );
    const texts = await of('text', ['b', 'A', 'a']);
    assert.deepEqual([texts.min, texts.max, texts.distinct], ['A', 'b', 3]);
  });
});

suite('counting distinct values', () => {
  const all = { firstRow: 0, lastRow: 1_000_000, columns: [0, 1] };
  const columns = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'int4' },
  ];

  test('counts each value once over all columns, including the empty text but not NULL', async () => {
    const store = storeOf(columns, [
      ['1', 1],
      ['', null],
      ['x', 2],
      [null, 2],
    ]);
    assert.deepEqual(await store.distinct(all, noPause), { count: 4, isMore: false });
    assert.deepEqual(await store.distinct({ ...all, columns: [1] }, noPause), { count: 2, isMore: false });
    assert.deepEqual(await store.distinct({ ...all, columns: [] }, noPause), { count: 0, isMore: false });
  });

  test('counts the visible rows, in their order', async () => {
    const store = storeOf(columns, [
      ['c', 1],
      ['b', 2],
      ['a', 3],
      ['b', 4],
    ]);
    store.sortAndFilter({ sort: [{ column: 0, descending: false }], filters: [] });
    const first = { firstRow: 0, lastRow: 2, columns: [0] };
    assert.deepEqual(await store.distinct(first, noPause), { count: 2, isMore: false });
    store.sortAndFilter({ sort: [], filters: [{ column: 0, rule: { kind: 'values', values: ['b'] } }] });
    assert.deepEqual(await store.distinct(first, noPause), { count: 1, isMore: false });
  });

  test('stops at the limit of "many"', async () => {
    const rows = Array.from({ length: distinctMax + 1 }, (_, row) => [null, row]);
    const store = storeOf(columns, rows);
    const upTo = (count: number) => ({ firstRow: 0, lastRow: count - 1, columns: [1] });
    assert.deepEqual(await store.distinct(upTo(distinctMax), noPause), { count: distinctMax, isMore: false });
    assert.deepEqual(await store.distinct(upTo(distinctMax + 1), noPause), {
      count: distinctMax,
      isMore: true,
    });
    assert.equal((await store.aggregate(upTo(distinctMax + 1), noPause)).distinct, undefined);
  });
});
