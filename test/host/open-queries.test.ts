/** Each open saved query has one object, which is dropped when it is closed. */
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
const uri = savedQueryUri('Sandbox', { query_id: 'q', name: 'Orphans' });

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
    queries.onDidChangeConflicts((changed) => told.push(changed.path));
  });
  teardown(() => queries.dispose());

  test('looking up a query does not create its state', () => {
    assert.equal(queries.baseOf(uri), undefined);
    assert.equal(queries.conflictOf(uri), undefined);
    assert.deepEqual(queries.all(), []);
  });

  test('closing forgets all state and reports that the conflict is gone', () => {
    const query = queries.of(uri);
    query.stand(conflictOver(record(1), record(2)));
    query.told.version = 2;
    assert.deepEqual(queries.conflicts(), [uri]);
    queries.close(uri);
    assert.deepEqual(queries.all(), []);
    assert.deepEqual(queries.conflicts(), []);
    assert.deepEqual(told, [uri.path, uri.path]);
    assert.notEqual(queries.of(uri), query);
  });

  test('what the person was told and decided goes to another address, and no object is made for an unknown one', () => {
    const to = savedQueryUri('Renamed', { query_id: 'q', name: 'Orphans' });
    queries.carry(uri, to);
    assert.deepEqual(queries.all(), []);
    const query = queries.of(uri);
    query.told = { version: 4, name: 'Orphans', asked: 3, declined: 2 };
    queries.carry(uri, to);
    queries.close(uri);
    assert.deepEqual(queries.of(to).told, { version: 4, name: 'Orphans', asked: 3, declined: 2 });
  });

  test('closing during a turn, or with a save without a response, forgets only the reported file state', async () => {
    const query = queries.of(uri);
    query.fill(record(1));
    query.buffer.take({ kind: 'edited', text: 'SELECT 1 -- mine', base: record(1) });
    let end: () => void = () => undefined;
    const turn = query.inTurn(
      () => new Promise<void>((resolve) => (end = resolve)),
      () => undefined,
    );
    await Promise.resolve();
    queries.close(uri);
    assert.equal(queries.find(uri), query);
    assert.equal(query.buffer.unsaved, undefined);
    end();
    await turn;
    query.stand({ ...settledOn(record(1)), unanswered: [draftOf(record(1))] });
    queries.close(uri);
    assert.equal(queries.find(uri), query);
    query.stand(settledOn(record(1)));
    queries.close(uri);
    assert.equal(queries.find(uri), undefined);
  });
});
