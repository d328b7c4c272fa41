/** Sorting and filtering many rows by bytes and digits gives the same result as comparing values. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { packRows } from '#core/rows/chunk.ts';
import type { ColumnFilter, TextOperator } from '#core/rows/rows.ts';
import { compareTexts } from '#core/rows/sort/folded-texts.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { epochMicroseconds } from '#core/rows/timestamps.ts';

const count = 12_000;

/** Creates a seeded random generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function storeOf(type: string, values: readonly unknown[]): ResultStore {
  const store = new ResultStore([
    { name: 'value', type },
    { name: 'row', type: 'int4' },
  ]);
  for (let from = 0; from < values.length; from += 5_000) {
    const rows = values.slice(from, from + 5_000).map((value, index) => [value, from + index]);
    store.append(packRows(rows, [{ isJson: false }, { isJson: false }]));
  }
  return store;
}

function rowsIn(store: ResultStore): number[] {
  return Array.from({ length: store.viewRowCount }, (_, row) => Number(store.cell(row, 1).text));
}

function checkOrder<T>(type: string, values: readonly (T | null)[], compare: (a: T, b: T) => number): void {
  const store = storeOf(type, values);
  for (const descending of [false, true]) {
    store.sortAndFilter({ sort: [{ column: 0, descending }], filters: [] });
    const expected = values
      .map((value, row) => ({ value, row }))
      .sort((a, b) => {
        if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
        return (descending ? -1 : 1) * compare(a.value, b.value);
      })
      .map(({ row }) => row);
    assert.deepEqual(rowsIn(store), expected);
  }
}

const byNumber = (a: number, b: number) => a - b;

suite('sorting many rows', () => {
  test('numbers: few, small, of both signs, beyond 32 bits, with fractions, with NULLs', () => {
    const random = randomOf(1);
    const shapes: (() => number)[] = [
      () => Math.floor(random() * 3),
      () => Math.floor(random() * 60_000) - 30_000,
      () => Math.floor((random() - 0.5) * 2 ** 40),
      () => Math.floor((random() - 0.5) * 2 ** 52),
      () => (random() - 0.5) * 10 ** Math.floor(random() * 40 - 20),
      () => (random() < 0.5 ? 2 ** 53 * (random() - 0.5) * 4 : Math.floor(random() * 5)),
      () => (random() < 0.3 ? -0 : 0) + (random() < 0.1 ? -1 : 0),
    ];
    for (const shape of shapes) {
      const values = Array.from({ length: count }, () => (random() < 0.05 ? null : shape()));
      checkOrder('float8', values, byNumber);
    }
  });

  test('times before and after 1970, in every format', () => {
    const random = randomOf(2);
    const values = Array.from({ length: count }, () => {
      const at = new Date(Math.floor((random() - 0.4) * 4e12)).toISOString();
      const form = Math.floor(random() * 4);
      if (form === 0) return at.slice(0, 10);
      if (form === 1) return `${at.slice(0, 19).replace('T', ' ')}+02`;
      return form === 2 ? at.slice(0, 23).replace('T', ' ') : random() < 0.01 ? 'infinity' : at;
    });
    const compare = (a: string, b: string) => {
      const [left, right] = [epochMicroseconds(a), epochMicroseconds(b)];
      return left === right ? 0 : left - right;
    };
    checkOrder('timestamptz', values, compare);
  });

  test('texts: few values, long common prefixes, case, accents, other scripts, very long ones, empty ones', () => {
    const random = randomOf(3);
    const pick = (...texts: string[]) => texts[Math.floor(random() * texts.length)] ?? '';
    const long = 'ab'.repeat(200);
    const shapes: (() => string)[] = [
      () => pick('Sales', 'sales', 'Engineering', 'Zoë', 'Zoe', ''),
      () => `${pick('mara.keller', 'jonas.brandt')}${Math.floor(random() * 1e9)}@example.com`,
      () => `${pick('User', 'user', 'Üser')} ${Math.floor(random() * 900)}`,
      () => `${long}${pick('', 'x', 'X', 'é')}${Math.floor(random() * 50)}`,
      () => pick('Ω', '𝒜', '\uffee', '中文', 'あ', 'Å', 'A', 'å', 'a\u030a') + pick('', 'a', 'A', '1'),
      () => String(Math.floor(random() * 1e6)).padStart(Math.floor(random() * 12), '0'),
      () => pick('@', 'A', 'Z', '[', '`', 'a', 'z', '{', '~', '\u0001') + pick('', 'M', 'm', '@', '{'),
      () => (random() < 0.0002 ? 'Zoë' : pick('zoe', 'Zo', 'ZOE', 'zof')),
    ];
    // Chunks without NULLs are read as a whole.
    for (const nullShare of [0.05, 0]) {
      for (const shape of shapes) {
        const values = Array.from({ length: count }, () => (random() < nullShare ? null : shape()));
        checkOrder('text', values, compareTexts);
      }
    }
  });

  test('several columns: the first one decides, the others break ties', () => {
    const random = randomOf(4);
    const store = new ResultStore(
      ['team', 'score', 'row'].map((name, index) => ({ name, type: index === 0 ? 'text' : 'int4' })),
    );
    const rows = Array.from({ length: count }, (_, row) => [
      ['Red', 'green', 'Blue'][Math.floor(random() * 3)],
      Math.floor(random() * 20),
      row,
    ]);
    store.append(packRows(rows, [{ isJson: false }, { isJson: false }, { isJson: false }]));
    store.sortAndFilter({
      sort: [
        { column: 0, descending: false },
        { column: 1, descending: true },
      ],
      filters: [{ column: 1, rule: { kind: 'compare', operator: '>=', text: '5' } }],
    });
    const expected = rows
      .filter((row) => Number(row[1]) >= 5)
      .sort((a, b) => compareTexts(String(a[0]), String(b[0])) || Number(b[1]) - Number(a[1]))
      .map((row) => row[2]);
    assert.deepEqual(
      Array.from({ length: store.viewRowCount }, (_, row) => Number(store.cell(row, 2).text)),
      expected,
    );
  });
});

suite('filters by bytes', () => {
  const values = [
    'Lee',
    'lee.chen',
    'LEE',
    'le',
    '',
    'x.LEE',
    '\u212aelvin',
    'kelvin',
    'K',
    'Élee',
    'leé',
    'İlee',
    42,
    true,
    null,
  ];

  test('edges of texts, with and without case, match the texts', () => {
    const store = storeOf('text', values);
    for (const operator of ['equals', 'starts-with', 'ends-with'] satisfies TextOperator[]) {
      for (const text of ['lee', 'LEE', 'k', 'kelvin', '', 'é', 'İ', '2', 'true', 'lee.chen.more']) {
        for (const matchCase of [false, true]) {
          const filter: ColumnFilter = { column: 0, rule: { kind: 'text', operator, text, matchCase } };
          store.sortAndFilter({ sort: [], filters: [filter] });
          const wanted = matchCase ? text : text.toLowerCase();
          const expected = values.flatMap((value, row) => {
            if (value === null) return [];
            const shown = matchCase ? String(value) : String(value).toLowerCase();
            const meets =
              operator === 'equals'
                ? shown === wanted
                : operator === 'starts-with'
                  ? shown.startsWith(wanted)
                  : shown.endsWith(wanted);
            return meets ? [row] : [];
          });
          assert.deepEqual(rowsIn(store), expected, `${operator} ${text} ${String(matchCase)}`);
        }
      }
    }
  });

  test('a non-ASCII letter is found in either case', () => {
    const store = storeOf('text', ['Zoë', 'ZOË', 'Zoe', 'x', null, 'aë']);
    store.sortAndFilter({
      sort: [],
      filters: [{ column: 0, rule: { kind: 'text', operator: 'contains', text: 'Ë', matchCase: false } }],
    });
    assert.deepEqual(rowsIn(store), [0, 1, 5]);
  });
});
