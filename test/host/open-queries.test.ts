/** Each open saved query has one object, which follows renames and is disposed on close. */
import assert from 'node:assert/strict';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { savedQueryUri } from '#client/features/saved-queries/records/saved-query-uri.ts';
import { OpenQueries } from '#client/features/saved-queries/saving/open-queries.ts';
import { draftOf, mergeDrafts } from '#core/saved-queries/merge-drafts.ts';
import { settledOn, type SaveState } from '#core/saved-queries/save-machine.ts';

const record = (version: number, query_string = `SELECT ${version}`): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
});
const from = savedQueryUri('Sandbox', { query_id: 'q', name: 'Orphans' });
const to = savedQueryUri('Sandbox', { query_id: 'q', name: 'Strays' });

function conflictOver(base: SavedQuery, theirs: SavedQuery): SaveState {
  const mine = { ...draftOf(base), query_string: 'mine' };
  const labels = { mine: 'mine', theirs: 'theirs' };
  const merge = mergeDrafts({ base: draftOf(base), mine, theirs: draftOf(theirs), labels });
  return { kind: 'conflict', base, mine, theirs, merge, back: [], forth: [], unanswered: [] };
}

suite('open saved queries', () => {
  let queries = new OpenQueries();
  let told: string[] = [];
  setup(() => {
    queries = new OpenQueries();
    told = [];
    queries.onDidChangeConflicts((uri) => told.push(uri.path));
  });
  teardown(() => queries.dispose());

  test('looking up a query does not create its state', () => {
    assert.equal(queries.baseOf(from), undefined);
    assert.equal(queries.conflictOf(from), undefined);
    assert.deepEqual(queries.all(), []);
  });

  test('closing forgets all state and reports that the conflict is gone', () => {
    const query = queries.of(from);
    query.stand(conflictOver(record(1), record(2)));
    query.toldVersion = 2;
    assert.deepEqual(queries.conflicts(), [from]);
    queries.close(from);
    assert.deepEqual(queries.all(), []);
    assert.deepEqual(queries.conflicts(), []);
    assert.deepEqual(told, [from.path, from.path]);
    assert.notEqual(queries.of(from), query);
  });

  test('closing during a turn, or with a save without a response, forgets only the reported file state', async () => {
    const query = queries.of(from);
    query.fill(record(1));
    query.buffer.take({ kind: 'edited', text: 'SELECT 1 -- mine', base: record(1) });
    let end: () => void = () => undefined;
    const turn = query.inTurn(
      () => new Promise<void>((resolve) => (end = resolve)),
      () => undefined,
    );
    await Promise.resolve();
    queries.close(from);
    assert.equal(queries.find(from), query);
    assert.equal(query.buffer.unsaved, undefined);
    end();
    await turn;
    query.stand({ ...settledOn(record(1)), unanswered: [draftOf(record(1))] });
    queries.close(from);
    assert.equal(queries.find(from), query);
    query.stand(settledOn(record(1)));
    queries.close(from);
    assert.equal(queries.find(from), undefined);
  });

  test("a new name takes over the query's state, and leaves each file its reported state", () => {
    const query = queries.of(from);
    query.fill(record(2));
    query.stand(conflictOver(record(2), record(3)));
    query.declinedVersion = 3;
    queries.of(to).fill(record(2));
    queries.of(to).buffer.reloads = 7;
    told = [];
    queries.carry(from, to);
    assert.equal(queries.of(to), query);
    assert.deepEqual([query.declinedVersion, query.buffer.reloads], [3, 7]);
    assert.deepEqual(queries.conflicts(), [to]);
    assert.deepEqual(told, [from.path, to.path]);
    assert.equal(queries.baseOf(from)?.version, 2);
    queries.close(from);
    assert.equal(queries.conflictOf(to)?.theirs.version, 3);
  });

  test('a new buffer based on another version keeps its own state', () => {
    queries.of(from).stand(conflictOver(record(2), record(3)));
    const other = queries.of(to);
    other.fill(record(4));
    queries.carry(from, to);
    assert.equal(queries.of(to), other);
    assert.equal(queries.conflictOf(from)?.theirs.version, 3);
  });
});
