/** The command line against the sandbox: run, compare, saved, models, and check with a connection. */
import assert from 'node:assert/strict';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { fromRoot } from '#scripts/lib/paths.js';
import { runCli, sandboxEnvironment, type CliOptions } from '../helpers/command-line.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let folder: string;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-cli-'));
});
afterEach(() => sandbox.setFaults([]));
after(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

async function cli(args: readonly string[], options: Partial<CliOptions> = {}) {
  return await runCli(args, { cwd: folder, env: sandboxEnvironment(sandbox), ...options });
}
const executions = async () =>
  (await sandbox.requests()).filter((request) => request.path === '/v1/query/execute').length;

describe('run', () => {
  it('prints a table and nothing else on standard output', async () => {
    const { code, stdout, stderr } = await cli(['run', '-'], {
      input: "SELECT 9007199254740993::int8 AS big, NULL AS nothing, 'a\u001b[31mb' AS hostile",
    });
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      [
        '             big  nothing  hostile',
        '----------------  -------  -------------',
        '9007199254740993  NULL     a<U+001B>[31mb',
        '',
      ]
        .join('\n')
        .replace('-------------\n', '--------------\n'),
    );
    assert.equal(stderr, '(1 row)\n');
  });

  it('binds parameters exactly, as the form does', async () => {
    const { code, stdout, stderr } = await cli(
      [
        'run',
        '-',
        '--format',
        'jsonl',
        '--param',
        'big=9007199254740993',
        '--param',
        'words=a,b',
        '--null',
        'none',
      ],
      {
        input:
          '-- @param words text[]\nSELECT :big::int8 AS big, cardinality(:words::text[]) AS n, :none::text IS NULL AS is_null',
      },
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '{ "big": 9007199254740993, "n": 2, "is_null": true }\n');
  });

  it('reports missing, unknown and invalid parameters, and sends nothing', async () => {
    const before = await executions();
    const input = '-- @param since date\nSELECT 1 WHERE :since < now() LIMIT :x';
    const missing = await cli(['run', '-'], { input });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /--param since=\.\.\. {3}\(date, or --null since\)\n {2}--param x=/);
    const wrong = await cli(['run', '-', '--param', 'since=soon', '--param', 'x=1'], { input });
    assert.match(wrong.stderr, /since \(date\): Enter a date such as/);
    const unknown = await cli(['run', '-', '--param', 'sinse=2026-01-01'], { input });
    assert.match(unknown.stderr, /no parameter "sinse"\.\nIt has: since, x/);
    assert.equal(await executions(), before);
  });

  it('sends nothing that is not proven read-only, unless allowed', async () => {
    const before = await executions();
    const writes = await cli(['run', '-'], { input: 'DELETE FROM accounts' });
    assert.equal(writes.code, 2);
    assert.match(writes.stderr, /The query was not sent: it may change data\.\n {2}MUTATION_NOT_ALLOWED/);
    const allowed = await cli(['run', '-', '--allow', 'side-effects', 'unknown-functions', 'unverified'], {
      input: 'DELETE FROM accounts',
    });
    assert.equal(allowed.code, 2);
    const asks = await cli(['run', '-'], { input: 'SELECT pg_advisory_lock(1)' });
    assert.equal(asks.code, 2);
    assert.match(asks.stderr, /--allow side-effects/);
    assert.equal(await executions(), before);
    await cli(['run', '-', '--allow', 'side-effects'], { input: 'SELECT pg_advisory_lock(1)' });
    assert.equal(await executions(), before + 1);
  });

  it('writes every format to a complete file', async () => {
    const input = "SELECT n, 'x' || n AS text FROM generate_series(1, 2500) AS n ORDER BY n";
    for (const ending of ['csv', 'tsv', 'json', 'jsonl', 'md', 'parquet', 'xlsx', 'sql']) {
      const file = path.join(folder, `rows.${ending}`);
      const { code, stdout, stderr } = await cli(['run', '-', '--out', file, '--json'], { input });
      assert.equal(code, 0, stderr);
      const told = JSON.parse(stdout) as { rowCount: number; isComplete: boolean };
      assert.deepEqual([told.rowCount, told.isComplete], [2500, true]);
    }
    assert.equal((await readFile(path.join(folder, 'rows.csv'), 'utf8')).split('\r\n').length, 2502);
    const bytes = await readFile(path.join(folder, 'rows.parquet'));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const rows = await parquetReadObjects({
      file: { byteLength: buffer.byteLength, slice: (a, b) => buffer.slice(a, b) },
    });
    assert.equal(rows.length, 2500);
    assert.equal(rows[2499]?.['text'], 'x2500');
  });

  it('writes results of several pages in formats that name their columns once', async () => {
    const input = 'SELECT n FROM generate_series(1, 25000) AS n ORDER BY n';
    for (const ending of ['csv', 'parquet']) {
      const { code, stdout, stderr } = await cli(['run', '-', '--out', `pages.${ending}`, '--json'], {
        input,
      });
      assert.equal(code, 0, stderr);
      assert.equal((JSON.parse(stdout) as { rowCount: number }).rowCount, 25_000);
    }
    const { code, stdout, stderr } = await cli(['run', '-', '--format', 'csv'], { input });
    assert.equal(code, 0, stderr);
    assert.equal(stdout.split('\r\n').length, 25_002);
  });

  it('stops at the limit and reports that there is more', async () => {
    const { code, stdout, stderr } = await cli(['run', '-', '--limit', '3', '--format', 'csv'], {
      input: 'SELECT * FROM generate_series(1, 100) AS n',
    });
    assert.equal(code, 0);
    assert.equal(stdout, 'n\r\n1\r\n2\r\n3\r\n');
    assert.equal(stderr, 'First 3 rows. The query has more.\n');
  });

  it('leaves no file, and keeps an earlier one, if a later page fails', async () => {
    const file = path.join(folder, 'kept.csv');
    await writeFile(file, 'earlier');
    await sandbox.nextAnswers(
      '/v1/query/execute',
      { kind: 'pass' },
      ...Array.from({ length: 8 }, () => ({ kind: 'status', status: 500 }) as const),
    );
    const { code, stderr } = await cli(['run', '-', '--out', file], {
      input: 'SELECT * FROM generate_series(1, 25000) AS n',
    });
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /^identity-queries: The query: INTERNAL_ERROR: \S+ failed \(500\)\. .*request ID \S+\n {2}Request: POST \/v1\/query\/execute\n$/,
    );
    assert.equal(await readFile(file, 'utf8'), 'earlier');
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('reports an error of the service at its line and column', async () => {
    const file = path.join(folder, 'broken.identity.sql');
    await writeFile(file, 'SELECT alias,\n  nope\nFROM accounts');
    const { code, stderr } = await cli(['run', file]);
    assert.equal(code, 2);
    assert.match(stderr, /broken\.identity\.sql:2:3: QUERY_PARSE_ERROR: .*nope/);
  });

  it('is cancelled by Ctrl+C, on the service too', async () => {
    const asked = Promise.withResolvers<undefined>();
    const left = Promise.withResolvers<undefined>();
    const server = createServer((request, response) => {
      if (request.url === '/token')
        response.end('{"access_token":"t","token_type":"Bearer","expires_in":60}');
      else {
        response.once('close', () => left.resolve(undefined));
        asked.resolve(undefined);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // the server listens on a port
    try {
      let child: ChildProcess | undefined;
      const running = cli(['run', '-'], {
        input: 'SELECT 1',
        env: {
          IDENTITY_QUERIES_BASE_URL: `http://127.0.0.1:${port}`,
          IDENTITY_QUERIES_AUTH_URL: `http://127.0.0.1:${port}/token`,
          IDENTITY_QUERIES_CLIENT_ID: 'c',
          IDENTITY_QUERIES_CLIENT_SECRET: 's',
        },
        onStart: (started) => (child = started),
      });
      await asked.promise;
      child?.kill('SIGINT');
      // The closed connection tells the service that the caller has disconnected.
      await left.promise;
      const { code, stdout, stderr } = await running;
      assert.deepEqual([code, stdout], [130, '']);
      assert.match(stderr, /Interrupted\.\n$/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('without configuration, suggests two ways to continue, and its example query runs', async () => {
    const { code, stdout, stderr } = await cli(['run'], { env: {} });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /You can do one of two things:\n\n1\. Try it with sample data/);
    assert.match(stderr, /\n {5}identity-queries sandbox --port 8080\n/);
    assert.match(stderr, /"secretVariable": "IDENTITY_QUERIES_SECRET"/);
    assert.doesNotMatch(stderr, /npx/);
    const input = /echo "(.+)" \| identity-queries run -/.exec(stderr)?.[1];
    const rows = await cli(['run', '-'], { input });
    assert.equal(rows.stderr, '(5 rows)\n');
    const byNpx = await cli(['run'], { env: { npm_command: 'exec' } });
    assert.match(byNpx.stderr, /In place of identity-queries, type the npx/);
  });

  it('lists the connections if it cannot choose one', async () => {
    const file = path.join(folder, 'two.json');
    const entry = (name: string) => ({
      name,
      baseUrl: sandbox.baseUrl,
      authUrl: sandbox.authUrl,
      clientId: sandbox.clientId,
      secretVariable: 'IDENTITY_QUERIES_TEST_SECRET',
    });
    await writeFile(file, JSON.stringify([entry('A'), entry('B')]));
    const env = { IDENTITY_QUERIES_TEST_SECRET: sandbox.clientSecret };
    const which = await cli(['run', '-', '--connections', file], { input: 'SELECT 1 AS one', env });
    assert.equal(which.code, 2);
    assert.match(which.stderr, /several connections.*"A", "B"/s);
    const b = await cli(['run', '-', '--connections', file, '--connection', 'B', '--format', 'csv'], {
      input: 'SELECT 1 AS one',
      env,
    });
    assert.equal(b.stdout, 'one\r\n1\r\n', b.stderr);
    const elsewhere = await cli(['run', '-', '--connection', 'X'], { input: 'SELECT 1' });
    assert.match(elsewhere.stderr, /There is no connection "X": .* the environment holds "Environment"\.\n/);
    const unset = await cli(['run', '-', '--connections', file, '--connection', 'B'], {
      input: 'SELECT 1',
      env: {},
    });
    assert.match(unset.stderr, /IDENTITY_QUERIES_TEST_SECRET, which is not set/);
  });
});

describe('compare', () => {
  it('finds what was added, removed and changed between a file and a query', async () => {
    const earlier = path.join(folder, 'earlier.csv');
    await writeFile(earlier, 'id,name\r\n1,a\r\n2,b\r\n3,c\r\n');
    const query = path.join(folder, 'now.sql');
    await writeFile(query, "SELECT * FROM (VALUES (1, 'a'), (2, 'B'), (4, 'd')) AS v (id, name)");
    const { code, stdout, stderr } = await cli(['compare', earlier, query, '--key', 'id', '--json']);
    assert.equal(code, 1, stderr);
    const { counts, keys } = JSON.parse(stdout) as { counts: object; keys: string[] };
    assert.deepEqual(counts, { added: 1, removed: 1, changed: 1, unchanged: 1 });
    assert.deepEqual(keys, ['id']);
    const table = await cli(['compare', earlier, query]);
    assert.match(table.stdout, /changed[^\n]*B/);
    assert.match(table.stderr, /1 added, 1 removed, 1 changed, 1 unchanged, by id\./);
    const same = await cli(['compare', earlier, earlier]);
    assert.deepEqual([same.code, same.stdout], [0, '']);
    const wrong = await cli(['compare', earlier, query, '--key', 'nope']);
    assert.match(wrong.stderr, /Not a column of both sides: "nope"/);
    const missing = await cli(['compare', earlier, 'missing.csv']);
    assert.equal(missing.stderr, 'identity-queries: Cannot read "missing.csv": it does not exist.\n');
    const aFolder = await cli(['run', '.']);
    assert.equal(aFolder.stderr, 'identity-queries: Cannot read ".": it is a folder.\n');
    assert.equal(wrong.code, 2);
  });
});

describe('-- @keep', () => {
  it('keeps the rows of a query, with which a later run is compared', async () => {
    const query = path.join(folder, 'kept.identity.sql');
    const write = async (rows: string) =>
      await writeFile(query, `-- @keep 2 runs\nSELECT * FROM (VALUES ${rows}) AS v (id, n)`);
    await write("(1, 'a'), (2, 'b'), (3, NULL)");
    const none = await cli(['compare', '--since', '2026-10-01', query]);
    assert.equal(none.code, 2);
    assert.match(
      none.stderr,
      /No result of .* was kept on this connection\. Run it\. .*: -- @keep 2 runs with sensitive columns\n/,
    );
    const plain = path.join(folder, 'plain.identity.sql');
    await writeFile(plain, 'SELECT 1 AS n');
    const unruled = await cli(['compare', '--since', '2026-10-01', plain]);
    assert.match(unruled.stderr, /Write "-- @keep 10 runs" above the query, and run it\.\n/);
    const first = await cli(['run', query, '--format', 'csv']);
    assert.equal(first.stdout, 'id,n\r\n1,a\r\n2,b\r\n3,\r\n');
    assert.equal(first.stderr, '');
    const same = await cli(['compare', '--since', 'today', query]);
    assert.deepEqual([same.code, same.stdout], [0, ''], same.stderr);
    await write("(1, 'a'), (3, NULL), (4, 'd')");
    const { code, stdout, stderr } = await cli([
      'compare',
      '--since',
      'today',
      query,
      '--key',
      'id',
      '--json',
    ]);
    assert.equal(code, 1, stderr);
    const { counts } = JSON.parse(stdout) as { counts: object };
    assert.deepEqual(counts, { added: 1, removed: 1, changed: 0, unchanged: 2 });
    assert.match(stderr, /Compared with the result of .*T.* \(3 rows\)\.\nThe query had another text then\./);
    const early = await cli(['compare', '--since', '2000-01-01', query]);
    assert.match(early.stderr, /Nothing was kept so early\. Compared with the first kept result/);
    // Two runs stay, and nothing else.
    const [of] = await readdir(path.join(folder, 'data/identity-queries/kept-runs'));
    assert.ok(of);
    const files = await readdir(path.join(folder, 'data/identity-queries/kept-runs', of));
    assert.deepEqual(files.map((name) => path.extname(name)).sort(), ['.json', '.json', '.rows', '.rows']);
    for (const args of [
      ['--since', 'yesteryear', query],
      ['--since', 'today'],
      [query],
      ['--since', 'today', query, query],
    ])
      assert.equal((await cli(['compare', ...args])).code, 2, args.join(' '));
  });

  it('says why a result was not kept', async () => {
    const query = path.join(folder, 'sensitive.identity.sql');
    const run = async (text: string, ...args: readonly string[]) => {
      await writeFile(query, text);
      return await cli(['run', query, '--format', 'csv', ...args]);
    };
    const sensitive = await run('-- @keep 2 runs\nSELECT email FROM accounts');
    assert.equal(sensitive.code, 0);
    assert.match(
      sensitive.stderr,
      /^The result was not kept: it has sensitive columns \(email\)\. If they may be kept on this machine, write: -- @keep 2 runs with sensitive columns\n$/,
    );
    assert.equal((await cli(['compare', '--since', 'today', query])).code, 2);
    const asked = await run('-- @keep 2 runs with sensitive columns\nSELECT email FROM accounts');
    assert.equal(asked.stderr, '');
    assert.equal((await cli(['compare', '--since', 'today', query])).code, 0);
    const short = await run('-- @keep 2 runs\nSELECT id FROM accounts', '--limit', '2');
    assert.match(short.stderr, /The result was not kept: these are not all of its rows\./);
    const unnamed = await cli(['run', '-'], { input: '-- @keep 2 runs\nSELECT 1' });
    assert.match(unnamed.stderr, /The result was not kept: a query from standard input has no name\./);
    const before = await executions();
    const wrong = await run('-- @keep all runs\nSELECT 1');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /was not sent: Write how many runs to keep, from 1 to 100/);
    assert.equal(await executions(), before);
  });

  it('names the folder in which a result could not be kept', async () => {
    const query = path.join(folder, 'homeless.identity.sql');
    await writeFile(query, '-- @keep 2 runs\nSELECT 1 AS n');
    // Below a file no folder can be made: as in a home that is read-only, also for root.
    const home = path.join(query, 'home');
    const { code, stderr } = await cli(['run', query], {
      env: { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: home },
    });
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /The result was not kept: "(.+)" cannot be written: its folder does not exist\. XDG_DATA_HOME/,
    );
    assert.ok(stderr.includes(`"${home}`), stderr);
  });

  it('tells only options that the command has, and that work there', async () => {
    const query = path.join(folder, 'advised.identity.sql');
    await writeFile(
      query,
      '-- @keep 2 runs with sensitive columns\n-- @param n int4\nSELECT :n AS n, pg_sleep(0) IS NULL AS s',
    );
    const rows = path.join(folder, 'advised.csv');
    await writeFile(rows, 'n,s\n,false\n');
    const record = path.join(folder, 'advised.json');
    // A result to compare with.
    assert.equal((await cli(['run', query, '--null', 'n', '--allow', 'side-effects'])).code, 0);
    for (const [args, advised] of [
      [
        ['run', query],
        ['null', 'allow'],
      ],
      [
        ['compare', rows, query],
        ['null', 'allow'],
      ],
      [
        ['compare', '--since', 'today', query],
        ['null', 'allow'],
      ],
      [
        ['evidence', 'make', query, '--out', record],
        ['null', 'allow'],
      ],
      // The record has the value.
      [['evidence', 'verify', record, '--query', query], ['allow']],
    ] as const) {
      const told: string[] = [];
      let ended = await cli(args);
      for (let at = 0; ended.code === 2 && at < 2; at += 1) {
        const [, option = '', value = ''] = /(--null|--allow) ([\w-]+)/.exec(ended.stderr) ?? [];
        told.push(option, value);
        ended = await cli([...args, ...told]);
      }
      assert.notEqual(ended.code, 2, `${args.join(' ')} ${told.join(' ')}: ${ended.stderr}`);
      assert.deepEqual(
        told.filter((word) => word.startsWith('--')).sort(),
        advised.map((one) => `--${one}`).sort(),
      );
    }
    const unused = await cli(['compare', rows, rows, '--param', 'n=1']);
    assert.deepEqual([unused.code, /Only queries \(\.sql\) have parameters/.test(unused.stderr)], [2, true]);
  });

  it('compares only runs with the same parameter values', async () => {
    const query = path.join(folder, 'valued.identity.sql');
    await writeFile(query, '-- @keep 2 runs\n-- @param n int4\nSELECT :n AS n');
    assert.equal((await cli(['run', query, '--param', 'n=1'])).code, 0);
    const other = await cli(['compare', '--since', 'today', query, '--param', 'n=2']);
    assert.match(other.stderr, /No result of .* was kept with these parameter values\./);
    const same = await cli(['compare', '--since', 'today', query, '--param', 'n=1']);
    assert.equal(same.code, 0, same.stderr);
  });
});

describe('a shell', () => {
  const program = fromRoot('dist/cli.js');
  const typed = (script: string, ...args: readonly string[]) => {
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, program, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return [status, stderr];
  };

  it('in a folder that is gone is told so, and no control has failed', () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const words = 'identity-queries: The current folder no longer exists. Change to another one.\n';
    assert.deepEqual(typed(script, 'controls', 'run'), [2, words]);
    assert.deepEqual(typed(script, 'plan'), [1, words]);
  });

  if (process.platform === 'linux')
    it('whose output goes to a full disk is told so', () => {
      const words = 'identity-queries: Standard output cannot be written: the disk is full.\n';
      assert.deepEqual(typed('exec "$@" > /dev/full', 'completion', 'bash'), [2, words]);
    });
});

describe('query', () => {
  const duckdb = path.join(import.meta.dirname, '../../node_modules/@duckdb/node-api');

  it('runs SQL over exported files with the DuckDB of the person', async () => {
    const exported = path.join(folder, 'accounts.parquet');
    const run = await cli(['run', '-', '--out', exported], { input: 'SELECT id, email FROM accounts' });
    assert.equal(run.code, 0, run.stderr);
    const query = async (sql: string, ...args: readonly string[]) =>
      await cli(['query', sql, '--from', exported, '--duckdb', duckdb, ...args]);
    const count = await query(
      'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM accounts',
      '--format',
      'csv',
    );
    assert.equal(count.stdout, 'n,ids\r\n100,100\r\n', count.stderr);
    const first = await query('SELECT id FROM accounts ORDER BY id', '--limit', '2', '--format', 'jsonl');
    assert.equal(first.stdout.trim().split('\n').length, 2);
    assert.match(first.stderr, /First 2 rows\. The query has more\./);
    const out = path.join(folder, 'some.csv');
    const written = await query('SELECT * FROM accounts LIMIT 3', '--out', out);
    assert.equal(written.code, 0, written.stderr);
    assert.equal((await readFile(out, 'utf8')).split('\r\n').length, 5);
    const wrong = await query('SELECT nothing FROM accounts');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /DuckDB: Binder Error/);
    const written2 = await query("COPY accounts TO 'x.csv'");
    assert.match(written2.stderr, /Only one SELECT runs over files/);
    const late = await query(
      'SELECT count(*) FROM range(10000000000) a, range(10000000000) b',
      '--timeout',
      '1',
    );
    assert.equal(late.code, 2);
    assert.match(late.stderr, /1 second/);
    const itself = await query('SELECT 1', '--out', exported);
    assert.equal(itself.code, 2);
  });

  it('reads what a query returned at a time', async () => {
    const query = path.join(folder, 'snapped.identity.sql');
    await writeFile(
      query,
      '-- @keep 2 runs\nSELECT * FROM (VALUES (1, 1.50::numeric), (2, NULL)) AS v (id, n)',
    );
    assert.equal((await cli(['run', query])).code, 0);
    const of = async (sql: string) => await cli(['query', sql, '--duckdb', duckdb, '--format', 'csv']);
    const snapped = await of("SELECT id, n FROM snapshot('snapped', 'today') ORDER BY id");
    assert.equal(snapped.stdout, 'id,n\r\n1,1.50\r\n2,\r\n', snapped.stderr);
    assert.match(snapped.stderr, /^"snapped" is the result of .*T/);
    for (const [sql, message] of [
      ["FROM snapshot('nothing', 'today')", /No result of "nothing" was kept\. Write "-- @keep 10 runs"/],
      ["FROM snapshot('snapped', 'whenever')", /"whenever" is not a moment/],
    ] as const) {
      const { code, stderr } = await of(sql);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  it('says what to install', async () => {
    const file = path.join(folder, 'one.csv');
    await writeFile(file, 'a\n1\n');
    const missing = await cli(['query', 'SELECT 1', '--from', file, '--duckdb', folder]);
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /does not have the npm package @duckdb\/node-api\.\n\s+npm install --global @duckdb\/node-api/,
    );
    const noFile = await cli(['query', 'SELECT 1', '--from', 'none.csv']);
    assert.match(noFile.stderr, /Cannot read "none\.csv": it does not exist\./);
  });
});

describe('the contents of the sidebar', () => {
  it('include saved queries, byte for byte, with the versions seen here', async () => {
    const list = await cli(['saved', 'list', '--json']);
    const { savedQueries } = JSON.parse(list.stdout) as {
      savedQueries: { name: string; query_id: string }[];
    };
    const [first] = savedQueries;
    assert.ok(first);
    const byName = await cli(['saved', 'show', first.name.toUpperCase()]);
    const byId = await cli(['saved', 'show', first.query_id, '--json']);
    assert.equal(byName.stdout, (JSON.parse(byId.stdout) as { query_string: string }).query_string);
    const versions = await cli(['saved', 'versions', first.name, '--json']);
    assert.equal((JSON.parse(versions.stdout) as { versions: unknown[] }).versions.length, 1);
    const none = await cli(['saved', 'show', first.name, '--version', '7']);
    assert.match(none.stderr, /Version 7 .* is not listed and was not seen on this machine\.\nKnown: 1/);
    const unknown = await cli(['saved', 'show', 'no such']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /no saved query "no such"/);
    const rows = await cli(['run', '--saved', first.name, '--limit', '1', '--format', 'jsonl']);
    assert.equal(rows.code, 0, rows.stderr);
  });

  it('include models, in the format that `check --models` reads', async () => {
    const models = await cli(['models', '--json']);
    const file = path.join(folder, 'models.json');
    await writeFile(file, models.stdout);
    const query = path.join(folder, 'names.sql');
    await writeFile(query, 'SELECT alias, nope FROM accounts');
    for (const source of [
      ['--models', file],
      ['--connection', 'Environment'],
    ]) {
      const { stdout, stderr } = await cli(['check', ...source, query]);
      assert.match(stdout, /UNKNOWN_COLUMN/, stderr);
    }
    const tables = await cli(['models', 'platform_identity']);
    assert.match(tables.stdout, /^accounts +alias +text/m);
    const unknown = await cli(['models', 'nope']);
    assert.match(unknown.stderr, /no model "nope"/);
  });
});
