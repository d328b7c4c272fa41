/** The measure that a chart of bars shows first. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { combinationByName, countColumn } from '#webview/results/chart/default-measure.ts';

const columnsOf = (...columns: readonly string[]) =>
  columns.map((column) => {
    const [name = '', type = ''] = column.split(' ');
    return { name, type, kind: columnKindOf(type) };
  });

suite('the measure that a chart shows first', () => {
  for (const [what, columns, measure] of [
    [
      'the only number of a grouped result',
      ['department text', 'enabled bool', 'accounts int8', 'first timestamptz'],
      2,
    ],
    ['a number named like a count', ['department text', 'count int8', 'score numeric'], 1],
    ['a count next to IDs', ['department text', 'model_id int8', 'login_count int4'], 2],
    ['an amount', ['department text', 'total_cost numeric', 'rate numeric'], 1],
    ['no ID', ['department text', 'model_id int8'], undefined],
    ['no score', ['department text', 'risk_score numeric'], undefined],
    ['no number next to an ID: these are plain rows', ['id int8', 'department text', 'size int8'], undefined],
    ['none of several numbers', ['department text', 'a int8', 'b int8'], undefined],
    ['none of several counts', ['department text', 'a_count int8', 'b_count int8'], undefined],
    ['nothing without numbers', ['department text', 'enabled bool'], undefined],
  ] as const) {
    test(what, () => assert.equal(countColumn(columnsOf(...columns), 0), measure));
  }

  test('numbers that do not add up are known by their names', () => {
    for (const [name, combination] of [
      ['average', 'average'],
      ['avg_risk', 'average'],
      ['failure_rate', 'average'],
      ['min', 'least'],
      ['max_age', 'greatest'],
      ['amount', undefined],
      ['minutes', undefined],
    ] as const)
      assert.equal(combinationByName(name), combination, name);
  });

  test('not the column on the horizontal axis', () => {
    assert.equal(countColumn(columnsOf('count int8', 'department text'), 0), undefined);
  });
});
