/** The history: runs are stored once and removed after the retention period; a crash during a write does no damage. */
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { recordedText } from '#base/words/moment-text.ts';
import { findRuns } from '#core/history/find-runs.ts';
import { HistoryStore } from '#core/history/history-store.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import { runText } from '#core/history/run-text.ts';

const day = 86_400_000;
const now = new Date(2026, 2, 31, 15, 30);

function run(id: string, change: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{ id, startedAt: now.getTime(), ms: 12, title: 'stale-admins', documentUri: 'file:///a.identity.sql' },
    ...{ connection: 'Sandbox', connectionKey: 'sandbox', model: 'platform_identity', sha256: '' },
    ...{ sql: 'SELECT 1', parameters: [], outcome: 'rows', rowCount: 1, hasMore: false },
    ...change,
  };
}

suite('history store', () => {
  let folder: string;
  let time: number;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-history-'));
    time = now.getTime();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (retentionDays = 90) =>
    new HistoryStore({
      folder: path.join(folder, 'global'),
      retentionDays: () => retentionDays,
      now: () => time,
    });
  const ids = async (store: HistoryStore) => (await store.list()).map((one) => one.id);

  test('does not lose a run after a line that a crash left incomplete', async () => {
    await open().add(run('a', { startedAt: time - 2_000 }));
    await appendFile(path.join(folder, 'global', 'run-history.jsonl'), '{"id":"half","sta');
    const store = open();
    await store.add(run('b', { startedAt: time - 1_000 }));
    assert.deepEqual(await ids(store), ['b', 'a']);
    assert.deepEqual(await ids(open()), ['b', 'a']);
  });

  test('is empty before the first run, and lists the newest first', async () => {
    const store = open();
    assert.deepEqual(await store.list(), []);
    await store.add(run('a', { startedAt: time - 2_000 }));
    await store.add(run('b', { startedAt: time - 1_000 }));
    assert.deepEqual(await ids(store), ['b', 'a']);
    assert.deepEqual((await store.find('a'))?.sql, 'SELECT 1');
    const { mode } = await stat(path.join(folder, 'global', 'run-history.jsonl'));
    // On Windows, access depends on the folder, not on the file mode.
    if (process.platform !== 'win32') assert.equal(mode & 0o077, 0, 'nobody else reads it');
  });

  test('loses nothing if two windows write concurrently', async () => {
    const [one, other] = [open(), open()];
    const adding = Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? one : other).add(run(`r${index}`, { startedAt: time - index })),
    );
    await Promise.all(adding);
    assert.equal((await open().list()).length, 100);
  });

  test('omits expired runs, and removes them from the file', async () => {
    await open().add(run('old', { startedAt: time - 40 * day }));
    await open().add(run('new'));
    assert.deepEqual(await ids(open(30)), ['new']);
    await open(30).add(run('newer'));
    assert.doesNotMatch(await readFile(path.join(folder, 'global', 'run-history.jsonl'), 'utf8'), /"old"/);
    assert.deepEqual(await readdir(path.join(folder, 'global')), ['run-history.jsonl']);
  });

  test('reads all other lines if one is incomplete or from another version', async () => {
    const store = open();
    await store.add(run('a'));
    await appendFile(path.join(folder, 'global', 'run-history.jsonl'), '{"id":"half\n{"id":1}\n');
    await store.add(run('b', { startedAt: time + 1 }));
    assert.deepEqual(await ids(store), ['b', 'a']);
  });

  test('removes one run or all', async () => {
    const store = open();
    await store.add(run('a'));
    await store.add(run('b', { startedAt: time + 1 }));
    await store.delete('a');
    assert.deepEqual(await ids(store), ['b']);
    await store.clear();
    assert.deepEqual(await ids(store), []);
  });
});

suite('searching the history', () => {
  const runs = [
    run('a', {
      sql: 'SELECT *\nFROM accounts WHERE department = :d',
      parameters: [{ name: 'd', type: 'text', isSecret: false, value: { text: 'Legal', isNull: false } }],
    }),
    run('b', { outcome: 'failed', code: 'QUERY_PARSE_ERROR', startedAt: now.getTime() - day }),
    run('c', { outcome: 'cancelled', title: 'mfa gaps', startedAt: new Date(2026, 0, 5).getTime() }),
  ];
  const found = (text: string, outcome: 'all' | RunRecord['outcome'] = 'all') =>
    findRuns(runs, { text, outcome }, now).map((one) => one.id);

  test('finds words in the text, name, values and code; all must match', () => {
    assert.deepEqual(found(''), ['a', 'b', 'c']);
    assert.deepEqual(found('FROM accounts'), ['a']);
    assert.deepEqual(found('legal stale'), ['a']);
    assert.deepEqual(found('query_parse'), ['b']);
    assert.deepEqual(found('nowhere'), []);
  });

  test('filters by day and by outcome', () => {
    assert.deepEqual(found('today'), ['a']);
    assert.deepEqual(found('yesterday'), ['b']);
    assert.deepEqual(found('2026-01'), ['c']);
    assert.deepEqual(found('since:2026-03-30'), ['a', 'b']);
    assert.deepEqual(found('until:2026-01'), ['c']);
    assert.deepEqual(found('', 'cancelled'), ['c']);
    assert.deepEqual(found('failed'), ['b']);
  });
});

suite('a kept run as a document', () => {
  test('declares its model and parameters, so that it can run again', () => {
    const text = runText(
      run('a', {
        savedQuery: { id: 'q', version: 3, isModified: true },
        sql: 'SELECT :d, :l, :n, :p',
        parameters: [
          { name: 'd', type: 'text', isSecret: false, value: { text: "it's", isNull: false } },
          { name: 'l', type: 'text[]', isSecret: false, value: { text: 'a\nb', isNull: false } },
          { name: 'n', type: 'date', isSecret: false, value: { text: '', isNull: true } },
          { name: 'p', type: 'secret', isSecret: true },
        ],
      }),
      '1 row in 12 ms',
    );
    assert.deepEqual(text.split('\n'), [
      `-- stale-admins v3 (edited), run ${recordedText(new Date(2026, 2, 31, 15, 30))}, on Sandbox, 1 row in 12 ms`,
      '-- @model platform_identity',
      "-- @param d text = 'it''s'",
      "-- @param l text[] = 'a, b'",
      '-- @param n date It was NULL',
      '-- @param p secret Its value was not kept',
      '',
      'SELECT :d, :l, :n, :p',
      '',
    ]);
  });
});
