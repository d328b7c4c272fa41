/** Rows read from disk: exactly for kept results, and as far as the format allows for exports. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RowsFileSource } from '#core/rows/files/rows-file-source.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { sampleColumns, sampleRows } from '#test/helpers/result-rows.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-rows-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const factory = createLocalData();
let files = 0;
const nextPath = () => path.join(folder, `file-${++files}`);

const asExported = { rowLimit: 1_000_000, nullText: '', isGuarded: true };

async function read(
  text: string | Uint8Array,
  format: RowsFileSource['format'],
  change: Partial<RowsFileSource> = {},
) {
  const file = nextPath();
  await writeFile(file, text);
  return await factory.read({ ...asExported, path: file, format, ...change });
}

async function rowsOf(data: ResultData, columnCount: number, rowCount: number) {
  const columns = Array.from({ length: columnCount }, (_, column) => column);
  const window = await data.ask('window', { firstRow: 0, rowCount, columns });
  return Array.from({ length: rowCount }, (_, row) => window.columns.map(({ cells }) => cells[row] ?? null));
}

await test('kept rows are restored exactly: types, tags, order, all pages', async () => {
  const data = factory.create(sampleColumns);
  for (const from of [0, 400, 800]) await data.append(sampleRows(from, 400));
  const file = nextPath();
  const size = await factory.keep(data, file);
  assert.equal((await readFile(file)).length, size);
  const back = await factory.read({ ...asExported, path: file, format: 'kept' });
  assert.deepEqual(back.columns, sampleColumns);
  assert.equal(back.isCut, false);
  const width = sampleColumns.length;
  assert.deepEqual(await rowsOf(back.data, width, 1_200), await rowsOf(data, width, 1_200));
  assert.deepEqual(
    await back.data.ask('cell', { row: 7, column: 10 }),
    await data.ask('cell', { row: 7, column: 10 }),
  );
});

await test('a file of kept rows that is truncated or foreign is refused', async () => {
  const data = factory.create(sampleColumns);
  await data.append(sampleRows(0, 100));
  const file = nextPath();
  await factory.keep(data, file);
  const whole = await readFile(file);
  await assert.rejects(read(whole.subarray(0, whole.length - 20), 'kept'), { name: 'RowsFileError' });
  await assert.rejects(read('id,name\n', 'kept'), /not a kept rows file/);
});

await test('a stopped write leaves nothing behind', async () => {
  const data = factory.create(sampleColumns);
  for (const from of [0, 100, 200]) await data.append(sampleRows(from, 100));
  const controller = new AbortController();
  const file = nextPath();
  const keeping = factory.keep(data, file, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(keeping, { name: 'AbortError' });
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith(path.basename(file))),
    [],
  );
});

await test('exported CSV is read back: NULL, empty texts, quotes, line breaks, guarded formulas', async () => {
  const columns = [
    { name: 'a,b', type: 'text' },
    { name: 'c', type: 'text' },
  ];
  const text = fc.option(
    fc.oneof(fc.string(), fc.constantFrom('', '"', 'x"y', 'a\r\nb', '=1+1', ',', ';', 'NULL')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), async (rows) => {
      const data = factory.create(columns);
      await data.append(rows);
      const range = { firstRow: 0, lastRow: rows.length - 1, columns: [0, 1] };
      const options = {
        format: 'csv',
        withHeaders: true,
        nullText: '',
        guardFormulas: false,
        tableName: '',
      } as const;
      const back = await read(await data.ask('copy', { range: range, options: options }), 'csv', {
        isGuarded: false,
      });
      assert.deepEqual(
        back.columns.map(({ name }) => name),
        ['a,b', 'c'],
      );
      assert.deepEqual(await rowsOf(back.data, 2, rows.length), rows);
    }),
    { numRuns: 200 },
  );
  const guarded = await read("name\r\n'=1+1\r\n'quoted\r\n", 'csv');
  assert.deepEqual(await rowsOf(guarded.data, 1, 2), [['=1+1'], ["'quoted"]]);
});

await test('guarded files are read back exactly: names, texts and NULL, whatever they start with', async () => {
  const hostile = fc.string({
    unit: fc.constantFrom(...Array.from(`=+-@＝;,|("'\t\r\n a1.e`), '\u00a0', '\ufeff'),
    maxLength: 8,
  });
  const name = hostile.map((text) => `=${text}`);
  // The reader distinguishes NULL from text by the quotes, which tab-separated values lack.
  const nullText = fc.constantFrom('', '-', '=NULL()', "'=", 'NULL');
  const row = fc.tuple(fc.option(hostile), hostile);
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(name, name),
      fc.array(row, { minLength: 1, maxLength: 5 }),
      nullText,
      async (names, rows, nullText) => {
        const data = factory.create(names.map((each) => ({ name: each, type: 'text' })));
        await data.append(rows);
        const range = { firstRow: 0, lastRow: rows.length - 1, columns: [0, 1] };
        const options = { withHeaders: true, nullText, guardFormulas: true, tableName: '' };
        const back = await read(
          await data.ask('copy', { range: range, options: { ...options, format: 'csv' } }),
          'csv',
          { nullText },
        );
        assert.deepEqual(
          back.columns.map((column) => column.name),
          names,
        );
        assert.deepEqual(await rowsOf(back.data, 2, rows.length), rows);
      },
    ),
    { numRuns: 300 },
  );
});

await test('CSV from other programs is supported: semicolons, a byte order mark, bare line feeds, no final line ending', async () => {
  const { data, columns } = await read('\uFEFFid;"na;me"\n1;Ärzte\n2;""', 'csv');
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['id', 'na;me'],
  );
  assert.deepEqual(await rowsOf(data, 2, 2), [
    ['1', 'Ärzte'],
    ['2', ''],
  ]);
});

await test('a table with a row that does not match the header is refused, naming the row', async () => {
  await assert.rejects(read('a,b\n1,2\n1,2,3\n', 'csv'), /fields in row 2 is 3, but the header has 2/);
  await assert.rejects(read('a,b\n1,"2\n', 'csv'), /ends inside quotes/);
  await assert.rejects(read('', 'csv'), /empty/);
  await assert.rejects(read(Buffer.from('a,b', 'utf16le'), 'csv'), /UTF-8/);
});

await test('JSON Lines and lists are read back with every digit', async () => {
  for (const [format, text] of [
    ['jsonl', '{"id": 9007199254740993, "tags": ["a"], "x": null}\n\n{"id": 1.10, "tags": [], "x": "y"}'],
    ['json', '[{"id": 9007199254740993, "tags": ["a"], "x": null}, {"id": 1.10, "tags": [], "x": "y"}]'],
  ] as const) {
    const { data, outcome } = await read(text, format);
    assert.deepEqual(await rowsOf(data, 3, 2), [
      ['9007199254740993', '["a"]', null],
      ['1.10', '[]', 'y'],
    ]);
    assert.deepEqual(outcome.kinds, ['number', 'json', 'text']);
  }
  await assert.rejects(read('{"a": 1}\n{"a": ', 'jsonl'), /Line 2 is not JSON/);
  await assert.rejects(read('[1]', 'json'), /Row 1 is not a JSON object/);
  // A short file of rows that share no column would fill the memory with cells.
  const rows = Array.from({ length: 20_000 }, (_, at) => `{"c${at}":1}`);
  for (const [text, format] of [
    [rows.join('\n'), 'jsonl'],
    [`[${rows.join()}]`, 'json'],
  ] as const)
    await assert.rejects(read(text, format), /Row 2 has a column that no earlier row has: c1/);
});

await test('rows beyond the limit are not read, which is reported', async () => {
  const { outcome, isCut } = await read('a\n1\n2\n3\n', 'csv', { rowLimit: 2 });
  assert.deepEqual([outcome.rowCount, isCut], [2, true]);
});

await test('all formats work through the worker too, and a failure keeps its name', async () => {
  const worker = createWorkerData(
    new URL('../../../../core/src/rows/worker/worker-main.ts', import.meta.url),
  );
  try {
    const data = worker.create(sampleColumns);
    await data.append(sampleRows(0, 100));
    const fork = await worker.fork(data);
    await data.append(sampleRows(100, 20));
    const file = nextPath();
    await worker.keep(fork.data, file);
    data.dispose();
    const kept = await worker.read({ ...asExported, path: file, format: 'kept' });
    assert.equal(kept.outcome.rowCount, 100);
    const pairs = kept.columns.map(({ name, type }, index) => ({
      ...{ name, type, before: index, after: index },
      kind: kept.outcome.kinds[index] ?? 'text',
    }));
    const sides = { before: fork.data, after: kept.data };
    assert.deepEqual(await worker.suggestKeys(sides, pairs), [0]);
    const compared = await worker.compare(sides, { pairs, keys: [0], ignored: [] });
    assert.equal(compared.summary.counts.unchanged, 100);
    assert.equal(
      (await compared.data.ask('window', { firstRow: 99, rowCount: 5, columns: [2] })).changes?.length,
      1,
    );
    await assert.rejects(worker.read({ ...asExported, path: file, format: 'json' }), {
      name: 'RowsFileError',
    });
    kept.data.dispose();
    await assert.rejects(worker.compare(sides, { pairs, keys: [0], ignored: [] }), /The rows are gone/);
  } finally {
    await worker.dispose();
  }
});

await test('the worker uses the language with which it was started', async () => {
  const worker = createWorkerData(
    new URL('../../../../core/src/rows/worker/worker-main.ts', import.meta.url),
    { 'Line {0} is not JSON.': 'Zeile {0} ist kein JSON.' },
  );
  try {
    const file = nextPath();
    await writeFile(file, '{"a": 1}\n{"a": ');
    await assert.rejects(worker.read({ ...asExported, path: file, format: 'jsonl' }), {
      message: 'Zeile 2 ist kein JSON.',
    });
  } finally {
    await worker.dispose();
  }
});
