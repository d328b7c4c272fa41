/** Parquet files with many rows, read back by an independent parser. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ExactNumber } from '#api/client/json.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';

let folder: string;
let count = 0;

type Columns = Readonly<Record<string, string>>;
type Rows = readonly (readonly unknown[])[];

async function written(types: Columns, pages: readonly Rows[], packs = false): Promise<ArrayBuffer> {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  count += 1;
  const file = path.join(folder, `${count}.parquet`);
  const options = { format: 'parquet', path: file, nullText: '', guardFormulas: false } as const;
  const data = await createLocalData().createFile(columns, {
    ...options,
    tableName: '',
    byteOrderMark: false,
  });
  const scanner = new PageScanner('texts');
  for (const rows of pages) {
    const packed = packs ? scanner.scan(new Uint8Array(Buffer.from(JSON.stringify({ rows })))) : undefined;
    assert.equal(packed !== undefined, packs);
    await data.write(packed?.rows ?? rows);
  }
  await data.finish();
  await data.dispose();
  const bytes = await readFile(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length); // Node reads files into unshared buffers
}

const read = async (file: ArrayBuffer) =>
  (await parquetReadObjects({ file })).map((row) => Object.values(row) as unknown[]);

suite('Parquet files', () => {
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-parquet-'));
  });
  after(() => rm(folder, { recursive: true }));

  const types = {
    n: 'int8',
    kind: 'text',
    id: 'text',
    at: 'timestamptz',
    ok: 'bool',
    small: 'int4',
    x: 'float8',
  };
  const row = (n: number): unknown[] => [
    n * 1_000_003 - 5e10,
    ['one', 'two', 'drei', 'vier ü', ''][n % 5],
    n % 7 === 0 ? null : `id-${n}`,
    `2026-01-${String((n % 28) + 1).padStart(2, '0')} 08:00:00.00${n % 10}+02:00`,
    n % 3 === 0 ? null : n % 2 === 0,
    n % 1_000 === 0 ? null : -n,
    n / 8,
  ];
  const expected = (n: number): unknown[] => {
    const [value, kind, id, at, ok, small, x] = row(n);
    return [BigInt(value as number), kind, id, new Date(String(at).replace(' ', 'T')), ok, small, x];
  };
  const rows = 120_000;
  const pages = Array.from({ length: rows / 10_000 }, (_, page) =>
    Array.from({ length: 10_000 }, (_row, index) => row(page * 10_000 + index)),
  );

  test('have decimals of a scale that all rows decide, and texts if one row has no number', async () => {
    const columns = { n: 'numeric', wide: 'numeric', odd: 'numeric', none: 'numeric(10, 2)' };
    const decimals = Array.from({ length: 120_000 }, (_, n) => [
      new ExactNumber(`${n - 60_000}${n === 110_000 ? '.250' : ''}`),
      new ExactNumber(`-${n}00000000000000000000.${n % 10}`),
      n === 100_000 ? 'NaN' : n,
      null,
    ]);
    await written(columns, [decimals]);
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    try {
      const from = `FROM '${path.join(folder, `${count}.parquet`)}'`;
      const ask = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJson();
      assert.deepEqual(
        (await ask(`DESCRIBE SELECT * ${from}`)).map(([, type]) => type),
        ['DECIMAL(18,3)', 'DECIMAL(38,1)', 'VARCHAR', 'DECIMAL(18,2)'],
      );
      assert.deepEqual(
        await ask(`SELECT min(n), max(n), sum(n)::VARCHAR, min(wide), max(odd), count(none) ${from}`),
        [['-60000.000', '59999.000', '-59999.750', '-11999900000000000000000000.9', 'NaN', '0']],
      );
      // These read the bounds of the row groups.
      assert.deepEqual(
        await ask(`SELECT count(*) FILTER (WHERE n > 50000), count(*) FILTER (WHERE wide < -11e24) ${from}`),
        [['10000', '9999']],
      );
      assert.deepEqual(await ask(`SELECT n, odd ${from} WHERE n = 50000.25`), [['50000.250', '110000']]);
    } finally {
      duck.closeSync();
    }
  });

  for (const packs of [false, true]) {
    test(`contain every row in several groups, from ${packs ? 'bytes' : 'values'}`, async () => {
      const file = await written(types, pages, packs);
      const metadata = parquetMetadata(file);
      assert.deepEqual(
        metadata.row_groups.map(({ num_rows }) => num_rows),
        [50_000n, 50_000n, 20_000n],
      );
      const all = await read(file);
      assert.equal(all.length, rows);
      for (const n of [0, 1, 7, 999, 1_000, 49_999, 50_000, 99_999, 100_000, 119_999])
        assert.deepEqual(all[n], expected(n));
      assert.ok(all.every((cells, n) => cells[0] === BigInt(n * 1_000_003 - 5e10)));
      assert.ok(all.every((cells, n) => cells[2] === (n % 7 === 0 ? null : `id-${n}`)));
      assert.ok(all.every((cells, n) => cells[4] === (n % 3 === 0 ? null : n % 2 === 0)));
    });
  }

  test('contain the smallest and the greatest value of each group', async () => {
    const file = await written(types, pages);
    const [first] = parquetMetadata(file).row_groups;
    const bounds = first?.columns.map(({ meta_data }) => {
      const { min_value, max_value, null_count } = meta_data?.statistics ?? {};
      return [min_value, max_value, null_count];
    });
    assert.deepEqual(bounds, [
      [BigInt(-5e10), BigInt(49_999 * 1_000_003 - 5e10), 0n],
      ['', 'vier ü', 0n],
      ['id-1', 'id-9999', 7_143n],
      [new Date('2026-01-01T06:00:00.000Z'), new Date('2026-01-28T06:00:00.009Z'), 0n],
      [false, true, 16_667n],
      [-49_999, -1, 50n],
      [-0, 49_999 / 8, 0n],
    ]);
    assert.deepEqual(
      first?.columns.map(({ meta_data }) => meta_data?.dictionary_page_offset !== undefined),
      [false, true, false, false, false, false, false],
    );
  });

  test('end a group of long texts early', async () => {
    const long = Array.from({ length: 3_000 }, (_, n) => [`${n}`.padEnd(10_000, 'x')]);
    const file = await written({ s: 'text' }, [long]);
    assert.ok(parquetMetadata(file).row_groups.length > 1);
    assert.deepEqual(await read(file), long);
  });

  test('keep values that are none of their type as texts, wherever they are', async () => {
    const first = Array.from({ length: 60_000 }, (_, n): unknown[] => [
      null,
      n,
      `2026-01-01 00:00:0${n % 10}`,
      null,
      n,
    ]);
    first[3] = [null, 'n/a', '2026-01-01 00:00:03', null, 3];
    const last = Array.from({ length: 3 }, (_, n): unknown[] => ['t', 2 ** 31, '15 Mar 2026', null, n]);
    const columns = { ok: 'bool', n: 'int4', at: 'timestamp', 'n (text)': 'text', odd: 'numeric' };
    const file = await written(columns, [first, last]);
    const names = parquetMetadata(file)
      .schema.slice(1)
      .map(({ name, type }) => [name, type]);
    assert.deepEqual(names, [
      ['ok', 'BYTE_ARRAY'],
      ['n', 'INT32'],
      ['at', 'INT64'],
      ['n (text)', 'BYTE_ARRAY'],
      ['odd', 'INT64'],
      ['n (text)_2', 'BYTE_ARRAY'],
      ['at (text)', 'BYTE_ARRAY'],
    ]);
    const at = (n: number) => new Date(`2026-01-01T00:00:0${n % 10}.000Z`);
    const all = await read(file);
    assert.equal(all.length, 60_003);
    for (const n of [0, 1, 4, 49_999, 50_000, 59_999])
      assert.deepEqual(all[n], [null, n, at(n), null, n, null, null]);
    assert.deepEqual(all[3], [null, null, at(3), null, 3, 'n/a', null]);
    for (const n of [0, 1, 2])
      assert.deepEqual(all[60_000 + n], ['t', null, null, null, n, '2147483648', '15 Mar 2026']);
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    try {
      const from = `FROM '${path.join(folder, `${count}.parquet`)}'`;
      const asked = await duck.runAndReadAll(
        `SELECT count(ok), count(n), max(n), count("n (text)_2"), count("at (text)"), count(*) ${from}`,
      );
      assert.deepEqual(asked.getRowsJson(), [['3', '59999', 59_999, '4', '3', '60003']]);
    } finally {
      duck.closeSync();
    }
  });

  test('keep every cell, whatever the service says of its type', async () => {
    const types = [
      'int2',
      'int4',
      'int8',
      'float8',
      'bool',
      'date',
      'timestamp',
      'timestamptz',
      'numeric',
      'uuid',
    ];
    const cells = fc.constantFrom(
      null,
      'true',
      't',
      '1',
      '-7',
      '1.5',
      'x',
      '',
      '2026-01-01',
      '2026-01-01 10:00:00',
      '9'.repeat(30),
      'NaN',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 4 }),
        fc.array(fc.array(cells, { minLength: 4, maxLength: 4 }), { maxLength: 30 }),
        async (kinds, rows) => {
          const columns = Object.fromEntries(kinds.map((type, index) => [`c${index}`, type]));
          const file = await written(columns, [rows.map((row) => row.slice(0, kinds.length))]);
          const back = await parquetReadObjects({ file });
          assert.equal(back.length, rows.length);
          for (const [index, row] of back.entries())
            for (const column of kinds.keys()) {
              const cell = rows[index]?.[column];
              const [typed, text] = [row[`c${column}`] ?? null, row[`c${column} (text)`] ?? null];
              assert.equal(typed === null && text === null, cell === null);
              assert.ok(typed === null || text === null);
              if (text !== null) assert.equal(text, cell);
            }
        },
      ),
      { numRuns: 100 },
    );
  });

  test('return all cells unchanged', async () => {
    const texts = fc.oneof(fc.constantFrom(null, '', 'a', 'b'), fc.string({ unit: 'grapheme' }));
    const integers = fc.oneof(fc.constantFrom(null), fc.maxSafeInteger(), fc.nat(3));
    const big = fc.oneof(fc.constantFrom(null), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    const flags = fc.constantFrom(null, true, false);
    const doubles = fc.oneof(fc.constantFrom(null), fc.double({ noNaN: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(texts, integers, big, flags, doubles), { maxLength: 60 }),
        fc.nat(60),
        async (all, cut) => {
          const cells = all.map(([s, n, b, ok, x]) => [
            s,
            n,
            b === null ? null : new ExactNumber(String(b)),
            ok,
            x,
          ]);
          const file = await written({ s: 'text', n: 'int8', b: 'int8', ok: 'bool', x: 'float8' }, [
            cells.slice(0, cut),
            cells.slice(cut),
          ]);
          const back = all.map(([s, n, b, ok, x]) => [
            s,
            n === null ? null : BigInt(n),
            b,
            ok,
            x === 0 ? 0 : x,
          ]);
          assert.deepEqual(
            (await read(file)).map((one) => one.map((cell) => (cell === 0 ? 0 : cell))),
            back,
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
