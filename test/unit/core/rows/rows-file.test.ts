/** Result files, read back by independent parsers. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as fflate from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import readExcel, { readSheet } from 'read-excel-file/node';
import { ExactNumber, parseJson } from '#api/client/json.ts';
import { createExcelEncoder } from '#core/rows/files/excel.ts';
import { offeredFormats, type FileFormat, type FormatChoice } from '#core/rows/files/file-formats.ts';
import type { FileOptions } from '#core/rows/files/rows-encoder.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { sampleColumns, sampleRow, sampleRows } from '#test/helpers/result-rows.ts';

let folder: string;
let count = 0;

function optionsOf(format: FileFormat, change: Partial<FileOptions> = {}): FileOptions {
  count += 1;
  return {
    ...{ format, path: path.join(folder, `${count}.${format}`), nullText: '', guardFormulas: false },
    ...{ tableName: 'accounts', byteOrderMark: false },
    ...change,
  };
}

/** Writes rows to a file, and returns its content. */
async function written(
  columns: readonly StoreColumn[],
  rows: readonly (readonly unknown[])[],
  options: FileOptions,
): Promise<Buffer> {
  const file = await createLocalData().createFile(columns, options);
  for (let from = 0; from < rows.length; from += 700) await file.write(rows.slice(from, from + 700));
  const finished = await file.finish();
  await file.dispose();
  const bytes = await readFile(options.path);
  assert.equal(finished.sizeBytes, bytes.length);
  assert.equal(finished.rowCount, rows.length);
  return bytes;
}

