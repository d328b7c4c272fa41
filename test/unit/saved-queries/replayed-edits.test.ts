/** Keys typed while one document becomes another one: all of them, in order, at the cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  continued,
  offsetOf,
  placeOf,
  replayed,
  type Edit,
} from '#client/features/saved-queries/becoming/replayed-edits.ts';

/** A person who types, deletes and breaks lines at one cursor. */
function typed(text: string, cursor: number, keys: readonly string[]) {
  const edits: Edit[] = [];
  let [now, at] = [text, cursor];
  for (const key of keys) {
    const from = key === '\b' ? Math.max(0, at - 1) : at;
    const inserted = key === '\b' ? '' : key;
    edits.push({ start: placeOf(now, from), end: placeOf(now, at), text: inserted });
    now = now.slice(0, from) + inserted + now.slice(at);
    at = from + inserted.length;
  }
  return { edits, text: now, cursor: at };
}

const keysOf = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', '1', '\n', '\b'), { maxLength });

describe('edits of a document that becomes another one', () => {
  it('places beyond the end count as the end', () => {
    assert.equal(offsetOf('ab\nc', { line: 0, character: 9 }), 2);
    assert.equal(offsetOf('ab\nc', { line: 5, character: 0 }), 4);
  });

  it('are replayed in order', () => {
    const typist = (text: string, keys: readonly string[]) =>
      replayed(text, typed(text, text.length, keys).edits);
    assert.equal(typist('SELECT', [' ', '1', '\b', '2']), 'SELECT 2');
  });

  it('a late key comes before the keys of the new document, which continue at its cursor', () => {
    const carried = 'SELECT 1\nFROM a';
    const cursor = 8;
    const late = typed(carried, cursor, ['2']);
    const own = typed(carried, cursor, ['3', '\b', '\b']);
    const both = { late: late.edits, own: own.edits, cursor: placeOf(carried, cursor) };
    // Typed: 2, 3, then two characters deleted: the 3 and the 2.
    assert.equal(continued(carried, both), carried);
  });

  it('both documents give what one document would have had', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('x', 'y', '\n'), maxLength: 12 }),
        fc.nat({ max: 12 }),
        keysOf(6),
        keysOf(6),
        (carried, position, first, second) => {
          const cursor = Math.min(position, carried.length);
          const late = typed(carried, cursor, first);
          const own = typed(carried, cursor, second);
          // A deletion that has nothing left to delete in the new document cannot be known to have been one.
          fc.pre(own.edits.every((edit, index) => second[index] !== '\b' || offsetOf(carried, edit.end) > 0));
          const expected = typed(late.text, late.cursor, second).text;
          const text = continued(carried, {
            late: late.edits,
            own: own.edits,
            cursor: placeOf(carried, cursor),
          });
          const isAllDeletable = second.filter((key) => key === '\b').length <= cursor;
          if (isAllDeletable) assert.equal(text, expected);
        },
      ),
    );
  });
});
