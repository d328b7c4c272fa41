/** Saved queries in Git: the bundled command line, real clones of a bare repository, and the sandbox. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { bareRepository, cloneOf, git, type Clone } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let client: ServiceClient;
let folder: string;
let bare: string;
let clone: Clone;

before(async () => {
  sandbox = await startSandbox({ accounts: 50 });
  client = createClient(sandbox);
});
beforeEach(async () => {
  await sandbox.setFaults([]);
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-sync-'));
  bare = bareRepository(folder);
  clone = cloneOf(bare, path.join(folder, 'one'));
  for await (const { query_id } of client.savedQueries.listAll()) await client.savedQueries.delete(query_id);
  await sandbox.forgetRequests();
});
afterEach(() => rm(folder, { recursive: true }));
after(async () => {
  await client.close();
  await sandbox.stop();
});

async function cli(args: readonly string[], at: Clone = clone, env: NodeJS.ProcessEnv = {}) {
  return await runCli(args, {
    cwd: at.folder,
    env: {
      ...sandboxEnvironment(sandbox),
      XDG_DATA_HOME: path.join(folder, 'data', path.basename(at.folder)),
      ...env,
    },
  });
}

async function expectCli(code: number, args: readonly string[], at: Clone = clone) {
  const outcome = await cli(args, at);
  assert.equal(outcome.code, code, `${args.join(' ')}: ${outcome.stdout}${outcome.stderr}`);
  return outcome;
}

const create = (name: string, text = `SELECT '${name}'`, more: object = {}) =>
  client.savedQueries.create({ name, query_string: text, ...more });

/** Saves a colleague's edit, as if made in the editor. */
async function edit(query: SavedQuery, text: string, more: Partial<SavedQuery> = {}): Promise<SavedQuery> {
  const { name, model, version } = await client.savedQueries.get(query.query_id);
  return await client.savedQueries.update(query.query_id, {
    name: more.name ?? name,
    model,
    query_string: text,
    expected_version: version,
  });
}

const writesOf = async () =>
  (await sandbox.requests()).filter(
    ({ method, path: at }) => method !== 'GET' && at.startsWith('/v1/query/saved'),
  );

describe('a round trip', () => {
  it('is identical, byte for byte, and a second pull changes nothing with one list request', async () => {
    const texts = ['SELECT 1  \r\n-- ü 🙂\r\n', 'SELECT 2\n\n\n', '\uFEFFSELECT 3\r', '  SELECT 4 \t'];
    for (const [index, text] of texts.entries()) await create(`Reviews / EU / query ${index}`, text);
    await create('A b');
    await create('a-b');
    await expectCli(0, ['pull']);
    assert.equal(clone.read('queries/reviews/eu/query-0.identity.sql'), texts[0]);
    assert.equal(clone.read('queries/reviews/eu/query-2.identity.sql'), texts[2]);
    assert.ok(existsSync(path.join(clone.folder, 'queries/a-b-2.identity.sql')));
    clone.commit();
    await sandbox.forgetRequests();
    const again = await expectCli(0, ['pull']);
    assert.match(again.stderr, /Up to date/);
    const asked = (await sandbox.requests()).filter(({ path: at }) => at.startsWith('/v1'));
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['GET'],
    );
    assert.equal(clone.git('status', '--porcelain'), '');
    await expectCli(0, ['plan']);
    // Delete every query, to recreate it with its original text.
    for await (const { query_id } of client.savedQueries.listAll())
      await client.savedQueries.delete(query_id);
    const other = cloneOf(bare, path.join(folder, 'other'));
    other.git('pull', '-q', clone.folder, 'HEAD');
    for (const file of globSync('**/*.identity.json', { cwd: path.join(other.folder, 'queries') }))
      other.describe(file.replace('.identity.json', ''), { ids: {} });
    other.commit();
    await expectCli(0, ['push'], other);
    for await (const { name, query_string } of client.savedQueries.listAll()) {
      const [, number] = /query (\d)$/.exec(name) ?? [];
      if (number !== undefined) assert.equal(query_string, texts[Number(number)]);
    }
    other.commit();
    await expectCli(0, ['pull'], other);
    assert.equal(other.git('status', '--porcelain'), '');
  });
});

