/** The history: runs are stored once and removed after the retention period. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { recordedText } from '#base/words/moment-text.ts';
import { findRuns } from '#core/history/find-runs.ts';
import { HistoryStore } from '#core/history/history-store.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import { runText } from '#core/history/run-text.ts';
import { Facts } from '#core/memory/facts.ts';
import { memoryAt } from '#test/helpers/memory.ts';

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
      memory: memoryAt(folder),
      retentionDays: () => retentionDays,
      now: () => time,
    });
  const ids = async (store: HistoryStore) => (await store.list()).map((one) => one.id);

  test('is empty before the first run, and lists the newest first', async () => {
    const store = open();
    assert.deepEqual(await store.list(), []);
    await store.add(run('a', { startedAt: time - 2_000 }));
    await store.add(run('b', { startedAt: time - 1_000 }));
    assert.deepEqual(await ids(store), ['b', 'a']);
    assert.deepEqual((await store.find('a'))?.sql, 'SELECT 1');
  });

  test('lists the runs that its own window is still adding', async () => {
    const store = open();
    const adding = [store.add(run('a')), store.add(run('b', { startedAt: time + 1 }))];
    assert.deepEqual(await ids(store), ['b', 'a']);
    await Promise.all(adding);
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
    assert.doesNotMatch(await readFile(path.join(folder, 'memory.db'), 'latin1'), /"old"/);
  });

  test('loses nothing by one run while the clock is ahead', async () => {
    await open().add(run('a'));
    time += 100 * day;
    await open().add(run('ahead', { startedAt: time }));
    assert.deepEqual(await ids(open()), ['ahead']);
    time -= 100 * day;
    assert.deepEqual(await ids(open()), ['ahead', 'a']);
    time += 100 * day;
    await open().add(run('later', { startedAt: time }));
    assert.doesNotMatch(await readFile(path.join(folder, 'memory.db'), 'latin1'), /"a"/);
  });

  test('reads all other runs if one is from another version', async () => {
    const store = open();
    await store.add(run('a'));
    const facts = new Facts(memoryAt(folder), { noun: 'runs', parse: (value) => value });
    await facts.change((rows) => rows.put('1', { id: 1 }));
    await store.add(run('b', { startedAt: time + 1 }));
    assert.deepEqual(await ids(store), ['b', 'a']);
    await store.clear();
    assert.deepEqual(await facts.all(), new Map(), 'nothing of it is left');
  });

  test('keeps the newest runs within its limits', async () => {
    const sql = 'x'.repeat(200_000);
    for (let each = 0; each < 110; each++) await open().add(run(`r${each}`, { sql, startedAt: time + each }));
    const kept = await ids(open());
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [104, 'r109', 'r6']);
    await open().add(run('too long', { sql: `${sql}x` }));
    assert.deepEqual(await ids(open()), kept);
    const facts = new Facts(memoryAt(folder), { noun: 'runs', parse: (value) => value });
    assert.equal((await facts.all()).size, 104);
  });

  test('removes one run or all', async () => {
    const store = open();
    await store.add(run('a'));
    await store.add(run('b', { startedAt: time + 1 }));
    await store.delete(new Set(['a']));
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
