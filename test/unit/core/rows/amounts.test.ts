/** Amounts of money: read exactly in the forms of all locales, and never added across currencies. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Amounts } from '#core/rows/amounts.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ChartSpec, GroupSpec } from '#core/rows/rows.ts';

function read(texts: readonly string[]) {
  const amounts = new Amounts();
  for (const text of texts) amounts.learn(text);
  return { decimals: texts.map((text) => amounts.read(text)?.decimal), areMixed: amounts.areMixed };
}

async function dataOf(values: readonly (readonly [string, string | null])[]) {
  const data = createLocalData().create([
    { name: 'team', type: 'text' },
    { name: 'amount', type: 'money' },
  ]);
  await data.append(values);
  return data;
}

const footerOf = async (texts: readonly (string | null)[]) => {
  const data = await dataOf(texts.map((text) => ['a', text]));
  return await data.ask('aggregate', { firstRow: 0, lastRow: texts.length - 1, columns: [1] });
};

/** Writes digits in groups of three. */
const grouped = (digits: string, by: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, by);
const split = (cents: bigint, places: number) => {
  const digits = String(cents < 0n ? -cents : cents).padStart(places + 1, '0');
  const end = digits.length - places;
  return { isNegative: cents < 0n, whole: digits.slice(0, end), fraction: digits.slice(end) };
};
const forms: readonly (readonly [name: string, places: number, write: (cents: bigint) => string])[] = [
  [
    'dollars',
    2,
    (cents) => {
      const { isNegative, whole, fraction } = split(cents, 2);
      return `${isNegative ? '-' : ''}$${grouped(whole, ',')}.${fraction}`;
    },
  ],
  [
    'dollars in brackets',
    2,
    (cents) => {
      const { isNegative, whole, fraction } = split(cents, 2);
      const text = `$${grouped(whole, ',')}.${fraction}`;
      return isNegative ? `(${text})` : text;
    },
  ],
  [
    'euros',
    2,
    (cents) => {
      const { isNegative, whole, fraction } = split(cents, 2);
      return `${isNegative ? '-' : ''}${grouped(whole, '.')},${fraction} €`;
    },
  ],
  [
    'crowns',
    2,
    (cents) => {
      const { isNegative, whole, fraction } = split(cents, 2);
      return `${grouped(whole, '\u00a0')},${fraction} kr${isNegative ? '\u2212' : ''}`;
    },
  ],
  [
    'francs',
    2,
    (cents) => {
      const { isNegative, whole, fraction } = split(cents, 2);
      return `${isNegative ? '-' : ''}CHF ${grouped(whole, '’')}.${fraction}`;
    },
  ],
];

