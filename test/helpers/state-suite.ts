/** What every kind of state must do: the same tests run on a folder and on PostgreSQL. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { addClient, removeClient, rotateClient, signedIn, StateTokens } from '#service/state/clients.ts';
import {
  listStart,
  purgeSavedQueries,
  savedQueriesOf,
  type SavedQueryStore,
} from '#service/state/saved-queries.ts';
import { numberOf, type StateDatabase } from '#service/state/state-database.ts';

const by = { type: 'user', id: 'u1' };
const draft = { name: 'Mine', query_string: 'SELEC', model: 'platform_identity' };
const day = 86_400_000;

/** @param open returns an empty state, which the test closes */
export function savedQueriesSuite(open: () => Promise<StateDatabase>): void {
  const withStateOf = async <Result>(body: (state: StateDatabase) => Promise<Result>): Promise<Result> => {
    const state = await open();
    try {
      return await body(state);
    } finally {
      await state.close();
    }
  };
  const withState = (body: (store: SavedQueryStore, state: StateDatabase) => Promise<void>): Promise<void> =>
    withStateOf((state) => body(savedQueriesOf(state, 'hr'), state));
  const created = async (store: SavedQueryStore, change: Partial<typeof draft> = {}): Promise<SavedQuery> => {
    const query = await store.create({ ...draft, ...change }, { by });
    assert.ok(typeof query === 'object');
    return query;
  };
  const updated = async (
    store: SavedQueryStore,
    { query_id: id, version }: SavedQuery,
    query_string: string,
    repeatKey?: string,
  ): Promise<SavedQuery> => {
    const change = { name: 'Mine', query_string, expected_version: version };
    const outcome = await store.update(id, change, { by: { type: 'user', id: 'u2' }, repeatKey });
    assert.ok(typeof outcome === 'object' && 'query_id' in outcome, JSON.stringify(outcome));
    return outcome;
  };

  suite('saved queries', () => {
    test('treats names that differ by case, outer white space or Unicode form as equal', () =>
      withState(async (store) => {
        await created(store, { name: 'Café Ä' });
        for (const name of ['café ä', '  CAFÉ Ä ', 'Cafe\u0301 A\u0308'])
          assert.equal(await store.create({ ...draft, name }, { by }), 'name-conflict', name);
      }));

    test('keeps every text exactly', () =>
      withState(async (store) => {
        for (const text of ['a\0b', '\u0001', '\u00010\0\u00011', '\r\n\t \uFEFF🙂', "'; DROP TABLE x --"]) {
          const query = await created(store, { name: text, query_string: text, model: text });
          assert.deepEqual(await store.get(query.query_id), query);
          assert.deepEqual([query.name, query.query_string, query.model], [text, text, text]);
        }
      }));

    test('requires the current version for an update, and keeps omitted members', () =>
      withState(async (store) => {
        const first = await store.create({ ...draft, description: 'why' }, { by });
        assert.ok(typeof first === 'object');
        const second = await updated(store, first, 'SELECT 1');
        assert.equal(second.version, 2);
        assert.equal(second.description, 'why');
        assert.equal(second.created_by?.id, 'u1');
        assert.equal(second.last_modified_by?.id, 'u2');
        const change = { name: 'Mine', query_string: 'SELECT 2', expected_version: 1 };
        assert.deepEqual(await store.update(first.query_id, change, { by }), { currentVersion: 2 });
        const cleared = await store.update(
          first.query_id,
          { ...change, description: '', expected_version: 2 },
          { by },
        );
        assert.ok(typeof cleared === 'object' && !('description' in cleared));
        assert.equal(await store.update('nope', change, { by }), 'not-found');
      }));

    test('allows an update to change the case of its own name, but not to take another name', () =>
      withState(async (store) => {
        const one = await created(store);
        await created(store, { name: 'Other' });
        const change = { query_string: 'SELECT 1', expected_version: 1 };
        assert.equal(await store.update(one.query_id, { ...change, name: 'OTHER' }, { by }), 'name-conflict');
        assert.ok(
          typeof (await store.update(one.query_id, { ...change, name: 'MINE' }, { by })) === 'object',
        );
      }));

    test('lists queries by name, and loses none between pages', () =>
      withState(async (store) => {
        const wanted = ['b', 'A', 'é', 'c c', 'c', 'Z', '10', '9'];
        for (const name of wanted) await created(store, { name });
        const names: string[] = [];
        let after: Parameters<SavedQueryStore['list']>[1] | undefined = listStart;
        do {
          const page = await store.list(3, after);
          names.push(...page.items.map(({ name }) => name));
          after = page.next;
        } while (after !== undefined);
        assert.deepEqual(names, ['10', '9', 'A', 'b', 'c', 'c c', 'Z', 'é']);
      }));

    test('belong to one source', () =>
      withState(async (store, state) => {
        const mine = await created(store);
        const other = savedQueriesOf(state, 'sales');
        await created(other);
        assert.equal(await other.get(mine.query_id), undefined);
        assert.equal(await other.versions(mine.query_id, 10, undefined), undefined);
        const change = { name: 'Taken', query_string: 'SELECT 1', expected_version: 1 };
        assert.equal(await other.update(mine.query_id, change, { by }), 'not-found');
        assert.equal(await other.delete(mine.query_id, { by }), false);
        assert.equal((await other.list(10, listStart)).items.length, 1);
      }));

    test('keeps every version with author and time, newest first, in pages', () =>
      withState(async (store) => {
        let query = await created(store);
        const all = [query];
        for (const text of ['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4'])
          all.unshift((query = await updated(store, query, text)));
        const seen: SavedQuery[] = [];
        let before: number | undefined;
        do {
          const page = await store.versions(query.query_id, 2, before);
          assert.ok(page);
          seen.push(...page.items);
          before = page.next;
        } while (before !== undefined);
        assert.deepEqual(seen, all);
        assert.equal(await store.versions('nope', 2, undefined), undefined);
      }));

    test('a deleted query frees its name at once, and keeps its versions for 30 days', () =>
      withState(async (store, state) => {
        const first = await updated(store, await created(store), 'SELECT 1');
        assert.equal(await store.delete(first.query_id, { by }), true);
        assert.equal(await store.delete(first.query_id, { by }), false);
        assert.equal(await store.get(first.query_id), undefined);
        const second = await created(store);
        assert.notEqual(second.query_id, first.query_id);
        const age = (days: number) =>
          state.write((run) =>
            run('UPDATE state.saved_queries SET deleted_at = {now} - $1 WHERE deleted_at IS NOT NULL', [
              days * day,
            ]),
          );
        await age(29);
        assert.deepEqual(await purgeSavedQueries(state, false), { queries: 0 });
        assert.equal((await store.versions(first.query_id, 10, undefined))?.items.length, 2);
        await age(31);
        assert.deepEqual(await purgeSavedQueries(state, false), { queries: 1 });
        assert.equal(await store.versions(first.query_id, 10, undefined), undefined);
        await store.delete(second.query_id, { by });
        assert.deepEqual(await purgeSavedQueries(state, true), { queries: 1 });
        const [left] = await state.read('SELECT count(*) AS n FROM state.saved_query_versions');
        assert.equal(numberOf(left, 'n'), 0);
      }));

    test('a save that is sent again with its key is the same save', () =>
      withState(async (store) => {
        const saver = { by, repeatKey: 'k1' };
        const first = await store.create(draft, saver);
        assert.deepEqual(await store.create(draft, saver), first);
        assert.ok(typeof first === 'object');
        const second = await updated(store, first, 'SELECT 1', 'k2');
        assert.deepEqual(await updated(store, first, 'SELECT 1', 'k2'), second);
        assert.equal((await store.get(first.query_id))?.version, 2);
        await assert.rejects(updated(store, second, 'SELECT 2', 'k2'), /Idempotency-Key.*another save/);
        // The key of another person is another key.
        assert.equal(
          await store.create(draft, { by: { type: 'user', id: 'u9' }, repeatKey: 'k1' }),
          'name-conflict',
        );
        assert.equal(await store.delete(first.query_id, { by, repeatKey: 'k3' }), true);
        assert.equal(await store.delete(first.query_id, { by, repeatKey: 'k3' }), true);
      }));

    test('a save that was refused may be sent again with its key', () =>
      withState(async (store) => {
        const taken = await created(store);
        const saver = { by, repeatKey: 'k' };
        assert.equal(await store.create(draft, saver), 'name-conflict');
        await store.delete(taken.query_id, { by });
        assert.ok(typeof (await store.create(draft, saver)) === 'object');
      }));

    test('a key is forgotten after a day', () =>
      withState(async (store, state) => {
        const saver = { by, repeatKey: 'k' };
        await store.create(draft, saver);
        await state.write((run) => run('UPDATE state.repeated_saves SET at = at - $1', [day + 1]));
        assert.equal(await store.create(draft, saver), 'name-conflict');
      }));

    test('of many saves at once, one has each version, and one each name', () =>
      withState(async (store) => {
        const query = await created(store);
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            store.update(
              query.query_id,
              { name: 'Mine', query_string: `SELECT ${index}`, expected_version: 1 },
              { by },
            ),
          ),
        );
        assert.equal(outcomes.filter((each) => typeof each === 'object' && 'version' in each).length, 1);
        const names = await Promise.all(
          Array.from({ length: 12 }, () => store.create({ ...draft, name: 'Same' }, { by })),
        );
        assert.equal(names.filter((each) => each !== 'name-conflict').length, 1);
        const repeated = await Promise.all(
          Array.from({ length: 12 }, () =>
            store.create({ ...draft, name: 'Once' }, { by, repeatKey: 'once' }),
          ),
        );
        assert.equal(
          new Set(repeated.map((each) => (each === 'name-conflict' ? each : each.query_id))).size,
          1,
        );
      }));

    test('a save that fails inside leaves nothing', () =>
      withState(async (store, state) => {
        const failing = savedQueriesOf(state, 'hr', () => Promise.reject(new Error('no record')));
        await assert.rejects(failing.create(draft, { by, repeatKey: 'k' }), /no record/);
        assert.deepEqual((await store.list(10, listStart)).items, []);
        await created(store);
      }));
  });

  suite('clients', () => {
    const scopes = new Set(['read'] as const);
    /** Signs in, lets something happen, and asks for the token. */
    const issuedAfter = (change: (state: StateDatabase, secret: string) => Promise<unknown>) =>
      withStateOf(async (state) => {
        const secret = await addClient(state, { name: 'ada', source: 'hr', scopes });
        assert.ok(await signedIn(state, 'ada', secret));
        await change(state, secret);
        return await new StateTokens(state).issue({ clientId: 'ada', scopes }, secret);
      });

    test('get a token for their secret, also for an old one that is kept', async () => {
      assert.match(String(await issuedAfter(() => Promise.resolve())), /^[\w-]{43}$/);
      assert.match(String(await issuedAfter((state) => rotateClient(state, 'ada', 60_000))), /^[\w-]{43}$/);
    });

    test('get none for a secret that ended while they signed in', async () => {
      assert.equal(await issuedAfter((state) => rotateClient(state, 'ada', 0)), undefined);
      assert.equal(await issuedAfter((state) => removeClient(state, 'ada')), undefined);
    });

    test('keep no token of an ended secret, whenever it was asked for', () =>
      withStateOf(async (state) => {
        const secret = await addClient(state, { name: 'ada', source: 'hr', scopes });
        const asked = Array.from({ length: 20 }, async () => {
          if ((await signedIn(state, 'ada', secret)) === undefined) return undefined;
          return await new StateTokens(state).issue({ clientId: 'ada', scopes }, secret);
        });
        await rotateClient(state, 'ada', 0);
        const tokens = (await Promise.all(asked)).filter((token) => token !== undefined);
        const found = await Promise.all(tokens.map((token) => new StateTokens(state).find(token)));
        assert.deepEqual(
          found.filter((grant) => grant !== undefined),
          [],
        );
      }));

    test('are told that a second change ends the secret that was kept', () =>
      withStateOf(async (state) => {
        const first = await addClient(state, { name: 'ada', source: 'hr', scopes });
        assert.equal((await rotateClient(state, 'ada', 60_000)).hasEnded, false);
        assert.equal((await rotateClient(state, 'ada', 60_000)).hasEnded, true);
        assert.equal(await signedIn(state, 'ada', first), undefined);
      }));
  });
}
