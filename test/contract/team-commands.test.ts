/** What a team types in a terminal and in CI: controls that are stopped or slow, waivers, reports, evidence. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { runCli, sandboxEnvironment, type CliOutcome } from '../helpers/command-line.ts';
import { git } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let folder: string;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-team-'));
});
afterEach(async () => {
  await sandbox.setFaults([]);
  await rm(folder, { recursive: true });
});
after(() => sandbox.stop());

const key = { IDENTITY_QUERIES_DIGEST_KEY: 'a digest key for tests' };
const env = () => ({ ...sandboxEnvironment(sandbox), ...key });
const cli = async (...args: readonly string[]): Promise<CliOutcome> =>
  await runCli(args, { cwd: folder, env: env() });
const put = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
};
const executed = async () =>
  (await sandbox.requests()).filter((request) => request.path === '/v1/query/execute').length;
const control =
  '-- @control AC-1 Admins\n-- @key id\n-- @owner iam\nSELECT id FROM accounts ORDER BY id LIMIT 3\n';

/** A page that is still empty, with another one to come, for ever. */
const emptyForEver = {
  path: '/v1/query/execute',
  always: { kind: 'body', body: { columns: [], rows: [], nextPageToken: 'again' } },
} as const;

describe('a query whose pages stay empty', () => {
  it('ends with an error of the control, at the time limit', async () => {
    await put('a.identity.sql', control);
    await sandbox.setFaults([emptyForEver]);
    const { code, stdout } = await cli('controls', 'run', '--timeout', '1');
    assert.equal(code, 2, stdout);
    assert.match(stdout, /^ERROR .*\n.*TIME_LIMIT: The control was stopped after 1 s,/m);
  });

  it('ends at the time limit of run, which is that of the whole command', async () => {
    await put('a.sql', 'SELECT 1');
    await sandbox.setFaults([emptyForEver]);
    const { code, stdout, stderr } = await cli('run', 'a.sql', '--timeout', '1');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /stopped: not finished after 1 second\.\nGive it more time with --timeout/);
  });
});

describe('the first Ctrl+C, or another signal that ends', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
    for (const command of [signal === 'SIGTERM' || signal === 'SIGHUP' ? 'baseline' : 'run'])
      it(`${signal} ends controls ${command}, and sends nothing more`, async () => {
        await put('a.identity.sql', control);
        let asked = 0;
        let onAsked: () => void = () => undefined;
        // A service that never answers a query.
        const server = createServer((request, response) => {
          request.resume();
          if (request.url !== '/token') {
            asked += 1;
            onAsked();
            return;
          }
          const token = { access_token: 'a', token_type: 'Bearer', expires_in: 3_600 };
          response.setHeader('content-type', 'application/json').end(JSON.stringify(token));
        });
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo; // a TCP server
        const address = `http://127.0.0.1:${port}`;
        try {
          const { code, stderr } = await runCli(['controls', command], {
            cwd: folder,
            env: {
              ...env(),
              IDENTITY_QUERIES_BASE_URL: address,
              IDENTITY_QUERIES_AUTH_URL: `${address}/token`,
            },
            onStart: (child) => (onAsked = () => child.kill(signal)),
          });
          assert.equal(code, 128 + constants.signals[signal], stderr);
          assert.match(stderr, /^Interrupted\./m);
          assert.equal(asked, 1);
        } finally {
          server.closeAllConnections();
          server.close();
        }
      });
});

describe('a waiver', () => {
  it('is made from the list of rows, applies until its last day in UTC, and is no row of the report', async () => {
    await put('a.identity.sql', control);
    const listed = await cli('controls', 'waive', 'AC-1');
    assert.equal(listed.code, 0, listed.stderr);
    const [row = ''] = /^[0-9a-f]{12}(?= )/m.exec(listed.stdout) ?? [];
    assert.match(listed.stderr, new RegExp(`--row ${row} --reason`));
    const day = new Date().toISOString().slice(0, 10);
    const waived = await cli('controls', 'waive', 'AC-1', '--row', row, '--reason', 'Tested', '--until', day);
    assert.equal(waived.code, 0, waived.stderr);
    assert.match(waived.stderr, new RegExp(`until the end of ${day} \\(UTC\\)`));
    const run = await cli('controls', 'run', '--json');
    const { results } = JSON.parse(run.stdout) as { results: { rows: { waived: number; read: number } }[] };
    assert.deepEqual(
      results.map(({ rows }) => rows.waived),
      [1],
    );
    const again = await cli('controls', 'waive', 'AC-1', '--row', row, '--reason', 'Again');
    assert.match(again.stderr, /is waived already/);
    const past = await cli(
      'controls',
      'waive',
      'AC-1',
      '--row',
      row,
      '--reason',
      'x',
      '--until',
      '2020-01-01',
    );
    assert.match(past.stderr, /not a day to come/);
    assert.match((await cli('controls', 'waive', 'AC-2')).stderr, /no control AC-2[^]*controls list/);
  });
});

