/** Sort order: by type, stable, exact beyond doubles, NULLs last. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ExactNumber } from '#api/client/json.ts';
import { packRows } from '#core/rows/chunk.ts';
import { compareDecimal } from '#core/rows/decimal.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { epochMicroseconds, epochMicrosecondsOfBytes } from '#core/rows/timestamps.ts';

function sorted(type: string, values: readonly unknown[], descending = false): (string | null)[] {
  const store = new ResultStore([{ name: 'value', type }]);
  const half = Math.ceil(values.length / 2);
  for (const page of [values.slice(0, half), values.slice(half)]) {
    store.append(
      packRows(
        page.map((value) => [value]),
        [{ isJson: false }],
      ),
    );
  }
  store.sortAndFilter({ sort: [{ column: 0, descending }], filters: [] });
  return values.map((_, row) => store.cell(row, 0).text);
}

const exact = (...texts: string[]) => texts.map((text) => new ExactNumber(text));

suite('sorting results', () => {
  test('numbers sort by value, not by their digits', () => {
    assert.deepEqual(sorted('int4', [10, 9, -1, 0, 100, -20]), ['-20', '-1', '0', '9', '10', '100']);
    assert.deepEqual(sorted('int4', [10, 9, -1], true), ['10', '9', '-1']);
  });

  test('neighbours beyond 2^53 and long decimals keep their order', () => {
    const texts = [
      '9007199254740993',
      '9007199254740992',
      '9007199254740994',
      '0.10000000000000000002',
      '0.10000000000000000001',
    ];
    assert.deepEqual(sorted('numeric', exact(...texts)), [texts[4], texts[3], texts[1], texts[0], texts[2]]);
  });

  test('long numbers of a file without types keep their order, too', () => {
    const texts = ['9007199254740993', '9007199254740992', '9007199254740994', '9007199254740992.0'];
    const store = new ResultStore([{ name: 'id', type: '' }]);
    store.append(
      packRows(
        texts.map((text) => [text]),
        [{ isJson: false }],
      ),
    );
    store.setInferredKinds(['number']);
    store.sortAndFilter({ sort: [{ column: 0, descending: false }], filters: [] });
    assert.deepEqual(
      texts.map((_, row) => store.cell(row, 0).text),
      [texts[1], texts[3], texts[0], texts[2]],
    );
  });

  test('numbers of a file without types that round to the same double keep their order', () => {
    for (const [descending, expected] of [
      [false, ['0', '1e-400', '1', '1.0', '1', '1e400', '1e500', 'NaN', 'none']],
      [true, ['none', 'NaN', '1e500', '1e400', '1', '1.0', '1', '1e-400', '0']],
    ] as const) {
      const store = new ResultStore([{ name: 'n', type: '' }]);
      const texts = ['none', '1', '1e500', '1.0', '1e-400', '1', 'NaN', '1e400', '0'];
      const rows = texts.map((text) => [text]);
      store.append(packRows(rows, [{ isJson: false }]));
      store.setInferredKinds(['number']);
      store.sortAndFilter({ sort: [{ column: 0, descending }], filters: [] });
      assert.deepEqual(
        texts.map((_, row) => store.cell(row, 0).text),
        expected,
      );
    }
  });

  test('NaN is the greatest and the infinities are at the ends, as in PostgreSQL', () => {
    assert.deepEqual(sorted('float8', ['NaN', 'Infinity', 1, '-Infinity', -2]), [
      '-Infinity',
      '-2',
      '1',
      'Infinity',
      'NaN',
    ]);
  });

  test('NULLs come last in both directions', () => {
    assert.deepEqual(sorted('int4', [null, 2, null, 1]), ['1', '2', null, null]);
    assert.deepEqual(sorted('int4', [null, 2, null, 1], true), ['2', '1', null, null]);
  });

  for (const { name, type, groups, mark } of [
    { name: 'UUIDs', type: 'uuid', groups: [8, 4, 4, 4, 12], mark: '-' },
    { name: 'hardware addresses', type: 'macaddr', groups: [2, 2, 2, 2, 2, 2], mark: ':' },
  ])
    test(`${name} sort by value however they are written, and equal ones keep their order`, () => {
      const digits = (size: number) =>
        fc.string({ unit: fc.constantFrom('0', '9', 'a', 'f'), minLength: size, maxLength: size });
      const written = fc
        .tuple(fc.tuple(...groups.map(digits)), fc.constantFrom('plain', 'plain', 'plain', 'upper', 'bare'))
        .map(([parts, form]) =>
          form === 'bare'
            ? parts.join('')
            : form === 'upper'
              ? parts.join(mark).toUpperCase()
              : parts.join(mark),
        );
      const valueOf = (text: string) => text.toLowerCase().replaceAll(mark, '');
      const check = (texts: readonly string[], descending: boolean) => {
        const sign = descending ? -1 : 1;
        const expected = texts.toSorted((a, b) => {
          const [one, other] = [valueOf(a), valueOf(b)];
          return one === other ? 0 : one < other ? -sign : sign;
        });
        assert.deepEqual(sorted(type, texts, descending), expected);
      };
      fc.assert(fc.property(fc.array(written), fc.boolean(), check), { numRuns: 300 });
      const plain = written.filter((text) => text === text.toLowerCase() && text.includes(mark));
      fc.assert(fc.property(fc.array(plain), fc.boolean(), check), { numRuns: 300 });
      // Long runs are sorted in another way than short ones.
      const many = fc.sample(plain, { numRuns: 6_000, seed: 1 });
      for (const descending of [false, true]) check([...many, ...many.slice(0, 100)], descending);
    });

  test('texts sort ignoring case and accents first, then exactly', () => {
    assert.deepEqual(sorted('text', ['b', 'Zebra', 'B', 'ärzte', 'Arzt', 'a', 'Ärzte', '']), [
      '',
      'a',
      'Arzt',
      'Ärzte',
      'ärzte',
      'B',
      'b',
      'Zebra',
    ]);
  });

  test('texts that share a long prefix are compared in full', () => {
    const names = ['department-10', 'department-9', 'department-1', 'DEPARTMENT-1'];
    assert.deepEqual(sorted('text', names), [
      'DEPARTMENT-1',
      'department-1',
      'department-10',
      'department-9',
    ]);
  });

  test('booleans and times sort by value', () => {
    assert.deepEqual(sorted('bool', [true, false, null, true]), ['false', 'true', 'true', null]);
    const times = [
      '2026-03-01 01:00:00+02',
      '2026-03-01 00:30:00+00',
      'infinity',
      '0044-03-15 00:00:00+00 BC',
      '-infinity',
    ];
    assert.deepEqual(sorted('timestamptz', times), [times[4], times[3], times[0], times[1], times[2]]);
  });

  test('equal rows keep the order of the service, even when descending', () => {
    const store = new ResultStore([
      { name: 'key', type: 'int4' },
      { name: 'place', type: 'int4' },
    ]);
    const rows = Array.from({ length: 1_000 }, (_, index) => [index % 3, index]);
    store.append(packRows(rows, [{ isJson: false }, { isJson: false }]));
    for (const descending of [false, true]) {
      store.sortAndFilter({ sort: [{ column: 0, descending }], filters: [] });
      const shown = rows.map((_, row) => [store.cell(row, 0).text, Number(store.cell(row, 1).text)] as const);
      shown.forEach(([key, place], row) => {
        const before = shown[row - 1];
        if (before?.[0] === key) assert.ok(before[1] < place);
      });
    }
  });

  test('with several keys, later ones break ties; without keys, the original order is restored', () => {
    const store = new ResultStore([
      { name: 'a', type: 'text' },
      { name: 'b', type: 'int4' },
    ]);
    store.append(
      packRows(
        [
          ['y', 1],
          ['x', 1],
          ['y', 2],
          ['x', 2],
        ],
        [{ isJson: false }, { isJson: false }],
      ),
    );
    const shown = () =>
      [0, 1, 2, 3].map((row) => `${store.cell(row, 0).text ?? ''}${store.cell(row, 1).text ?? ''}`);
    store.sortAndFilter({
      sort: [
        { column: 0, descending: false },
        { column: 1, descending: true },
      ],
      filters: [],
    });
    assert.deepEqual(shown(), ['x2', 'x1', 'y2', 'y1']);
    store.sortAndFilter({ sort: [], filters: [] });
    assert.deepEqual(shown(), ['y1', 'x1', 'y2', 'x2']);
  });

  test('agrees with a naive sort for all numbers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(-0))),
        fc.boolean(),
        (values, down) => {
          const expected = values
            .toSorted((a, b) => (a === b ? 0 : (a < b ? -1 : 1) * (down ? -1 : 1)))
            .map(String);
          assert.deepEqual(sorted('float8', values, down), expected);
        },
      ),
    );
  });

  test('agrees with a naive sort for all texts', () => {
    const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (values) => {
        const expected = values.toSorted((a, b) => bytes(fold(a), fold(b)) || bytes(a, b));
        assert.deepEqual(sorted('text', values), expected);
      }),
    );
  });

  test('decimals compare without rounding', () => {
    const ordered = [
      '-1e3',
      '-999.9',
      '-0.001',
      '0',
      '0.0010',
      '1',
      '1.0000000000000000001',
      '1e2',
      '100.5',
      '12e1',
    ];
    for (const [index, a] of ordered.entries()) {
      for (const [other, b] of ordered.entries()) {
        assert.ok(Math.sign(compareDecimal(a, b)) === Math.sign(index - other), `${a} and ${b}`);
      }
    }
    assert.equal(compareDecimal('1.10', '1.1'), 0);
    assert.equal(compareDecimal('-0', '0'), 0);
  });

  test('times are parsed with their zone, fraction and era', () => {
    assert.equal(epochMicroseconds('1970-01-01 00:00:00.000001+00'), 1);
    assert.equal(epochMicroseconds('1970-01-01T01:00:00+01:00'), 0);
    assert.equal(epochMicroseconds('1969-12-31 23:59:59-00'), -1_000_000);
    assert.equal(epochMicroseconds('2026-01-31'), Date.UTC(2026, 0, 31) * 1_000);
    assert.ok(Number.isNaN(epochMicroseconds('soon')));
    assert.ok(epochMicroseconds('0001-01-01 BC') < epochMicroseconds('0001-01-01'));
  });

  test('the fast parser for times agrees with the full one', () => {
    const two = (max: number, min = 0) =>
      fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
    const time = fc
      .tuple(
        fc.integer({ min: 1, max: 9999 }).map((year) => String(year).padStart(4, '0')),
        ...[two(12, 1), two(28, 1), two(23), two(59), two(59)],
        fc.constantFrom('', '.1', '.000001', '.123456'),
        fc.constantFrom('', 'Z', '+00', '-07', '+05:30'),
        fc.constantFrom(' ', 'T'),
      )
      .map(
        ([y, mo, d, h, mi, s, fraction, zone, between]) =>
          `${y}-${mo}-${d}${between}${h}:${mi}:${s}${fraction}${zone}`,
      );
    fc.assert(
      fc.property(time, (text) => {
        const bytes = Buffer.from(text);
        // Above 2^53 microseconds, both functions round, but at different steps.
        const expected = epochMicroseconds(text);
        const actual = epochMicrosecondsOfBytes(bytes, 0, bytes.length);
        assert.ok(
          actual !== undefined && Math.abs(actual - expected) <= (Number.isSafeInteger(expected) ? 0 : 64),
        );
      }),
    );
    for (const other of [
      '2026-01-31',
      'infinity',
      '0044-03-15 00:00:00+00 BC',
      '2026-01-31 08:00:00+05:30:15',
      '',
    ]) {
      const bytes = Buffer.from(other);
      assert.equal(epochMicrosecondsOfBytes(bytes, 0, bytes.length), undefined);
    }
  });

  test('many texts with a common prefix, long and short, in every case', () => {
    const values = Array.from({ length: 30_000 }, (_, index) => {
      const number = (index * 7_919) % 10_007;
      const text = `department of people ${number % 97} / team ${number}`;
      return index % 3 === 0 ? text.toUpperCase() : index % 1_009 === 0 ? `${text} é` : text;
    });
    const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const expected = values.toSorted((a, b) => byBytes(fold(a), fold(b)) || byBytes(a, b));
    assert.deepEqual(sorted('text', values), expected);
    assert.deepEqual(
      sorted('text', values, true),
      values.toSorted((a, b) => byBytes(fold(b), fold(a)) || byBytes(b, a)),
    );
  });
});
