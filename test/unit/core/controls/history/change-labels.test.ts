/** What a change of an outcome is called: a waived or warning control is none that passes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#core/controls/control-result.ts';
import { changeLine } from '#core/controls/history/change-labels.ts';
import { changesBetween, type KnownOutcome } from '#core/controls/history/outcome-state.ts';

await test('a control that no longer fails is called what it is now', () => {
  const state = (outcome: Outcome) => {
    const one: KnownOutcome = { control: 'A', connection: 'eu', outcome };
    return new Map([['', one]]);
  };
  const line = (before: Outcome, after: Outcome) =>
    changesBetween(state(before), state(after)).map((change) => changeLine(change));
  assert.deepEqual(line('fail', 'pass'), ['Back to pass: A (eu)']);
  assert.deepEqual(line('error', 'pass'), ['Back to pass: A (eu)']);
  assert.deepEqual(line('fail', 'waived'), ['Waived: A (eu)']);
  assert.deepEqual(line('error', 'warn'), ['Only warns now: A (eu)']);
  assert.deepEqual(line('waived', 'pass'), []);
});
