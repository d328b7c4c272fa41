/** Rows in packed columns are returned unchanged, down to the last digit. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '#api/client/json.ts';
import { buffersOf, packRows, sizeOf } from '#core/rows/chunk.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { shownCharsMax } from '#core/rows/rows.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { sampleColumns, sampleRow, sampleRows } from '#test/helpers/result-rows.ts';

function storeOf(columns: readonly { name: string; type: string }[], ...pages: unknown[][][]): ResultStore {
  const store = new ResultStore(columns);
  const packing = columns.map(({ type }) => ({ isJson: columnKindOf(type) === 'json' }));
  for (const page of pages) store.append(packRows(page, packing));
  return store;
}

const one = [{ name: 'value', type: 'unknown' }];

suite('result store', () => {
  test('keeps numbers beyond double precision, and zeros as written', () => {
    const written =
      '[9007199254740993, -9007199254740993, 0.1, 1.10, 12345678901234567890.123456789, 1e400, 7]';
    const values = parseJson(written) as unknown[]; // the text above is an array
    const store = storeOf(
      one,
      values.map((value) => [value]),
    );
    assert.deepEqual(
      values.map((_, row) => store.cell(row, 0).text),
      [
        '9007199254740993',
        '-9007199254740993',
        '0.1',
        '1.10',
        '12345678901234567890.123456789',
        '1e400',
        '7',
      ],
    );
  });

  test('distinguishes NULL, empty text, false and zero', () => {
    const store = storeOf(one, [[null], [''], [false], [0], [undefined], ['null']]);
    const texts = [0, 1, 2, 3, 4, 5].map((row) => store.cell(row, 0).text);
    assert.deepEqual(texts, [null, '', 'false', '0', null, 'null']);
  });

  test('accepts rows that are shorter than the columns', () => {
    const store = storeOf([...one, { name: 'b', type: 'text' }], [['only'], []]);
    assert.equal(store.cell(0, 1).text, null);
    assert.equal(store.cell(1, 0).text, null);
  });

  test('shows JSON as sent: exact numbers inside, texts in JSON columns quoted', () => {
    const store = storeOf(
      [{ name: 'j', type: 'jsonb' }],
      [[{ id: new ExactNumber('9007199254740993'), list: [1, null, 'x"y'] }], ['bare'], [3], [null], [[]]],
    );
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((row) => store.cell(row, 0).text),
      ['{"id":9007199254740993,"list":[1,null,"x\\"y"]}', '"bare"', '3', null, '[]'],
    );
    assert.equal(store.cell(0, 0).isJson, true);
  });

  test('returns windows across pages of different sizes', () => {
    const store = storeOf(sampleColumns, sampleRows(0, 7), sampleRows(7, 1), [], sampleRows(8, 92));
    const window = store.window({ firstRow: 5, rowCount: 10, columns: [1, 0] });
    assert.equal(window.firstRow, 5);
    assert.deepEqual(
      window.columns[0]?.cells,
      Array.from({ length: 10 }, (_, index) => sampleRow(5 + index)[1]),
    );
    assert.deepEqual(window.columns[1]?.cells[0], '9007199254740998');
  });

  test('clips windows at the end and omits unknown columns', () => {
    const store = storeOf(one, [['a'], ['b']]);
    assert.deepEqual(store.window({ firstRow: 1, rowCount: 50, columns: [0, 9] }).columns, [
      { column: 0, cells: ['b'] },
    ]);
    assert.deepEqual(store.window({ firstRow: 9, rowCount: 5, columns: [0] }).columns, [
      { column: 0, cells: [] },
    ]);
  });

  test('truncates long texts only in windows, and never within a character', () => {
    const long = '🙂'.repeat(shownCharsMax);
    const store = storeOf(one, [[long]]);
    const shown = store.window({ firstRow: 0, rowCount: 1, columns: [0] }).columns[0]?.cells[0] ?? '';
    assert.equal(shown, `${'🙂'.repeat(shownCharsMax / 2)}…`);
    assert.equal(store.cell(0, 0).text, long);
  });

  test('infers the kind of an untyped column from its cells', () => {
    const store = storeOf(
      ['n', 'b', 't', 'j', 'none'].map((name) => ({ name, type: 'unknown' })),
      [
        [null, null, null, null, null],
        [1, true, 'x', { a: 1 }, null],
      ],
    );
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((column) => store.kindOf(column)),
      ['number', 'boolean', 'text', 'json', 'text'],
    );
  });

  test('returns whatever was packed', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constant(null),
            fc.boolean(),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.bigInt().map((value) => new ExactNumber(value.toString())),
            fc.string({ unit: 'grapheme' }),
          ),
        ),
        (values) => {
          const store = storeOf(
            one,
            values.map((value) => [value]),
          );
          values.forEach((value, row) => {
            const expected = value === null ? null : String(value);
            assert.equal(store.cell(row, 0).text, expected);
          });
        },
      ),
    );
  });

  test('uses little more memory than the data', () => {
    const store = storeOf(sampleColumns, sampleRows(0, 10_000));
    const bytes = sampleRows(0, 10_000)
      .flat()
      .reduce<number>((sum, value) => sum + (value === null ? 0 : JSON.stringify(value).length), 0);
    assert.ok(store.sizeBytes < bytes * 1.2, `${store.sizeBytes} bytes for ${bytes} bytes of data`);
    const chunk = packRows([['x']], [{ isJson: false }]);
    assert.equal(
      sizeOf(chunk),
      buffersOf(chunk).reduce((sum, buffer) => sum + buffer.byteLength, 0),
    );
  });

  test('derives the kind of a type from its name', () => {
    const kinds = Object.entries({
      int8: 'number',
      'numeric(10,2)': 'number',
      'double precision': 'number',
      timestamptz: 'time',
      'timestamp(3) with time zone': 'time',
      bool: 'boolean',
      'text[]': 'json',
      _int4: 'json',
      JSONB: 'json',
      uuid: 'text',
      interval: 'text',
    });
    assert.deepEqual(
      kinds.map(([type]) => [type, columnKindOf(type)]),
      kinds,
    );
  });
});
