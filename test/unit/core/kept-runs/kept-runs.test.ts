/** Results that `-- @keep` keeps: what is kept, for how long, and which one a moment means. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { KeepRuleError, keepRuleOf, originsOf, sensitiveNames } from '#core/kept-runs/keep-rule.ts';
import {
  enteredParameters,
  hadParameters,
  KeptRunsStore,
  NotKeptError,
  keptRunLimits,
  type EnteredParameters,
  type KeptQuery,
} from '#core/kept-runs/kept-runs-store.ts';
import { runSince, runsOfValues, sinceMoment } from '#core/kept-runs/since.ts';
import { withSnapshots } from '#core/kept-runs/snapshots.ts';
import { packRows } from '#core/rows/chunk.ts';
import { KeptRowsFile } from '#core/rows/files/kept-rows.ts';
import { createLocalData } from '#core/rows/local-data.ts';

const folders: string[] = [];
const checks = new QueryChecks();
after(async () => {
  await checks.dispose();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newStore() {
  const data = await mkdtemp(path.join(tmpdir(), 'identity-queries-kept-'));
  folders.push(data);
  return { data, store: new KeptRunsStore(data) };
}

const admins: KeptQuery = { connectionKey: 'one', query: { saved: 'q-1' } };
const columns = [
  { name: 'id', type: 'int8' },
  { name: 'note', type: 'text' },
];

async function keep(
  store: KeptRunsStore,
  query: KeptQuery,
  {
    at,
    runs = 10,
    rows = [[1, 'a']],
    parameters = { since: 'today - 30 days' },
  }: { at: number; runs?: number; rows?: unknown[][]; parameters?: EnteredParameters },
) {
  const draft = await store.draftFor(query);
  const file = await KeptRowsFile.create(draft, columns);
  await file.write(packRows(rows, [{ isJson: false }, { isJson: false }]));
  await file.finish();
  return await store.add(query, {
    ...{ at, runs, draft, title: 'Admins', version: 2, connection: 'Production' },
    rowCount: rows.length,
    statement: 'SELECT 1',
    parameters,
  });
}

describe('kept runs', () => {
  it('hold their rows exactly, and only the last ones of a query and connection stay', async () => {
    const { store } = await newStore();
    for (const at of [100, 300, 200]) await keep(store, admins, { at, runs: 2 });
    await keep(store, { ...admins, query: { saved: 'q-2' } }, { at: 50 });
    await keep(store, { ...admins, connectionKey: 'other' }, { at: 60 });
    const kept = await store.list(admins);
    assert.deepEqual(
      kept.map(({ at, rowCount, version }) => [at, rowCount, version]),
      [
        [300, 1, 2],
        [200, 1, 2],
      ],
    );
    const [newest] = kept;
    assert.ok(newest);
    const file = await store.rowsOf(admins, newest);
    assert.ok(file);
    const data = createLocalData();
    const read = { path: file, format: 'kept', rowLimit: 10, nullText: '', isGuarded: false } as const;
    const back = await data.read(read);
    assert.deepEqual(back.columns, columns);
    assert.equal((await back.data.ask('cell', { row: 0, column: 1 })).text, 'a');
    assert.equal(await store.clear(), 4);
    assert.deepEqual(await store.list(admins), []);
  });

  it('never forget the new one, also after a clock that was ahead', async () => {
    const { store } = await newStore();
    for (const at of [900, 901, 100]) await keep(store, admins, { at, runs: 2 });
    const kept = await store.list(admins);
    assert.deepEqual(
      kept.map(({ at }) => at),
      [901, 100],
    );
  });

  it('can be read by their owner only, and hold no parameter value', async () => {
    const { data, store } = await newStore();
    await keep(store, admins, { at: 1 });
    const all = await readdir(data, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      all.map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).mode & 0o77),
    );
    assert.deepEqual([...new Set(modes)], [0]);
    const [run] = await store.list(admins);
    assert.ok(run);
    assert.doesNotMatch(JSON.stringify(run), /today/);
    assert.ok(hadParameters(run, { since: 'today - 30 days' }));
    assert.ok(!hadParameters(run, { since: 'today - 31 days' }));
    assert.ok(!hadParameters(run, {}));
  });

  it('that are damaged, half or gone are never compared', async () => {
    const { data, store } = await newStore();
    const run = await keep(store, admins, { at: 1 });
    const file = await store.rowsOf(admins, run);
    assert.ok(file);
    await appendFile(file, 'x');
    assert.equal(await store.rowsOf(admins, run), undefined);
    await rm(file);
    assert.equal(await store.rowsOf(admins, run), undefined);
    if (process.platform !== 'win32') {
      // A pipe in its place is not waited for.
      execFileSync('mkfifo', [file]);
      assert.equal(await store.rowsOf(admins, run), undefined);
      await rm(file);
    }
    const head = file.replace(/\.rows$/, '.json');
    for (const text of ['', '{', '[]', '{"id":1}', JSON.stringify({ ...run, rowCount: '3' })]) {
      await writeFile(head, text);
      assert.deepEqual(await store.list(admins), [], text);
    }
    assert.equal(await store.rowsOf(admins, { ...run, id: '../../x' }), undefined);
    // A file in the place of the folder is no folder.
    await rm(path.join(data, 'kept-runs'), { recursive: true });
    await writeFile(path.join(data, 'kept-runs'), '');
    assert.deepEqual(await store.list(admins), []);
  });

  it('have limits', async () => {
    const { store } = await newStore();
    const draft = await store.draftFor(admins);
    const file = await KeptRowsFile.create(draft, columns);
    await file.finish();
    const add = () =>
      store.add(admins, {
        ...{ at: 1, runs: 1, draft, title: '', version: undefined, connection: '', rowCount: 0 },
        ...{ statement: '', parameters: {} },
      });
    await truncate(draft, keptRunLimits.runBytes + 1);
    await assert.rejects(add, (error) => error instanceof NotKeptError && error.reason === 'run-bytes');
    await truncate(draft, keptRunLimits.bytes);
    await assert.rejects(
      () => store.draftFor(admins),
      (error) => error instanceof NotKeptError && error.reason === 'bytes',
    );
  });

  it('remember what was entered, so that a default is the same on every day', () => {
    const field = { isNull: false, isEmpty: false };
    assert.deepEqual(
      enteredParameters([
        { ...field, name: 'a', text: '', defaultText: 'today' },
        { ...field, name: 'b', text: 'x', defaultText: 'y' },
        { ...field, name: 'c', text: '', isNull: true, defaultText: 'y' },
        { ...field, name: 'd', text: '', isEmpty: true, defaultText: 'y' },
      ]),
      { a: 'today', b: 'x', c: null, d: '' },
    );
  });
});

describe('a snapshot', () => {
  it('is a table in the place of its call, and nowhere else', () => {
    const { sql, snapshots } = withSnapshots(
      `SELECT * FROM snapshot('Admins', '2026-06-01') a, Snapshot ( 'O''Brien' /* x */ , 'today' ), snapshot('Admins', '2026-06-01')
       WHERE x = 'snapshot(''a'', ''b'')' -- snapshot('a', 'b')`,
    );
    assert.equal(
      sql,
      `SELECT * FROM "snapshot 1" a, "snapshot 2", "snapshot 1"
       WHERE x = 'snapshot(''a'', ''b'')' -- snapshot('a', 'b')`,
    );
    assert.deepEqual(snapshots, [
      { name: 'Admins', since: '2026-06-01', table: 'snapshot 1' },
      { name: "O'Brien", since: 'today', table: 'snapshot 2' },
    ]);
    for (const other of [
      '',
      'SELECT 1',
      "FROM snapshot('a')",
      "FROM snapshot(a, 'b')",
      "FROM snapshot(E'a', 'b')",
    ])
      assert.deepEqual(withSnapshots(other), { sql: other, snapshots: [] });
  });

  it('is of one set of values, since others are another question', async () => {
    const { store } = await newStore();
    const listed = async () => await store.list(admins);
    const times = (runs: ReturnType<typeof runsOfValues>) =>
      typeof runs === 'string' ? runs : runs.map(({ at }) => at);
    for (const at of [1, 2]) await keep(store, admins, { at, parameters: { on: 'true' } });
    assert.deepEqual(times(runsOfValues(await listed(), {})), [2, 1]);
    assert.equal(runsOfValues(await listed(), { on: 'false' }), 'none');
    await keep(store, admins, { at: 3, parameters: { on: 'false' } });
    assert.equal(runsOfValues(await listed(), {}), 'several');
    assert.deepEqual(times(runsOfValues(await listed(), { on: 'true' })), [2, 1]);
    const plain = { ...admins, query: { saved: 'plain' } };
    await keep(store, plain, { at: 4, parameters: {} });
    assert.deepEqual(times(runsOfValues(await store.list(plain), { on: 'true' })), [4]);
  });

  it('is found by the name of its query, on any connection', async () => {
    const { store } = await newStore();
    await keep(store, admins, { at: 1 });
    await keep(store, admins, { at: 2 });
    await keep(store, { connectionKey: 'two', query: { file: '/x/admins.identity.sql' } }, { at: 3 });
    const found = await store.named('ADMINS');
    assert.deepEqual(found.map(({ runs }) => runs.map(({ at }) => at)).sort(), [[2, 1], [3]]);
    const [first] = found;
    const [run] = first?.runs ?? [];
    assert.ok(first && run);
    assert.ok(await store.rowsOf(first.query, run));
    assert.deepEqual(await store.named('Admin'), []);
  });
});

describe('a moment', () => {
  const now = new Date(2026, 10, 15, 12, 30);
  const endOf = (year: number, month: number, day: number) =>
    new Date(year, month - 1, day + 1).getTime() - 1;

  it('that is a day means its end', () => {
    assert.equal(sinceMoment('2026-10-01', now), endOf(2026, 10, 1));
    assert.equal(sinceMoment('today - 30 days', now), endOf(2026, 10, 16));
    assert.equal(sinceMoment('start of month', now), endOf(2026, 11, 1));
  });

  it('may have a time and a zone', () => {
    assert.equal(sinceMoment('2026-10-01 08:00', now), new Date(2026, 9, 1, 8).getTime());
    assert.equal(sinceMoment('now - 2 hours', now), now.getTime() - 7_200_000);
    for (const text of ['2026-10-01T08:00Z', '2026-10-01 10:00+02', '2026-10-01T10:00:00.000+0200'])
      assert.equal(sinceMoment(text, now), Date.UTC(2026, 9, 1, 8), text);
    for (const text of ['', 'x', '2026-13-01', '2026-02-30', 'infinity', '10/01/2026'])
      assert.equal(sinceMoment(text, now), undefined, text);
  });

  it('has the last run up to it, or the first one there is', () => {
    const runs = [{ at: 30 }, { at: 20 }, { at: 10 }] as Parameters<typeof runSince>[0] & object[];
    assert.deepEqual(
      [30, 29, 20, 10, 9].map((moment) => runSince(runs, moment)?.at),
      [30, 20, 20, 10, 10],
    );
    assert.equal(runSince([], 10), undefined);
  });
});

describe('-- @keep', () => {
  it('says how many runs', () => {
    assert.equal(keepRuleOf('SELECT 1'), undefined);
    assert.equal(keepRuleOf("SELECT '-- @keep 3 runs'"), undefined);
    assert.deepEqual(keepRuleOf('-- @keep 10 runs\nSELECT 1'), { runs: 10, withSensitive: false });
    assert.deepEqual(keepRuleOf('--@keep  1 RUN\nSELECT 1'), { runs: 1, withSensitive: false });
    assert.deepEqual(keepRuleOf('-- @keep 100 runs with  sensitive columns\nSELECT 1'), {
      runs: 100,
      withSensitive: true,
    });
    for (const argument of ['', '10', '0 runs', '101 runs', '-1 runs', '1e1 runs', '10 runs sensitive'])
      assert.throws(() => keepRuleOf(`-- @keep ${argument}\nSELECT 1`), KeepRuleError, argument);
    assert.throws(() => keepRuleOf('-- @keep 1 run\n-- @keep 2 runs\nSELECT 1'), KeepRuleError);
  });

  it('finds sensitive columns, and counts the unknown ones as such', async () => {
    const models = [
      {
        name: 'platform_identity',
        tables: [
          {
            name: 'accounts',
            columns: [
              { name: 'id', type: 'text' },
              { name: 'email', type: 'text' },
            ],
          },
        ],
      },
    ];
    const sensitive = async (text: string, names: readonly string[], patterns: readonly string[] = []) =>
      sensitiveNames(
        await originsOf(checks, { text, model: 'platform_identity' }, { models, patterns }),
        names,
      );
    assert.deepEqual(await sensitive('SELECT id, email FROM accounts', ['id', 'email']), ['email']);
    assert.deepEqual(await sensitive('SELECT id FROM accounts', ['id']), []);
    assert.deepEqual(await sensitive('SELECT id FROM accounts', ['id'], ['accounts.id']), ['id']);
    assert.deepEqual(await sensitive('SELECT lower(email) AS id FROM accounts', ['id']), ['id']);
    assert.deepEqual(await sensitive('SELECT count(*) FROM accounts', ['count']), []);
    assert.deepEqual(await sensitive('SELECT x FROM other', ['x']), ['x']);
    assert.deepEqual(await sensitive('SELECT FROM', ['x']), ['x']);
    // A result with other columns than the query says.
    assert.deepEqual(await sensitive('SELECT id FROM accounts', ['id', 'more']), ['id', 'more']);
  });
});
