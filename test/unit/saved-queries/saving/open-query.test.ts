/** A save sends the base version of the text in the buffer, whatever was read in between. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Uri } from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { OpenQuery } from '#client/features/saved-queries/saving/open-query.ts';
import { draftOf, mergeDrafts } from '#core/saved-queries/merge-drafts.ts';
import type { SaveState } from '#core/saved-queries/save-machine.ts';

const record = (version: number, query_string: string): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
});

/** The only part of a URI that these tests need. */
const uri: Uri = JSON.parse(JSON.stringify({ path: '/Sandbox/q/Orphans.identity.sql' }));

function openQuery(onConflict: (query: OpenQuery) => void = () => undefined): OpenQuery {
  return new OpenQuery({ uri, queryId: 'q', onConflict, onSettled: () => undefined });
}

/** Simulates the editor reporting the buffer as clean. */
function noteClean(query: OpenQuery, text: string): void {
  const filled = query.buffer.noteClean(text);
  if (filled !== undefined) query.rebase(filled);
}

function conflictOver(base: SavedQuery, theirs: SavedQuery): SaveState {
  const mine = { ...draftOf(base), query_string: 'mine' };
  const labels = { mine: 'mine', theirs: 'theirs' };
  const merge = mergeDrafts({ base: draftOf(base), mine, theirs: draftOf(theirs), labels });
  return { kind: 'conflict', base, mine, theirs, merge, back: [], forth: [], unanswered: [] };
}

suite('the base of an open query', () => {
  test('a read alone is not a base', () => {
    const query = openQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    assert.equal(query.base, undefined);
    assert.equal(query.buffer.reads.newest()?.version, 1);
  });

  test('a clean buffer with the text of a read is based on that read', () => {
    const query = openQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    noteClean(query, 'SELECT 1');
    assert.equal(query.base?.version, 1);
  });

  test('a later read that did not fill the buffer does not move the base', () => {
    const query = openQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    noteClean(query, 'SELECT 1');
    query.buffer.reads.note(record(2, 'SELECT 2'));
    assert.equal(query.base?.version, 1);
  });

  test('a reload that fills the buffer moves the base', () => {
    const query = openQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    noteClean(query, 'SELECT 1');
    query.buffer.reads.note(record(2, 'SELECT 2'));
    noteClean(query, 'SELECT 2');
    assert.equal(query.base?.version, 2);
  });

  test('of two versions with the same text, the newer one is the base', () => {
    const query = openQuery();
    query.buffer.reads.note(record(2, 'SELECT 1'));
    query.buffer.reads.note(record(1, 'SELECT 1'));
    noteClean(query, 'SELECT 1');
    assert.equal(query.base?.version, 2);
  });

  test('a clean buffer with an unknown text keeps its base', () => {
    const query = openQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    noteClean(query, 'SELECT 1');
    noteClean(query, 'SELECT 3');
    assert.equal(query.base?.version, 1);
  });

  test('a deleted query has neither reads nor a base', () => {
    const query = openQuery();
    query.fill(record(4, 'SELECT 4'));
    query.noteDeleted();
    assert.equal(query.base, undefined);
    assert.equal(query.buffer.reads.newest(), undefined);
  });
});

suite('the state of an open query', () => {
  const [first, second] = [record(1, 'SELECT 1'), record(2, 'SELECT 2')];

  test('a conflict is reported when it appears and when it disappears', () => {
    const told: (number | undefined)[] = [];
    const query = openQuery(({ conflict }) => told.push(conflict?.theirs.version));
    query.fill(first);
    query.stand(conflictOver(first, second));
    query.fill(second);
    assert.deepEqual(told, [2, undefined]);
  });

  test('a new name for the same text keeps the undo history', () => {
    const query = openQuery();
    const back = [{ here: 'SELECT 2', there: { text: 'SELECT 1', base: first } }];
    query.stand({ kind: 'settled', base: second, back, forth: [], unanswered: [] });
    query.rebase({ ...second, version: 3, name: 'Strays' });
    assert.deepEqual([query.state.back, query.base?.name], [back, 'Strays']);
    query.rebase(record(4, 'SELECT 4'));
    assert.deepEqual(query.state.back, []);
  });

  test('another base version clears the conflict', () => {
    const query = openQuery();
    query.stand(conflictOver(first, second));
    query.rebase({ ...first, version: 3 });
    assert.equal(query.conflict, undefined);
  });

  test('turns run in sequence, even after a failed one', async () => {
    const query = openQuery();
    const done: string[] = [];
    const failing = query.inTurn(
      async () => {
        await Promise.resolve();
        done.push('first');
        throw new Error('planted');
      },
      () => done.push('never'),
    );
    const next = query.inTurn(
      () => Promise.resolve('second'),
      (result) => done.push(result),
    );
    assert.equal(query.isInTurn, true);
    await assert.rejects(failing, /planted/);
    await next;
    await query.idle();
    assert.deepEqual(done, ['first', 'second']);
    assert.equal(query.isInTurn, false);
  });
});