describe('a review by pull request', () => {
  it('plans without a write, pushes the reviewed plan, and another clone gets it', async () => {
    const query = await create('Orphans', 'SELECT 1\n');
    await expectCli(0, ['pull']);
    clone.commit();
    clone.git('push', '-q', 'origin', 'HEAD:main');
    clone.git('checkout', '-q', '-b', 'change');
    clone.write('queries/orphans.identity.sql', 'SELECT 2\n');
    clone.commit();
    await sandbox.forgetRequests();
    const plan = await expectCli(2, ['plan', '--out', 'plan.json']);
    assert.match(plan.stdout, /^~ Orphans: changed here \(text\)$/m);
    assert.deepEqual(await writesOf(), []);
    for (const [targets, words] of [
      [['--out', 'queries/orphans.identity.sql'], /would be replaced/],
      [['--out', 'one.json', '--markdown', './one.json'], /Two reports/],
    ] as const)
      assert.match((await expectCli(1, ['plan', ...targets])).stderr, words);
    assert.equal(clone.read('queries/orphans.identity.sql'), 'SELECT 2\n');
    const reviewed = clone.read('plan.json');
    clone.git('push', '-q', 'origin', 'HEAD:main');
    const ci = cloneOf(bare, path.join(folder, 'ci'));
    ci.write('plan.json', reviewed);
    await expectCli(0, ['push', '--plan', 'plan.json'], ci);
    assert.equal((await client.savedQueries.get(query.query_id)).query_string, 'SELECT 2\n');
    assert.equal((await writesOf()).length, 1);
    const stale = await expectCli(1, ['push', '--plan', 'plan.json'], ci);
    assert.match(stale.stderr, /out of date/);
    const two = cloneOf(bare, path.join(folder, 'two'));
    await expectCli(0, ['pull'], two);
    assert.equal(two.git('status', '--porcelain'), '');
  });
});

describe('changes on both sides', () => {
  const before = 'SELECT 1\n-- a\n-- b\n-- c\n';

  it('merge if they do not overlap', async () => {
    const query = await create('Orphans', before);
    await expectCli(0, ['pull']);
    clone.commit();
    await edit(query, before.replace('SELECT 1', 'SELECT 2'));
    clone.write('queries/orphans.identity.sql', before.replace('-- c', '-- d'));
    clone.commit();
    assert.match((await expectCli(2, ['push'])).stdout, /changed on both sides, in different lines/);
    assert.equal((await client.savedQueries.get(query.query_id)).version, 2);
    await expectCli(0, ['pull']);
    clone.commit();
    await expectCli(0, ['push']);
    const merged = await client.savedQueries.get(query.query_id);
    assert.equal(merged.query_string, 'SELECT 2\n-- a\n-- b\n-- d\n');
  });

  it('conflict if they overlap, with markers, and are resolved by naming the version', async () => {
    const query = await create('Orphans', before);
    await expectCli(0, ['pull']);
    clone.commit();
    await edit(query, before.replace('SELECT 1', 'SELECT 2'));
    clone.write('queries/orphans.identity.sql', before.replace('SELECT 1', 'SELECT 3'));
    clone.commit();
    assert.match((await expectCli(2, ['pull'])).stdout, /conflict, both sides changed the same text/);
    assert.match(
      clone.read('queries/orphans.identity.sql'),
      /<<<<<<< repository\nSELECT 3\n=======\nSELECT 2\n>>>>>>>/,
    );
    clone.commit();
    assert.match((await expectCli(2, ['push'])).stdout, /conflict markers are left/);
    clone.write('queries/orphans.identity.sql', before.replace('SELECT 1', 'SELECT 2, 3'));
    clone.commit();
    const plan = await expectCli(2, ['plan']);
    assert.match(plan.stdout, /--replace "Orphans@2"/);
    await expectCli(0, ['push', '--replace', 'Orphans@2']);
    assert.match((await client.savedQueries.get(query.query_id)).query_string, /^SELECT 2, 3\n/);
    await expectCli(0, ['plan']);
  });

  it('may follow each other in one line without a conflict', async () => {
    const query = await create('Orphans', before);
    await expectCli(0, ['pull']);
    clone.commit();
    for (const number of [2, 3, 4]) {
      await edit(query, before.replace('SELECT 1', `SELECT ${number}`));
      await expectCli(0, ['pull']);
      clone.commit();
      clone.write('queries/orphans.identity.sql', before.replace('SELECT 1', `SELECT ${number}0`));
      clone.commit();
      await expectCli(0, ['push']);
    }
    assert.match((await client.savedQueries.get(query.query_id)).query_string, /^SELECT 40\n/);
  });

  it('include new names', async () => {
    const query = await create('Orphans', before);
    await create('Leavers', 'SELECT 1');
    await expectCli(0, ['pull']);
    clone.commit();
    await edit(query, before, { name: 'Orphans of the service' });
    await expectCli(0, ['pull']);
    assert.match(clone.read('queries/orphans.identity.json'), /"name": "Orphans of the service"/);
    clone.describe('leavers', { name: 'Orphans' });
    clone.commit();
    assert.match((await expectCli(0, ['push'])).stdout, /Orphans \(was Leavers\)/);
  });
});

