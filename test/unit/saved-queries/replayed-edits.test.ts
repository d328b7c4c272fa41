/** Keys typed while one document becomes another one: all of them, in order, at the cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  mapped,
  offsetOf,
  placeOf,
  replay,
  type Action,
  type Typed,
} from '#client/features/saved-queries/becoming/replayed-edits.ts';
import { randomFrom } from '../../helpers/random.ts';

/** What a key does to the document that it goes to, and what the editor reports of it. */
function press(key: string, document: Typed): { readonly to: Typed; readonly reported: readonly Action[] } {
  const { text } = document;
  const { anchor, active } = document.cursors[0] ?? { anchor: 0, active: 0 };
  const [low, high] = [Math.min(anchor, active), Math.max(anchor, active)];
  const home = text.lastIndexOf('\n', active - 1) + 1;
  const moves: Readonly<Record<string, number>> = {
    Left: low === high ? Math.max(0, low - 1) : low,
    Right: low === high ? Math.min(text.length, high + 1) : high,
    Home: home,
    TextEnd: text.length,
    TextStart: 0,
    ShiftLeft: Math.max(0, active - 1),
    Mouse: Math.min(3, text.length),
  };
  const moved = moves[key];
  if (moved !== undefined) {
    const to = at(text, moved, key === 'ShiftLeft' ? anchor : moved);
    const isSame = JSON.stringify(to.cursors) === JSON.stringify(document.cursors);
    return { to, reported: isSame ? [] : [reportOf(to, key === 'Mouse' ? 'mouse' : 'key')] };
  }
  const typed = key === 'Backspace' ? '' : key;
  const from = key === 'Backspace' && low === high ? Math.max(0, low - 1) : low;
  if (typed === '' && from === high) return { to: document, reported: [] };
  const to = at(text.slice(0, from) + typed + text.slice(high), from + typed.length);
  const edit = { start: placeOf(text, from), end: placeOf(text, high), text: typed };
  return { to, reported: [{ kind: 'edit', edits: [edit], text: to.text }, reportOf(to, 'edit')] };
}

function at(text: string, active: number, anchor = active): Typed {
  return { text, cursors: [{ anchor, active }] };
}

function reportOf({ text, cursors }: Typed, by: 'key' | 'mouse' | 'command' | 'edit'): Action {
  return {
    kind: 'move',
    by,
    cursors: cursors.map((each) => mapped(each, (offset) => placeOf(text, offset))),
  };
}

const type = (keys: readonly string[], document: Typed) =>
  keys.reduce((now, key) => press(key, now).to, document);

/** Both after the keys went to the document that is behind. */
function replayed(keys: readonly string[], { theirs, mine }: { theirs: Typed; mine: Typed }) {
  let [shown, both] = [theirs, { theirs, mine }];
  for (const key of keys) {
    const { to, reported } = press(key, shown);
    shown = to;
    for (const action of reported) both = replay(action, both);
  }
  assert.deepEqual(both.theirs, shown, 'the document itself is followed');
  return both.mine;
}

/** Keys whose effect a document that is behind can show. */
const visible = ['a', 'b', '\n', 'Left', 'Backspace'] as const;
/** Long enough for every key to find something to delete or pass. */
const carried = 'SELECT aa\nFROM accounts\n\nWHERE aa = 1\n-- end of a text';

