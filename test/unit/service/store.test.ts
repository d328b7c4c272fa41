/** The store of saved queries, and results kept for paging. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { GrowingResult } from '#service/query/growing-result.ts';
import { ResultKeeper, rowSlices } from '#service/query/results.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { listStart, openSavedQueryStore, type SavedQueryStore } from '#service/store/saved-queries.ts';
import { AccessTokens, PageTokens } from '#service/tokens.ts';

const by = { type: 'user', id: 'u1' };
const draft = { name: 'Mine', query_string: 'SELEC', model: 'platform_identity' };

function withStore(body: (store: SavedQueryStore) => void): void {
  const store = openSavedQueryStore(undefined);
  try {
    body(store);
  } finally {
    store.close();
  }
}

suite('the saved query store', () => {
  test('contains the samples at first, and does not restore a deleted one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'saved-queries-'));
    try {
      const first = openSavedQueryStore(folder);
      const before = first.list(200, listStart).items;
      assert.equal(before.length, sampleQueries.length);
      assert.ok(first.delete(before[0]!.query_id));
      first.create(draft, by);
      first.close();
      const second = openSavedQueryStore(folder);
      const names = second.list(200, listStart).items.map((query) => query.name);
      second.close();
      assert.equal(names.length, sampleQueries.length);
      assert.ok(names.includes('Mine') && !names.includes(before[0]!.name));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a sample query has every department in its default', () => {
    const sql = sampleQueries.map((one) => one.query_string).find((one) => one.includes(':departments'));
    const parameter = parameterDeclarations(sql ?? '').get('departments');
    assert.equal(parameter?.defaultText, 'Finance, Engineering');
  });

  test('refuses a file that is not a database, with its name', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'saved-queries-'));
    try {
      writeFileSync(
        path.join(folder, 'saved-queries.sqlite'),
        'this is a text file, long enough to be read as a header',
      );
      assert.throws(() => openSavedQueryStore(folder), /saved-queries\.sqlite cannot be opened.*--data/s);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('treats names that differ by case, outer white space or Unicode form as equal', () => {
    withStore((store) => {
      assert.notEqual(store.create({ ...draft, name: 'Café Ä' }, by), 'name-conflict');
      for (const name of ['café ä', '  CAFÉ Ä ', 'Cafe\u0301 A\u0308']) {
        assert.equal(store.create({ ...draft, name }, by), 'name-conflict', name);
      }
    });
  });

  test('requires the current version for an update, and keeps omitted members', () => {
    withStore((store) => {
      const created = store.create({ ...draft, description: 'why' }, by);
      assert.ok(typeof created === 'object');
      const id = created.query_id;
      const change = { name: 'Mine', query_string: 'SELECT 1', expected_version: 1 };
      const updated = store.update(id, change, { type: 'user', id: 'u2' });
      assert.ok(typeof updated === 'object' && 'version' in updated);
      assert.equal(updated.version, 2);
      assert.equal(updated.description, 'why');
      assert.equal(updated.created_by?.id, 'u1');
      assert.equal(updated.last_modified_by?.id, 'u2');
      assert.deepEqual(store.update(id, change, by), { currentVersion: 2 });
      const cleared = store.update(id, { ...change, description: '', expected_version: 2 }, by);
      assert.ok(typeof cleared === 'object' && !('description' in cleared));
      assert.equal(store.update('nope', change, by), 'not-found');
    });
  });

  test('allows an update to change the case of its own name, but not to take another name', () => {
    withStore((store) => {
      const one = store.create(draft, by);
      store.create({ ...draft, name: 'Other' }, by);
      assert.ok(typeof one === 'object');
      const change = { query_string: 'SELECT 1', expected_version: 1 };
      assert.equal(store.update(one.query_id, { ...change, name: 'OTHER' }, by), 'name-conflict');
      assert.ok(typeof store.update(one.query_id, { ...change, name: 'MINE' }, by) === 'object');
    });
  });

  test('lists queries by name, and loses none between pages', () => {
    withStore((store) => {
      const names: string[] = [];
      let after: Parameters<SavedQueryStore['list']>[1] | undefined = listStart;
      do {
        const page = store.list(3, after);
        names.push(...page.items.map((query) => query.name.toLowerCase()));
        after = page.next;
      } while (after !== undefined);
      assert.equal(names.length, sampleQueries.length);
      assert.deepEqual(names, names.toSorted());
    });
  });
});

suite('kept results', () => {
  const encoder = new TextEncoder();
  const result = new GrowingResult();
  result.rows(encoder.encode('[1],[22]'), Uint32Array.of(3, 8));
  result.rows(encoder.encode('["ä"]'), Uint32Array.of(6));
  const text = async (from: number, to: number): Promise<string> =>
    Buffer.concat(await rowSlices(result, from, to)).toString();

  test('can be read in any range, across chunks', async () => {
    assert.equal(await text(0, 3), '[1],[22],["ä"]');
    assert.equal(await text(1, 2), '[22]');
    assert.equal(await text(1, 3), '[22],["ä"]');
    assert.equal(await text(2, 3), '["ä"]');
    assert.equal(await text(3, 3), '');
  });

  test('are dropped if they are old or exceed the limit, the least recently used first', () => {
    let time = 0;
    const mostBytes = 2.5 * result.sizeBytes;
    const keeper = new ResultKeeper({ mostBytes, lifetimeMs: 1_000, clock: () => time });
    const abandoned: string[] = [];
    const keep = (name: string) =>
      keeper.keep({ fingerprint: name, result, abandon: () => abandoned.push(name) });
    const first = keep('a');
    const second = keep('b');
    assert.ok(keeper.find(first.id));
    const third = keep('c');
    assert.deepEqual(abandoned, ['b'], 'what nobody can read any more need not go on');
    assert.equal(keeper.find(second.id), undefined);
    assert.ok(keeper.find(first.id) && keeper.find(third.id));
    time = 1_001;
    assert.equal(keeper.find(first.id), undefined);
  });
});

suite('a growing result', () => {
  const row = (result: GrowingResult): void =>
    result.rows(new TextEncoder().encode('[1]'), Uint32Array.of(3));
  const never = new AbortController().signal;

  test('releases readers as soon as there are enough rows, and not before', async () => {
    const result = new GrowingResult();
    const seen: number[] = [];
    const waiting = [1, 3].map(async (count) => {
      await result.until(() => result.rowCount >= count, never);
      seen.push(count);
    });
    row(result);
    await waiting[0];
    row(result);
    assert.deepEqual(seen, [1]);
    row(result);
    await Promise.all(waiting);
    assert.deepEqual(seen, [1, 3]);
  });

  test('releases all readers when it ends, keeps the rows, and ends only once', async () => {
    const result = new GrowingResult();
    row(result);
    const waiting = result.until(() => false, never);
    result.finish({ kind: 'timeout', limitMs: 5 });
    await waiting;
    result.finish({ kind: 'complete' });
    row(result);
    assert.deepEqual([result.end, result.rowCount], [{ kind: 'timeout', limitMs: 5 }, 1]);
  });

  test('releases a cancelled reader while it grows', async () => {
    const result = new GrowingResult();
    const gone = new AbortController();
    const waiting = result.until(() => false, gone.signal);
    gone.abort();
    await waiting;
    assert.equal(result.end, undefined);
  });
});

suite('tokens', () => {
  test('a page token is valid only for its own list, and only if unchanged', () => {
    const tokens = new PageTokens();
    const token = tokens.seal('a', { at: 5 });
    assert.deepEqual(tokens.open('a', token), { at: 5 });
    for (const wrong of [
      `${token}x`,
      token.replace(/^./, 'x'),
      '',
      '.',
      'abc',
      new PageTokens().seal('a', 1),
    ]) {
      assert.throws(() => tokens.open('a', wrong), /pageToken/);
    }
    assert.throws(() => tokens.open('b', token), /pageToken/);
  });

  test('an access token expires', () => {
    const tokens = new AccessTokens();
    const token = tokens.issue({ clientId: 'c', scopes: new Set(['read']), expiresAt: Date.now() + 60_000 });
    assert.ok(tokens.find(token, Date.now()));
    assert.equal(tokens.find(token, Date.now() + 60_000), undefined);
    tokens.revokeAll();
    assert.equal(tokens.find(token, Date.now()), undefined);
  });
});
