/** The worker that stores rows responds like local data, and exits cleanly. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ResultDisposedError } from '#core/rows/result-data.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { sampleColumns, sampleRow, sampleRows } from '#test/helpers/result-rows.ts';

const script = new URL('../../../../core/src/rows/worker/worker-main.ts', import.meta.url);

suite('rows in a worker', () => {
  const factory = createWorkerData(script);
  after(() => factory.dispose());

  test('appends, sorts, returns windows and cells, copies', async () => {
    const data = factory.create(sampleColumns);
    const outcome = await data.append(sampleRows(0, 500));
    assert.equal(outcome.rowCount, 500);
    assert.equal(outcome.kinds[6], 'number');
    await data.append(sampleRows(500, 500));
    await data.ask('sortAndFilter', { sort: [{ column: 0, descending: true }], filters: [] });
    const window = await data.ask('window', { firstRow: 0, rowCount: 2, columns: [0, 1] });
    assert.deepEqual(window.columns[1]?.cells, [sampleRow(999)[1], sampleRow(998)[1]]);
    assert.equal((await data.ask('cell', { row: 999, column: 0 })).text, '9007199254740993');
    const text = await data.ask('copy', {
      range: { firstRow: 999, lastRow: 5_000, columns: [0, 1] },
      options: { format: 'tsv', withHeaders: true, nullText: '', guardFormulas: false, tableName: 't' },
    });
    assert.equal(text, `id\talias\n9007199254740993\t${String(sampleRow(0)[1])}`);
    data.dispose();
  });

  test('keeps results separate', async () => {
    const a = factory.create([{ name: 'a', type: 'text' }]);
    const b = factory.create([{ name: 'b', type: 'text' }]);
    await Promise.all([a.append([['of a']]), b.append([['of b']])]);
    assert.equal((await a.ask('cell', { row: 0, column: 0 })).text, 'of a');
    assert.equal((await b.ask('cell', { row: 0, column: 0 })).text, 'of b');
    a.dispose();
    assert.equal((await b.ask('cell', { row: 0, column: 0 })).text, 'of b');
    b.dispose();
  });

  test('a closed result stops answering immediately', async () => {
    const data = factory.create([{ name: 'a', type: 'text' }]);
    const pending = data.append([['x']]);
    data.dispose();
    await assert.rejects(pending, ResultDisposedError);
    await assert.rejects(data.ask('cell', { row: 0, column: 0 }), ResultDisposedError);
  });

  test('accepts columns that first appear in later rows, and filters and writes them', async () => {
    const data = factory.create([{ name: 'a', type: 'int4' }]);
    const first = data.append([[1], [2]]);
    data.grow([{ name: 'b', type: '' }]);
    const outcome = await data.append([[3, 4]]);
    await first;
    assert.deepEqual([outcome.rowCount, outcome.kinds], [3, ['number', 'number']]);
    assert.equal(
      await data.ask('sortAndFilter', {
        sort: [],
        filters: [{ column: 1, rule: { kind: 'null', isNull: true } }],
      }),
      2,
    );
    await data.ask('sortAndFilter', { sort: [{ column: 1, descending: false }], filters: [] });
    const text = await data.ask('copy', {
      range: { firstRow: 0, lastRow: 2, columns: [0, 1] },
      options: { format: 'csv', withHeaders: true, nullText: '', guardFormulas: false, tableName: 't' },
    });
    assert.equal(text, 'a,b\r\n3,4\r\n1,\r\n2,\r\n');
    data.dispose();
  });
});