/** Returns a cell as displayed text. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return value instanceof ExactNumber ? value.text : JSON.stringify(value);
}

const bufferOf = (bytes: Buffer) =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer; // Node reads files into unshared buffers
const utf8 = (bytes: Buffer) => bytes.toString('utf8');

suite('result files', () => {
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-files-'));
  });
  after(() => rm(folder, { recursive: true }));

  const rows = sampleRows(0, 3_000);
  const names = sampleColumns.map((column) => column.name);

  test('contain many rows as CSV, with and without a byte order mark', async () => {
    const bytes = await written(sampleColumns, rows, optionsOf('csv'));
    const read = parse(bytes, {
      cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
    }) as unknown;
    assert.deepEqual(read, [names, ...rows.map((row) => row.map(textOf))]);
    const marked = await written(sampleColumns, rows.slice(0, 1), optionsOf('csv', { byteOrderMark: true }));
    assert.deepEqual([...marked.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.deepEqual(parse(marked, { bom: true })[0], names);
  });

  for (const format of ['csv', 'tsv'] as const) {
    for (const nullText of ['', 'NULL', '"n,\tu"']) {
      test(`${format} with ${JSON.stringify(nullText)} for NULL: later columns are in the header and in every row`, async () => {
        const texts = [
          '',
          'a',
          '"',
          'a"b',
          '"q"',
          ',',
          '\t',
          ';',
          '\r',
          '\n',
          '\r\n',
          '"\n"',
          'ä€😀',
          nullText,
          'x"\r\n',
        ];
        const rowOf = (width: number, index: number) =>
          Array.from(
            { length: width },
            (_, column) => texts[(index * 7 + column * 3) % texts.length] ?? null,
          );
        const all = ['a', 'b "x"', 'c', 'd,e', 'f'].map((name) => ({ name, type: 'text' }));
        const options = optionsOf(format, { nullText, byteOrderMark: format === 'csv' });
        const file = await createLocalData().createFile(all.slice(0, 2), options);
        const expected: (string | null)[][] = [];
        const steps = [[2, 0], [2, 40_000], [3, 1], [3, 0], [5, 30_000]] as const; // oxfmt-ignore
        let columns = 2;
        for (const [width, count] of steps) {
          if (width > columns) assert.equal(await file.grow(all.slice(columns, width)), true);
          columns = width;
          const rows = Array.from({ length: count }, (_, index) => rowOf(width, index));
          await file.write(rows);
          for (const row of rows) expected.push([...row, ...Array<null>(all.length - width).fill(null)]);
        }
        const { sizeBytes, rowCount } = await file.finish();
        const bytes = await readFile(options.path);
        assert.deepEqual([sizeBytes, rowCount], [bytes.length, expected.length]);
        const whole = optionsOf(format, { nullText, byteOrderMark: format === 'csv' });
        assert.ok(bytes.equals(await written(all, expected, whole)), 'as if all columns had been there');
        assert.deepEqual(
          (await readdir(folder)).filter((name) => name.endsWith('.wide')),
          [],
        );
      });
    }
  }

  test('JSON and JSON lines keep every digit', async () => {
    const expected = rows.map((row) =>
      Object.fromEntries(row.map((value, index): [string, unknown] => [names[index] ?? '', value])),
    );
    const same = (value: unknown) => JSON.stringify(value);
    const all = parseJson(utf8(await written(sampleColumns, rows, optionsOf('json'))));
    assert.equal(same(all), same(expected));
    const lines = utf8(await written(sampleColumns, rows, optionsOf('jsonl')))
      .trimEnd()
      .split('\n');
    assert.equal(same(lines.map((line) => parseJson(line))), same(expected));
    assert.equal(utf8(await written(sampleColumns, [], optionsOf('json'))), '[]\n');
  });

  test('INSERT starts a statement every thousand rows, however the rows arrive', async () => {
    const text = utf8(await written(sampleColumns, rows.slice(0, 2_500), optionsOf('insert')));
    assert.equal(text.split('INSERT INTO accounts').length - 1, 3);
    assert.equal(text.split(';\n').length - 1, 3);
    assert.equal(text.trimEnd().endsWith(');'), true);
  });

  test('Excel: texts and names that look like formulas stay texts, even when edited', async () => {
    const columns = ['=1+1', 's'].map((name) => ({ name, type: 'text' }));
    const bytes = await written(columns, [['=cmd()', '-5']], optionsOf('xlsx'));
    assert.deepEqual(await readSheet(bytes), [
      ['=1+1', 's'],
      ['=cmd()', '-5'],
    ]);
    const parts = fflate.unzipSync(bytes);
    const part = (name: string) => fflate.strFromU8(parts[name]!);
    const sheet = part('xl/worksheets/sheet1.xml');
    assert.doesNotMatch(sheet, /<f[ >]/);
    const quoted = part('xl/styles.xml')
      .split('<cellXfs')[1]!
      .matchAll(/<xf [^>]*>/g)
      .map(([look]) => look.includes('quotePrefix="1"'))
      .toArray();
    const lookOf = (place: string) => new RegExp(`r="${place}"(?: s="(\\d)")?`).exec(sheet)?.[1] ?? '0';
    assert.deepEqual(
      ['A1', 'B1', 'A2', 'B2'].map((place) => quoted[Number(lookOf(place))]),
      [true, false, true, false],
    );
  });

  test('Excel: numbers, booleans and dates keep their types; exact numbers are texts; times with a zone are in UTC and say so; nothing is a formula', async () => {
    const columns = [
      ...[
        { name: 'n', type: 'int4' },
        { name: 'big', type: 'int8' },
        { name: 'd', type: 'date' },
      ],
      ...[
        { name: 't', type: 'timestamp' },
        { name: 'z', type: 'timestamptz' },
        { name: 'b', type: 'bool' },
      ],
      ...[
        { name: 's', type: 'text' },
        { name: 'gone', type: 'text' },
      ],
    ];
    const text = 'Ünïcode 🙂 <b>&amp;"\'\n\tline';
    const row = [
      42,
      new ExactNumber('9007199254740993'),
      '2026-01-31',
      '2026-01-31 08:30:00',
      '2026-01-31 08:30:00+01',
      true,
    ];
    const bytes = await written(
      columns,
      [
        [...row, text, null],
        [-0.5, 7, '1850-01-01', 'infinity', null, false, '=1+1', null],
      ],
      optionsOf('xlsx'),
    );
    const [head, first, second] = await readSheet(bytes);
    assert.deepEqual(head, ['n', 'big', 'd', 't', 'z', 'b', 's', 'gone']);
    assert.deepEqual(first, [
      ...[42, '9007199254740993', new Date('2026-01-31T00:00:00Z'), new Date('2026-01-31T08:30:00Z')],
      // Excel has no time zones, so times are in UTC.
      ...[new Date('2026-01-31T07:30:00Z'), true, text, null],
    ]);
    // One number that a double cannot hold makes texts of its column.
    assert.deepEqual(second, [-0.5, '7', '1850-01-01', 'infinity', null, false, '=1+1', null]);
    const sheet = utf8(Buffer.from(fflate.unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []));
    // They say so, although they are dates, as the panel and the other files do.
    const styles = utf8(Buffer.from(fflate.unzipSync(bytes)['xl/styles.xml'] ?? []));
    assert.ok(styles.includes('<cellStyle name="Normal"')); // else openpyxl and pandas warn
    const looks = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/<xf numFmtId="(\d+)"/g)];
    const formatOf = (place: string) => {
      const look = new RegExp(`r="${place}" s="(\\d+)"`).exec(sheet)?.[1];
      const id = looks[Number(look)]?.[1] ?? '';
      return new RegExp(`numFmtId="${id}" formatCode="([^"]*)"`).exec(styles)?.[1];
    };
    assert.equal(formatOf('D2'), 'yyyy\\-mm\\-dd\\ hh:mm:ss');
    assert.equal(formatOf('E2'), 'yyyy\\-mm\\-dd\\ hh:mm:ss&quot;+00&quot;');
    assert.equal(sheet.includes('<f>'), false);
  });

  test('Excel: characters that XML cannot contain are escaped as in Excel, and long texts are truncated and counted', async () => {
    const options = optionsOf('xlsx');
    const file = await createLocalData().createFile([{ name: 's', type: 'text' }], options);
    await file.write([['bell\u0007 _x0041_'], ['x'.repeat(40_000)]]);
    assert.equal((await file.finish()).cutCells, 1);
    await file.dispose();
    const parts = fflate.unzipSync(await readFile(options.path));
    const sheet = utf8(Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []));
    assert.match(sheet.slice(0, 1_000), /bell_x0007_ _x005F_x0041_</);
    const read = await readSheet(await readFile(options.path));
    assert.equal(String(read[2]?.[0]).length, 32_767);
  });

  test('Excel: columns are as wide as their values and headers, within limits, on every sheet', async () => {
    const columns = [
      ...[
        { name: 'id', type: 'uuid', kind: 'text' },
        { name: 'at', type: 'timestamptz', kind: 'time' },
      ],
      ...[
        { name: 'n', type: 'int4', kind: 'number' },
        { name: 'number_of_failed_logins', type: 'int4', kind: 'number' },
      ],
      ...[
        { name: 'note', type: 'text', kind: 'text' },
        { name: 'name', type: 'text', kind: 'text' },
      ],
    ] as const;
    const uuid = '123e4567-e89b-12d3-a456-426614174000';
    const texts = [uuid, '2026-01-31 08:30:00.123456+01', '7', null, 'x'.repeat(500), '渡辺さくらこ太郎'];
    const row = texts.map((text) => ({ text, isBare: false }));
    const widthsOf = (rows: readonly (typeof row)[]) => {
      const encoder = createExcelEncoder(columns, fflate, 2);
      const pieces = [...encoder.start(), ...(rows.length === 0 ? [] : encoder.rows(rows)), ...encoder.end()];
      const parts = fflate.unzipSync(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
      return Object.entries(parts)
        .filter(([name]) => name.startsWith('xl/worksheets/'))
        .map(([, part]) =>
          [...utf8(Buffer.from(part)).matchAll(/<col [^>]*width="(\d+)"/g)].map((match) => Number(match[1])),
        );
    };
    const filled = [uuid.length + 2, 28, 8, 28, 60, 18];
    assert.deepEqual(widthsOf([row, row]), [filled, filled]);
    assert.deepEqual(widthsOf([]), [[8, 8, 8, 28, 9, 9]]);
    const bytes = await written([{ name: 'id', type: 'uuid' }], [], optionsOf('xlsx'));
    assert.deepEqual(await readSheet(bytes), [['id']]);
  });

  test('Excel: a column in which a long number comes late is text from its first row', async () => {
    const options = optionsOf('xlsx');
    const columns = [
      { name: 'id', type: 'int8' },
      { name: 'n', type: 'numeric' },
      { name: 'small', type: 'int4' },
      { name: 'note', type: 'text' },
    ];
    const file = await createLocalData().createFile(columns, options);
    const note = '<c r="A2"><v>1</v></c> ünïcode 🙂';
    const many = Array.from({ length: 30_000 }, (_, index) => [index, -index, index, note]);
    await file.write(many);
    await file.write([[new ExactNumber('9007199254740993'), null, 7, null]]);
    await file.write([[5, new ExactNumber('-12345678901234567890'), 8, 'é'.repeat(32_000)]]);
    const { sizeBytes } = await file.finish();
    await file.dispose();
    const bytes = await readFile(options.path);
    assert.equal(bytes.length, sizeBytes);
    const rows = await readSheet(bytes);
    assert.deepEqual(
      rows.slice(1, 30_001),
      many.map(([id, n, small, text]) => [String(id), String(n), small, text]),
    );
    assert.deepEqual(rows[30_001]?.slice(0, 3), ['9007199254740993', null, 7]);
    assert.deepEqual(rows[30_002], ['5', '-12345678901234567890', 8, 'é'.repeat(32_000)]);
    assert.deepEqual(
      (await readdir(path.dirname(options.path))).filter((name) => name.endsWith('.texts')),
      [],
    );
  });

  test('Excel: rows beyond the limit of a sheet continue on the next one', async () => {
    const column = { name: 'n', type: 'int4', kind: 'number' } as const;
    const encoder = createExcelEncoder([column], fflate, 4);
    const pieces = [
      ...encoder.start(),
      ...encoder.rows(Array.from({ length: 7 }, (_, index) => [{ text: String(index), isBare: true }])),
      ...encoder.end(),
    ];
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    const sheets = await readExcel(bytes);
    assert.deepEqual(
      sheets.map(({ data }) => data.flat()),
      [
        ['n', 0, 1, 2],
        ['n', 3, 4, 5],
        ['n', 6],
      ],
    );
  });

  test('Parquet: each column has the type that fits its values', async () => {
    const columns = [
      ...[
        { name: 'n', type: 'int4' },
        { name: 'big', type: 'int8' },
        { name: 'd', type: 'date' },
      ],
      ...[
        { name: 'z', type: 'timestamptz' },
        { name: 'b', type: 'bool' },
        { name: 'f', type: 'float8' },
      ],
      ...[
        { name: 'money', type: 'numeric(12,2)' },
        { name: 'any', type: 'numeric' },
        { name: 'j', type: 'jsonb' },
      ],
      { name: 'n', type: 'text' },
    ];
    const exact = (text: string) => new ExactNumber(text);
    const bytes = await written(
      columns,
      [
        [
          1,
          exact('9007199254740993'),
          '2026-01-31',
          '2026-01-31 08:30:00.123456+01',
          true,
          0.1,
          exact('12.30'),
          exact('1.5'),
          { a: [1] },
          'text',
        ],
        Array.from({ length: 10 }, () => null),
        [-5, -7, '9999-12-31', '9999-12-31 23:59:59.999999+00', false, 'NaN', exact('-0.05'), 3, [], ''],
      ],
      optionsOf('parquet'),
    );
    const read = await parquetReadObjects({
      file: bufferOf(bytes),
      parsers: { timestampFromMicroseconds: (micros: bigint) => micros }, // compares the raw microseconds
    });
    const micros = BigInt(Date.UTC(2026, 0, 31, 7, 30)) * 1_000n + 123_456n;
    assert.deepEqual(read[0], {
      ...{
        n: 1,
        big: 9_007_199_254_740_993n,
        d: new Date('2026-01-31'),
        z: micros,
        b: true,
        f: 0.1,
        money: 12.3,
      },
      ...{ any: 1.5, j: '{"a":[1]}', n_2: 'text' },
    });
    assert.deepEqual(
      Object.values(read[1] ?? {}),
      Array.from({ length: 10 }, () => null),
    );
    const end = BigInt(Date.UTC(9999, 11, 31, 23, 59, 59)) * 1_000n + 999_999n;
    assert.deepEqual([read[2]?.['z'], read[2]?.['f'], read[2]?.['money']], [end, Number.NaN, -0.05]);
  });

  test('Parquet: a value that the type cannot represent is in another column, which is named', async () => {
    const columns = [{ name: 'until', type: 'timestamp' }];
    const file = await createLocalData().createFile(columns, optionsOf('parquet'));
    await file.write([['2026-01-01 00:00:00'], ['294276-12-31 23:59:59']]);
    const { oddColumns, rowCount } = await file.finish();
    await file.dispose();
    assert.deepEqual([oddColumns, rowCount], [[{ name: 'until', texts: 'until (text)' }], 2]);
  });

  test('Parquet: an infinite time does not refuse the whole result', async () => {
    const columns = ['date', 'timestamp', 'timestamptz'].map((type) => ({ name: type, type }));
    const ends = ['infinity', '-infinity'];
    const bytes = await written(
      columns,
      ends.map((end) => [end, end, end]),
      optionsOf('parquet'),
    );
    // As numbers, not dates.
    const exact = { dateFromDays: Number, timestampFromMicroseconds: String } as const;
    const read = await parquetReadObjects({
      file: bufferOf(bytes),
      parsers: exact,
    });
    const most = String(2n ** 63n - 1n);
    assert.deepEqual(read.map(Object.values), [
      [2 ** 31 - 1, most, most],
      [1 - 2 ** 31, `-${most}`, `-${most}`],
    ]);
  });

  test('Parquet and Excel return all texts unchanged', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((one) => !/[\u0000-\u001f]|_x/.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { minLength: 1, maxLength: 8 }), async (values) => {
        const columns = [{ name: 'v', type: 'text' }];
        const data = values.map((value) => [value]);
        const bytes = await written(columns, data, optionsOf('parquet'));
        const file = bufferOf(bytes);
        assert.deepEqual(
          (await parquetReadObjects({ file })).map((row): unknown => row['v']),
          values,
        );
        const sheet = utf8(
          Buffer.from(
            fflate.unzipSync(await written(columns, data, optionsOf('xlsx')))['xl/worksheets/sheet1.xml'] ??
              [],
          ),
        );
        for (const value of values) {
          const xml = value
            ?.replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll('"', '&quot;');
          if (xml !== undefined) assert.ok(sheet.includes(`>${xml}</t>`), value ?? '');
        }
      }),
      { numRuns: 30 },
    );
  });

  test('the worker exports the visible rows or all rows, reports progress, and can be stopped', async () => {
    const factory = createWorkerData(
      new URL('../../../../core/src/rows/worker/worker-main.ts', import.meta.url),
    );
    const data = factory.create(sampleColumns);
    await data.append(sampleRows(0, 10_000));
    await data.ask('sortAndFilter', {
      sort: [{ column: 0, descending: true }],
      filters: [{ column: 4, rule: { kind: 'values', values: ['true'] } }],
    });
    const seen: number[] = [];
    const file = optionsOf('csv');
    const finished = await data.ask(
      'export',
      { scope: 'view', columns: [1, 4], file },
      { onProgress: (done) => seen.push(done) },
    );
    const kept = sampleRows(0, 10_000).filter((row) => row[4] === true);
    assert.equal(finished.rowCount, kept.length);
    assert.equal(seen.at(-1), kept.length);
    const read = parse(await readFile(file.path));
    assert.deepEqual(read.slice(0, 2), [
      ['alias', 'enabled'],
      [String(sampleRow(9_998)[1]), 'true'],
    ]);
    const all = await data.ask('export', { scope: 'all', columns: [1], file: optionsOf('csv') });
    assert.equal(all.rowCount, 10_000);

    const controller = new AbortController();
    const stopped = data.ask(
      'export',
      { scope: 'all', columns: [0, 1, 2], file: optionsOf('xlsx') },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await assert.rejects(stopped, { name: 'AbortError' });
    // Writing a file does not block other requests.
    const writing = data.ask('export', { scope: 'all', columns: [0, 1, 2], file: optionsOf('xlsx') });
    assert.equal((await data.ask('cell', { row: 0, column: 4 })).text, 'true');
    await writing;
    data.dispose();
    await factory.dispose();
    assert.ok((await readdir(folder)).length > 0);
  });
});

test('the format of the last export is offered first, and each once', () => {
  const names = (last?: FormatChoice) => offeredFormats(last).map(({ choice }) => choice);
  assert.deepEqual(names('xlsx'), ['xlsx', ...names().filter((one) => one !== 'xlsx')]);
  assert.equal(names()[0], 'csv');
});
