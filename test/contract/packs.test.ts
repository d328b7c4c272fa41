/**
 * `pack` in a terminal: it fits the sandbox and a service with missing columns, and adds, updates, removes, and refuses
 * queries.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startDatabase } from '../helpers/client-service.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { writePack } from '../helpers/packs.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { startService } from '../service/service.ts';

const library = 'identity-review-essentials';
let sandbox: RunningSandbox;
let root: string;
let folder: string;

before(async () => {
  sandbox = await startSandbox();
  await startDatabase(sandbox);
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-packs-'));
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'folder-'));
});
after(async () => {
  await sandbox.stop();
  await rm(root, { recursive: true });
});

const cli = (args: readonly string[], env: NodeJS.ProcessEnv = sandboxEnvironment(sandbox)) =>
  runCli(args, { cwd: folder, env });
const executions = async () =>
  (await sandbox.requests()).filter((request) => request.path === '/v1/query/execute').length;

describe('pack', () => {
  it('reports that the whole library fits the sandbox, and writes nothing with --dry-run', async () => {
    const { code, stdout, stderr } = await cli(['pack', 'add', library, '--dry-run']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Identity Review Essentials 1\.0\.0 .*: 58 queries, all proven read-only\.$/m);
    assert.match(stdout, /^58 of 58 queries fit your models\.$/m);
    assert.match(stdout, /^Nothing was changed\.$/m);
    assert.deepEqual(await readdir(folder), []);
  });

  it('reports what a query lacks, whatever the pack says that it requires', async () => {
    const pack = path.join(folder, 'pack');
    await writePack(pack, {
      queries: {
        'a.identity.sql': 'SELECT nothing FROM accounts\n',
        'b.identity.sql': 'SELECT id FROM accounts\n',
      },
      requires: {
        'a.identity.sql': ['platform_identity.accounts.id'],
        'b.identity.sql': ['platform_identity.accounts.id'],
      },
    });
    const { stdout } = await cli(['pack', 'add', 'pack', '--dry-run']);
    assert.match(stdout, /^1 of 2 queries fit your models\.\n1 lacks nothing\.$/m);
  });

  it('reports which columns each query lacks on a service with fewer columns', async () => {
    const service = await startService();
    try {
      const env = sandboxEnvironment({ ...sandbox, ...service, process: undefined } as never);
      const { code, stdout, stderr } = await cli(['pack', 'add', library, '--dry-run'], env);
      assert.equal(code, 0, stderr);
      const [, fitting = ''] = /^(\d+) of 58 queries fit your models\.$/m.exec(stdout) ?? [];
      const { code: listed, stdout: models } = await cli(['models', '--json'], env);
      assert.equal(listed, 0);
      assert.equal(Number(fitting), await fittingByHand(models), stdout);
      assert.ok(Number(fitting) > 0 && Number(fitting) < 58, stdout);
      assert.match(stdout, /^\d+ lacks? platform_identity\.[a-z_.]+\.$/m);
    } finally {
      await service.stop();
    }
  });

  it('adds the library, whose controls then run without an error', async () => {
    const added = await cli(['pack', 'add', library]);
    assert.equal(added.code, 0, added.stderr);
    const asked = await executions();
    const listed = await cli(['pack', 'list']);
    assert.match(listed.stdout, /identity-review-essentials +1\.0\.0 +0 .*ships with this program/);
    assert.equal(await executions(), asked, 'nothing of a pack runs by itself');
    const run = await cli(['controls', 'run', 'packs', '--json']);
    assert.match(run.stdout, /"id": "LV-01"/);
    assert.doesNotMatch(run.stdout, /"outcome": "error"/, run.stderr);
    assert.equal(run.code, 1, `${run.stdout}${run.stderr}`);
    const removed = await cli(['pack', 'remove', library]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual(await readdir(path.join(folder, 'packs')), []);
  });

  it('is added from Git at a tag, is updated to another tag, and keeps local changes', async () => {
    const repository = path.join(folder, 'repository');
    await mkdir(repository);
    const git = (...args: readonly string[]) =>
      spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
        cwd: repository,
        encoding: 'utf8',
      });
    git('init', '-q');
    const publish = async (tag: string, text: string) => {
      await writePack(repository, { version: tag.slice(1), queries: { 'one.identity.sql': text } });
      git('add', '-A');
      git('commit', '-q', '-m', tag);
      git('tag', tag);
    };
    await publish('v1.0.0', 'SELECT alias\nFROM accounts\nWHERE enabled\n');
    await publish('v1.1.0', 'SELECT alias\nFROM accounts\nWHERE NOT enabled\n');
    const url = pathToFileURL(repository).href;
    const added = await cli(['pack', 'add', `${url}@v1.0.0`], {});
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /unknown: add --connection/);
    const file = path.join(folder, 'packs/small/queries/one.identity.sql');
    await writeFile(file, 'SELECT alias, email\nFROM accounts\nWHERE enabled\n');
    const updated = await cli(['pack', 'update', 'small', '--tag', 'v1.1.0'], {});
    assert.equal(updated.code, 0, updated.stdout + updated.stderr);
    assert.match(updated.stdout, /^ {2}merged: queries\/one\.identity\.sql$/m);
    assert.equal(await readFile(file, 'utf8'), 'SELECT alias, email\nFROM accounts\nWHERE NOT enabled\n');
    const { stdout } = await cli(['pack', 'list', '--json'], {});
    const { packs } = JSON.parse(stdout) as { packs: { commit: string; changed: string[] }[] };
    assert.equal(packs[0]?.commit, git('rev-parse', 'v1.1.0').stdout.trim());
    assert.deepEqual(packs[0].changed, ['queries/one.identity.sql']);
  });

  it('refuses queries that are not proven read-only, and gives the reason', async () => {
    const bad: readonly (readonly [string, RegExp])[] = [
      ['DELETE FROM accounts', /"one\.identity\.sql" is not proven read-only: it changes data/],
      ['SELECT 1; DELETE FROM accounts', /more than one statement/],
      ["SELECT pg_read_file('/etc/passwd')", /side effects/],
      ['SELECT no_such_function(1)', /unknown function/],
      ['SELEC 1', /syntax error/],
    ];
    for (const [text, because] of bad) {
      await rm(path.join(folder, 'bad'), { recursive: true, force: true });
      await writePack(path.join(folder, 'bad'), { queries: { 'one.identity.sql': text } });
      const { code, stdout, stderr } = await cli(['pack', 'add', 'bad'], {});
      assert.equal(code, 2, stdout);
      assert.match(stderr, because);
    }
    assert.deepEqual(await readdir(folder), ['bad']);
  });

  it('refuses addresses that would run something, and prints none of their escape sequences', async () => {
    for (const address of [
      'ext::sh -c touch% ran@v1',
      'http://127.0.0.1:9/a.git@v1',
      'file:///no\u001b[31m@v1',
    ]) {
      const { code, stderr } = await cli(['pack', 'add', address], {});
      assert.equal(code, 2);
      assert.ok(!stderr.includes('\u001b'), stderr);
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('repeats no password of what was meant as an address, however it is written', async () => {
    for (const address of [
      'https://me:SECRET@h/x',
      'https:///me:SECRET@h/x',
      'https:/me:SECRET@h/x@v1',
      'https:me:SECRET@h/x@v1',
      'http://me:SECRET@h/x@v1',
      'http:///me:SECRET@h/x@v1',
      'me:SECRET@h:x@v1',
    ]) {
      const { code, stdout, stderr } = await cli(['pack', 'add', address]);
      assert.equal(code, 2, address);
      assert.doesNotMatch(stdout + stderr, /SECRET/, address);
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('reports a service that does not respond, and adds nothing', async () => {
    const env = { ...sandboxEnvironment(sandbox), IDENTITY_QUERIES_CLIENT_SECRET: 'wrong' };
    const { code, stdout } = await cli(['pack', 'add', library], env);
    assert.equal(code, 2, stdout);
    assert.deepEqual(await readdir(folder), []);
  });
});

/** Counts the queries that fit the models, using the manifest but not the product's code. */
async function fittingByHand(modelsJson: string): Promise<number> {
  const { models } = JSON.parse(modelsJson) as {
    models: { name: string; tables: { name: string; columns: { name: string }[] }[] }[];
  };
  const known = new Set(
    models.flatMap((model) =>
      model.tables.flatMap((table) =>
        table.columns.map((column) => `${model.name}.${table.name}.${column.name}`),
      ),
    ),
  );
  const manifest = path.resolve(import.meta.dirname, `../../library/${library}/pack.json`);
  const { requires } = JSON.parse(await readFile(manifest, 'utf8')) as { requires: Record<string, string[]> };
  return Object.values(requires).filter((columns) => columns.every((column) => known.has(column))).length;
}
