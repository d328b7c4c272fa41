/** Controls that share an ID: each is either run or reported as an error. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readControl } from '#core/controls/control.ts';
import { withoutTwins, type FoundControl } from '#core/controls/find-controls.ts';

const found = (name: string, sql: string, model?: string): FoundControl => {
  const text = `-- @control AC-1 Test\n${sql}`;
  const control = readControl(text);
  assert.ok(control !== undefined);
  return { control, place: { name }, text, model };
};

describe('controls with one ID', () => {
  it('count once if their text and model are the same', () => {
    const { controls, twins } = withoutTwins([
      found('a', 'SELECT 1'),
      found('b', 'SELECT 1', 'platform_identity'),
    ]);
    assert.deepEqual([controls.length, twins.size], [1, 0]);
  });

  it('are twins if their texts or models differ', () => {
    for (const other of [
      found('b', 'SELECT 2', 'one'),
      found('b', 'SELECT 1', 'two'),
      found('b', 'SELECT 1'),
    ]) {
      const { controls, twins } = withoutTwins([found('a', 'SELECT 1', 'one'), other]);
      assert.deepEqual([controls.length, twins.size], [2, 2]);
    }
  });
});
