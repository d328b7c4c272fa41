/** Pushes from fresh checkouts, as in CI: a query whose ID is not committed yet is never created twice. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { bareRepository, cloneOf, type Clone } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let client: ServiceClient;
let folder: string;
let bare: string;
let desk: Clone;
let runs: number;

before(async () => {
  sandbox = await startSandbox({ accounts: 50 });
  client = createClient(sandbox);
});
beforeEach(async () => {
  runs = 0;
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-sync-ci-'));
  bare = bareRepository(folder);
  desk = cloneOf(bare, path.join(folder, 'desk'));
  for await (const { query_id } of client.savedQueries.listAll()) await client.savedQueries.delete(query_id);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

const metadataFile = 'queries/leavers.identity.json';
const text = 'SELECT id FROM accounts WHERE enabled\n';

function merge(entry: { readonly name: string } | undefined, query = text): void {
  if (entry === undefined) desk.git('rm', '-q', metadataFile, 'queries/leavers.identity.sql');
  else {
    desk.write(metadataFile, `${JSON.stringify({ model: 'platform_identity', ...entry })}\n`);
    desk.write('queries/leavers.identity.sql', query);
  }
  desk.commit();
  desk.git('push', '-q', 'origin', 'HEAD:main');
}

/** Pushes from a new checkout on a new machine. */
async function pushFromFresh() {
  runs += 1;
  const at = cloneOf(bare, path.join(folder, `run-${runs}`));
  at.git('checkout', '-q', '--detach');
  const env = { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: path.join(folder, `data-${runs}`) };
  return { at, ...(await runCli(['push', '--detached'], { cwd: at.folder, env })) };
}

const all = async (): Promise<readonly SavedQuery[]> => await Array.fromAsync(client.savedQueries.listAll());

async function pushedOnce(): Promise<SavedQuery> {
  merge({ name: 'Leavers' });
  const { code, stderr } = await pushFromFresh();
  assert.equal(code, 0, stderr);
  const [query] = await all();
  assert.ok(query);
  return query;
}

describe('a second push without the ID from the first', () => {
  it('creates nothing, and records the ID', async () => {
    const { query_id: id } = await pushedOnce();
    const { code, stdout, stderr, at } = await pushFromFresh();
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(
      (await all()).map(({ query_id }) => query_id),
      [id],
    );
    assert.match(at.read(metadataFile), new RegExp(id));
    assert.match(stderr, /The files in queries have the IDs of new queries\. Commit them\./);
    // What the push itself wrote is no change that it left out.
    assert.doesNotMatch(stderr, /not committed/);
  });

  it('sends a later edit to the query', async () => {
    const { query_id: id } = await pushedOnce();
    merge({ name: 'Leavers' }, `${text}LIMIT 5\n`);
    const { code, stdout, stderr } = await pushFromFresh();
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(
      (await all()).map(({ query_id, query_string }) => [query_id, query_string]),
      [[id, `${text}LIMIT 5\n`]],
    );
  });

  it('renames the query that was renamed in the repository', async () => {
    const { query_id: id } = await pushedOnce();
    merge({ name: 'Leavers of the EU' });
    const { code, stdout, stderr } = await pushFromFresh();
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(
      (await all()).map(({ query_id, name }) => [query_id, name]),
      [[id, 'Leavers of the EU']],
    );
  });

  it('recovers an ID that a merge dropped', async () => {
    const { query_id: id } = await pushedOnce();
    const { at } = await pushFromFresh();
    at.commit('Ids');
    at.git('push', '-q', 'origin', 'HEAD:main');
    desk.git('pull', '-q', '--rebase', 'origin', 'main');
    await client.savedQueries.update(id, {
      name: 'Renamed',
      model: 'platform_identity',
      query_string: text,
      expected_version: 1,
    });
    merge({ name: 'Leavers' });
    const { code, stdout } = await pushFromFresh();
    assert.equal(code, 0);
    assert.match(stdout, /^< Leavers: changed on the service \(name\)$/m);
    assert.deepEqual(
      (await all()).map(({ name }) => name),
      ['Renamed'],
    );
  });

  it('creates no copy of a query that a person renamed on the service', async () => {
    const { query_id: id } = await pushedOnce();
    await client.savedQueries.update(id, {
      name: 'Renamed',
      model: 'platform_identity',
      query_string: text,
      expected_version: 1,
    });
    const { code, stdout } = await pushFromFresh();
    assert.equal(code, 2, stdout);
    assert.match(stdout, /^! Leavers: the service has the same text as "Renamed"$/m);
    assert.deepEqual(
      (await all()).map(({ name }) => name),
      ['Renamed'],
    );
  });

  it('creates a new query if new metadata reuses a deleted file', async () => {
    await pushedOnce();
    merge(undefined);
    merge({ name: 'Joiners' }, 'SELECT 1\n');
    await pushFromFresh();
    assert.deepEqual((await all()).map(({ name }) => name).toSorted(), ['Joiners', 'Leavers']);
  });
});
