/** The terminal on several connections: `run --on` and `controls run --on`. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../helpers/command-line.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandboxes: readonly RunningSandbox[];
let cwd: string;

before(async () => {
  sandboxes = await Promise.all([startSandbox({ accounts: 100 }), startSandbox({ accounts: 200 })]);
  cwd = await mkdtemp(path.join(tmpdir(), 'identity-queries-several-'));
  const entry = (name: string, { baseUrl, authUrl, clientId }: RunningSandbox, more: object = {}) => ({
    ...{ name, baseUrl, authUrl, clientId, secretVariable: `SECRET_${name.replace('-', '_')}` },
    ...more,
  });
  const [eu, us] = sandboxes;
  assert.ok(eu !== undefined && us !== undefined);
  await writeFile(
    path.join(cwd, 'connections.json'),
    JSON.stringify([
      entry('prod-eu', eu),
      entry('prod-us', us),
      entry('prod-core', us, { protected: true }),
      entry('dead', { ...us, baseUrl: 'http://127.0.0.1:9', authUrl: 'http://127.0.0.1:9/token' }),
    ]),
  );
  await writeFile(path.join(cwd, 'count.sql'), 'SELECT count(*) AS n FROM accounts');
  await writeFile(
    path.join(cwd, 'mfa.identity.sql'),
    '-- @control MFA-01 Admins\n-- @key alias\nSELECT alias FROM accounts WHERE alias IS NULL\n',
  );
});
after(async () => {
  await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
  await rm(cwd, { recursive: true });
});

const on = async (names: string, ...args: readonly string[]) =>
  await runCli([...args, '--connections', 'connections.json', '--on', names], {
    cwd,
    env: {
      SECRET_prod_eu: sandboxes[0]?.clientSecret,
      SECRET_prod_us: sandboxes[1]?.clientSecret,
      SECRET_prod_core: sandboxes[1]?.clientSecret,
      SECRET_dead: 'x',
    },
  });

describe('run --on', () => {
  it('is one result, and a pattern leaves out what must be named', async () => {
    const { code, stdout, stderr } = await on('prod-*', 'run', 'count.sql', '--format', 'csv');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'connection,n\r\nprod-eu,100\r\nprod-us,200\r\n');
    assert.match(stderr, /Left out: "prod-core"/);
  });

  it('shows what is there and fails if a connection does, and writes no file that looks complete', async () => {
    const shown = await on('prod-us,dead', 'run', 'count.sql', '--format', 'csv');
    assert.equal(shown.code, 2);
    assert.equal(shown.stdout, 'connection,n\r\nprod-us,200\r\n');
    assert.match(shown.stderr, /"dead": TRANSPORT: .*refuses connections/);
    assert.match(shown.stderr, /Incomplete: 1 of 2 connections answered in full\./);
    const out = ['run', 'count.sql', '--out', 'n.csv', '--json'];
    const refused = await on('prod-us,dead', ...out);
    assert.equal(refused.code, 2);
    assert.equal(existsSync(path.join(cwd, 'n.csv')), false);
    assert.equal(existsSync(path.join(cwd, 'n.partial.csv')), false);
    assert.match(refused.stderr, /n\.csv was not written\. To write what is there, add --partial\./);
    const nothing = await on('dead', ...out, '--partial');
    assert.match(nothing.stderr, /n\.csv was not written\. No connection sent a row\./);
    const kept = await on('prod-us,dead', ...out, '--partial');
    assert.equal(kept.code, 2, 'it is still a failure');
    assert.equal(existsSync(path.join(cwd, 'n.csv')), false);
    assert.match(await readFile(path.join(cwd, 'n.partial.csv'), 'utf8'), /prod-us,200/);
    const { isComplete, connections } = JSON.parse(kept.stdout) as {
      isComplete: boolean;
      connections: readonly { name: string; state: string }[];
    };
    assert.equal(isComplete, false);
    assert.deepEqual(
      connections.map(({ name, state }) => [name, state]),
      [
        ['prod-us', 'complete'],
        ['dead', 'failed'],
      ],
    );
    const whole = await on('prod-eu,prod-us', ...out);
    assert.equal(whole.code, 0, whole.stderr);
    assert.match(await readFile(path.join(cwd, 'n.csv'), 'utf8'), /prod-eu,100\r\nprod-us,200/);
  });
});

describe('controls run --history', () => {
  it('tells a receiver what is new, and again if that failed', async () => {
    const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    let code = 404;
    const reached = Promise.withResolvers<undefined>();
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        if (request.url === '/waits') {
          // Each receiver is told at once: the first of the list answers when the second has been told.
          await reached.promise;
          response.end();
          return;
        }
        reached.resolve(undefined);
        received.push({ headers: request.headers, body });
        response.writeHead(code).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on a port
    const secret = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
    const url = `http://127.0.0.1:${port}/`;
    const entry = { kind: 'webhook', secretVariable: 'SECRET_hook', allowPrivateAddress: true };
    await writeFile(
      path.join(cwd, 'notify.json'),
      JSON.stringify([
        { ...entry, name: 'waiting', url: `${url}waits` },
        { ...entry, name: 'on-call', url },
      ]),
    );
    await writeFile(
      path.join(cwd, 'program.mjs'),
      `import { createWriteStream } from 'node:fs';\nprocess.stdin.pipe(createWriteStream(${JSON.stringify(path.join(cwd, 'told'))}));\n`,
    );
    const run = async () =>
      await runCli(
        [
          ...['controls', 'run', 'all.identity.sql', '--connections', 'connections.json', '--on', 'prod-eu'],
          ...['--history', 'history', '--notify', 'notify.json'],
          ...['--notify-program', `'${process.execPath}' '${path.join(cwd, 'program.mjs')}'`],
          ...['--report', 'html=controls.html'],
        ],
        {
          cwd,
          env: {
            SECRET_prod_eu: sandboxes[0]?.clientSecret,
            SECRET_hook: secret,
            IDENTITY_QUERIES_DIGEST_KEY: 'a digest key for tests',
          },
        },
      );
    try {
      const query = (where: string) =>
        writeFile(
          path.join(cwd, 'all.identity.sql'),
          `-- @control ALL-01 All\n-- @key id\n-- @population SELECT count(*) FROM accounts\nSELECT id FROM accounts WHERE ${where}\n`,
        );
      await query('true');
      const first = await run();
      assert.equal(first.code, 2);
      assert.match(first.stderr, /on-call was not told what is new: it refused the message \(404\)\./);
      assert.doesNotMatch(first.stderr, /waiting was not told/);
      code = 200;
      await query('false');
      const second = await run();
      assert.equal(second.code, 0, second.stderr);
      assert.match(second.stderr, /Back to pass: ALL-01 All \(prod-eu\)/);
      assert.match(received.at(-2)?.body ?? '', /"kind":"failed","control":"ALL-01"/, 'it is told again');
      const { headers, body } = received.at(-1) ?? { headers: {}, body: '' };
      const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
      const key = Buffer.from('a secret of the receiver');
      const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      assert.equal(headers['webhook-signature'], `v1,${signature}`);
      assert.match(body, /"kind":"passed","control":"ALL-01"/);
      assert.match(await readFile(path.join(cwd, 'told'), 'utf8'), /"kind":"passed"/);
      const page = await readFile(path.join(cwd, 'controls.html'), 'utf8');
      assert.match(page, /<strong>Back to pass<\/strong>: ALL-01 All \(prod-eu\)/);
      assert.match(page, /The last 2 runs/);
      const shown = await runCli(['controls', 'history', 'ALL-01', '--history', 'history'], { cwd });
      assert.match(shown.stdout, /fail +100 +100/);
      assert.equal(shown.code, 0);
    } finally {
      server.close();
    }
  });
});

describe("a folder's receivers", () => {
  it('get nothing before the person accepted them as they stand', async () => {
    const folder = await mkdtemp(path.join(cwd, 'folder-'));
    const inner = path.join(folder, 'inner');
    await mkdir(path.join(folder, '.identity-queries'));
    await mkdir(inner);
    await writeFile(
      path.join(inner, 'mfa.identity.sql'),
      '-- @control MFA-02 All\nSELECT alias FROM accounts\n',
    );
    const entry = { name: 'on-call', kind: 'webhook', url: 'https://127.0.0.1:9/' };
    const put = (...entries: readonly object[]) =>
      writeFile(path.join(folder, '.identity-queries/notify.json'), JSON.stringify(entries));
    const cli = (...args: readonly string[]) =>
      runCli(args, { cwd: inner, env: { SECRET_prod_eu: sandboxes[0]?.clientSecret } });
    const run = () =>
      cli(
        ...['controls', 'run', 'mfa.identity.sql', '--connections', path.join(cwd, 'connections.json')],
        ...['--on', 'prod-eu', '--history', 'history', '--notify'],
      );
    const refused = async (pattern: RegExp) => {
      const { code, stderr } = await run();
      assert.equal(code, 2);
      assert.match(stderr, pattern);
      assert.ok(!existsSync(path.join(inner, 'history')), 'nothing ran');
    };
    await refused(/has a \.identity-queries\/notify\.json\. Name a file: --notify FILE/);
    await put(entry);
    await refused(
      /receivers that you did not accept: on-call\. Nobody was told anything\.\n.*connections trust/,
    );
    const shown = await cli('connections', 'trust');
    assert.equal(shown.code, 1);
    assert.match(
      shown.stdout,
      /"on-call"\n.*told the outcomes of controls as: "webhook"\n.*address: "https:\/\/127\.0\.0\.1:9\//,
    );
    assert.equal((await cli('connections', 'trust', '--yes')).code, 0);
    await put({ ...entry, url: 'https://127.0.0.1:8/' });
    await refused(/did not accept: on-call/);
    await put(entry, { ...entry, name: 'other' });
    await refused(/did not accept: other/);
    for (const more of [
      { secretVariable: 'HOME' },
      { secretVariable: 'IDENTITY_QUERIES_CLIENT_SECRET' },
      { url: undefined, urlVariable: 'SECRET_prod_eu' },
    ]) {
      await put({ ...entry, ...more });
      await refused(/can only name variables that start with IDENTITY_QUERIES_/);
    }
    await put({ ...entry, secretVariable: 'IDENTITY_QUERIES_SECRET' });
    await refused(/IDENTITY_QUERIES_SECRET holds a secret of a connection or another credential/);
    await put({ ...entry, allowPrivateAddress: true });
    await refused(/"allowPrivateAddress" does not count in a folder's file/);
    await put(entry);
    // It is accepted, but can never be told, which shows before anything runs.
    await refused(/on-call cannot be told: its address is private, .* name it: --notify FILE/);
  });
});

describe('controls run --on', () => {
  it('judges each connection by itself, and never passes one that fails', async () => {
    const passed = await on('prod-*', 'controls', 'run', 'mfa.identity.sql');
    assert.equal(passed.code, 0, passed.stderr + passed.stdout);
    assert.match(passed.stdout, /MFA-01 Admins \(prod-us\)/);
    const { code, stdout } = await on('prod-eu,dead', 'controls', 'run', 'mfa.identity.sql', '--json');
    assert.equal(code, 2);
    const { results } = JSON.parse(stdout) as {
      results: readonly { connection: string; outcome: string }[];
    };
    assert.deepEqual(
      results.map(({ connection, outcome }) => [connection, outcome]),
      [
        ['prod-eu', 'pass'],
        ['dead', 'error'],
      ],
    );
  });

  it('does not take the baseline of one for all', async () => {
    const { code, stderr } = await on('prod-*', 'controls', 'run', '.', '--new-only');
    assert.equal(code, 2);
    assert.match(stderr, /--new-only works on one connection/);
  });
});
