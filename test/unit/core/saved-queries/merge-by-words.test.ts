/** Edits in different parts of a line do not conflict; edits to the same words do. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { mergeByWords } from '#core/saved-queries/merge-by-words.ts';
import { mergeTexts } from '#core/saved-queries/merge-drafts.ts';

const labels = { mine: 'Mine', theirs: 'Theirs' };
const merge = (base: string, mine: string, theirs: string) => mergeTexts({ base, mine, theirs, labels });

suite('merge by words', () => {
  const base = 'SELECT id, alias, email FROM accounts WHERE enabled LIMIT 10';
  const clean: readonly (readonly [string, string, string, string])[] = [
    ['a column here, the limit there', base.replace('id', 'uid'), base.replace('10', '20'), base.replace('id', 'uid').replace('10', '20')],
    ['a word added here, one removed there', base.replace('enabled', 'NOT enabled'), base.replace(' alias,', ''), base.replace('enabled', 'NOT enabled').replace(' alias,', '')],
    ['the same edit, and one more', base.replace('id', 'uid'), base.replace('id', 'uid').replace('10', '20'), base.replace('id', 'uid').replace('10', '20')],
    ['two edits here, one between them there', base.replace('id', 'uid').replace('10', '5'), base.replace('accounts', 'people'), base.replace('id', 'uid').replace('accounts', 'people').replace('10', '5')],
  ]; // oxfmt-ignore
  for (const [name, mine, theirs, text] of clean)
    test(name, () => {
      assert.deepEqual(merge(base, mine, theirs), { kind: 'clean', text });
      assert.deepEqual(merge(base, theirs, mine), { kind: 'clean', text });
    });

  const overlapping: readonly (readonly [string, string, string])[] = [
    ['the same word', base.replace('10', '20'), base.replace('10', '30')],
    ['words side by side', base.replace('LIMIT', 'FETCH'), base.replace('10', '30')],
    ['a word added where another was changed', base.replace('enabled', 'NOT enabled'), base.replace('enabled', 'is_admin')],
    ['a line that became two', base.replace(' FROM', '\nFROM'), base.replace('10', '30')],
  ]; // oxfmt-ignore
  for (const [name, mine, theirs] of overlapping)
    test(`${name}: conflict`, () => assert.equal(merge(base, mine, theirs).kind, 'overlap'));

  test('a line changed by one side beside one changed by both: conflict', () => {
    const two = `${base}\nOFFSET 1`;
    const mine = two.replace('id', 'uid').replace('OFFSET 1', 'OFFSET 2');
    assert.equal(merge(two, mine, two.replace('10', '20')).kind, 'overlap');
  });

  test('lines with thousands of words are left to the person', () => {
    const long = Array.from({ length: 2_001 }, (_, index) => `w${index}`).join(' ');
    assert.equal(mergeByWords({ base: [long], mine: [`a ${long}`], theirs: [`${long} b`] }), undefined);
  });

  test('no word of either side is lost, and none is invented', () => {
    const word = fc.constantFrom('a', 'b', 'c', ',', '(', ')', '  d', 'é', '1');
    const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(line, line, line, (o, a, b) => {
        const merged = mergeByWords({ base: [o], mine: [a], theirs: [b] });
        if (merged === undefined) return;
        const added = (text: string, letter: string) => count(text, letter) - count(o, letter);
        for (const letter of 'abcd,()é1') {
          const here: number = added(a, letter);
          const there: number = added(b, letter);
          const both: number = added(merged.join(''), letter);
          if (a === b) assert.equal(both, here);
          assert.ok(both >= Math.min(0, here, there, here + there));
          assert.ok(both <= Math.max(0, here, there, here + there));
        }
      }),
    );
  });
});

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}
