/**
 * Controls on the command line: outcomes, waivers, baseline, reports and faults. The output never contains row values.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { readControl } from '#core/controls/control.ts';
import { addWaiver } from '#core/controls/files/waivers.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { git } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const digestKey = 'a key for tests only, and long';
const digests = rowDigests(digestKey);
let sandbox: RunningSandbox;
let folder: string;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-controls-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});
after(() => sandbox.stop());

const cli = (...args: readonly string[]) =>
  runCli(['controls', ...args], {
    cwd: folder,
    env: { ...sandboxEnvironment(sandbox), IDENTITY_QUERIES_DIGEST_KEY: digestKey },
  });
const put = (name: string, text: string) => writeFile(path.join(folder, name), text);
const read = (name: string) => readFile(path.join(folder, name), 'utf8');
const three =
  "-- @control AC-1 Three rows\n-- @key id\nSELECT * FROM (VALUES ('a'), ('b'), ('c')) AS rows(id)";
const outcomesOf = (stdout: string) =>
  [...stdout.matchAll(/^(\w+) +(\S+)/gm)].map(([, outcome, id]) => `${outcome} ${id}`);

describe('controls run', () => {
  it('prints each outcome, and the exit code is that of the worst one', async () => {
    await put('a.identity.sql', '-- @control AC-1 Fine\nSELECT 1 WHERE false');
    assert.deepEqual((await cli('run')).code, 0);
    await put('b.identity.sql', three.replace('AC-1', 'AC-2'));
    const failed = await cli('run');
    assert.equal(failed.code, 1, failed.stderr);
    assert.match(failed.stdout, /b\.identity\.sql:1: 3 rows; expected: no rows\./);
    await put('c.identity.sql', '-- @control AC-3 Writes\nDELETE FROM accounts');
    const broken = await cli('run');
    assert.equal(broken.code, 2);
    assert.match(broken.stdout, /ERROR +AC-3 Writes/);
    assert.match(broken.stdout, /3 controls: 1 in error, 1 failed, 1 passed/);
  });

  it('does not pass if there is nothing to run', async () => {
    assert.equal((await cli('run')).code, 2);
    assert.equal((await cli('run', 'nowhere')).code, 2);
  });

  it('says so if no control has the tag', async () => {
    await put('a.identity.sql', three);
    const { code, stderr } = await cli('run', '--tag', 'soc2=CC6');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /No control has the tag "soc2=CC6"\.\nList them with: identity-queries controls list\n/,
    );
  });

  it('ignores waived rows and, with --new-only, rows of the baseline', async () => {
    await put('a.identity.sql', three);
    const control = readControl(three);
    assert.ok(control !== undefined);
    const waive = async (id: string, expires: string) =>
      await addWaiver(
        path.join(folder, '.identity-queries/waivers.json'),
        { control: 'AC-1', row: digests.digest(control, [id]) ?? '', reason: 'known', owner: 'iam', expires },
        digests,
      );
    for (const id of ['a', 'b', 'c']) await waive(id, '2999-01-01');
    assert.deepEqual(outcomesOf((await cli('run')).stdout)[0], 'waived AC-1');
    await waive('b', '2020-01-01');
    const expired = await cli('run');
    assert.equal(expired.code, 1);
    assert.match(expired.stdout, /waivers\.json:\d: This waiver of AC-1 ended with 2020-01-01 \(UTC\)/);
    assert.equal((await cli('baseline')).code, 0);
    assert.equal((await cli('run')).code, 1);
    assert.equal((await cli('run', '--new-only')).code, 0);
    await put('a.identity.sql', three.replace("('c')", "('c'), ('new')"));
    const fresh = await cli('run', '--new-only');
    assert.equal(fresh.code, 1);
    assert.match(fresh.stdout, /4 rows \(2 waived, 1 known\)/);
  });

  it('is an error, and overwrites nothing, if a file is damaged or foreign', async () => {
    await put('a.identity.sql', three);
    await mkdir(path.join(folder, '.identity-queries'));
    const damaged = '{\n  "version": 1,\n  "keyId": oops\n}';
    await put('.identity-queries/baseline.json', damaged);
    const run = await cli('run');
    assert.equal(run.code, 2);
    assert.match(run.stdout, /\.identity-queries\/baseline\.json:3: This is not JSON/);
    assert.equal((await cli('baseline')).code, 2);
    assert.equal(await read('.identity-queries/baseline.json'), damaged);
    await rm(path.join(folder, '.identity-queries/baseline.json'));
    assert.equal((await cli('baseline')).code, 0);
    const taken = await read('.identity-queries/baseline.json');
    await put('.identity-queries/baseline.json', taken.replace('"AC-1"', '"AC-9"'));
    await put('a.identity.sql', three.replace('AC-1', 'AC-9'));
    const foreign = await cli('run', '--new-only');
    assert.equal(foreign.code, 2);
    assert.match(foreign.stdout, /baseline\.json:5: This baseline belongs to a control other than AC-9/);
  });

  it('writes reports without row values', async () => {
    const marker = 'marker-5f1c';
    await put(
      'a.identity.sql',
      "-- @control AC-1 Marked\n-- @key id\n-- @error_if rows > 400\nSELECT 'marker-' || '5f1c ' || n AS id FROM generate_series(1, 500) AS n",
    );
    await put(
      'b.identity.sql',
      "-- @control AC-2 Cast\nSELECT ('marker-' || '5f1c')::int AS id FROM accounts",
    );
    const reports = ['junit=j.xml', 'sarif=s.sarif', 'markdown=m.md', 'json=r.json'];
    const { code, stdout, stderr } = await cli('run', '.', '--report', ...reports);
    assert.equal(code, 2, stderr);
    await cli('baseline');
    const texts = [stdout, stderr];
    for (const name of ['j.xml', 's.sarif', 'm.md', 'r.json', '.identity-queries/baseline.json'])
      texts.push(await read(name));
    for (const text of texts) assert.equal(text.includes(marker), false, text.slice(0, 400));
    assert.match(texts[2] ?? '', /<failure type="medium"/);
    await cli('run', '.', '--report', ...reports, '--with-rows', '2');
    assert.equal((await read('r.json')).includes(marker), true);
  });
});

describe('controls list', () => {
  it('groups controls by benchmark, and reports the position of an error in the file', async () => {
    await put('a.identity.sql', '-- @control AC-1 One\n-- @tags soc2=CC6.1\nSELECT 1');
    await put('b.identity.sql', '-- @control AC-2 Two\nSELECT 1');
    await mkdir(path.join(folder, '.identity-queries'));
    const tree = {
      benchmarks: [{ title: 'SOC 2', children: [{ title: 'Access', tag: 'soc2=CC6' }] }],
    };
    await put('.identity-queries/benchmarks.json', JSON.stringify(tree));
    const { stdout, code } = await cli('list', '--by', 'benchmark');
    assert.equal(code, 0);
    assert.equal(
      stdout,
      'SOC 2\n  Access\n    AC-1  One  a.identity.sql\nOther controls\n  AC-2  Two  b.identity.sql\n',
    );
    const json = JSON.parse((await cli('list', '--by', 'tag', '--json')).stdout) as { groups: unknown };
    assert.deepEqual(json.groups, [
      { title: 'SOC 2', groups: [{ title: 'CC6.1', groups: [], controls: ['AC-1'] }], controls: [] },
      { title: 'Without tags', groups: [], controls: ['AC-2'] },
    ]);
    await put('.identity-queries/benchmarks.json', '{\n"benchmarks": [{}] }');
    const damaged = await cli('list', '--by', 'benchmark');
    assert.equal(damaged.code, 2);
    assert.match(damaged.stderr, /\.identity-queries\/benchmarks\.json:2: A benchmark needs a "title"/);
  });
});

describe('a control in a pulled file', () => {
  it('runs with the model of its query, and counts as the same control as the saved query', async () => {
    const client = createClient(sandbox);
    const text = '-- @control AC-9 Pulled\nSELECT id FROM accounts WHERE false\n';
    const { query_id } = await client.savedQueries.create({ name: 'Pulled', query_string: text });
    try {
      git(folder, 'init', '-q');
      const env = sandboxEnvironment(sandbox);
      assert.equal((await runCli(['pull'], { cwd: folder, env })).code, 0);
      const edited = text.replace('WHERE false', 'LIMIT 1');
      await put('queries/pulled.identity.sql', edited);
      const both = await cli('run', '--saved');
      assert.deepEqual(outcomesOf(both.stdout), ['FAIL AC-9', '1 control:']);
      const metadata = await read('queries/pulled.identity.json');
      await put('queries/pulled.identity.json', metadata.replaceAll('platform_identity', 'no_such_model'));
      const otherModel = await cli('run');
      assert.equal(otherModel.code, 2, otherModel.stdout);
      assert.deepEqual(outcomesOf(otherModel.stdout), ['ERROR AC-9', '1 control:']);
      await put('queries/pulled.identity.json', '<<<<<<< HEAD\n');
      const damaged = await cli('run');
      assert.equal(damaged.code, 2);
      assert.match(damaged.stderr, /queries\/pulled\.identity\.json: .*conflict markers/);
    } finally {
      await client.savedQueries.delete(query_id);
      await client.close();
    }
  });
});

describe('init ci', () => {
  for (const service of ['github', 'gitlab', 'azure']) {
    it(`writes a workflow for ${service} once, and never replaces one`, async () => {
      await put('program.tgz', 'the packed program');
      const init = (...args: readonly string[]) =>
        runCli(['init', 'ci', service, '--package', 'program.tgz', ...args], { cwd: folder });
      assert.equal((await init()).code, 0);
      assert.equal((await init()).code, 0);
      const printed = await init('--print');
      assert.match(printed.stdout, /IDENTITY_QUERIES_CLIENT_SECRET/);
      const name =
        {
          github: '.github/workflows/identity-queries.yml',
          gitlab: '.gitlab-ci.yml',
          azure: 'azure-pipelines.yml',
        }[service] ?? '';
      assert.equal(await read(name), printed.stdout);
      await put(name, 'mine');
      assert.equal((await init()).code, 2);
      assert.equal(await read(name), 'mine');
    });
  }
});
