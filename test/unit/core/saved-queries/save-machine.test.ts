/** The state machine for saving: a table of every state with every event, and random sequences. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { draftOf, mergeDrafts, type Draft } from '#core/saved-queries/merge-drafts.ts';
import {
  afterUndo,
  draftFor,
  settledOn,
  step,
  type Conflict,
  type LookUpReason,
  type SaveEvent,
  type SaveState,
  type Step,
  type WriteAnswer,
} from '#core/saved-queries/save-machine.ts';
import { actions, playSaves } from '#test/helpers/save-model.ts';

const labels = () => ({ mine: 'Mine', theirs: 'Theirs' });
const lines = 'SELECT\n  id,\n  alias\nFROM accounts\nWHERE enabled\nLIMIT 10';
const base: SavedQuery = {
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version: 3,
  query_string: lines,
};
const mine: Draft = { ...draftOf(base), query_string: lines.replace('id,', 'uid,') };
const apart: SavedQuery = { ...base, version: 4, query_string: lines.replace('10', '20') };
const overlapping: SavedQuery = { ...base, version: 4, query_string: lines.replace('id,', 'gid,') };
const same: SavedQuery = { ...base, version: 4, query_string: mine.query_string };
const renamed: SavedQuery = { ...base, version: 4, name: 'Orphaned' };
const sentEarlier: Draft = { ...mine, query_string: lines.replace('id,', 'uuid,') };
const marked = '<<<<<<< Mine\nSELECT 1\n=======\nSELECT 2\n>>>>>>> Theirs';

/** Nothing to undo or redo, and no unanswered writes. */
const nothing = { back: [], forth: [], unanswered: [] };

const conflictWith = (theirs: SavedQuery): Conflict => ({
  base,
  mine,
  theirs,
  ...nothing,
  merge: mergeDrafts({ base: draftOf(base), mine, theirs: draftOf(theirs), labels: labels() }),
});
const writing = (isRepeated = false): SaveState => ({
  kind: 'writing',
  base,
  mine,
  isRepeated,
  ...nothing,
});
const lookingUp = (
  reason: LookUpReason,
  more: { isRepeated?: boolean; unanswered?: readonly Draft[]; mine?: Draft } = {},
): SaveState => ({
  kind: 'lookingUp',
  base,
  mine,
  reason,
  isRepeated: false,
  ...nothing,
  ...more,
});
const conflicting = (theirs = overlapping): SaveState => ({ kind: 'conflict', ...conflictWith(theirs) });
const unknownBase = settledOn({ ...base, version: 0, name: '', model: '', query_string: '' });

/** Formats a step: the next state, then its effect. */
function inWords(next: Step | undefined): string {
  if (next === undefined) return 'nothing';
  const { state, effect } = next;
  const of = `${state.kind}${state.kind === 'lookingUp' ? ` (${state.reason})` : ''} on v${state.base.version}`;
  switch (effect.kind) {
    case 'write':
      return `${of}: write over v${effect.expected.version}`;
    case 'saved':
      return `${of}: saved as v${effect.record.version}`;
    case 'ask':
      return `${of}: ask, ${effect.conflict.merge.text.kind}`;
    case 'keep':
      return `${of}: keep, ${effect.reason}`;
    default:
      return `${of}: ${effect.kind}`;
  }
}

const save = (text = mine.query_string): SaveEvent => ({
  kind: 'save',
  mine: { ...mine, query_string: text },
});
const check: SaveEvent = { kind: 'check', mine };
const filled: SaveEvent = { kind: 'filled', before: lines, record: apart };
const found = (record: SavedQuery): SaveEvent => ({ kind: 'read', answer: { kind: 'found', record } });
const read = (kind: 'absent' | 'unreadable'): SaveEvent => ({ kind: 'read', answer: { kind } });
const written = (kind: Exclude<WriteAnswer['kind'], 'saved'>): SaveEvent => ({
  kind: 'written',
  answer: { kind },
});
const choose = (choice: 'saveMine' | 'takeTheirs' | 'merge'): SaveEvent => ({ kind: 'choose', choice, mine });

