/** `identity-queries records` against the sandbox, and against a service whose later pages contain new fields. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parquetReadObjects } from 'hyparquet';
import { createClient } from '#api/client/client.ts';
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
  it('writes a collection of several pages to a complete file', async () => {
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

  it('prints one record by its ID, from any collection, or says that there is none', async () => {
    for (const [collection, isNamed] of [
      ['roles', false],
      ['accounts', false],
      ['roles', true],
      ['accounts', true],
    ] as const) {
      const listed = await cli(['records', collection, '--limit', '1', '--format', 'jsonl']);
      const { globalId } = JSON.parse(listed.stdout) as { globalId: string };
      const told = await cli(['record', globalId, ...(isNamed ? ['--collection', collection] : [])]);
      assert.equal(told.code, 0, told.stderr);
      const found = JSON.parse(told.stdout) as { collection: string; record: { globalId: string } };
      assert.deepEqual([found.collection, found.record.globalId], [collection, globalId]);
    }
    const none = await cli(['record', 'nobody']);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /no record with the global ID "nobody"/);
    // A service without tables to query leaves it open whether there is one.
    await sandbox.setFaults([
      { path: '/v1/query/execute', always: { kind: 'status', status: 404, code: 'NOT_FOUND' } },
    ]);
    assert.match(
      (await cli(['record', 'nobody'])).stderr,
      /No role, .* has the global ID "nobody"\. The other collections could not be searched/,
    );
  });

  it('prints the job of a change, or says that there is none', async () => {
    const client = createClient(sandbox);
    const listed = await cli(['records', 'accounts', '--limit', '1', '--format', 'jsonl']);
    const { globalId } = JSON.parse(listed.stdout) as { globalId: string };
    const { jobId } = await client.accounts.disable(globalId);
    // The tests below compare the records of several reads.
    await client.jobs.wait(jobId);
    while (!(await client.jobs.get(jobId)).targets.every(({ reflected }) => reflected)) await wait(50);
    await client.close();
    const told = await cli(['job', jobId]);
    assert.equal(told.code, 0, told.stderr);
    assert.equal((JSON.parse(told.stdout) as { jobId: string }).jobId, jobId);
    const none = await cli(['job', 'nothing']);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /no job "nothing"/);
  });

  it('stops at the limit and reports that there is more', async () => {
    await sandbox.forgetRequests();
    const { code, stdout, stderr } = await cli(['records', 'accounts', '--limit', '3', '--format', 'csv']);
    assert.equal(code, 0);
    const asked = (await sandbox.requests()).filter((request) => request.path === '/v1/accounts');
    assert.equal(asked.length, 1, 'no page is requested that is not needed');
    assert.equal(stdout.trimEnd().split('\r\n').length, 4);
    assert.equal(stderr, 'First 3 rows. The collection Accounts has more.\n');
    const table = await cli(['records', 'roles', '--limit', '1']);
    assert.match(table.stdout, /^\S.*\n-+/);
  });

  it('refuses invalid usage, and sends no request', async () => {
    await sandbox.forgetRequests();
    for (const [args, said] of [
      [['records', 'nope'], /accounts, roles/],
      [['records', 'accounts', '--from', '7d'], /for activities only/],
      [['records', 'activities', '--from', 'soon'], /a date such as/],
      [['records', 'activities', '--from', '7d', '--to', '8d'], /ends before it starts/],
      [['records', 'activities', '--from', '999d'], /span at most \d+ days/],
      [['records', 'accounts', '--application-instance', 'x'], /is a UUID/],
      [['records', 'accounts', '--out', 'a.doc'], /is not a known format/],
    ] as const) {
      const { code, stdout, stderr } = await cli(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, said);
    }
    assert.deepEqual(await sandbox.requests(), []);
  });

  const failing = Array.from({ length: 8 }, () => ({ kind: 'status', status: 500 }) as const);
  const asked = async () =>
    (await sandbox.requests()).filter((request) => request.path === '/v1/accounts' && request.status === 200)
      .length;
  const named = async (name: string) => (await readdir(folder)).filter((each) => each.includes(name));

  it('leaves no file if no page arrives', async () => {
    await sandbox.nextAnswers('/v1/accounts', ...failing);
    const { code, stderr } = await cli(['records', 'accounts', '--out', 'none.csv']);
    assert.equal(code, 2);
    assert.match(stderr, /^identity-queries: Accounts: INTERNAL_ERROR: /);
    assert.doesNotMatch(stderr, /kept/);
    assert.deepEqual(await named('none.csv'), []);
  });

  it('resumes with the same command after a later page fails, in every format', async () => {
    for (const ending of ['csv', 'parquet']) {
      const name = `cut.${ending}`;
      await sandbox.nextAnswers('/v1/accounts', { kind: 'pass' }, ...failing);
      const { code, stderr } = await cli(['records', 'accounts', '--out', name]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^identity-queries: Accounts: INTERNAL_ERROR: /);
      assert.match(
        stderr,
        /\nThe rows so far are kept beside the file: \d+ rows\.\nTo continue, run the same command again\.\n$/,
      );
      assert.equal((await named(name)).length, 1, 'what is kept, under a name of its own');
      await sandbox.setFaults([]);
      await sandbox.forgetRequests();
      const again = await cli(['records', 'accounts', '--out', name]);
      assert.equal(again.code, 0, again.stderr);
      assert.match(again.stderr, /^Continuing after \d+ rows of a read started /);
      const rest = await asked();
      assert.deepEqual(await named(name), [name]);
      await sandbox.forgetRequests();
      const whole = await cli(['records', 'accounts', '--out', `whole.${ending}`]);
      assert.equal(whole.code, 0, whole.stderr);
      assert.equal(rest, (await asked()) - 1, 'the first page was not asked for again');
      const [one, other] = await Promise.all(
        [name, `whole.${ending}`].map((each) => readFile(path.join(folder, each))),
      );
      assert.deepEqual(one, other);
    }
  });

  it('starts over with --fresh, or if the service has forgotten its pages', async () => {
    const cut = async () => {
      await sandbox.nextAnswers('/v1/accounts', { kind: 'pass' }, ...failing);
      assert.equal((await cli(['records', 'accounts', '--out', 'anew.jsonl'])).code, 2);
      await sandbox.setFaults([]);
      await sandbox.forgetRequests();
    };
    await cut();
    const fresh = await cli(['records', 'accounts', '--out', 'anew.jsonl', '--fresh']);
    assert.deepEqual([fresh.code, fresh.stderr.includes('Continuing')], [0, false]);
    const whole = await readFile(path.join(folder, 'anew.jsonl'), 'utf8');
    await cut();
    const gone = { kind: 'status', status: 400, code: 'INVALID_PAGE_TOKEN' } as const;
    await sandbox.nextAnswers('/v1/accounts', gone);
    const restarted = await cli(['records', 'accounts', '--out', 'anew.jsonl']);
    assert.equal(restarted.code, 0, restarted.stderr);
    assert.match(restarted.stderr, /\nThe service cannot continue at this point: reading from the start\.\n/);
    assert.equal(await readFile(path.join(folder, 'anew.jsonl'), 'utf8'), whole);
    assert.deepEqual(await named('anew'), ['anew.jsonl']);
  });

  it('keeps the received pages on Ctrl+C, and resumes with the same window', async () => {
    const slow = { kind: 'latency', ms: 600_000 } as const;
    await sandbox.nextAnswers('/v1/activities', { kind: 'pass' }, slow);
    const args = ['records', 'activities', '--from', '30d', '--out', 'late.jsonl'];
    let child: ChildProcess | undefined;
    const running = cli(args, { onStart: (started) => (child = started) });
    const isKept = async () => {
      const [part] = (await named('late')).filter((each) => each.endsWith('.part'));
      return part !== undefined && (await readFile(path.join(folder, part), 'utf8')).includes('"items"');
    };
    while (child?.exitCode === null && !(await isKept())) await wait(20);
    child?.kill('SIGINT');
    const { code, stderr } = await running;
    assert.equal(code, 130);
    assert.match(stderr, /^Interrupted\.\nThe rows so far are kept beside the file: \d+ rows\.\n/);
    assert.deepEqual((await named('late')).length, 1);
    await sandbox.setFaults([]);
    const again = await cli([...args, '--json']);
    assert.equal(again.code, 0, again.stderr);
    const { rowCount } = JSON.parse(again.stdout) as Told;
    const ids = (await readFile(path.join(folder, 'late.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { globalId: string }).globalId);
    assert.deepEqual([ids.length, new Set(ids).size], [rowCount, rowCount]);
  });
});

describe('records of a different service', () => {
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
    const { port } = server.address() as AddressInfo; // the server listens on a port
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

  it('a field that first appears on a later page is written to a file, and reported where the format cannot contain it', async () => {
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
    // Unknown fields are written as JSON.
    assert.match(second, /,"""gold"""$/);
    const piped = await cli(['records', 'accounts', '--format', 'insert'], { env });
    assert.equal(piped.code, 2);
    assert.match(piped.stderr, /further columns: badge\. Use --format jsonl/);
  });

  it('is written to a file of columns that are fixed from the kept pages, each of which was asked for once', async () => {
    for (const ending of ['parquet', 'xlsx', 'sql']) {
      asked.length = 0;
      const { code, stderr } = await cli(['records', 'accounts', '--out', `wider.${ending}`], { env });
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /again/);
      assert.equal(asked.length, 2);
      if (ending !== 'parquet') continue;
      const bytes = await readFile(path.join(folder, 'wider.parquet'));
      const rows = await parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      });
      assert.deepEqual(
        rows.map((row): unknown => row['badge']),
        [null, '"gold"'],
      );
    }
  });

  it('requests the given window and application instance', async () => {
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