describe('reports', () => {
  it('name files relative to the repository, wherever the command runs and however they are typed', async () => {
    git(folder, 'init', '-q');
    await put('sub/a.sql', 'SELECT FROM WHERE');
    for (const [cwd, file] of [
      ['.', path.join(folder, 'sub/a.sql')],
      ['sub', 'a.sql'],
      ['sub', '../sub/a.sql'],
    ] as const) {
      await runCli(['check', file, '--report', 'sarif=out.sarif'], { cwd: path.join(folder, cwd) });
      const text = await readFile(path.join(folder, cwd, 'out.sarif'), 'utf8');
      const uris = [...text.matchAll(/"uri": "([^"]*)"/g)].map(([, uri]) => uri);
      assert.deepEqual([...new Set(uris)], ['sub/a.sql']);
    }
  });

  it('of controls name files alike', async () => {
    git(folder, 'init', '-q');
    await put('sub/a.identity.sql', control);
    for (const [cwd, file] of [
      ['.', 'sub'],
      ['sub', 'a.identity.sql'],
      ['sub', path.join(folder, 'sub')],
    ] as const) {
      const at = path.join(folder, cwd);
      await runCli(['controls', 'run', file, '--report', 'sarif=out.sarif'], { cwd: at, env: env() });
      const text = await readFile(path.join(at, 'out.sarif'), 'utf8');
      const uris = [...text.matchAll(/"uri": "([^"]*)"/g)].map(([, uri]) => uri);
      assert.deepEqual([...new Set(uris)], ['sub/a.identity.sql'], `${cwd} ${file}`);
    }
  });

  it('never replace a query, or each other, and nothing is sent then', async () => {
    await put('a.identity.sql', control);
    await put('b.sql', 'SELECT 1');
    await sandbox.forgetRequests();
    for (const targets of [
      ['json=a.identity.sql'],
      ['json=x', 'junit=./x'],
      ['sarif=queries/x.identity.json'],
    ]) {
      await mkdir(path.join(folder, 'queries'), { recursive: true });
      const { code, stderr } = await cli('controls', 'run', '--report', ...targets);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /Name another file/);
    }
    assert.equal(await executed(), 0);
    assert.match((await cli('check', 'b.sql', '--report', 'sarif=b.sql')).stderr, /Name another file/);
    assert.equal(await readFile(path.join(folder, 'a.identity.sql'), 'utf8'), control);
    assert.equal(await readFile(path.join(folder, 'b.sql'), 'utf8'), 'SELECT 1');
  });

  it('are not made with a parameter that no control has, or that has two values', async () => {
    await put('a.identity.sql', control);
    const { code, stderr } = await cli('controls', 'run', '--param', 'sinze=2026-01-01');
    assert.deepEqual([code, /No control has the parameter "sinze"/.test(stderr)], [2, true]);
    await put('b.sql', 'SELECT :a::text');
    const both = await cli('run', 'b.sql', '--param', 'a=1', '--null', 'a');
    assert.match(both.stderr, /both --param and --null/);
  });
});

describe('evidence', () => {
  it('of a file matches, until its rows, its text or its record change', async () => {
    await put(
      'a.sql',
      '-- @param since date = 2026-01-01\nSELECT id, alias FROM accounts WHERE created_date > :since ORDER BY id\n',
    );
    const made = await cli('evidence', 'make', 'a.sql', '--param', 'since=2020-01-01', '--out', 'a.json');
    assert.equal(made.code, 0, made.stderr);
    const good = await cli('evidence', 'verify', 'a.json', '--query', 'a.sql');
    assert.equal(good.code, 0, good.stdout + good.stderr);
    assert.match(good.stdout, /All \d+ checks match\./);
    const unknown = await cli('evidence', 'verify', 'a.json');
    assert.equal(unknown.code, 2, unknown.stdout);
    const unrun = await cli('evidence', 'verify', 'a.json', '--query', 'a.sql', '--no-run');
    assert.equal(unrun.code, 2, unrun.stdout);
    const record = await readFile(path.join(folder, 'a.json'), 'utf8');
    await put('b.json', record.replace('2020-01-01', '2021-01-01'));
    assert.equal((await cli('evidence', 'verify', 'b.json', '--query', 'a.sql')).code, 1);
    await put('c.sql', 'SELECT 1');
    assert.equal((await cli('evidence', 'verify', 'a.json', '--query', 'c.sql')).code, 1);
    const block = await cli('evidence', 'make', 'a.sql');
    assert.doesNotMatch(block.stdout, /SELECT/);
    await put('block.md', block.stdout);
    assert.equal((await cli('evidence', 'verify', 'block.md', '--query', 'a.sql')).code, 0);
    assert.match((await cli('evidence', 'verify', 'a.sql')).stderr, /contains no evidence/);
  });
});

