/** The texts that undo goes back to in a draft. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DraftSteps } from '../../../../core/src/saved-queries/draft-steps.ts';

/** Types at the end, one character at a time. */
function type(steps: DraftSteps, from: string, typed: string): string {
  let text = from;
  for (const character of typed) {
    steps.note(text + character, [{ offset: text.length, removed: 0, text: character }]);
    text += character;
  }
  return text;
}

suite('steps of a draft', () => {
  test('words and lines are steps', () => {
    const steps = new DraftSteps('');
    type(steps, '', 'SELECT id\nFROM a');
    assert.deepEqual(steps.earlier, ['', 'SELECT ', 'SELECT id', 'SELECT id\n', 'SELECT id\nFROM ']);
  });

  test('typing elsewhere, erasing and pasting are separate steps', () => {
    const steps = new DraftSteps('ab');
    steps.note('xab', [{ offset: 0, removed: 0, text: 'x' }]);
    steps.note('xa', [{ offset: 2, removed: 1, text: '' }]);
    steps.note('x', [{ offset: 1, removed: 1, text: '' }]);
    steps.note('SELECT 1', [{ offset: 0, removed: 1, text: 'SELECT 1' }]);
    assert.deepEqual(steps.earlier, ['ab', 'xab', 'x']);
  });

  test('several changes at once are one step, even beside the change before', () => {
    const steps = new DraftSteps('');
    steps.note('a', [{ offset: 0, removed: 0, text: 'a' }]);
    const changes = [1, 2].map((offset) => ({ offset, removed: 0, text: 'b' }));
    steps.note('abb', changes);
    steps.note('abbc', [{ offset: 3, removed: 0, text: 'c' }]);
    assert.deepEqual(steps.earlier, ['', 'a', 'abb']);
  });

  test('an undo takes steps back', () => {
    const steps = new DraftSteps('');
    type(steps, '', 'SELECT id\nFROM a');
    steps.noteUndo('SELECT id');
    assert.deepEqual(steps.earlier, ['', 'SELECT ']);
    type(steps, 'SELECT id', ', b');
    assert.deepEqual(steps.earlier, ['', 'SELECT ', 'SELECT id', 'SELECT id, ']);
  });

  test('the oldest steps are dropped, by number and by size', () => {
    const steps = new DraftSteps('');
    for (let index = 1; index <= 100; index += 1)
      steps.note(String(index), [{ offset: 0, removed: 2, text: String(index) }]);
    assert.deepEqual([steps.earlier.length, steps.earlier[0], steps.earlier.at(-1)], [40, '60', '99']);
    const large = 'x'.repeat(600_000);
    for (const end of ['a', 'b', 'c'])
      steps.note(large + end, [{ offset: 0, removed: 1, text: large + end }]);
    assert.deepEqual(
      steps.earlier.map(({ length }) => length),
      [600_001],
    );
  });
});
