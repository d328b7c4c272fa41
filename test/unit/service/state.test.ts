/** The state in a folder or in memory, and files of earlier versions. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { ServiceError } from '#service/errors.ts';
import { requireVersion, onlySource, written } from '#service/state/migrate.ts';
import { statePlace } from '#service/state/open-state.ts';
import { addSamples, listStart, savedQueriesOf } from '#service/state/saved-queries.ts';
import { openSqliteState, stateFile } from '#service/state/sqlite-state.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { openSqlite } from '#service/store/sqlite.ts';
import { savedQueriesSuite } from '../../helpers/state-suite.ts';

const by = { type: 'user', id: 'u1' };

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'state-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite('a state in memory', () => savedQueriesSuite(() => openSqliteState(undefined)));

suite('a state in a folder', () => {
  test('contains the samples at first, and does not restore a deleted one', () =>
    inFolder(async (folder) => {
      const open = async () => {
        const state = await openSqliteState(folder);
        const store = savedQueriesOf(state, onlySource);
        await addSamples(state, store, sampleQueries);
        return { state, store };
      };
      const first = await open();
      const before = (await first.store.list(200, listStart)).items;
      assert.equal(before.length, sampleQueries.length);
      const [one] = before;
      assert.ok(one && (await first.store.delete(one.query_id, { by })));
      await first.store.create({ name: 'Mine', query_string: 'SELEC', model: 'm' }, { by });
      await first.state.close();
      const second = await open();
      const names = (await second.store.list(200, listStart)).items.map((query) => query.name);
      await second.state.close();
      assert.equal(names.length, sampleQueries.length);
      assert.ok(names.includes('Mine') && !names.includes(one.name));
    }));

  test('a sample query has every department in its default', () => {
    const sql = sampleQueries.map((one) => one.query_string).find((one) => one.includes(':departments'));
    const parameter = parameterDeclarations(sql ?? '').get('departments');
    assert.equal(parameter?.defaultText, 'Finance, Engineering');
  });

  test('a file of an earlier version keeps its queries', () =>
    inFolder(async (folder) => {
      const old = openSqlite(folder, stateFile, 'saved queries');
      old.exec(`CREATE TABLE saved_queries (query_id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
        query_string TEXT NOT NULL, model TEXT NOT NULL, description TEXT, created_by TEXT NOT NULL, last_modified_by TEXT NOT NULL,
        version INTEGER NOT NULL, created_at TEXT NOT NULL, last_modified_at TEXT NOT NULL) STRICT;
        INSERT INTO saved_queries VALUES ('q1', 'Ä', 'ä', 'SELECT 1', 'm', NULL, '{"type":"user","id":"a"}', '{"type":"user","id":"b"}',
          7, '2026-01-02T03:04:05.678Z', '2026-11-28T12:00:00.001Z');
        PRAGMA user_version = 1`);
      old.close();
      for (const turn of [1, 2]) {
        const state = await openSqliteState(folder);
        const store = savedQueriesOf(state, onlySource);
        await addSamples(state, store, sampleQueries);
        const { items } = await store.list(10, listStart);
        assert.deepEqual(
          items,
          [
            {
              query_id: 'q1',
              name: 'Ä',
              query_string: 'SELECT 1',
              model: 'm',
              created_by: { type: 'user', id: 'a' },
              last_modified_by: { type: 'user', id: 'b' },
              version: 7,
              created_at: '2026-01-02T03:04:05.678Z',
              last_modified_at: '2026-11-28T12:00:00.001Z',
            },
          ],
          `turn ${turn}`,
        );
        assert.deepEqual((await store.versions('q1', 10, undefined))?.items, items);
        await state.close();
      }
    }));

  test('refuses a file that is not a database, with its name', () =>
    inFolder(async (folder) => {
      writeFileSync(path.join(folder, stateFile), 'this is a text file, long enough to be read as a header');
      await assert.rejects(
        openSqliteState(folder),
        /saved-queries\.sqlite cannot be opened.*Move the file away, or name another folder\.$/s,
      );
    }));

  test('refuses a folder that cannot be made, and tells nothing of a file that is not there', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'file');
      writeFileSync(file, '');
      await assert.rejects(
        openSqliteState(path.join(file, 'below')),
        /saved-queries\.sqlite cannot be opened: its folder does not exist\. Name another folder\.$/,
      );
    }));

  test('on a full disk says so, and loses nothing that it confirmed', () =>
    inFolder(async (folder) => {
      const state = await openSqliteState(folder);
      const store = savedQueriesOf(state, onlySource);
      const draft = { query_string: 'x'.repeat(50_000), model: 'm' };
      await state.read('PRAGMA max_page_count = 200');
      const confirmed: string[] = [];
      await assert.rejects(
        async () => {
          for (;;) {
            const query = await store.create({ ...draft, name: `n${confirmed.length}` }, { by });
            assert.ok(typeof query === 'object');
            confirmed.push(query.query_id);
          }
        },
        (error: unknown) =>
          error instanceof ServiceError &&
          error.statusCode === 503 &&
          /is full: nothing was saved/.test(error.message),
      );
      assert.ok(confirmed.length > 0);
      await state.close();
      const again = await openSqliteState(folder);
      const { items } = await savedQueriesOf(again, onlySource).list(200, listStart);
      assert.deepEqual(items.map((query) => query.query_id).sort(), confirmed.toSorted());
      await again.close();
    }));

  test('whose file was removed, or cannot be written, says so', () =>
    inFolder(async (folder) => {
      const state = await openSqliteState(folder);
      const store = savedQueriesOf(state, onlySource);
      const save = (name: string) => store.create({ name, query_string: 'SELECT 1', model: 'm' }, { by });
      const isTold = (error: unknown): boolean =>
        error instanceof ServiceError && /cannot use its state: nothing was saved/.test(error.message);
      await state.read('PRAGMA query_only = 1');
      await assert.rejects(save('a'), isTold);
      await state.read('PRAGMA query_only = 0');
      assert.equal(typeof (await save('a')), 'object');
      if (process.platform !== 'win32') {
        rmSync(path.join(folder, stateFile));
        await assert.rejects(save('b'), isTold);
      }
      await state.close();
    }));

  test('of a newer major is refused, and stays as it is', () =>
    inFolder(async (folder) => {
      const state = await openSqliteState(folder);
      await state.write((run) => run("UPDATE state.settings SET value = '99.0' WHERE name = 'version'"));
      await state.close();
      await assert.rejects(openSqliteState(folder), /version 99\.0.*newer program. Update this one/);
    }));
});

suite('the version of a state', () => {
  const { major, minor } = written;
  test('may have a newer minor, and nothing else', () => {
    assert.doesNotThrow(() => requireVersion({ major, minor }, 'x'));
    assert.doesNotThrow(() => requireVersion({ major, minor: minor + 5 }, 'x'));
    assert.throws(() => requireVersion(undefined, 'x'), /has no tables yet.*serve migrate/);
    assert.throws(() => requireVersion({ major: major + 1, minor: 0 }, 'x'), /Update this one/);
    assert.throws(() => requireVersion({ major: major - 1, minor: 9 }, 'x'), /Stop all instances, then run/);
    assert.throws(() => requireVersion({ major, minor: minor - 1 }, 'x'), /may go on. Run: .*serve migrate/);
  });
});

suite('the place of a state', () => {
  test('is a folder or an address without a password', () => {
    assert.deepEqual(statePlace(undefined), { kind: 'memory' });
    for (const folder of ['/var/lib/x', String.raw`C:\state`, 'postgres', 'a:b', './postgres:/x', ' x '])
      assert.deepEqual(statePlace(folder), { kind: 'folder', folder });
    assert.equal(statePlace(' postgresql://state@localhost/s\n').kind, 'database');
    for (const other of [
      'postgre://state@localhost/s',
      ' mysql://h/s',
      'https://h/s',
      'postgresql+psycopg://h/s',
    ])
      assert.throws(() => statePlace(other), /a folder, or an address that begins with postgres:/);
    assert.equal(statePlace('postgres://state@localhost/s').kind, 'database');
    assert.throws(
      () => statePlace('postgres://state:geheim@localhost/s'),
      (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, /has a password in it/);
        assert.doesNotMatch(error.message, /geheim/);
        return true;
      },
    );
    assert.throws(() => statePlace('postgres://a,b/s'), /one host/);
  });
});
