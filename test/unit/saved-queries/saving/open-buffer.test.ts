/** Where the base of unsaved edits stands: on disk exactly while there are edits, and looked up once after a restart. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  stepBuffer,
  type BufferEffect,
  type BufferEvent,
  type BufferState,
} from '#client/features/saved-queries/saving/open-buffer.ts';

const record = (version: number): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string: `SELECT ${version}`,
});
const [first, second] = [record(1), record(2)];
const unknown: BufferState = { kind: 'unknown' };
const clean: BufferState = { kind: 'clean' };
const edited = (archived: number | undefined, text = 'mine'): BufferState => ({
  kind: 'edited',
  text,
  archived,
});
const edit = (base: SavedQuery | undefined, text = 'mine'): BufferEvent => ({ kind: 'edited', text, base });
const keep = (base: SavedQuery): BufferEffect => ({ kind: 'keep', base });
const drop: BufferEffect = { kind: 'drop' };

suite('the state of a buffer', () => {
  for (const [what, state, event, to, effect] of [
    ['the first edit keeps the base', clean, edit(first), edited(1), keep(first)],
    ['the next edit does not keep it again', edited(1), edit(first, 'more'), edited(1, 'more'), undefined],
    ['edits over another base keep that', edited(1), edit(second), edited(2), keep(second)],
    ['restored edits look for their base', unknown, edit(undefined), edited(0), { kind: 'lookUp' }],
    ['they look once', edited(0), edit(undefined, 'more'), edited(0, 'more'), undefined],
    ['a base that was found is kept with the next edit', edited(0), edit(first), edited(1), keep(first)],
    ['edits whose base is gone keep nothing', clean, edit(undefined), edited(undefined), undefined],
    [
      'a query that is deleted leaves its base to be dropped',
      edited(1),
      edit(undefined),
      edited(1),
      undefined,
    ],
    ['saved or reverted edits drop it', edited(1), { kind: 'clean', base: second }, clean, drop],
    ['so do those whose base was looked for', edited(0), { kind: 'clean', base: undefined }, clean, drop],
    ['closing drops it', edited(1), { kind: 'closed' }, unknown, drop],
    [
      'a text of no known version is not clean yet',
      unknown,
      { kind: 'clean', base: undefined },
      unknown,
      undefined,
    ],
    ['a text of a version is', unknown, { kind: 'clean', base: first }, clean, undefined],
    ['closing a clean buffer forgets it', clean, { kind: 'closed' }, unknown, undefined],
  ] as const satisfies readonly (readonly [
    string,
    BufferState,
    BufferEvent,
    BufferState,
    BufferEffect | undefined,
  ])[])
    test(what, () => assert.deepEqual(stepBuffer(state, event), [to, effect]));
});