describe('two people', () => {
  it('merge branches that each added, removed and renamed queries without a conflict', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E', 'Folder/F']) await create(name, `SELECT '${name}'`);
    await expectCli(0, ['pull']);
    clone.commit();
    clone.git('push', '-q', 'origin', 'HEAD:main');
    const other = cloneOf(bare, path.join(folder, 'colleague'));
    const change = (at: Clone, [added, removed, edited, renamed]: readonly string[]) => {
      assert.ok(added !== undefined && edited !== undefined);
      at.git('checkout', '-q', '-b', added);
      mkdirSync(path.join(at.folder, 'queries', added));
      for (const ending of ['sql', 'json'])
        at.git('mv', `queries/${renamed}.identity.${ending}`, `queries/${added}/moved.identity.${ending}`);
      at.describe(`${added}/moved`, { name: `${added}/Moved` });
      at.git('rm', '-q', `queries/${removed}.identity.sql`, `queries/${removed}.identity.json`);
      at.write(`queries/${added}.identity.sql`, `SELECT '${added}'`);
      at.describe(added, { name: added });
      at.describe(edited, { description: added });
      at.commit();
      at.git('push', '-q', 'origin', `HEAD:${added}`);
    };
    change(clone, ['mine', 'a', 'c', 'e']);
    change(other, ['theirs', 'b', 'd', 'folder/f']);
    clone.git('fetch', '-q');
    clone.git('merge', '-q', '--no-edit', 'origin/theirs');
    clone.git('push', '-q', 'origin', 'HEAD:main');
    clone.git('checkout', '-q', '-B', 'main', 'origin/main');
    await expectCli(0, ['push', '--delete', 'A', '--delete', 'B']);
    const texts = (await Array.fromAsync(client.savedQueries.listAll())).map(
      ({ name, query_string: text }) => `${name}: ${text}`,
    );
    assert.deepEqual(texts.sort(), [
      "C: SELECT 'C'",
      "D: SELECT 'D'",
      "mine/Moved: SELECT 'E'",
      "mine: SELECT 'mine'",
      "theirs/Moved: SELECT 'Folder/F'",
      "theirs: SELECT 'theirs'",
    ]);
    clone.commit();
    await expectCli(0, ['plan']);
  });
});

describe('a file that was pulled', () => {
  it('keeps its edit if it is renamed before the first commit, and then committed', async () => {
    const query = await create('Orphans', 'SELECT 1\n');
    await expectCli(0, ['pull']);
    for (const ending of ['sql', 'json'])
      renameSync(
        path.join(clone.folder, `queries/orphans.identity.${ending}`),
        path.join(clone.folder, `queries/lost.identity.${ending}`),
      );
    clone.write('queries/lost.identity.sql', 'SELECT 1, 2\n');
    for (const prepare of [() => undefined, () => clone.commit()]) {
      prepare();
      assert.match((await expectCli(2, ['status'])).stdout, /^~ Orphans: changed here \(text\)$/m);
      await expectCli(0, ['pull']);
      assert.equal(clone.read('queries/lost.identity.sql'), 'SELECT 1, 2\n');
    }
    assert.match((await expectCli(1, ['diff', 'Nobody'])).stderr, /There is no saved query "Nobody"/);
    clone.write('queries/lost.identity.sql', 'SELECT 3\n');
    const { stderr } = await expectCli(0, ['push']);
    assert.match(stderr, /1 query has changes that are not committed\. Only commits are pushed\./);
    assert.equal((await client.savedQueries.get(query.query_id)).query_string, 'SELECT 1, 2\n');
  });
});

