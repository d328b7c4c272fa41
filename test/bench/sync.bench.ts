/** 10,000 saved queries in Git: a first pull, a byte-for-byte check against the service, and a pull without changes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSavedQueryStore } from '../../sandbox/src/store/saved-queries.ts';
import { inTransaction, openSqlite } from '../../sandbox/src/store/sqlite.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { repositoryAt } from '../helpers/git-clone.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { print } from './statistics.ts';

const count = 10_000;
const ends = ['\n', '\r\n', '\r', ' \t\r\n', '\n\n\n', ''];

/** Names with folders, accents and trailing punctuation. */
const nameOf = (index: number) =>
  `Area ${index % 100}/${index % 3 === 0 ? 'Prüfung' : 'Review'}${index % 2 === 0 ? ' ' : '-'}${index}${'!'.repeat(index % 4)}`;
const textOf = (index: number) =>
  `${index % 7 === 0 ? '\uFEFF' : ''}-- ${index}: ü 🙂  ${ends[index % ends.length] ?? ''}SELECT ${index}${ends[(index + 1) % ends.length] ?? ''}`;

function fillStore(folder: string): void {
  const store = openSavedQueryStore(folder);
  const first = store.create(
    { name: nameOf(0), query_string: textOf(0), model: 'platform_identity' },
    { type: 'user', id: '' },
  );
  store.close();
  if (first === 'name-conflict') throw new Error('the store is not empty');
  const database = openSqlite(folder, 'saved-queries.sqlite', 'saved queries');
  const copy = database.prepare(`INSERT INTO saved_queries
    SELECT ?1, ?2, lower(?2), ?3, model, description, created_by, last_modified_by, version, created_at, last_modified_at
    FROM saved_queries WHERE query_id = ?4`);
  inTransaction(database, () => {
    for (let index = 1; index < count; index += 1)
      copy.run(randomUUID(), nameOf(index), textOf(index), first.query_id);
  });
  database.close();
}

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-sync-bench-'));
try {
  await mkdir(path.join(folder, 'service'));
  await mkdir(path.join(folder, 'clone'));
  fillStore(path.join(folder, 'service'));
  const sandbox = await startSandbox({ accounts: 50, dataFolder: path.join(folder, 'service') });
  try {
    const clone = repositoryAt(path.join(folder, 'clone'));
    clone.git('init', '-q', '-b', 'main');
    const pull = async (name: string) => {
      await sandbox.forgetRequests();
      const started = performance.now();
      const { code, stderr } = await runCli(['pull'], {
        cwd: clone.folder,
        env: { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: path.join(folder, 'data') },
      });
      assert.equal(code, 0, stderr);
      print({ bench: 'sync', name, unit: 's', value: Math.round((performance.now() - started) / 100) / 10 });
      return (await sandbox.requests()).filter(({ path: at }) => at.startsWith('/v1'));
    };
    await pull('first pull of 10,000');
    clone.commit('Pull');
    const index = JSON.parse(clone.read('queries/saved-queries.json')) as {
      queries: readonly { file: string; name: string }[];
    };
    const files = new Map(index.queries.map(({ name, file }) => [name, file]));
    for (let each = 0; each < count; each += 1) {
      const bytes = await readFile(path.join(clone.folder, 'queries', files.get(nameOf(each)) ?? ''));
      assert.ok(bytes.equals(Buffer.from(textOf(each))), nameOf(each));
    }
    const asked = await pull('second pull, no change');
    assert.ok(asked.every(({ method, path: at }) => method === 'GET' && at === '/v1/query/saved-queries'));
    assert.equal(clone.git('status', '--porcelain'), '');
    print({ bench: 'sync', name: 'pages of the second pull', unit: 'requests', value: asked.length });
  } finally {
    await sandbox.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
