/** The results that another one can be compared with, in the order in which they are offered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likeResultsFirst } from '#client/features/comparisons/like-results.ts';
import { Result } from '#client/features/results/result.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { recordedActions } from '#test/helpers/recorded-actions.ts';

function resultOf(title: string, columns: readonly string[]): Result {
  const header = { title, parameters: [] };
  const result = new Result({
    ...{ id: title, key: title, header, factory: createLocalData() },
    changed: () => undefined,
  });
  const writer = result.begin(header, recordedActions([]));
  writer.open(columns.map((name) => ({ name, type: 'text' })));
  writer.setRows({
    ...{ extent: 'complete', totalRows: 0, loading: { kind: 'none' } },
    ...{ firstRowsMs: 1, totalMs: 1, finishedAt: 1_000 },
  });
  return result;
}

test('results with the same columns come before groups of the same rows', () => {
  const base = resultOf('now', ['account', 'department']);
  const others = [
    resultOf('now by department', ['department', 'Rows']),
    resultOf('other', ['account', 'department']),
    resultOf('records', ['id']),
    resultOf('reordered', ['department', 'account']),
  ];
  assert.deepEqual(
    likeResultsFirst(base, others).map(({ id }) => id),
    ['other', 'reordered', 'now by department', 'records'],
  );
});
