/** What stays of a chart in a run with other columns. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fittingChart } from '#webview/results/chart/kept-chart.ts';

const columns = (...names: readonly string[]) =>
  names.map((name) => ({ name, type: name === 'amount' ? 'int8' : 'text' }));
const before = columns('team', 'country', 'amount');
const choices = { type: 'bar', x: '0', y: '2:average', period: '', split: '1' } as const;

describe('a chart in a new run', () => {
  it('keeps everything if the columns are the same, also of the same name', () => {
    assert.deepEqual(fittingChart({ column: 2, choices }, before, before), { column: 2, choices });
    const twins = columns('team', 'team', 'amount');
    assert.deepEqual(fittingChart({ column: 1, choices }, twins, twins), { column: 1, choices });
    assert.deepEqual(fittingChart({ column: 1, choices: undefined }, before, before), {
      column: 1,
      choices: undefined,
    });
  });

  it('follows its columns to their new places', () => {
    const now = columns('new', 'amount', 'country', 'team');
    assert.deepEqual(fittingChart({ column: 0, choices }, before, now), {
      column: 3,
      choices: { ...choices, x: '3', y: '1:average', split: '2' },
    });
  });

  it('drops the choices whose columns are gone or have another type', () => {
    const { split: _, ...unsplit } = choices;
    assert.deepEqual(fittingChart({ column: 1, choices }, before, columns('team', 'new', 'amount')), {
      column: undefined,
      choices: unsplit,
    });
    const { y: __, ...counting } = choices;
    const typed = before.map((column) => ({ ...column, type: 'text' }));
    assert.deepEqual(fittingChart({ column: 0, choices }, before, typed).choices, counting);
  });

  it('drops the type, the period and a mere number of rows with the column of the horizontal axis', () => {
    const now = columns('country', 'amount');
    assert.deepEqual(fittingChart({ column: 0, choices }, before, now).choices, {
      y: '1:average',
      split: '0',
    });
    const plain = { type: 'line', x: '0', y: '', period: 'week', split: '' } as const;
    assert.equal(fittingChart({ column: 0, choices: plain }, before, now).choices, undefined);
  });

  it('keeps the columns of a pivot together', () => {
    const pivot = { ...choices, y: 'all', split: '' };
    assert.deepEqual(fittingChart({ column: 0, choices: pivot }, before, before).choices, pivot);
  });
});