const table: readonly (readonly [string, SaveState, string, SaveEvent, string])[] = [
  ['settled', settledOn(base), 'save', save(), 'writing on v3: write over v3'],
  ['settled', settledOn(base), 'save of the same text', save(lines), 'settled on v3: saved as v3'],
  ['settled', settledOn(base), 'save of a marked text', save(marked), 'settled on v3: keep, markers'],
  ['settled', settledOn({ ...base, query_string: marked }), 'save of a text that was marked before', save(`${marked}\n`), 'writing on v3: write over v3'],
  ['settled', settledOn(base), 'check', check, 'lookingUp (check) on v3: read'],
  ['settled', settledOn(base), 'an answer that is late', written('conflict'), 'nothing'],
  ['settled', settledOn(base), 'a read that is late', found(apart), 'nothing'],
  ['settled', settledOn(base), 'a choice that is late', choose('saveMine'), 'nothing'],
  ['settled', settledOn(base), 'a newer version in its place', filled, 'settled on v4: none'],
  ['settled on an unknown version', unknownBase, 'save', save(), 'lookingUp (checkThenWrite) on v0: read'],
  ['settled with an unanswered write', { ...settledOn(base), unanswered: [sentEarlier] }, 'save', save(), 'lookingUp (checkThenWrite) on v3: read'],
  ['settled with an unanswered write', { ...settledOn(base), unanswered: [sentEarlier] }, 'save of the base', save(lines), 'lookingUp (checkThenWrite) on v3: read'],

  ['writing', writing(), 'saved', { kind: 'written', answer: { kind: 'saved', record: same } }, 'settled on v4: saved as v4'],
  ['writing', writing(), 'success with the record as it was', { kind: 'written', answer: { kind: 'saved', record: base } }, 'lookingUp (unanswered) on v3: read'],
  ['writing', writing(), 'success with the text of somebody else', { kind: 'written', answer: { kind: 'saved', record: apart } }, 'lookingUp (unanswered) on v3: read'],
  ['writing', writing(), 'success with the text as the service stores it', { kind: 'written', answer: { kind: 'saved', record: { ...same, query_string: `${same.query_string}\n` } } }, 'settled on v4: saved as v4'],
  ['writing', writing(), 'a refusal of what was sent', written('rejected'), 'lookingUp (rejected) on v3: read'],
  ['writing', writing(), 'conflict', written('conflict'), 'lookingUp (conflict) on v3: read'],
  ['writing', writing(), '404', written('missing'), 'lookingUp (missing) on v3: read'],
  ['writing', writing(), 'no answer', written('unanswered'), 'lookingUp (unanswered) on v3: read'],
  ['writing', writing(), 'a taken name', written('nameTaken'), 'settled on v3: keep, nameTaken'],
  ['writing', writing(), '405', written('unsupported'), 'settled on v3: keep, unsupported'],
  ['writing', writing(), 'nobody there', written('notSent'), 'settled on v3: keep, notSent'],
  ['writing', writing(), 'a refusal', written('refused'), 'settled on v3: keep, refused'],
  ['writing', writing(), 'another save', save(), 'nothing'],
  ['writing', writing(), 'check', check, 'nothing'],
  ['writing', writing(), 'a choice that is late', choose('merge'), 'nothing'],
  ['writing', writing(), 'a read that is late', found(apart), 'nothing'],
  ['writing', writing(), 'a newer version in its place', filled, 'nothing'],

  ['looking, check', lookingUp('check'), 'the same version', found(base), 'settled on v3: clear'],
  ['looking, check', lookingUp('check'), 'another text of the same version', found({ ...overlapping, version: 3 }), 'conflict on v3: ask, overlap'],
  ['looking, check', lookingUp('check'), 'my text', found(same), 'settled on v4: saved as v4'],
  ['looking, check', lookingUp('check'), 'another name', found(renamed), 'settled on v4: clear'],
  ['looking, check', lookingUp('check'), 'edits apart', found(apart), 'conflict on v3: ask, clean'],
  ['looking, check', lookingUp('check'), 'edits that overlap', found(overlapping), 'conflict on v3: ask, overlap'],
  ['looking, check', lookingUp('check'), 'an older version', found({ ...overlapping, version: 2 }), 'conflict on v3: ask, overlap'],
  ['looking, check', lookingUp('check', { unanswered: [sentEarlier] }), 'what I sent earlier', found({ ...base, ...sentEarlier, version: 4 }), 'settled on v4: clear'],
  ['looking, check', lookingUp('check'), 'gone', read('absent'), 'settled on v3: keep, deleted'],
  ['looking, check', lookingUp('check'), 'nobody there', read('unreadable'), 'settled on v3: keep, notSent'],
  ['looking, check', lookingUp('check', { unanswered: [mine] }), 'nobody there, something sent', read('unreadable'), 'settled on v3: keep, unknown'],

  ['looking, then write', lookingUp('checkThenWrite'), 'the same version', found(base), 'writing on v3: write over v3'],
  ['looking, then write', lookingUp('checkThenWrite'), 'another name', found(renamed), 'writing on v4: write over v4'],
  ['looking, then write', lookingUp('checkThenWrite', { unanswered: [sentEarlier] }), 'what I sent earlier', found({ ...base, ...sentEarlier, version: 4 }), 'writing on v4: write over v4'],
  ['looking, then write', lookingUp('checkThenWrite'), 'edits that overlap', found(overlapping), 'conflict on v3: ask, overlap'],
  ['looking, then write', lookingUp('checkThenWrite'), 'nobody there', read('unreadable'), 'settled on v3: keep, notSent'],

  ['looking, conflict', lookingUp('conflict'), 'the same version', found(base), 'settled on v3: keep, refused'],
  ['looking, conflict', lookingUp('conflict'), 'my text', found(same), 'settled on v4: saved as v4'],
  ['looking, conflict', lookingUp('conflict'), 'another name', found(renamed), 'writing on v4: write over v4'],
  ['looking, conflict', lookingUp('conflict'), 'edits apart', found(apart), 'conflict on v3: ask, clean'],
  ['looking, conflict', lookingUp('conflict'), 'edits that overlap', found(overlapping), 'conflict on v3: ask, overlap'],
  ['looking, conflict', lookingUp('conflict'), 'gone', read('absent'), 'settled on v3: keep, deleted'],
  ['looking, conflict', lookingUp('conflict'), 'nobody there', read('unreadable'), 'settled on v3: keep, newerUnread'],

  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'the same version', found(base), 'writing on v3: write over v3'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine], isRepeated: true }), 'the same version again', found(base), 'settled on v3: keep, unanswered'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'my text', found(same), 'settled on v4: saved as v4'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'edits apart', found(apart), 'conflict on v3: ask, clean'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'another name', found(renamed), 'writing on v4: write over v4'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'gone', read('absent'), 'settled on v3: keep, deleted'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'nobody there', read('unreadable'), 'settled on v3: keep, unknown'],

  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine] }), 'my text as the service stores it', found({ ...same, query_string: `${same.query_string}\n` }), 'settled on v4: saved as v4'],
  ['looking, no answer', lookingUp('unanswered', { unanswered: [mine], isRepeated: true }), 'a newer version of the same text', found({ ...base, version: 4 }), 'settled on v4: keep, unanswered'],

  ['looking, refused', lookingUp('rejected'), 'the same version', found(base), 'settled on v3: keep, refused'],
  ['looking, refused', lookingUp('rejected'), 'my text', found(same), 'settled on v4: saved as v4'],
  ['looking, refused', lookingUp('rejected'), 'edits apart', found(apart), 'conflict on v3: ask, clean'],
  ['looking, refused', lookingUp('rejected'), 'gone', read('absent'), 'settled on v3: keep, deleted'],
  ['looking, refused', lookingUp('rejected'), 'nobody there', read('unreadable'), 'settled on v3: keep, refused'],

  ['looking, 404', lookingUp('missing'), 'the same version', found(base), 'settled on v3: keep, unsupported'],
  ['looking, 404', lookingUp('missing'), 'edits that overlap', found(overlapping), 'conflict on v3: ask, overlap'],
  ['looking, 404', lookingUp('missing'), 'gone', read('absent'), 'settled on v3: keep, deleted'],
  ['looking, 404', lookingUp('missing'), 'nobody there', read('unreadable'), 'settled on v3: keep, notSent'],
  ['looking', lookingUp('check'), 'save', save(), 'nothing'],
  ['looking', lookingUp('check'), 'an answer that is late', written('conflict'), 'nothing'],
  ['looking', lookingUp('check'), 'a choice that is late', choose('saveMine'), 'nothing'],
  ['looking', lookingUp('check'), 'a newer version in its place', filled, 'nothing'],

  ['conflict', conflicting(), 'save mine', choose('saveMine'), 'settled on v4: saveNow'],
  ['conflict', conflicting(), 'take theirs', choose('takeTheirs'), 'settled on v4: fill'],
  ['conflict', conflicting(), 'merge', choose('merge'), 'settled on v4: fill'],
  ['conflict', conflicting(), 'save', save(), 'lookingUp (checkThenWrite) on v3: read'],
  ['conflict', conflicting(), 'check', check, 'lookingUp (check) on v3: read'],
  ['conflict', conflicting(), 'save of the base', save(lines), 'settled on v3: saved as v3'],
  ['conflict', conflicting(), 'an answer that is late', written('refused'), 'nothing'],
  ['conflict', conflicting(), 'a read that is late', found(apart), 'nothing'],
  ['conflict', conflicting(), 'a newer version in its place', filled, 'settled on v4: none'],
]; // oxfmt-ignore

