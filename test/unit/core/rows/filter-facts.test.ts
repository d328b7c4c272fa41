/** The facts of a summary say which filters its rows had, in the words of the filter bar. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterFacts } from '#core/rows/filter/filter-facts.ts';

test('each filter of the grouped rows is a fact', () => {
  const columns = [{ name: 'department' }, { name: 'logins' }];
  const label = 'Filter of the grouped rows';
  assert.deepEqual(
    filterFacts({
      columns,
      filters: [
        { column: 0, rule: { kind: 'text', operator: 'contains', text: 'fin', matchCase: false } },
        { column: 1, rule: { kind: 'compare', operator: '>=', text: '3' } },
      ],
    }),
    [
      { label, text: 'department contains “fin”' },
      { label, text: 'logins ≥ 3' },
    ],
  );
  assert.deepEqual(filterFacts({ columns, filters: [] }), []);
});
