/** `identity-queries records` against the sandbox, and against a service whose later pages hold more. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { runCli, sandboxEnvironment, type CliOptions } from '../helpers/command-line.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let folder: string;

before(async () => {
  sandbox = await startSandbox({ accounts: 450 });
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-cli-records-'));
});
afterEach(() => sandbox.setFaults([]));
after(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

async function cli(args: readonly string[], options: Partial<CliOptions> = {}) {
  return await runCli(args, { cwd: folder, env: sandboxEnvironment(sandbox), ...options });
}

interface Told {
  readonly rowCount: number;
  readonly isComplete: boolean;
}

describe('records', () => {
  it('writes a collection of several pages to a file that is there whole', async () => {
    const { code, stdout, stderr } = await cli(['records', 'accounts', '--out', 'accounts.jsonl', '--json']);
    assert.equal(code, 0, stderr);
    const { rowCount, isComplete } = JSON.parse(stdout) as Told;
    assert.equal(isComplete, true);
    const lines = (await readFile(path.join(folder, 'accounts.jsonl'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, rowCount);
    const pages = (await sandbox.requests()).filter((request) => request.path === '/v1/accounts').length;
    assert.ok(pages > 1, 'it was read in pages');
    const counted = await cli(['run', '-', '--format', 'csv'], {
      input: 'SELECT count(*) AS n FROM accounts',
    });
    assert.equal(counted.stdout, `n\r\n${rowCount}\r\n`);
  });

  it('stops at the limit and says that there is more', async () => {
    const { code, stdout, stderr } = await cli(['records', 'accounts', '--limit', '3', '--format', 'csv']);
    assert.equal(code, 0);
    assert.equal(stdout.trimEnd().split('\r\n').length, 4);
    assert.equal(stderr, 'First 3 rows. The collection Accounts has more.\n');
    const table = await cli(['records', 'roles', '--limit', '1']);
    assert.match(table.stdout, /^\S.*\n-+/);
  });

  it('refuses what it does not understand, and asks nothing', async () => {
    await sandbox.forgetRequests();
    for (const [args, said] of [
      [['records', 'nope'], /accounts, roles/],
      [['records', 'accounts', '--from', '7d'], /for activities only/],
      [['records', 'activities', '--from', 'soon'], /a date such as/],
      [['records', 'activities', '--from', '7d', '--to', '8d'], /ends before it begins/],
      [['records', 'activities', '--from', '999d'], /days at the most/],
      [['records', 'accounts', '--application-instance', 'x'], /is a UUID/],
      [['records', 'accounts', '--out', 'a.doc'], /names no format/],
    ] as const) {
      const { code, stdout, stderr } = await cli(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, said);
    }
    assert.deepEqual(await sandbox.requests(), []);
  });

  it('leaves no file when a later page does not come', async () => {
    await sandbox.nextAnswers(
      '/v1/accounts',
      { kind: 'pass' },
      ...Array.from({ length: 8 }, () => ({ kind: 'status', status: 500 }) as const),
    );
    const { code, stderr } = await cli(['records', 'accounts', '--out', 'cut.csv']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^identity-queries: Accounts: /);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('cut.csv')),
      [],
    );
  });
});

describe('records of another service', () => {
  const asked: URLSearchParams[] = [];
  let env: Readonly<Record<string, string>>;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    if (pathname === '/token') {
      response.end('{"access_token":"t","token_type":"Bearer","expires_in":60}');
      return;
    }
    asked.push(searchParams);
    response.end(
      searchParams.has('pageToken')
        ? '{"items":[{"globalId":"b","alias":"b","badge":"gold"}]}'
        : '{"items":[{"globalId":"a","alias":"a"}],"nextPageToken":"2"}',
    );
  });

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on a port
    env = {
      IDENTITY_QUERIES_BASE_URL: `http://127.0.0.1:${port}`,
      IDENTITY_QUERIES_AUTH_URL: `http://127.0.0.1:${port}/token`,
      IDENTITY_QUERIES_CLIENT_ID: 'c',
      IDENTITY_QUERIES_CLIENT_SECRET: 's',
    };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('a field that first comes on a later page is in JSON Lines and in CSV, and said where a format cannot hold it', async () => {
    const lines = await cli(['records', 'accounts', '--out', 'grown.jsonl'], { env });
    assert.equal(lines.code, 0, lines.stderr);
    const rows = (await readFile(path.join(folder, 'grown.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      rows.map((row) => row['badge']),
      [undefined, 'gold'],
    );
    const csv = await cli(['records', 'accounts', '--out', 'grown.csv'], { env });
    assert.equal(csv.code, 0, csv.stderr);
    const [head = '', first = '', second = ''] = (
      await readFile(path.join(folder, 'grown.csv'), 'utf8')
    ).split('\r\n');
    assert.match(head, /,badge$/);
    assert.match(first, /^.*a.*,$/);
    // A member that nobody knows is JSON.
    assert.match(second, /,"""gold"""$/);
    const sheet = await cli(['records', 'accounts', '--out', 'grown.xlsx'], { env });
    assert.equal(sheet.code, 2);
    assert.match(sheet.stderr, /further columns: badge\. Use --format jsonl/);
    assert.equal((await readdir(folder)).includes('grown.xlsx'), false);
  });

  it('is asked for the window and the application instance that were named', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    asked.length = 0;
    const { code, stderr } = await cli(
      [
        ...['records', 'activities', '--from', '2026-01-01T00:00:00Z', '--to', '2026-01-08T00:00:00Z'],
        ...['--application-instance', id, '--format', 'jsonl'],
      ],
      { env },
    );
    assert.equal(code, 0, stderr);
    const [first] = asked;
    assert.deepEqual(
      ['from', 'to', 'applicationInstanceId'].map((name) => first?.get(name)),
      ['2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z', id],
    );
  });
});
