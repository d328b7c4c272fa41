/** The bundled command line, run the way a user or a build job would. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { runCli, type CliOutcome } from '#test/helpers/command-line.ts';
import { startLanguageClient } from '../server/language-client.ts';

const program = path.join(import.meta.dirname, '../../../dist/cli.js');

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-'));
});
after(() => rm(folder, { recursive: true }));

const run = (args: readonly string[], input = ''): Promise<CliOutcome> =>
  runCli(args, { cwd: folder, input });
/** In a process of its own, which must end by itself. */
const start = (args: readonly string[], input = ''): Promise<CliOutcome> =>
  runCli(args, { cwd: folder, input, startsProcess: true });

const answers = ({ stdout }: CliOutcome): unknown[] =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));

async function withFile(content: string | Uint8Array, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-'));
  try {
    const file = path.join(folder, 'query.identity.sql');
    await writeFile(file, content);
    await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('check --jsonl', () => {
  it('responds to each line in order, with 1-based positions in UTF-16 units', async () => {
    const queries = [
      { id: 'good', sql: 'SELECT :a', model: 'platform_identity', models: ['platform_identity'] },
      { id: 2, sql: "SELECT '💥'\r\n  , a FORM b c" },
      { id: null, sql: 'DELETE FROM a' },
    ];
    const outcome = await start(
      ['check', '--jsonl'],
      queries.map((query) => JSON.stringify(query)).join('\n'),
    );
    assert.equal(outcome.code, 1);
    assert.equal(outcome.stderr, '');
    assert.deepEqual(answers(outcome), [
      { id: 'good', diagnostics: [] },
      {
        id: 2,
        diagnostics: [
          {
            code: 'QUERY_PARSE_ERROR',
            severity: 'error',
            message: 'Syntax error at or near "b". Did you mean FROM instead of FORM?',
            line: 2,
            column: 12,
            endLine: 2,
            endColumn: 13,
          },
        ],
      },
      {
        id: null,
        diagnostics: [
          {
            code: 'MUTATION_NOT_ALLOWED',
            severity: 'error',
            message:
              'DELETE removes rows, and only SELECT statements run here. To see the affected rows, write a SELECT with the same conditions.',
            line: 1,
            column: 1,
            endLine: 1,
            endColumn: 7,
          },
        ],
      },
    ]);
  });

  it('responds to invalid lines, and continues', async () => {
    const secret = 'SELECT private_text';
    const lines = [
      `{"id":1,"sql":"${secret}`,
      '[]',
      '{"sql":"SELECT 1"}',
      '{"id":4}',
      '',
      '{"id":5,"sql":"SELECT 1"}',
    ];
    const outcome = await run(['check', '--jsonl'], `${lines.join('\n')}\n`);
    assert.equal(outcome.code, 2);
    assert.deepEqual(answers(outcome), [
      { id: null, error: 'line 1: this is not JSON.', diagnostics: [] },
      { id: null, error: 'line 2: expected an object { "id", "sql" }.', diagnostics: [] },
      { id: null, error: 'line 3: "id" is missing.', diagnostics: [] },
      { id: 4, error: 'line 4: "sql" must be a string.', diagnostics: [] },
      { id: 5, diagnostics: [] },
    ]);
    assert.ok(!outcome.stdout.includes('private_text') && !outcome.stderr.includes('private_text'));
  });

  it('reads lines with other line endings inside their strings', async () => {
    const outcome = await run(['check', '--jsonl'], '{"id":1,"sql":"SELECT \'\u2028\u2029\u0085\'"}\r\n');
    assert.deepEqual(answers(outcome), [{ id: 1, diagnostics: [] }]);
    assert.equal(outcome.code, 0);
  });

  it('reads files, and names one that it cannot read', async () => {
    await withFile('{"id":1,"sql":"SELECT 1"}', async (file) => {
      const outcome = await run(['check', '--jsonl', file, `${file}.missing`]);
      assert.equal(outcome.code, 2);
      assert.deepEqual(answers(outcome), [{ id: 1, diagnostics: [] }]);
      assert.match(outcome.stderr, /missing cannot be read/);
    });
  });

  it('checks tables and columns if they are known', async () => {
    const columns = ['id', { name: 'owner', type: 'integer', nullable: true }];
    const models = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }, 'roles'] }];
    const queries = [
      'SELECT id, owner FROM accounts',
      'SELECT nmae FROM accounts',
      'SELECT anything FROM roles',
      'SELECT id FROM acounts',
      'SELECT id FROM accounts WHERE id NOT IN (SELECT owner FROM accounts)',
      'SELECT owner FROM accounts WHERE owner NOT IN (SELECT id FROM accounts)',
    ];
    const lines = queries.map((sql, id) => JSON.stringify({ id, sql, models }));
    const outcome = await run(['check', '--jsonl'], lines.join('\n'));
    const codes = (answers(outcome) as readonly { diagnostics: readonly { code: string }[] }[]) // the command's output
      .map(({ diagnostics }) => diagnostics.map(({ code }) => code));
    assert.deepEqual(codes, [[], ['UNKNOWN_COLUMN'], [], ['UNKNOWN_TABLE'], ['NOT_IN_NULLABLE'], []]);
    assert.equal(outcome.code, 1);
  });

  it('checks the models that a query names if models are known', async () => {
    const models = ['platform_identity', { name: 'platform_governance' }];
    const lines = [
      { id: 1, sql: 'SELECT id FROM platform_govrnance.reviews', models },
      { id: 2, sql: 'SELECT id FROM nope.reviews' },
      { id: 3, sql: 'SELECT 1', model: 'nope', models },
      { id: 4, sql: 'SELECT 1', models: [1] },
    ];
    const outcome = await run(['check', '--jsonl'], lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.equal(outcome.code, 2);
    const diagnostics = answers(outcome).map(
      (answer) => (answer as { diagnostics: { code: string }[] }).diagnostics,
    );
    assert.deepEqual(
      diagnostics.map((found) => found.map(({ code }) => code)),
      [['UNKNOWN_MODEL'], [], ['UNKNOWN_MODEL'], []],
    );
  });

  it('checks lines without their own models and model with those of the command', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'check-jsonl-'));
    const file = path.join(folder, 'models.json');
    const columns = (name: string): readonly object[] => [{ name, type: 'text', nullable: true }];
    const models = [
      { name: 'platform_identity', tables: [{ name: 'accounts', columns: columns('id') }] },
      { name: 'platform_governance', tables: [{ name: 'accounts', columns: columns('idd') }] },
    ];
    await writeFile(file, JSON.stringify(models));
    const own = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns: columns('idd') }] }];
    const lines = [
      { id: 1, sql: 'SELECT idd FROM accounts' },
      { id: 2, sql: 'SELECT idd FROM accounts', model: 'platform_governance' },
      { id: 3, sql: 'SELECT idd FROM accounts', models: own },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const codes = (outcome: CliOutcome): readonly string[] =>
      (answers(outcome) as readonly { diagnostics: readonly { code: string }[] }[]) // the command's output
        .map(({ diagnostics }) => diagnostics.map(({ code }) => code).join());
    const identity = await run(['check', '--jsonl', '--models', file], text);
    assert.deepEqual(codes(identity), ['UNKNOWN_COLUMN', '', '']);
    assert.equal(identity.code, 1);
    const governance = ['check', '--jsonl', '--models', file, '--model', 'platform_governance'];
    assert.deepEqual(codes(await run(governance, text)), ['', '', 'UNKNOWN_MODEL']);
    await rm(folder, { recursive: true });
  });

  it('rejects models that it understands only partly', async () => {
    const half: readonly unknown[] = [
      [{ name: 'm', tables: 'accounts' }],
      [{ name: 'm', tables: [{ name: 'accounts', columns: 'id' }] }],
      [{ name: 'm', tables: [{ name: 'accounts', columns: [{ type: 'text' }] }] }],
      [{ name: 'm', tables: [{ name: 'accounts', columns: [{ name: 'id', nullable: 'no' }] }] }],
      [{ name: 'm', tables: [7] }],
      [{ tables: [] }],
    ];
    const lines = half.map((models, id) => JSON.stringify({ id, sql: 'SELECT 1', models }));
    const outcome = await run(['check', '--jsonl'], lines.join('\n'));
    assert.equal(outcome.code, 2);
    assert.deepEqual(
      answers(outcome).map((answer) =>
        /^line \d: "models" must be/.test((answer as { error: string }).error),
      ), // the command's output
      half.map(() => true),
    );
  });

  it('names an unknown member once, and checks anyway', async () => {
    const columns = [{ name: 'id', typ: 'uuid', description: null }];
    const models = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }] }];
    const lines = [1, 2].map((id) =>
      JSON.stringify({ id, sql: 'SELECT id FROM accounts', models, team: 'x' }),
    );
    const outcome = await run(['check', '--jsonl'], lines.join('\n'));
    assert.equal(outcome.code, 0);
    assert.deepEqual(outcome.stderr.trimEnd().split('\n'), [
      'identity-queries: The member "team" is unknown here and was ignored.',
      'identity-queries: The member "typ" is unknown here and was ignored.',
    ]);
    assert.equal(answers(outcome).length, 2);
  });

  it('responds while it reads', async () => {
    const child = spawn(process.execPath, [program, 'check', '--jsonl'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const line = `${JSON.stringify({ id: 1, sql: 'SELECT 1' })}\n`;
    child.stdin.write(line);
    const [first] = (await once(child.stdout, 'data')) as [Buffer]; // streams without an encoding emit buffers
    assert.equal(first.toString(), '{"id":1,"diagnostics":[]}\n');
    child.stdin.end();
    child.stdout.resume();
    const [code] = (await once(child, 'exit')) as [number | null]; // `exit` passes the code and the signal
    assert.equal(code, 0);
  });
});