describe('deleting', () => {
  it('requires the name, on both sides', async () => {
    const query = await create('Orphans');
    const other = await create('Leavers');
    await expectCli(0, ['pull']);
    clone.commit();
    clone.git('rm', '-q', 'queries/orphans.identity.sql', 'queries/orphans.identity.json');
    clone.commit();
    const left = await expectCli(2, ['pull']);
    assert.match(left.stdout, /Orphans: deleted here/);
    assert.match(left.stderr, /No file changed\. Decide on what is listed here/);
    assert.doesNotMatch(left.stderr, /Up to date/);
    assert.match((await expectCli(2, ['push'])).stdout, /--delete "Orphans"/);
    await client.savedQueries.get(query.query_id);
    await expectCli(0, ['push', '--delete', 'Orphans']);
    await assert.rejects(client.savedQueries.get(query.query_id));
    await client.savedQueries.delete(other.query_id);
    assert.match((await expectCli(2, ['plan'])).stdout, /Leavers: deleted on the service/);
    assert.ok(existsSync(path.join(clone.folder, 'queries/leavers.identity.sql')));
    await expectCli(0, ['pull', '--delete', 'Leavers']);
    assert.ok(!existsSync(path.join(clone.folder, 'queries/leavers.identity.sql')));
  });

  it('on the service and editing here is reported, and the query is created again by name', async () => {
    const query = await create('Orphans');
    await expectCli(0, ['pull']);
    clone.write('queries/orphans.identity.sql', 'SELECT 2');
    clone.commit();
    await client.savedQueries.delete(query.query_id);
    assert.match((await expectCli(2, ['push'])).stdout, /deleted on the service, changed here/);
    assert.match((await expectCli(0, ['push', '--restore', 'orphans'])).stderr, /IDs of new queries/);
    clone.commit();
    await expectCli(0, ['plan']);
    assert.equal((await expectCli(1, ['push', '--delete', 'No such'])).stderr.includes('No such'), true);
  });
});

describe('a write without a response', () => {
  it('is looked up and not repeated', async () => {
    const query = await create('Orphans');
    await expectCli(0, ['pull']);
    clone.write('queries/orphans.identity.sql', 'SELECT 2');
    clone.describe('new', { name: 'New' });
    clone.write('queries/new.identity.sql', 'SELECT 3');
    clone.commit();
    await sandbox.forgetRequests();
    await sandbox.setFaults([
      { method: 'PUT', script: [{ kind: 'drop-after' }] },
      { method: 'POST', path: '/v1/query/saved-queries', script: [{ kind: 'drop-after' }] },
    ]);
    await expectCli(0, ['push']);
    assert.equal((await client.savedQueries.get(query.query_id)).version, 2);
    assert.deepEqual((await writesOf()).map(({ method }) => method).sort(), ['POST', 'PUT']);
  });
});

describe('a check of the folder', () => {
  it('needs no credentials, and knows tables and columns from the snapshot', async () => {
    await create('Good', 'SELECT global_id FROM accounts\n');
    await create('Bad', 'SELECT no_such_column FROM accounts\n');
    await create('Broken', 'SELEC 1\n');
    await expectCli(0, ['pull', '--models']);
    assert.equal(await check(), 1);
    const { stdout } = await checked();
    assert.match(stdout, /^queries\/bad\.identity\.sql:1:8: error UNKNOWN_COLUMN/m);
    assert.match(stdout, /^queries\/broken\.identity\.sql:1:1: error/m);
    assert.doesNotMatch(stdout, /good/);
    await expectCli(0, ['pull', '--models']);
  });

  const checked = async () => await runCli(['check'], { cwd: clone.folder });
  const check = async () => (await checked()).code;
});

/** Checks that only the test itself wrote to the service, and that no file changed. */
async function assertUntouched(at: Clone): Promise<void> {
  const writes = (await writesOf()).filter(({ method }) => method !== 'POST');
  assert.deepEqual(writes, []);
  assert.equal(at.git('status', '--porcelain'), '');
}

