/** Rows as plain text: aligned, one line per row, NULL distinct from empty text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textRowsMax, textTable } from '#client/features/results/as-text/text-table.ts';
import { createLocalData } from '#core/rows/local-data.ts';

const columns = [
  { name: 'n', type: 'int4', kind: 'number' },
  { name: 'text', type: 'text', kind: 'text' },
] as const;

suite('rows as plain text', () => {
  test('have columns as wide as their content, in display order, with numbers aligned to the right', async () => {
    const data = createLocalData().create(columns);
    await data.append([
      [1, 'a\n\tb'],
      [1_000, null],
      [null, ''],
      [7, 'ü🙂'],
    ]);
    const lines = await textTable({ columns, order: [1, 0], rowCount: 4, data });
    assert.deepEqual(lines, [
      'text     n',
      '----  ----',
      'a b      1',
      'NULL  1000',
      '      NULL',
      'ü🙂       7',
    ]);
  });

  test('have truncated long texts, and are limited in number', async () => {
    const data = createLocalData().create(columns);
    await data.append(Array.from({ length: textRowsMax + 5 }, (_, index) => [index, 'x'.repeat(100)]));
    const lines = await textTable({ columns, order: [0, 1], rowCount: textRowsMax + 5, data });
    assert.equal(lines.length, textRowsMax + 2);
    assert.equal(lines.at(-1), `${textRowsMax - 1}  ${'x'.repeat(59)}…`);
  });
});