suite('saving', () => {
  for (const [from, state, what, event, expected] of table) {
    test(`${from}: ${what}`, () => assert.equal(inWords(step(state, event, labels)), expected));
  }

  test('a merge contains both edits and names both versions if they overlap', () => {
    const clean = step(conflicting(apart), choose('merge'), labels);
    assert.deepEqual(clean?.effect, {
      kind: 'fill',
      text: lines.replace('id,', 'uid,').replace('10', '20'),
      isSaved: false,
    });
    const overlap = step(conflicting(), choose('merge'), labels);
    assert.equal(overlap?.effect.kind, 'fill');
    assert.match(overlap.effect.text, /<<<<<<< Mine\n {2}uid,\n=======\n {2}gid,\n>>>>>>> Theirs/);
  });

  test('my own text is not a conflict if the service is known to store it in a different form', () => {
    const spaced: Draft = { ...mine, query_string: `${mine.query_string}  ` };
    const state = lookingUp('check', { mine: spaced });
    const trimmed = (text: string) => text.trimEnd();
    assert.equal(inWords(step(state, found(same), labels, trimmed)), 'settled on v4: saved as v4');
    assert.equal(inWords(step(state, found(same), labels)), 'conflict on v3: ask, clean');
  });

  test('text typed while the choice is open is included', () => {
    const later: Draft = { ...mine, query_string: `${mine.query_string}\n-- later` };
    const next = step(conflicting(), { kind: 'choose', choice: 'merge', mine: later }, labels);
    assert.equal(next?.effect.kind, 'fill');
    assert.match(next.effect.text, /-- later/);
  });

  test('undoing a merge returns to the conflict, redo to the merge', () => {
    const merged = step(conflicting(apart), choose('merge'), labels);
    assert.ok(merged?.effect.kind === 'fill');
    assert.equal(merged.state.base.version, 4);
    const undone = afterUndo(merged.state, [mine.query_string]);
    assert.equal(undone.base.version, 3);
    const further = afterUndo(undone, [`${lines}\n`]);
    assert.equal(further, undone, 'further back there is still the first version');
    const redone = afterUndo(undone, [merged.effect.text]);
    assert.equal(redone.base.version, 4);
    assert.equal(inWords(step(undone, save(), labels)), 'writing on v3: write over v3');
    assert.equal(inWords(step(merged.state, save(), labels)), 'writing on v4: write over v4');
  });

  test('undoing a reload restores the version that the text is based on, and redo the newer one', () => {
    const reloaded = step(
      settledOn(base),
      { kind: 'filled', before: mine.query_string, record: apart },
      labels,
    );
    assert.ok(reloaded);
    const undone = afterUndo(reloaded.state, [mine.query_string]);
    assert.equal(inWords(step(undone, save(), labels)), 'writing on v3: write over v3');
    assert.equal(
      inWords(step(undone, save(base.query_string), labels)),
      'lookingUp (checkThenWrite) on v3: read',
    );
    const redone = afterUndo(undone, [apart.query_string]);
    assert.equal(redone.base.version, 4);
  });

  test('undoing two reloads restores the versions one after the other, and redo in reverse', () => {
    const newest: SavedQuery = { ...apart, version: 5, query_string: 'SELECT 5' };
    const filled = (from: SaveState, before: string, record: SavedQuery) => {
      const next = step(from, { kind: 'filled', before, record }, labels);
      assert.ok(next);
      return next.state;
    };
    const once = filled(settledOn(base), base.query_string, apart);
    const twice = filled(once, `${apart.query_string} -- mine`, newest);
    const texts = [`${apart.query_string} -- mine`, apart.query_string, base.query_string];
    const versions = (from: SaveState, passed: readonly string[]) =>
      passed.map((_, index) => afterUndo(from, passed.slice(0, index + 1)).base.version);
    assert.deepEqual(versions(twice, texts), [4, 4, 3]);
    const forth = [apart.query_string, `${apart.query_string} -- mine`, newest.query_string];
    assert.deepEqual(versions(afterUndo(twice, texts), forth), [4, 4, 5]);
  });

  test('redoing theirs after mine was saved over it is a change of mine', () => {
    const mineOver: SavedQuery = { ...base, version: 5 };
    const there = { text: overlapping.query_string, base: overlapping };
    const redone = afterUndo(
      { kind: 'settled', base: mineOver, back: [], forth: [{ here: lines, there }], unanswered: [] },
      [overlapping.query_string],
    );
    assert.equal(
      inWords(step(redone, save(overlapping.query_string), labels)),
      'lookingUp (checkThenWrite) on v4: read',
    );
  });

  test('an older version restored by undo keeps both directions: earlier versions and the newer one', () => {
    const behind = { here: lines, there: { text: 'SELECT 2', base: { ...base, version: 2 } } };
    const saved: SaveState = { kind: 'settled', base: apart, back: [behind], forth: [], unanswered: [] };
    const undone = step(saved, { kind: 'filled', before: apart.query_string, record: base }, labels);
    assert.ok(undone);
    assert.equal(undone.state.base.version, 3);
    assert.equal(afterUndo(undone.state, ['SELECT 2']).base.version, 2);
    assert.equal(afterUndo(undone.state, [apart.query_string]).base.version, 4);
  });

  test('redoing the choice of mine after an overlapping merge keeps the decision; undoing both takes it back', () => {
    const merged = step(conflicting(), choose('merge'), labels);
    assert.ok(merged?.effect.kind === 'fill');
    const marked = merged.effect.text;
    const text = mine.query_string;
    // "Keep Mine" is an edit that brings back the text from before the merge.
    const undone = afterUndo(merged.state, [marked], { before: text, isRedo: false });
    assert.equal(undone.base.version, 4);
    const redone = afterUndo(undone, [text], { before: marked, isRedo: true });
    assert.equal(redone.base.version, 4);
    assert.equal(inWords(step(redone, save(), labels)), 'writing on v4: write over v4');
    const again = afterUndo(redone, [marked], { before: text, isRedo: false });
    const back = afterUndo(again, [text], { before: marked, isRedo: false });
    assert.deepEqual([again.base.version, back.base.version], [4, 3]);
    const forth = afterUndo(back, [marked], { before: text, isRedo: true });
    assert.deepEqual(
      [forth.base.version, afterUndo(forth, [text], { before: marked, isRedo: true }).base.version],
      [4, 4],
    );
  });

  test('undo during a request takes effect once the service has responded', () => {
    const reloaded = step(
      settledOn(base),
      { kind: 'filled', before: base.query_string, record: apart },
      labels,
    );
    assert.ok(reloaded);
    const asked = step(reloaded.state, { kind: 'check', mine: draftOf(apart) }, labels);
    assert.ok(asked);
    assert.equal(afterUndo(asked.state, [base.query_string]), asked.state);
    const answered = step(asked.state, found(apart), labels);
    assert.ok(answered);
    assert.equal(afterUndo(answered.state, [base.query_string]).base.version, 3);
  });

  test('undo past a conflict ends it, and the next save detects conflicts again', () => {
    const reloaded = step(
      settledOn({ ...base, version: 2, query_string: 'SELECT 2' }),
      { kind: 'filled', before: 'SELECT 2', record: base },
      labels,
    );
    assert.ok(reloaded);
    const before: SaveState = { ...conflicting(), back: reloaded.state.back };
    assert.equal(afterUndo(before, [`${mine.query_string} `]), before, 'an edit was undone, not the reload');
    const undone = afterUndo(before, ['SELECT 2']);
    assert.deepEqual([undone.kind, undone.base.version], ['settled', 2]);
  });

  test('undoing a saved merge restores the version that mine is based on', () => {
    const merged = step(conflicting(apart), choose('merge'), labels);
    assert.ok(merged?.effect.kind === 'fill');
    const writing = step(merged.state, save(merged.effect.text), labels);
    assert.ok(writing);
    const record = { ...apart, version: 5, query_string: merged.effect.text };
    const saved = step(writing.state, { kind: 'written', answer: { kind: 'saved', record } }, labels);
    assert.ok(saved);
    const undone = afterUndo(saved.state, [mine.query_string]);
    assert.equal(undone.base.version, 3);
  });

  test('markers resolved in favour of mine are a decision, not an undo', () => {
    const merged = step(conflicting(), choose('merge'), labels);
    assert.ok(merged);
    assert.equal(inWords(step(merged.state, save(), labels)), 'writing on v4: write over v4');
  });

  test('a save sends the other fields of the version that the text is based on', () => {
    const merged = step(conflicting({ ...apart, name: 'Orphaned' }), choose('merge'), labels);
    assert.ok(merged?.effect.kind === 'fill');
    assert.equal(draftFor(merged.state, merged.effect.text).name, 'Orphaned');
    const undone = afterUndo(merged.state, [mine.query_string]);
    assert.equal(draftFor(undone, mine.query_string).name, 'Orphans');
  });

  test('their new name stays if only the text was changed here', () => {
    const next = step(lookingUp('conflict'), found({ ...renamed, description: 'Who left' }), labels);
    assert.equal(next?.effect.kind, 'write');
    assert.deepEqual(next.effect.draft, {
      ...mine,
      name: 'Orphaned',
      description: 'Who left',
    });
  });

  test('a field that both changed is a conflict', () => {
    const state: SaveState = { ...lookingUp('conflict'), mine: { ...mine, name: 'Leavers' } } as SaveState; // the kind is unchanged
    const next = step(state, found(renamed), labels);
    assert.equal(next?.effect.kind, 'ask');
    assert.deepEqual(next.effect.conflict.merge.fieldConflicts, [
      { field: 'name', mine: 'Leavers', theirs: 'Orphaned' },
    ]);
  });

  test('in 500 random sequences with two or three people, nothing is lost or replaced unseen', () => {
    fc.assert(
      fc.property(actions, fc.constantFrom(2 as const, 3 as const), (script, people) =>
        playSaves(script, people),
      ),
      { numRuns: 500 },
    );
  });
});
