/** `identity-queries mcp` against the sandbox, with the protocol's official client for the 2025 and 2026 versions. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { AuditLog } from '#core/agents/audit/audit-log.ts';
import { eras, startAgentClient, type Era } from '../helpers/agent-client.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let folder: string;
before(async () => {
  sandbox = await startSandbox({ accounts: 200 });
  folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-mcp-'));
});
/** Tests with the same settings use one program after the other, since it takes longer to start than most of them. */
const clients = new Map<string, Client>();
after(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  IDENTITY_QUERIES_BASE_URL: sandbox.baseUrl,
  IDENTITY_QUERIES_AUTH_URL: sandbox.authUrl,
  IDENTITY_QUERIES_CLIENT_ID: sandbox.clientId,
  IDENTITY_QUERIES_CLIENT_SECRET: sandbox.clientSecret,
  IDENTITY_QUERIES_CONNECTION_NAME: 'Sandbox',
  XDG_DATA_HOME: folder,
  HOME: folder,
  ...more,
});

interface Called {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content;
  return {
    answer: (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>, // the protocol requires an object
    text: content?.type === 'text' ? content.text : '',
    isError: result.isError === true,
  };
}

async function withClient(
  era: Era,
  more: Readonly<Record<string, string>>,
  use: (client: Client) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const key = JSON.stringify([era, more, args]);
  // The tests share a data folder and its rate limit, so the limit is set to the maximum.
  const client =
    clients.get(key) ??
    (await startAgentClient(era, environment(more), { args: ['--calls-per-minute', '120', ...args] }));
  clients.set(key, client);
  await use(client);
}

const executed = async (): Promise<number> =>
  (await sandbox.requests()).filter((request) => request.path === '/v1/query/execute').length;

describe('an agent’s program that breaks the protocol', () => {
  const endOf = async (misbehave: (child: ChildProcessWithoutNullStreams) => void) => {
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../dist/cli.js'), 'mcp'], {
      env: { PATH: process.env['PATH'] ?? '', ...environment({ IDENTITY_QUERIES_AI: 'select' }) },
    });
    child.stdin.on('error', () => undefined);
    const said = text(child.stderr);
    misbehave(child);
    const [code] = (await once(child, 'close')) as [number | null]; // the event's arguments
    return { code, said: await said };
  };
  const isTold =
    /The connection with the agent ended: its program sent a message of more than 1 MB, or takes no answers/;

  it('is told that its message is too long, and the program ends', async () => {
    const { code, said } = await endOf(({ stdin }) => stdin.write('x'.repeat(1_100_000)));
    assert.deepEqual([code, isTold.test(said)], [2, true], said);
    assert.ok(!/unsettled|at .*:\d+:\d+/.test(said), said);
  });