describe('what is wrong is said', () => {
  it('an undeclared parameter has the type of the column beside it', async () => {
    await put('a.sql', 'SELECT id FROM accounts WHERE created_date > :since LIMIT 1');
    const wrong = await cli('run', 'a.sql', '--param', 'since=soon');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /since \(timestamp/);
    assert.equal((await cli('run', 'a.sql', '--param', 'since=2020-01-01')).code, 0);
  });

  it('a program that prints no digest key is named with the reason', async () => {
    await put('a.identity.sql', control);
    for (const [program, reason] of [
      ['no-such-program', /can't be started: no-such-program/],
      ['false', /failed \(exit code 1\): false/],
      ['true', /printed nothing on its first line: true/],
    ] as const) {
      const { code, stderr } = await cli('controls', 'run', '--digest-key-command', program);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
  });

  it('a port in use comes with another one', async () => {
    const { port } = new URL(sandbox.baseUrl);
    const { code, stderr } = await cli('sandbox', '--port', port);
    assert.equal(code, 1);
    assert.match(stderr, /another program listens on this port.*identity-queries sandbox --port 0/);
  });

  it('doctor that cannot reach the service does not advise doctor', async () => {
    const { stderr } = await runCli(['doctor'], {
      cwd: folder,
      env: { ...env(), IDENTITY_QUERIES_CLIENT_SECRET: 'wrong' },
    });
    assert.notEqual(stderr, '');
    assert.doesNotMatch(stderr, /identity-queries doctor/);
  });

  it('a proxy that is no address is refused by name, before anything is sent', async () => {
    await put('a.sql', 'SELECT 1');
    await sandbox.forgetRequests();
    for (const variable of ['HTTP_PROXY', 'HTTPS_PROXY']) {
      const { code, stdout, stderr } = await runCli(['run', 'a.sql'], {
        cwd: folder,
        env: { ...env(), [variable]: 'http://me:hu#sh@proxy:1' },
      });
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`The proxy of ${variable} is not an address`));
      assert.doesNotMatch(stdout + stderr, /hu#sh|TypeError/);
    }
    assert.deepEqual(await sandbox.requests(), []);
  });
});

describe('audit verify', () => {
  it('never confirms a log that does not exist', async () => {
    for (const args of [[], ['--file', 'nowhere.jsonl']]) {
      const { code, stderr } = await cli('audit', 'verify', ...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /There is no log .*, so nothing was verified/);
    }
  });
});

describe('a container', () => {
  const other = 65_534;

  it('without a home, with another user and without a terminal does what a desk does', async () => {
    git(folder, 'init', '-q', '-b', 'main');
    await put('a.identity.sql', control);
    spawnSync('chown', ['-R', `${other}:${other}`, folder]);
    spawnSync('chmod', ['a+rx', folder]);
    const data = path.join(folder, 'own');
    const inContainer = async (args: readonly string[], more: NodeJS.ProcessEnv) =>
      await runCli(args, {
        cwd: folder,
        uid: other,
        env: {
          ...env(),
          HOME: undefined,
          XDG_CONFIG_HOME: undefined,
          TERM: 'dumb',
          TZ: 'Asia/Tokyo',
          ...more,
        },
      });
    for (const args of [['pull'], ['status'], ['check'], ['models'], ['controls', 'list', '.']]) {
      const { code, stdout, stderr } = await inContainer(args, { XDG_DATA_HOME: data });
      assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
      assert.doesNotMatch(stdout + stderr, /\u001b/);
    }
    const ran = await inContainer(['controls', 'run', '.'], { XDG_DATA_HOME: data });
    assert.equal(ran.code, 1, ran.stderr);
  });

  it('whose home cannot be written is told which folder, and which variable to set', async () => {
    git(folder, 'init', '-q', '-b', 'main');
    spawnSync('chown', ['-R', `${other}:${other}`, folder]);
    spawnSync('chmod', ['a+rx', folder]);
    const home = path.join(folder, 'closed');
    await mkdir(home, { mode: 0o555 });
    const { code, stderr } = await runCli(['pull'], {
      cwd: folder,
      uid: other,
      env: { ...env(), XDG_DATA_HOME: home },
    });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`"${home}/[^"]*" cannot be written: .*XDG_DATA_HOME`));
  });
});

describe('init ci', () => {
  it('writes nothing in a subfolder, where no service reads it, and says what to type', async () => {
    git(folder, 'init', '-q');
    const sub = path.join(folder, 'sub');
    await mkdir(sub);
    const { code, stderr } = await runCli(['init', 'ci', 'github'], { cwd: sub });
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`cd ${folder}\\n {2}identity-queries init ci github`));
  });
});