describe('problems are reported, and nothing is written', () => {
  it('a shallow clone', async () => {
    const at = cloneOf(`file://${bare}`, path.join(folder, 'shallow'), '--depth', '1');
    writeFileSync(path.join(at.folder, 'x'), '');
    at.commit();
    const pushed = cloneOf(bare, path.join(folder, 'more'));
    pushed.write('a', 'a');
    pushed.commit();
    pushed.git('push', '-q', 'origin', 'HEAD:main');
    const shallow = cloneOf(`file://${bare}`, path.join(folder, 'shallow-2'), '--depth', '1');
    const { stderr } = await expectCli(1, ['plan'], shallow);
    assert.match(stderr, /shallow[^]*git fetch --unshallow/);
    await expectCli(1, ['push'], shallow);
    await assertUntouched(shallow);
  });

  it('a detached HEAD', async () => {
    clone.git('checkout', '-q', '--detach');
    clone.commit();
    assert.match((await expectCli(1, ['push'])).stderr, /detached[^]*git switch main/);
    await assertUntouched(clone);
    await expectCli(0, ['push', '--detached']);
  });

  it('a folder that is not a repository, and no Git', async () => {
    const plain = path.join(folder, 'plain');
    mkdirSync(plain);
    const at = { ...clone, folder: plain };
    assert.match((await expectCli(1, ['pull'], at)).stderr, /not in a Git repository[^]*git init/);
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    const none = await cli(['pull'], clone, { PATH: empty });
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Git was not found/);
    assert.deepEqual(readdirSync(plain), []);
    await assertUntouched(clone);
  });

  it('a program named git in the folder, and settings that start one', async () => {
    const mark = path.join(folder, 'started');
    const script = `#!/bin/sh\ntouch ${mark}\n`;
    for (const name of ['git', 'evil']) {
      clone.write(name, script);
      chmodSync(path.join(clone.folder, name), 0o755);
    }
    const evil = path.join(clone.folder, 'evil');
    for (const setting of [
      'core.fsmonitor',
      'diff.external',
      'core.pager',
      'diff.x.textconv',
      'core.sshCommand',
      'gpg.program',
      'filter.x.clean',
      'filter.x.smudge',
    ])
      clone.git('config', setting, evil);
    clone.git('config', 'log.showSignature', 'true');
    clone.write('.git/info/attributes', '*.sql diff=x filter=x\n');
    const { PATH = '' } = process.env;
    await create('Orphans');
    assert.equal((await cli(['pull'], clone, { PATH: `${clone.folder}:.:${PATH}` })).code, 0);
    for (const args of [['plan'], ['status'], ['diff'], ['push']])
      await cli(args, clone, { PATH: `.:${clone.folder}:${PATH}` });
    assert.ok(!existsSync(mark));
  });

  it('two files with one ID, a file renamed manually, a link, a path that leads out: the others go on', async () => {
    await create('Orphans');
    await expectCli(0, ['pull']);
    clone.commit();
    const metadata = clone.read('queries/orphans.identity.json');
    clone.write('queries/copy.identity.sql', 'SELECT 1');
    clone.write('queries/copy.identity.json', metadata.replace('"Orphans"', '"Copy"'));
    clone.commit();
    assert.match((await expectCli(2, ['plan'])).stdout, /have the same ID/);
    assert.match((await expectCli(2, ['check'])).stderr, /have the same ID/);
    clone.git('rm', '-q', '--cached', 'queries/copy.identity.sql', 'queries/copy.identity.json');
    await rm(path.join(clone.folder, 'queries/copy.identity.json'));
    git(clone.folder, 'mv', 'queries/orphans.identity.sql', 'queries/renamed.identity.sql');
    await rm(path.join(clone.folder, 'queries/copy.identity.sql'));
    clone.commit();
    assert.match(
      (await expectCli(2, ['pull'])).stdout,
      /If you renamed the query[^]*mv queries\/orphans.identity.json queries\/renamed.identity.json/,
    );
    symlinkSync('/etc/passwd', path.join(clone.folder, 'queries/orphans.identity.sql'));
    assert.match((await expectCli(2, ['pull'])).stdout, /is a symbolic link that points outside/);
    await rm(path.join(clone.folder, 'queries/orphans.identity.sql'));
    clone.write(
      'queries/saved-queries.json',
      '{"format":1,"queries":[\n{"file":"../x.identity.sql","name":"X","model":"m"}\n]}\n',
    );
    assert.match((await expectCli(2, ['status'])).stdout, /points outside the folder/);
    clone.write('queries/orphans.identity.json', '<<<<<<< HEAD\n=======\n>>>>>>> other\n');
    clone.write('queries/fine.identity.sql', 'SELECT 3');
    clone.write('queries/fine.identity.json', '{"name":"Fine","model":"platform_identity"}');
    clone.commit();
    const { stdout } = await expectCli(2, ['push']);
    assert.match(stdout, /^\+ Fine: new here$/m);
    assert.match(stdout, /^! X: left out\n {4}.*points outside the folder/m);
    assert.match(stdout, /^! Orphans: left out\n {4}.*has conflict markers on line 1/m); // by its history
    assert.deepEqual(
      (await writesOf()).filter(({ method }) => method === 'DELETE'),
      [],
    );
    assert.deepEqual(
      (await writesOf()).filter(({ method }) => method === 'PUT'),
      [],
    );
  });

  it('two repositories each own a folder of names, and see nothing of the other', async () => {
    await create('Access reviews/Admins', 'SELECT 1\n');
    const outside = await create('Finance/Totals', 'SELECT 2\n');
    await sandbox.forgetRequests();
    assert.equal((await cli(['pull', '--under', 'Access reviews'])).code, 1);
    const first = await expectCli(0, ['pull', '--under', 'Access reviews/']);
    assert.match(first.stderr, /owns only "Access reviews\/"\. Commit queries\/scope\.json, too\./);
    assert.deepEqual(JSON.parse(clone.read('queries/scope.json')), { under: 'Access reviews/' });
    assert.deepEqual(globSync('**/*.sql', { cwd: clone.folder }), [
      'queries/access-reviews/admins.identity.sql',
    ]);
    clone.commit();
    assert.match((await expectCli(0, ['status'])).stderr, /Both sides are the same/);
    assert.match((await expectCli(0, ['plan'])).stderr, /Both sides are the same/);

    // A file outside is told, and neither sent nor counted; the queries outside are never deleted.
    clone.describe('stray', { name: 'Finance/Stray' });
    clone.write('queries/stray.identity.sql', 'SELECT 3\n');
    clone.describe('access-reviews/new', { name: 'access REVIEWS/New' });
    clone.write('queries/access-reviews/new.identity.sql', 'SELECT 4\n');
    clone.commit();
    const pushed = await expectCli(2, ['push']);
    assert.match(pushed.stdout, /^\+ access REVIEWS\/New: new here$/m);
    assert.match(pushed.stdout, /^! Finance\/Stray: outside of "Access reviews\/"/m);
    assert.deepEqual(
      (await writesOf()).map(({ method }) => method),
      ['POST'],
    );
    clone.git('rm', '-q', '--cached', 'queries/stray.identity.sql', 'queries/stray.identity.json');
    await rm(path.join(clone.folder, 'queries/stray.identity.sql'));
    await rm(path.join(clone.folder, 'queries/stray.identity.json'));
    // Renamed to the outside: here, then there.
    const metadata = clone.read('queries/access-reviews/admins.identity.json');
    clone.write(
      'queries/access-reviews/admins.identity.json',
      metadata.replace('Access reviews/Admins', 'Finance/Admins'),
    );
    clone.commit();
    assert.match((await expectCli(2, ['push'])).stdout, /on the service, it is "Access reviews\/Admins"/);
    clone.write('queries/access-reviews/admins.identity.json', metadata);
    clone.commit();
    const admins = (await Array.fromAsync(client.savedQueries.listAll())).find(({ name }) =>
      /Admins/.test(name),
    );
    assert.ok(admins !== undefined);
    await edit(admins, 'SELECT 1\n', { name: 'Finance/Admins' });
    assert.match((await expectCli(2, ['pull'])).stdout, /on the service, it is "Finance\/Admins"/);
    assert.ok(existsSync(path.join(clone.folder, 'queries/access-reviews/admins.identity.sql')));
    const now = await client.savedQueries.get(outside.query_id);
    assert.equal(now.version, outside.version);
    // The folder keeps its scope; a command may ask for less, and never for more.
    assert.match(
      (await cli(['status', '--under', 'Finance/'])).stderr,
      /This folder owns "Access reviews\/"/,
    );
    const { stderr } = await expectCli(0, ['status', '--under', 'Access reviews/EU/']);
    assert.match(stderr, /^No saved query, here or on the service, is in "Access reviews\/EU\/"\.$/m);
  });

  it('a folder that owns all names asks for a part of them, and goes on owning all', async () => {
    await create('Access reviews/Admins', 'SELECT 1\n');
    await create('Finance/Totals', 'SELECT 2\n');
    await expectCli(0, ['pull']);
    for (const under of ['Finance/', 'Fiance/']) await expectCli(0, ['pull', '--under', under]);
    assert.ok(!existsSync(path.join(clone.folder, 'queries/scope.json')));
    clone.write('queries/access-reviews/admins.identity.sql', 'SELECT 3\n');
    assert.match((await expectCli(2, ['status'])).stdout, /Admins: changed here/);
  });

  it('a folder of names that two repositories claim refuses the second push, with both named', async () => {
    const data = { XDG_DATA_HOME: path.join(folder, 'shared data') };
    const otherBare = path.join(folder, 'other');
    mkdirSync(otherBare);
    const other = cloneOf(bareRepository(otherBare), path.join(folder, 'two'));
    const again = cloneOf(bare, path.join(folder, 'three'));
    const begin = async (at: Clone, under: string, name: string) => {
      assert.equal((await cli(['pull', '--under', under], at, data)).code, 0);
      at.describe(name.toLowerCase(), { name: `${under}${name}` });
      at.write(`queries/${name.toLowerCase()}.identity.sql`, `SELECT '${name}'\n`);
      at.commit();
      return await cli(['push'], at, data);
    };
    assert.equal((await begin(clone, 'Access reviews/', 'One')).code, 0);
    const refused = await begin(other, 'access reviews/eu/', 'Two');
    assert.equal(refused.code, 1);
    for (const each of [clone, other])
      assert.ok(refused.stderr.includes(path.join(each.folder, 'queries')), refused.stderr);
    // Another clone of the first repository is no other repository.
    assert.equal((await begin(again, 'Access reviews/', 'Three')).code, 0);
    // A folder that owns something else now claims nothing.
    for (const each of [clone, again]) each.write('queries/scope.json', '{"under":"Finance/"}');
    assert.equal((await cli(['push'], other, data)).code, 0);
  });

  it('a file renamed and edited, with its metadata, is a rename and not a new query', async () => {
    const query = await create('Orphans', 'SELECT 1\n');
    await expectCli(0, ['pull']);
    clone.commit();
    clone.git('mv', 'queries/orphans.identity.sql', 'queries/lost.identity.sql');
    clone.write('queries/lost.identity.sql', 'SELECT 2\n');
    clone.git('mv', 'queries/orphans.identity.json', 'queries/lost.identity.json');
    clone.describe('lost', { name: 'Lost' });
    clone.commit();
    assert.match(
      (await expectCli(2, ['plan'])).stdout,
      /^~ Lost \(was Orphans\): changed here \(text, name\)$/m,
    );
    await expectCli(0, ['push']);
    const { name, query_string: text } = await client.savedQueries.get(query.query_id);
    assert.deepEqual([name, text], ['Lost', 'SELECT 2\n']);
  });

  it('two queries that exchange their names are pushed in two steps, as the message explains', async () => {
    const [first, second] = [await create('First', 'SELECT 1'), await create('Second', 'SELECT 2')];
    await expectCli(0, ['pull']);
    clone.commit();
    const named = (one: string, two: string) => {
      clone.describe('first', { name: one });
      clone.describe('second', { name: two });
    };
    named('Second', 'First');
    clone.commit();
    await sandbox.forgetRequests();
    const refused = await expectCli(2, ['push']);
    assert.match(refused.stdout, /queries swap names\n +Push one of them under another name first/);
    assert.deepEqual(await writesOf(), []);
    named('Between', 'First');
    clone.commit();
    await expectCli(0, ['push']);
    named('Second', 'First');
    clone.commit();
    await expectCli(0, ['push']);
    const nameOf = async ({ query_id: id }: SavedQuery) => (await client.savedQueries.get(id)).name;
    assert.deepEqual([await nameOf(first), await nameOf(second)], ['Second', 'First']);
  });

  it('line endings that Git converts', async () => {
    await create('Orphans', 'SELECT 1\nFROM accounts\n');
    await expectCli(0, ['pull']);
    await rm(path.join(clone.folder, 'queries/.gitattributes'));
    clone.commit();
    clone.git('push', '-q', 'origin', 'HEAD:main');
    const windows = cloneOf(bare, path.join(folder, 'windows'), '-c', 'core.autocrlf=true');
    assert.match(windows.read('queries/orphans.identity.sql'), /\r\n/);
    assert.match((await expectCli(1, ['status'], windows)).stderr, /Git converts the line endings[^]*-text/);
  });

  it('no rights to write', async () => {
    await create('Orphans');
    await expectCli(0, ['pull']);
    clone.commit();
    await create('Leavers');
    const nobody = 65_534;
    const uid = process.getuid?.() === 0 ? nobody : undefined;
    if (uid !== undefined) {
      chmodSync(folder, 0o755);
      spawnSync('chown', ['-R', `${uid}:${uid}`, clone.folder]);
    }
    const queries = path.join(clone.folder, 'queries');
    const before = readdirSync(queries);
    chmodSync(queries, 0o555);
    const data = path.join(folder, 'data-of-nobody');
    mkdirSync(data, { mode: 0o777 });
    chmodSync(data, 0o777);
    try {
      const { code, stderr } = await runCli(['pull'], {
        cwd: clone.folder,
        env: { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: data },
        ...(uid === undefined ? {} : { uid }),
      });
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /queries" cannot be written: .*Check its permissions and the disk, then try again/,
      );
      assert.deepEqual(readdirSync(queries), before);
    } finally {
      chmodSync(queries, 0o755);
      if (uid !== undefined) spawnSync('chown', ['-R', `0:0`, clone.folder]);
    }
  });

  it('a second pull or push while one is running', async () => {
    await create('Orphans');
    const data = path.join(folder, 'data', 'one', 'identity-queries', 'sync');
    await expectCli(0, ['pull']);
    const [kept] = readdirSync(data).filter((name) => name.endsWith('.lock'));
    const lock = ProcessLock.try(path.join(data, kept ?? ''));
    assert.ok(lock);
    await create('Leavers');
    try {
      for (const command of ['pull', 'push']) {
        clone.commit();
        const { stderr } = await expectCli(1, [command]);
        assert.match(stderr, /Another pull or push of this folder is under way/);
      }
      assert.equal(clone.git('status', '--porcelain'), '');
    } finally {
      lock.end();
    }
    await expectCli(0, ['pull']);
  });

  it('conflict markers of Git in metadata, and in the index of earlier versions', async () => {
    // Metadata stops only its own query, the index of all queries stops everything.
    for (const [file, code, output] of [
      ['queries/a.identity.json', 2, 'stdout'],
      ['queries/saved-queries.json', 1, 'stderr'],
    ] as const) {
      clone.write(file, '{\n<<<<<<< HEAD\n');
      const found = await expectCli(code, ['status']);
      assert.match(found[output], /conflict markers on line 2[^]*git checkout --ours/);
      await rm(path.join(clone.folder, file));
    }
  });

  it('a service that refuses', async () => {
    await sandbox.setFaults([
      { path: '/v1/*', always: { kind: 'status', status: 403, code: 'FORBIDDEN', message: 'No.' } },
    ]);
    const { stderr } = await expectCli(1, ['plan', '--json']);
    assert.match(stderr, /No\./);
    await expectCli(1, ['plan', '--no-such-option']);
  });
});

