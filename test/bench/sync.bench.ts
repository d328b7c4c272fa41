/**
 * Measures 10,000 saved queries in Git: a first pull, a pull without changes, a push to an empty service, and a pull
 * from that service into another clone. Checks every byte.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '#api/client/client.ts';
import { onlySource } from '#service/state/migrate.ts';
import { addSamples, savedQueriesOf } from '#service/state/saved-queries.ts';
import { openSqliteState, stateFile } from '#service/state/sqlite-state.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { inTransaction, openSqlite } from '#service/store/sqlite.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { repositoryAt, type Clone } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { print } from './statistics.ts';

const count = 10_000;
const ends = ['\n', '\r\n', '\r', ' \t\r\n', '\n\n\n', ''];

/** The names include folders, accents and trailing punctuation. */
const nameOf = (index: number) =>
  `Area ${index % 100}/${index % 3 === 0 ? 'Prüfung' : 'Review'}${index % 2 === 0 ? ' ' : '-'}${index}${'!'.repeat(index % 4)}`;
const textOf = (index: number) =>
  `${index % 7 === 0 ? '\uFEFF' : ''}-- ${index}: ü 🙂  ${ends[index % ends.length] ?? ''}SELECT ${index}${ends[(index + 1) % ends.length] ?? ''}`;

async function fillStore(folder: string): Promise<void> {
  const state = await openSqliteState(folder);
  const store = savedQueriesOf(state, onlySource);
  await addSamples(state, store, sampleQueries);
  const first = await store.create(
    { name: nameOf(0), query_string: textOf(0), model: 'platform_identity' },
    { by: { type: 'user', id: '' } },
  );
  await state.close();
  if (first === 'name-conflict') throw new Error('the store is not empty');
  const database = openSqlite(folder, stateFile, 'saved queries');
  const copy = database.prepare(`INSERT INTO saved_queries
    SELECT ?1, source, ?2, lower(?2), key_rule, ?3, model, description, created_by, last_modified_by, version, created_at, last_modified_at, NULL
    FROM saved_queries WHERE query_id = ?4`);
  inTransaction(database, () => {
    for (let index = 1; index < count; index += 1)
      copy.run(randomUUID(), nameOf(index), textOf(index), first.query_id);
  });
  database.close();
}

/** @returns the seconds that the command took */
async function timed(
  args: readonly string[],
  { folder: cwd }: Clone,
  sandbox: RunningSandbox,
): Promise<number> {
  await sandbox.forgetRequests();
  const started = performance.now();
  const { code, stderr } = await runCli(args, {
    startsProcess: true,
    cwd,
    env: { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: path.join(folder, 'data') },
  });
  assert.equal(code, 0, stderr);
  return (performance.now() - started) / 1000;
}

const report = (name: string, seconds: number) =>
  print({ bench: 'sync', name, unit: 's', value: Math.round(seconds * 10) / 10 });

async function requireBytes(clone: Clone): Promise<void> {
  const root = path.join(clone.folder, 'queries');
  const files = new Map(
    globSync('**/*.identity.json', { cwd: root }).map((file) => {
      const { name } = JSON.parse(clone.read(`queries/${file}`)) as { readonly name: string };
      return [name, file.replace(/json$/, 'sql')];
    }),
  );
  for (let each = 0; each < count; each += 1) {
    const bytes = await readFile(path.join(clone.folder, 'queries', files.get(nameOf(each)) ?? ''));
    assert.ok(bytes.equals(Buffer.from(textOf(each))), nameOf(each));
  }
}

async function removeAll(sandbox: RunningSandbox): Promise<void> {
  const client = createClient(sandbox);
  for await (const { query_id } of client.savedQueries.listAll()) await client.savedQueries.delete(query_id);
  await client.close();
}

async function cloneIn(name: string): Promise<Clone> {
  await mkdir(path.join(folder, name));
  const clone = repositoryAt(path.join(folder, name));
  clone.git('init', '-q', '-b', 'main');
  // Otherwise, Git might run maintenance in the background while the folder is being removed.
  clone.git('config', 'maintenance.auto', 'false');
  return clone;
}

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-sync-bench-'));
const sandboxes: RunningSandbox[] = [];
try {
  await mkdir(path.join(folder, 'service'));
  await fillStore(path.join(folder, 'service'));
  const full = await startSandbox({ accounts: 50, dataFolder: path.join(folder, 'service') });
  sandboxes.push(full);
  const clone = await cloneIn('clone');
  const pulled = await timed(['pull'], clone, full);
  report('first pull of 10,000', pulled);
  clone.commit('Pull');
  await requireBytes(clone);
  report('second pull, no change', await timed(['pull'], clone, full));
  const asked = (await full.requests()).filter(({ path: at }) => at.startsWith('/v1'));
  assert.ok(asked.every(({ method, path: at }) => method === 'GET' && at === '/v1/query/saved-queries'));
  assert.equal(clone.git('status', '--porcelain'), '');
  print({ bench: 'sync', name: 'pages of the second pull', unit: 'requests', value: asked.length });

  const empty = await startSandbox({ accounts: 50 });
  sandboxes.push(empty);
  await removeAll(empty);
  const pushed = await timed(['push'], clone, empty);
  report('push of 10,000 to an empty service', pushed);
  const other = await cloneIn('other');
  const pulledBack = await timed(['pull'], other, empty);
  await requireBytes(other);
  report('pull, push and pull of 10,000', pulled + pushed + pulledBack);
} finally {
  for (const sandbox of sandboxes) await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
}