describe('an output that is closed early', () => {
  it('makes a check fail', async () => {
    const child = spawn(process.execPath, [program, 'check', '--jsonl'], { stdio: 'pipe' });
    const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
    child.stdin.on('error', () => undefined); // the program exits before it has read everything
    child.stdout.destroy();
    child.stdin.end(`${JSON.stringify({ sql: 'SELECT 1' })}\n`.repeat(5_000));
    const [[code], said] = await Promise.all([exited, text(child.stderr)]);
    assert.deepEqual([code, said], [2, '']);
  });

  for (const args of [['nonsense'], ['check', 'no-such-file.sql']])
    it(`of messages does not change how \`${args.join(' ')}\` ends`, async () => {
      const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', cwd: folder });
      const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
      child.stderr.destroy();
      assert.deepEqual([(await exited)[0], await text(child.stdout)], [2, '']);
    });
});

describe('mcp', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`exits on ${signal}, even if its client stays`, async () => {
      const home = await mkdtemp(path.join(tmpdir(), 'identity-queries-'));
      const env = {
        ...process.env,
        HOME: home,
        XDG_DATA_HOME: home,
        IDENTITY_QUERIES_BASE_URL: 'http://127.0.0.1:9',
        IDENTITY_QUERIES_AUTH_URL: 'http://127.0.0.1:9/token',
        IDENTITY_QUERIES_CLIENT_ID: 'a',
        IDENTITY_QUERIES_CLIENT_SECRET: 'b',
        IDENTITY_QUERIES_AI: 'schema',
      };
      const child = spawn(process.execPath, [program, 'mcp'], { stdio: 'pipe', env, cwd: home });
      const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      await once(child.stdout, 'data');
      child.kill(signal);
      assert.equal((await exited)[0], code);
      await rm(home, { recursive: true });
    });
  }
});