  it('leaves no program behind if it takes no answers', async () => {
    const { said } = await endOf(({ stdin, stdout }) => {
      stdout.destroy();
      const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
      stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n${ping.repeat(50)}`,
      );
    });
    assert.ok(!/unsettled|at .*:\d+:\d+/.test(said), said);
  });
});

describe('the level of a connection', () => {
  const toolsOf = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    let names: readonly string[] = [];
    await withClient(
      eras[0],
      more,
      async (client) => {
        names = (await client.listTools()).tools.map(({ name }) => name);
      },
      args,
    );
    return names;
  };

  it('decides which tools there are', async () => {
    assert.deepEqual([...(await toolsOf({ IDENTITY_QUERIES_AI: 'schema' }))].sort(), [
      'check_sql',
      'describe_table',
      'list_models',
      'propose_saved_query',
    ]);
  });

  it('leaves no SQL of an agent to a protected connection', async () => {
    const names = await toolsOf({ IDENTITY_QUERIES_AI: 'select', IDENTITY_QUERIES_PROTECTED: '1' });
    assert.ok(!names.includes('run_query'));
    assert.ok(names.includes('run_saved_query'));
  });

  it('can be lowered by who starts the program', async () => {
    assert.ok(!(await toolsOf({ IDENTITY_QUERIES_AI: 'select' }, '--ai', 'saved')).includes('run_query'));
  });
});

for (const era of eras)
  describe(`the client of ${era}`, () => {
    it('sees no tools, resources or prompts if a connection allows nothing', async () => {
      await withClient(era, {}, async (client) => {
        assert.deepEqual((await client.listTools()).tools, []);
        assert.deepEqual((await client.listResources()).resources, []);
        assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
        assert.deepEqual((await client.listPrompts()).prompts, []);
        await sandbox.forgetRequests();
        await assert.rejects(async () => {
          const { isError } = await call(client, 'run_query', { sql: 'SELECT 1' });
          if (isError) throw new Error('refused');
        });
        assert.equal(await executed(), 0);
      });
    });

    it('sees which of its tools require confirmation', async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        const { tools } = await client.listTools();
        for (const { name, annotations } of tools) {
          const isRun = name.startsWith('run_');
          assert.equal(annotations?.readOnlyHint, !isRun, name);
          assert.equal(annotations.openWorldHint, isRun, name);
          assert.equal(annotations.destructiveHint, false, name);
        }
        assert.equal(tools.length, 9);
      });
    });

    it('can get from models to rows, and receives tokens in place of personal data', async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        const models = await call(client, 'list_models');
        assert.equal(models.answer['status'], 'complete');
        assert.match(models.text, /^status: complete\n/);
        const table = await call(client, 'describe_table', { table: 'accounts' });
        assert.match(JSON.stringify(table.answer), /"name":"email","type":"text".*?"sensitive":"email"/);

        const rows = await call(client, 'run_query', {
          sql: 'SELECT id, email, email AS again FROM accounts WHERE enabled = :enabled ORDER BY id',
          parameters: { enabled: true },
          max_rows: 3,
        });
        assert.equal(rows.isError, false, rows.text);
        assert.deepEqual(rows.answer['columns'], [
          { name: 'id', type: 'text' },
          { name: 'email', type: 'text', masked: 'token' },
          { name: 'again', type: 'text', masked: 'token' },
        ]);
        const found = rows.answer['rows'] as readonly (readonly string[])[]; // guaranteed by the schema
        assert.equal(found.length, 3);
        assert.equal(rows.answer['status'], 'truncated');
        for (const [, email, again] of found) {
          assert.match(email ?? '', /^email:[0-9a-f]{8}$/);
          assert.equal(again, email);
        }
        assert.doesNotMatch(rows.text, /\w@\w+\.\w/);
        const [, word = ''] = /<<<([0-9a-f]{24})/.exec(rows.text) ?? [];
        assert.ok(rows.text.endsWith(`${word}>>>`));
        // Some clients pass this object on unchanged instead of the text.
        assert.equal(Object.keys(rows.answer)[0], 'status');
        const end = String(rows.answer['end']);
        assert.match(end, /^[0-9a-f]{24}$/);
        assert.ok(String(rows.answer['notice']).includes(end));
        assert.equal(Object.keys(rows.answer).at(-1), 'end');
      });
    });

    it('runs controls, and gets their outcomes with masked rows', async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        const sql = [
          '-- @control T-01 Enabled accounts',
          '-- @error_if rows > 2',
          'SELECT id, email FROM accounts WHERE enabled ORDER BY id',
        ].join('\n');
        const failed = await call(client, 'run_control', { sql, max_rows: 2 });
        assert.equal(failed.isError, false, failed.text);
        assert.equal(failed.answer['outcome'], 'fail');
        assert.equal(failed.answer['status'], 'truncated');
        const rows = failed.answer['rows'] as readonly (readonly string[])[]; // guaranteed by the schema
        assert.equal(rows.length, 2);
        assert.match(rows[0]?.[1] ?? '', /^email:[0-9a-f]{8}$/);
        const passed = await call(client, 'run_control', {
          sql: '-- @control T-02 Nobody\nSELECT id FROM accounts WHERE false',
        });
        assert.deepEqual([passed.answer['outcome'], passed.answer['status']], ['pass', 'complete']);

        await sandbox.forgetRequests();
        const refused = await call(client, 'run_control', {
          sql: `-- @control T-03 X\nDELETE FROM accounts`,
        });
        assert.deepEqual([refused.isError, refused.answer['outcome']], [true, 'error']);
        assert.equal(await executed(), 0);
      });
    });

    it('is refused everything that would reveal more, and nothing is sent', async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        await call(client, 'list_models');
        await sandbox.forgetRequests();
        for (const sql of [
          "SELECT id FROM accounts WHERE email LIKE 'a%'",
          'COMMIT; DROP TABLE accounts',
          "/* */ SELECT * FROM dblink('x', 'y') AS t(a int)",
          'SELECT * FROM pg_stats',
        ]) {
          const { answer, isError, text } = await call(client, 'run_query', { sql });
          assert.equal(answer['status'], 'refused');
          assert.equal(isError, true);
          assert.match(text, /^status: refused\ncode: [a-z-]+\nreason: .+\nadvice: /);
        }
        const bad = await call(client, 'run_query', { sql: 'SELECT 1', extra: true }).catch(() => undefined);
        assert.ok(bad === undefined || bad.isError);
        assert.equal(await executed(), 0);
      });
    });

    it('gets exact numbers', async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        const ran = await call(client, 'run_query', { sql: 'SELECT 9007199254740993 AS n, 1.10 AS m' });
        assert.equal(ran.answer['status'], 'complete');
        assert.match(ran.text, /9007199254740993/);
        assert.match(ran.text, /1\.10/);
      });
    });

    it("does not get the service's error messages", async () => {
      await withClient(era, { IDENTITY_QUERIES_AI: 'select' }, async (client) => {
        const failing = await call(client, 'run_query', { sql: 'SELECT department::int FROM accounts' });
        assert.equal(failing.answer['code'], 'service-error');
        assert.doesNotMatch(failing.text, /invalid input|integer: /);
      });
    });

    it('lists, reads and runs saved queries, and reads resources and prompts', async () => {
      const level = era === eras[0] ? 'saved' : 'select';
      await withClient(era, { IDENTITY_QUERIES_AI: level }, async (client) => {
        const listed = await call(client, 'list_saved_queries');
        const [first] = listed.answer['queries'] as readonly { readonly id: string; readonly name: string }[]; // per the schema
        assert.ok(first);
        const read = await call(client, 'get_saved_query', { id: first.id });
        assert.equal(typeof read.answer['sql'], 'string');
        const parameters = read.answer['parameters'] as readonly string[]; // guaranteed by the schema
        const ran = await call(client, 'run_saved_query', {
          id: first.id,
          parameters: Object.fromEntries(parameters.map((name) => [name, null])),
        });
        assert.ok(['complete', 'truncated', 'refused'].includes(String(ran.answer['status'])));

        const { resources } = await client.listResources();
        assert.ok(resources.some(({ uri }) => uri === 'identity-queries://models'));
        const uri = resources.find((each) => each.uri.includes('saved-queries'))?.uri ?? '';
        const { contents } = await client.readResource({ uri });
        assert.match(JSON.stringify(contents), /status: complete/);
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.map(({ name }) => name).sort(), ['explain_query', 'review_access']);
        const prompt = await client.getPrompt({ name: 'explain_query', arguments: { sql: 'SELECT 1' } });
        assert.match(JSON.stringify(prompt.messages), /SELECT 1/);
      });
    });
  });

describe('concurrent servers', () => {
  it('share the limit of calls per minute', async () => {
    const data = path.join(folder, 'shared');
    const limited = environment({ IDENTITY_QUERIES_AI: 'select', XDG_DATA_HOME: data, HOME: data });
    const clients = await Promise.all(
      [eras[0], eras[1], eras[0]].map((era) =>
        startAgentClient(era, limited, { args: ['--calls-per-minute', '6'], probes: true }),
      ),
    );
    try {
      const calls = await Promise.all(
        clients.flatMap((client) =>
          [1, 2, 3, 4].map((number) => call(client, 'run_query', { sql: `SELECT ${number} AS number` })),
        ),
      );
      const codes = calls.map(({ answer }) => answer['code'] ?? answer['status']);
      assert.equal(codes.filter((code) => code === 'complete').length, 6, codes.join(' '));
      assert.equal(codes.filter((code) => code === 'too-many-calls').length, 6, codes.join(' '));
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
    const log = new AuditLog(path.join(data, 'identity-queries', 'ai-activity.jsonl'));
    assert.deepEqual(await log.check().then(({ lines, broken }) => [lines, broken]), [12, undefined]);
  });
});

describe('its log', () => {
  it('contains each call, and its chain is intact', async () => {
    const file = path.join(folder, 'identity-queries', 'ai-activity.jsonl');
    const log = new AuditLog(file);
    const check = await log.check();
    assert.equal(check.broken, undefined);
    assert.ok(check.lines > 20, String(check.lines));
    const lines = await log.newest(500);
    assert.ok(lines.every(({ client }) => client === 'test-agent 1.2.3'));
    const run = lines.find(({ tool, rows }) => tool === 'run_query' && rows === 3);
    assert.deepEqual(run?.masked, ['email', 'again']);
    assert.match(run.sqlDigest ?? '', /^[0-9a-f]{64}$/);
    assert.doesNotMatch(await readFile(file, 'utf8'), /\w@\w+\.\w/);
  });
});
