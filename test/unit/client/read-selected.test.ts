/** Selected rows are read in full, or it is said that they are not: a change must not leave out what was selected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSelected, selectedRowsMax } from '#client/features/results/read-selected.ts';
import type { ResultData } from '#core/rows/result-data.ts';

const data = {
  ask: (_question: string, { rowCount, columns }: { rowCount: number; columns: readonly number[] }) =>
    Promise.resolve({
      columns: columns.map((column) => ({
        column,
        cells: Array.from({ length: rowCount }, (_, row) => `${row}.${column}`),
      })),
    }),
} as unknown as Pick<ResultData, 'ask'>;

test('selected rows are read in full, or known to be cut', async () => {
  const read = (count: number) => readSelected(data, { firstRow: 5, lastRow: 4 + count }, 2);
  assert.deepEqual(await read(2), {
    rows: [
      ['0.0', '0.1'],
      ['1.0', '1.1'],
    ],
    isCut: false,
  });
  const many = await read(5_000);
  assert.equal(many.rows.length, 5_000, 'five rows each of the 1,000 accounts of a change');
  assert.equal(many.isCut, false);
  assert.equal((await read(selectedRowsMax)).isCut, false);
  assert.equal((await read(selectedRowsMax + 1)).isCut, true);
});