describe('check FILE', () => {
  it('prints positions that editors can follow, and allows several statements', async () => {
    await withFile('\uFEFFSELECT 1;\nSELECT * FORM a', async (file) => {
      const outcome = await run(['check', file]);
      assert.equal(outcome.code, 1);
      assert.equal(
        outcome.stdout,
        `${file}:2:10: error QUERY_PARSE_ERROR: Syntax error at or near "FORM". Did you mean FROM instead of FORM?\n`,
      );
    });
  });

  it('prints nothing about a valid file', async () => {
    await withFile('SELECT 1', async (file) => {
      assert.deepEqual(await start(['check', file]), { code: 0, stdout: '', stderr: '' });
    });
  });

  it('reports a file that is not text', async () => {
    await withFile(Uint8Array.of(0xff, 0xfe, 0xfd), async (file) => {
      const outcome = await run(['check', file]);
      assert.equal(outcome.code, 2);
      assert.match(outcome.stderr, /it is not UTF-8 text/);
    });
  });
});

describe('check --dialect', () => {
  it('reads the text by the rules of the dialect', async () => {
    await withFile('SELECT `a` FROM t LIMIT 1, 2; DELETE FROM t', async (file) => {
      const outcome = await run(['check', '--dialect', 'mysql', file]);
      assert.equal(outcome.code, 1);
      assert.match(outcome.stdout, /^\S+:1:31: error MUTATION_NOT_ALLOWED: [^\n]+\n$/);
    });
  });
});