describe('keys of a document that becomes another one', () => {
  it('places beyond the end count as the end', () => {
    assert.equal(offsetOf('ab\nc', { line: 0, character: 9 }), 2);
    assert.equal(offsetOf('ab\nc', { line: 5, character: 0 }), 4);
  });

  it('late keys come before those of the new document, which continue at the cursor', () => {
    const cases: readonly (readonly [late: string[], own: string[]])[] = [
      [['2'], ['3', 'Backspace', 'Backspace']],
      // A cursor that moved without a key typed moves the next keys.
      [['Left'], ['y']],
      [
        ['Left', 'x', 'Left'],
        ['y', 'Left', 'z'],
      ],
      [
        ['c', '\n'],
        ['Left', 'g', 't'],
      ],
      [['c'], ['c', 'q', 'Left', 'x', 'y', '\n', 'p', 'Left', 'b']],
      [
        ['x', 'y', 'z'],
        ['Home', 'h', 'TextEnd', 'e'],
      ],
      [
        ['x', '\n', 'z'],
        ['TextStart', 's', 'TextEnd', 'e'],
      ],
      [
        ['TextEnd', 'x'],
        ['TextEnd', 'y'],
      ],
      [['x'], ['ShiftLeft', 'ShiftLeft', 'r']],
      [
        ['x', 'y'],
        ['ShiftLeft', 'Right', 'r'],
      ],
      // A click is at the text that the person saw.
      [['x'], ['Mouse', 'm']],
    ];
    for (const [late, own] of cases) {
      const start = at(carried, 8);
      const mine = type(late, start);
      const both = replayed(own, { theirs: start, mine });
      assert.deepEqual(both, type(own, mine), JSON.stringify([late, own]));
    }
  });

  it('an edit elsewhere is at the same text in both', () => {
    const [theirs, mine] = [at('one\ntwo\nthree', 3), at('one more\ntwo\nthree', 8)];
    const edit = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 }, text: '2' };
    const both = replay({ kind: 'edit', edits: [edit], text: 'one\n2\nthree' }, { theirs, mine });
    assert.equal(both.mine.text, 'one more\n2\nthree');
    assert.deepEqual(both.mine.cursors, mine.cursors);
  });

  it('several cursors type each in its place, and keep their number or are placed anew', () => {
    const cursors = (...places: number[]) => places.map((place) => ({ anchor: place, active: place }));
    const theirs = { text: 'a\nb', cursors: cursors(1, 3) };
    const mine = { text: 'ax\nbx', cursors: cursors(2, 5) };
    const edits = [
      { start: { line: 1, character: 1 }, end: { line: 1, character: 1 }, text: 'y' },
      { start: { line: 0, character: 1 }, end: { line: 0, character: 1 }, text: 'y' },
    ];
    const both = replay({ kind: 'edit', edits, text: 'ay\nby' }, { theirs, mine });
    assert.deepEqual(both.mine, { text: 'axy\nbxy', cursors: cursors(3, 7) });
    const one = replay(reportOf(at(both.theirs.text, 2), 'key'), both);
    assert.equal(one.mine.cursors.length, 1);
  });

  it('whatever is brought to the new document meanwhile, the text that is meant is what one document would have had', () => {
    const keys = (maxLength: number) => fc.array(fc.constantFrom(...visible), { maxLength });
    fc.assert(
      fc.property(keys(8), keys(16), fc.nat(), fc.nat({ max: 20 }), (late, own, seed, back) => {
        const random = randomFrom(seed);
        const start = at(carried, carried.length - back);
        let both = { theirs: start, mine: type(late, start) };
        let shown = start;
        const meant = type(own, both.mine);
        const act = (to: Typed, actions: readonly Action[]) => {
          shown = to;
          for (const action of actions) both = replay(action, both);
        };
        for (const key of own) {
          // Our own edits, decided on before the last keys, come between them.
          const { text, cursors } = both.mine;
          const turn = random(3);
          if (turn === 0) {
            const place = offsetOf(text, placeOf(shown.text, shown.cursors[0]?.active ?? 0));
            const to = at(text, place);
            const edit = { start: placeOf(text, 0), end: placeOf(shown.text, shown.text.length), text };
            act(to, [{ kind: 'edit', edits: [edit], text, isOurs: true }]);
            // The editor moves a cursor as it sees fit, and reports it.
            const far = at(text, Math.max(3, place - random(2)));
            act(far, [{ ...reportOf(far, 'edit'), isOurs: true }]);
          } else if (turn === 1) {
            const [cursor] = cursors;
            const to = at(shown.text, Math.min(cursor?.active ?? 0, shown.text.length));
            act(to, [{ ...reportOf(to, 'command'), isOurs: true }]);
          }
          const { to, reported } = press(key, shown);
          act(to, reported);
          assert.deepEqual(both.theirs, shown, 'the document itself is followed');
        }
        assert.deepEqual(both.mine, meant);
      }),
      { numRuns: 2_000 },
    );
  });
});