describe('queries that cannot be read, and a service without a list', () => {
  const list = '/v1/query/saved-queries';

  it('leaves one bad entry out, says so, and goes on with the others', async () => {
    const good = await create('Good');
    const bad = await create('Bad');
    await expectCli(0, ['pull']);
    clone.commit();
    await edit(good, 'SELECT 2');
    const { version, ...unversioned } = await client.savedQueries.get(bad.query_id);
    assert.equal(version, 1);
    const now = await client.savedQueries.get(good.query_id);
    const setFaults = async (more: Parameters<RunningSandbox['setFaults']>[0] = []) =>
      await sandbox.setFaults([
        {
          method: 'GET',
          path: list,
          always: { kind: 'body', body: { items: [unversioned, now], nextPageToken: null } },
        },
        ...more,
      ]);
    await setFaults();
    const pulled = await expectCli(0, ['pull']);
    assert.match(pulled.stderr, /could not be read and is left out/);
    assert.equal(clone.read('queries/good.identity.sql'), 'SELECT 2');
    assert.equal(clone.read('queries/bad.identity.sql'), "SELECT 'Bad'");
    clone.commit();
    // Its record cannot be read by ID, either: it must not look deleted.
    await setFaults([
      { method: 'GET', path: `${list}/${bad.query_id}`, always: { kind: 'body', body: unversioned } },
    ]);
    clone.write('queries/good.identity.sql', 'SELECT 3');
    clone.commit();
    await sandbox.forgetRequests();
    const pushed = await expectCli(0, ['push']);
    assert.match(pushed.stderr, /left out/);
    assert.deepEqual(
      (await writesOf()).map(({ method }) => method),
      ['PUT'],
    );
    await expectCli(0, ['pull']);
    assert.equal(clone.read('queries/bad.identity.sql'), "SELECT 'Bad'");
    // Nor is it told or asked for twice where nothing is listed.
    await sandbox.setFaults([
      { method: 'GET', path: list, always: { kind: 'status', status: 404, code: 'NOT_FOUND' } },
      { method: 'GET', path: `${list}/${bad.query_id}`, always: { kind: 'body', body: unversioned } },
    ]);
    await sandbox.forgetRequests();
    assert.match((await cli(['status'])).stderr, /^1 saved query could not be read/m);
    const again = (await sandbox.requests()).filter(({ path: at }) => at === `${list}/${bad.query_id}`);
    assert.equal(again.length, 1);
  });

  it('pulls by the IDs of the files, and pushes a new query, where nothing was agreed and nothing is listed', async () => {
    const query = await create('Known');
    await expectCli(0, ['pull']);
    clone.commit();
    clone.git('push', '-q', 'origin', 'HEAD:main');
    await edit(query, 'SELECT 2');
    const other = cloneOf(bare, path.join(folder, 'two'));
    await sandbox.setFaults([
      {
        method: 'GET',
        path: list,
        always: { kind: 'status', status: 404, code: 'NOT_FOUND', message: 'No such path.' },
      },
    ]);
    await expectCli(0, ['pull'], other);
    assert.equal(other.read('queries/known.identity.sql'), 'SELECT 2');
    other.write('queries/fresh.identity.sql', 'SELECT 5');
    other.describe('fresh', { name: 'Fresh' });
    other.commit();
    await expectCli(0, ['push'], other);
    await sandbox.setFaults([]);
    const names: string[] = [];
    for await (const { name, query_string } of client.savedQueries.listAll())
      names.push(`${name}: ${query_string}`);
    assert.deepEqual(names.sort(), ['Fresh: SELECT 5', 'Known: SELECT 2']);
  });
});