describe('server --stdio', () => {
  it('is a language server for any editor', async () => {
    const client = await startLanguageClient([process.execPath, program, 'server', '--stdio'], 'sql');
    try {
      assert.equal(client.initialized.serverInfo?.name, 'Identity Queries');
      const uri = 'file:///folder/query.identity.sql';
      await client.open(uri, 'SELECT *\nFORM accounts');
      const opened = await client.diagnostics(uri, 1);
      assert.deepEqual(
        opened.diagnostics.map(({ code, severity, range: { start } }) => [code, severity, start]),
        [['QUERY_PARSE_ERROR', 1, { line: 1, character: 0 }]],
      );
      await client.change(uri, 2, 'FROM', {
        start: { line: 1, character: 0 },
        end: { line: 1, character: 4 },
      });
      assert.deepEqual((await client.diagnostics(uri, 2)).diagnostics, []);
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });
});

describe('sandbox', () => {
  it('passes its options on, and returns the exit code', async () => {
    const help = await run(['sandbox', '--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^Usage: identity-queries sandbox/);
    const wrong = await run(['sandbox', '--nope']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^Unknown option '--nope'\.\n/);
  });

  it('runs until it is told to stop', async () => {
    const args = [program, 'sandbox', '--json', '--port', '0', '--accounts', '50'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]; // readline passes the line
      const { event, address } = JSON.parse(line) as { readonly event: string; readonly address: string };
      assert.equal(event, 'listening');
      assert.equal((await fetch(address)).headers.get('content-type')?.includes('json'), true);
    } finally {
      child.kill('SIGTERM');
    }
    const [code] = await exited;
    assert.equal(code, 0);
  });
});

describe('wrong usage', () => {
  const says: readonly (readonly [args: readonly string[], words: RegExp])[] = [
    [[], /Usage: identity-queries/],
    [['chek'], /unknown command 'chek'\n\(Did you mean check\?\)/],
    [
      ['check'],
      /No file was named, and there is no folder queries with saved queries here or above\.\n {2}identity-queries check query/,
    ],
    [
      ['check', '--nope', 'x'],
      /unknown option '--nope'\n\(add --help for what identity-queries check takes\)/,
    ],
    [['check', '--dialect'], /'--dialect <name>' argument missing/],
    [['check', '--dialect', 'x', 'y'], /Allowed choices are postgresql/],
    [['check', '--models', 'none.json', 'y'], /Cannot read "none\.json": it does not exist\./],
    [['check', '--report', 'junit=x', 'y'], /"junit=x" is not a report\. Write --report sarif=FILE\./],
    [['run', '--param', 'since', 'x'], /"since" is not a parameter\. Write --param name=value\./],
    [['run', '--limit', '0', 'x'], /Enter a whole number, 1 or more\./],
    [['run', '--timeout', '3000000', 'x'], /from 0 to 86400 \(a day\)\.\n/],
    [['run', '--wait', '-1', 'x'], /from 0 to 86400 \(a day\)\.\n/],
    [['run', '--out', 'rows.doc', 'x'], /The extension of "rows\.doc" is not a known format/],
    [['server'], /identity-queries server --stdio/],
  ];
  for (const [args, words] of says) {
    it(JSON.stringify(args), async () => {
      const outcome = await run(args);
      assert.equal(outcome.code, 2);
      assert.match(outcome.stderr, words);
      assert.equal(outcome.stdout, '');
    });
  }

  it('prints the requested help of every command', async () => {
    const whole = await run(['--help']);
    assert.equal(whole.code, 0);
    for (const command of ['run', 'check', 'compare', 'saved', 'models', 'doctor', 'server', 'completion']) {
      assert.match(whole.stdout, new RegExp(`^ {2}${command} `, 'm'));
      const one = await run([command, '--help']);
      assert.equal(one.code, 0);
      assert.match(one.stdout, new RegExp(`^Usage: identity-queries ${command}`));
    }
  });
});

describe('check', () => {
  it('writes JSON and SARIF', async () => {
    await withFile('SELECT 1 FORM x y', async (file) => {
      const sarifFile = path.join(path.dirname(file), 'report.sarif');
      const outcome = await run(['check', '--json', '--report', `sarif=${sarifFile}`, file]);
      assert.equal(outcome.code, 1);
      const answer = JSON.parse(outcome.stdout) as { files: { diagnostics: { code: string }[] }[] };
      assert.deepEqual(
        answer.files.map(({ diagnostics }) => diagnostics.map(({ code }) => code)),
        [['QUERY_PARSE_ERROR']],
      );
      const sarif = JSON.parse(await readFile(sarifFile, 'utf8')) as {
        version: string;
        runs: { results: { ruleId: string; locations: unknown[] }[] }[];
      };
      assert.equal(sarif.version, '2.1.0');
      assert.equal(sarif.runs[0]?.results[0]?.ruleId, 'QUERY_PARSE_ERROR');
      assert.equal(sarif.runs[0].results[0].locations.length, 1);
    });
  });

  it('gets tables from a models file, and from a model in a line', async () => {
    const models = [{ name: 'm', tables: [{ name: 'accounts', columns: ['id'] }] }];
    await withFile('SELECT id, nope FROM accounts', async (file) => {
      const modelsFile = path.join(path.dirname(file), 'models.json');
      await writeFile(modelsFile, JSON.stringify({ models }));
      const outcome = await run(['check', '--models', modelsFile, '--model', 'm', file]);
      assert.match(outcome.stdout, /:1:12: \w+ UNKNOWN_COLUMN/);
    });
    const line = { id: 1, sql: 'SELECT nope FROM accounts', model: models[0] };
    const [answer] = answers(await run(['check', '--jsonl'], JSON.stringify(line)));
    assert.match(JSON.stringify(answer), /UNKNOWN_COLUMN/);
    const wrong = await run(['check', '--jsonl'], JSON.stringify({ ...line, model: 7 }));
    assert.equal(wrong.code, 2);
    assert.match(wrong.stdout, /model.*must be a name/);
  });
});

describe('check --explain-types', () => {
  it('prints the columns of a result with their types', async () => {
    const { stdout } = await run(
      ['check', '--explain-types', '-'],
      "SELECT count(*), lower('A') AS a, b FROM t",
    );
    assert.match(stdout, /^-:1:1: result: count bigint not null, a text, b unknown$/m);
  });

  it('quotes names with spaces or commas, and names each file', async () => {
    await withFile('SELECT 1 AS "a, b", 2 AS "c""d";\n\nSELECT FROM t', async (file) => {
      const { stdout } = await run(['check', '--explain-types', file, '-'], 'SELECT 3 AS e');
      assert.deepEqual(
        stdout.split('\n').filter((line) => line.includes(': result: ')),
        [
          `${file}:1:1: result: "a, b" integer not null, "c""d" integer not null`,
          `${file}:3:1: result: no columns`,
          '-:1:1: result: e integer not null',
        ],
      );
    });
  });

  it('distinguishes statements on one line, and names the type of a cast', async () => {
    const { stdout } = await run(
      ['check', '--explain-types', '-'],
      "SELECT f(1); SELECT 'a'::citext, '{}'::citext[] AS b, 'x'::public.citext AS c",
    );
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.includes(': result: ')),
      ['-:1:1: result: f unknown', '-:1:14: result: citext citext not null, b citext[] not null, c unknown'],
    );
  });

  it('is refused if it would print nothing', async () => {
    for (const other of [['--jsonl'], ['--dialect', 'mysql']]) {
      const { code, stdout, stderr } = await run(['check', '--explain-types', ...other, '-'], 'SELECT 1');
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /Leave out .*\.$/m);
    }
  });

  it("uses the models' names for types that PostgreSQL itself lacks", async () => {
    const columns = [
      { name: 'place', type: 'geometry(Point,4326)' },
      { name: 'mail', type: 'mail_address' },
    ];
    const models = [{ name: 'm', tables: [{ name: 'accounts', columns }] }];
    await withFile('SELECT *, lower(a.mail) AS low FROM (SELECT * FROM accounts) a', async (file) => {
      const modelsFile = path.join(path.dirname(file), 'models.json');
      await writeFile(modelsFile, JSON.stringify({ models }));
      const asked = ['check', '--explain-types', '--models', modelsFile, '--model', 'm', file];
      const outcome = await run(asked);
      assert.match(outcome.stdout, /: place geometry\(Point,4326\), mail mail_address, low unknown$/m);
      const { files } = JSON.parse((await run([...asked, '--json'])).stdout) as {
        readonly files: readonly [{ readonly results: readonly [{ readonly columns: readonly unknown[] }] }];
      };
      assert.deepEqual(files[0].results[0].columns[1], {
        name: 'mail',
        modelType: 'mail_address',
        origins: [{ model: 'm', table: 'accounts', column: 'mail' }],
      });
    });
  });
});

describe('an old Node.js', () => {
  for (const old of ['20.20.2', '22.18.0'])
    it(`gets a message with the required version: ${old}`, async () => {
      const pretended = `Object.defineProperty(process.versions, 'node', { value: '${old}' });`;
      const preload = `data:text/javascript,${encodeURIComponent(pretended)}`;
      const child = spawn(process.execPath, ['--import', preload, program, '--version'], { stdio: 'pipe' });
      const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        new RegExp(`^identity-queries: needs Node 22\\.19 or newer, and this is Node ${old}`),
      );
    });

  it('is excluded in the manifest', async () => {
    const text = await readFile(path.join(import.meta.dirname, '../../../package.json'), 'utf8');
    const { engines } = JSON.parse(text) as { engines: { node: string } };
    assert.equal(engines.node, '>=22.19');
  });

  it('gets a launcher that it can parse', async () => {
    // All newer syntax is in the file that the launcher loads; before that, it imports only what any version has.
    const launcher = await readFile(program, 'utf8');
    const imported = [...launcher.matchAll(/\bfrom\s*["']([^"']+)/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(imported)].sort(), ['node:fs', 'node:module', 'node:os', 'node:path']);
    assert.ok(launcher.length < 3_000, String(launcher.length));
  });
});
