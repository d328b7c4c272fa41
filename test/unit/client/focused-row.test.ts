/** The row of a tree that has the keyboard focus, while an editor that opens selects its own row. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { focusedRow } from '#client/features/saved-queries/view/focused-row.ts';

/** A tree of the editor with a focused row. Something else selects a row before the given toggle, or after the last. */
class Tree {
  #selection: readonly string[];
  readonly #focus: string | undefined;
  readonly #selected: ReadonlyMap<number, string>;
  toggles = 0;

  constructor(
    selection: readonly string[],
    focus: string | undefined,
    selected: readonly [number, string][],
  ) {
    this.#selection = selection;
    this.#focus = focus;
    this.#selected = new Map(selected);
  }

  readonly selection = (): readonly string[] => this.#selection;

  readonly toggle = async (): Promise<void> => {
    await Promise.resolve();
    const other = this.#selected.get(++this.toggles);
    if (other !== undefined) this.#selection = [other];
    const focus = this.#focus;
    if (focus === undefined) return;
    this.#selection = this.#selection.includes(focus)
      ? this.#selection.filter((row) => row !== focus)
      : [...this.#selection, focus];
  };
}

suite('focused row', () => {
  for (const selection of [[], ['focus'], ['other'], ['other', 'focus']]) {
    test(`is found and the selection kept: ${selection.join(', ') || 'none'} selected`, async () => {
      const tree = new Tree(selection, 'focus', []);
      assert.equal(await focusedRow(tree), 'focus');
      assert.deepEqual(new Set(tree.selection()), new Set(selection));
    });
    for (const selected of ['focus', 'other', 'third'])
      for (const moment of [1, 2, 3, 4])
        test(`is never another: ${selection.join(', ') || 'none'} selected, then ${selected} before toggle ${moment}`, async () => {
          const tree = new Tree(selection, 'focus', [[moment, selected]]);
          assert.equal(await focusedRow(tree), 'focus');
        });
  }

  test('is none without a focus', async () => {
    assert.equal(await focusedRow(new Tree(['other'], undefined, [])), undefined);
    assert.equal(await focusedRow(new Tree(['other'], undefined, [[1, 'third']])), undefined);
  });

  test('is none while the selection never rests', async () => {
    const tree = new Tree(
      ['other'],
      'focus',
      Array.from({ length: 99 }, (_, index) => [index, `row ${index}`]),
    );
    assert.equal(await focusedRow(tree), undefined);
    assert.ok(tree.toggles < 10);
  });
});