suite('amounts of money', () => {
  test('are read as decimal numbers', () => {
    for (const [texts, decimals] of [
      [
        ['$1,234.50', '-$5.00', '($5.00)', '$-0.05', '$0.00'],
        ['1234.50', '-5.00', '-5.00', '-0.05', '0.00'],
      ],
      [
        ['Rs.500', 'Rs.1,00,000.50'],
        ['500', '100000.50'],
      ],
      [
        ['$.50', '$12.00'],
        ['0.50', '12.00'],
      ],
      // Three digits behind a separator are those of a group, unless others show that it is the point.
      [
        ['¥1,234', '¥500', '-¥1,234,567'],
        ['1234', '500', '-1234567'],
      ],
      [
        ['KD 1.234', 'KD 0.500'],
        ['1.234', '0.500'],
      ],
      [
        ['KD 1.234', 'KD 1,234.567'],
        ['1.234', '1234.567'],
      ],
      [['92,233,720,368,547,758.07'], ['92233720368547758.07']],
      // The dot belongs to the currency.
      [
        ['B/.1,234.50', 'B/.1.00'],
        ['1234.50', '1.00'],
      ],
      // These currencies have no decimal places.
      [
        ['￥250,000', '￥310,000'],
        ['250000', '310000'],
      ],
    ] as const)
      assert.deepEqual(read(texts), { decimals, areMixed: false });
  });

  test('are not read where their separators may mean either, or contradict each other', () => {
    for (const texts of [
      ['KD 1.234', 'KD 9.250'],
      ['€1.234,50', '€1,234.50'],
    ])
      assert.deepEqual(read(texts), { decimals: texts.map(() => undefined), areMixed: true });
    assert.deepEqual(read(['none', '-', '1-2', '3 $ 4 €']), {
      decimals: [undefined, undefined, undefined, undefined],
      areMixed: false,
    });
  });

  for (const [name, places, write] of forms)
    test(`${name} are summed exactly in the footer and in groups`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 20 }),
          async (cents) => {
            const { isNegative, whole, fraction } = split(
              cents.reduce((sum, one) => sum + one, 0n),
              places,
            );
            const sum = `${isNegative ? '-' : ''}${whole}.${fraction}`;
            const { numbers, mixedAmounts } = await footerOf([...cents.map(write), null]);
            assert.deepEqual([numbers?.sum, numbers?.count, mixedAmounts], [sum, cents.length, undefined]);
            const data = await dataOf(cents.map((one) => ['a', write(one)]));
            const spec: GroupSpec = { by: [{ column: 0 }], measure: { kind: 'sum', column: 1 } };
            const answer = await data.ask('group', spec);
            assert.deepEqual(answer.kind === 'groups' ? answer.rows : answer, [['a', sum]]);
          },
        ),
        { numRuns: 40 },
      );
    });

  test('of several currencies have no sum, except in groups of one currency each', async () => {
    const texts = ['$1.00', '2,00 €'];
    const footer = await footerOf(texts);
    assert.deepEqual([footer.numbers, footer.mixedAmounts], [undefined, 'currencies']);
    const sums = { by: [{ column: 0 }], measure: { kind: 'sum', column: 1 } } as const;
    const mixed = await dataOf(texts.map((text) => ['a', text]));
    assert.deepEqual(await mixed.ask('group', sums), { kind: 'mixed-amounts', mixed: 'currencies' });
    const apart = await (
      await dataOf([
        ['a', '$1.00'],
        ['b', '2,00 €'],
        ['b', '3,50 €'],
      ])
    ).ask('group', sums);
    assert.deepEqual(apart.kind === 'groups' ? apart.rows : apart, [
      ['a', '1.00'],
      ['b', '5.50'],
    ]);
  });

  test('without a clear decimal separator have no sum, and say so instead of currencies', async () => {
    for (const texts of [['KD 1.234'], ['$1.50', '$2,50'], ['1.234 €', '5.678 €']]) {
      const footer = await footerOf(texts);
      assert.deepEqual([footer.numbers, footer.mixedAmounts], [undefined, 'separators'], texts.join());
      const data = await dataOf(texts.map((text) => ['a', text]));
      assert.deepEqual(
        await data.ask('group', { by: [{ column: 0 }], measure: { kind: 'sum', column: 1 } }),
        { kind: 'mixed-amounts', mixed: 'separators' },
      );
      assert.equal((await data.ask('chart', { type: 'bar', x: 0, y: 1 })).mixedAmounts, 'separators');
    }
    assert.equal((await footerOf(['KD 1.234', '$2.00'])).mixedAmounts, 'currencies');
  });

  test('of several currencies are summed apart in a pivot by currency, which has no total across them', async () => {
    const data = await dataOf([
      ['$', '$1.00'],
      ['€', '2,00 €'],
    ]);
    const pivot = { by: [], across: { column: 0 }, measure: { kind: 'sum', column: 1 } } as const;
    const answer = await data.ask('group', pivot);
    assert.deepEqual(answer.kind === 'groups' ? answer.rows : answer, [['1.00', '2.00', null]]);
  });

  test('are read alike whatever rows are hidden, and are not mixed where the others are', async () => {
    const data = await dataOf([
      ['a', 'KD 1.234'],
      ['b', 'KD 0.500'],
      ['c', '$2.00'],
    ]);
    const of = (text: string) => ({
      filters: [{ column: 0, rule: { kind: 'text', operator: 'equals', text, matchCase: true } as const }],
    });
    await data.ask('sortAndFilter', { sort: [], ...of('a') });
    const { numbers } = await data.ask('aggregate', { firstRow: 0, lastRow: 0, columns: [1] });
    assert.equal(numbers?.sum, '1.234');
    const chart = await data.ask('chart', { type: 'bar', x: 0, y: 1 });
    assert.deepEqual([chart.points, chart.mixedAmounts], [[{ x: 'a', y: 1.234 }], undefined]);
  });

  test('that are only the names of bars may be of several currencies', async () => {
    const data = await dataOf([
      ['a', '$1.00'],
      ['b', '2,00 €'],
    ]);
    const chart = await data.ask('chart', { type: 'bar', x: 1 });
    assert.deepEqual([chart.points.length, chart.mixedAmounts], [2, undefined]);
  });

  test('are drawn, but not those of several currencies', async () => {
    const bars: ChartSpec = { type: 'bar', x: 0, y: 1 };
    const one = await (
      await dataOf([
        ['a', '$1,000.50'],
        ['a', '-$0.50'],
        ['b', '$2.00'],
      ])
    ).ask('chart', bars);
    assert.deepEqual(one.points, [
      { x: 'a', y: 1_000 },
      { x: 'b', y: 2 },
    ]);
    assert.deepEqual([one.skipped, one.mixedAmounts], [0, undefined]);
    const several = await (
      await dataOf([
        ['a', '$1.00'],
        ['b', '2,00 €'],
      ])
    ).ask('chart', bars);
    assert.deepEqual([several.points, several.skipped, several.mixedAmounts], [[], 2, 'currencies']);
  });
});
