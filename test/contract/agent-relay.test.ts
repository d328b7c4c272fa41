/**
 * Tests the agent path end to end, without an editor: the MCP client starts the relay, which connects to the
 * extension's local endpoint, which queries the sandbox. Also tests which callers are refused.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { AgentDoor } from '#client/features/agents/agent-door.ts';
import { AgentSockets } from '#client/features/agents/agent-sockets.ts';
import type { AgentConnection } from '#core/agents/agent-host.ts';
import { AuditLog } from '#core/agents/audit/audit-log.ts';
import type { AgentLevel } from '#core/connections/agent-level.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { eras, startRelayClient, type Era } from '../helpers/agent-client.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let service: ServiceClient;
let folder: string;
before(async () => {
  sandbox = await startSandbox({ accounts: 200 });
  service = createClient({ ...sandbox });
  folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-relay-'));
});
after(async () => {
  await service.close();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the endpoint with the same wiring as the extension. */
function openDoor() {
  const listeners = new Set<() => void>();
  let level: AgentLevel = 'select';
  let models: ReturnType<typeof readCatalogue> | undefined;
  const connection = (): AgentConnection => ({
    name: 'Production',
    key: 'production',
    folder: '/work',
    level,
    limits: { ...defaultAgentLimits, callsPerMinute: 120 },
    sensitivePatterns: [],
    service: () => Promise.resolve(service),
    catalogue: async () => ({
      models: await (models ??= readCatalogue(service, { signal: new AbortController().signal })),
    }),
  });
  const sockets = new AgentSockets({
    host: { connection, propose: () => Promise.resolve('shown') },
    memory: memoryAt(folder),
    version: '0.0.1',
    log: { debug: () => undefined, error: () => undefined },
    onDidChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const door = new AgentDoor((socket) => sockets.serve(socket));
  return {
    door,
    setLevel: (next: AgentLevel) => {
      level = next;
      for (const listener of listeners) listener();
    },
    close: async () => {
      await door.close();
      sockets.dispose();
    },
  };
}

async function withRelay(
  era: Era,
  use: (client: Client, opened: ReturnType<typeof openDoor>) => Promise<void>,
) {
  const opened = openDoor();
  try {
    const client = await startRelayClient(era, await opened.door.invite());
    try {
      await use(client, opened);
    } finally {
      await client.close();
    }
  } finally {
    await opened.close();
  }
}

const run = (client: Client, sql: string) =>
  client.callTool({ name: 'run_query', arguments: { sql, max_rows: 2 } });
const executed = async () =>
  (await sandbox.requests()).filter((request) => request.path === '/v1/query/execute').length;

for (const era of eras)
  describe(`an agent of ${era}, through the relay`, () => {
    it('gets masked rows from the service, and its calls are logged', async () => {
      await withRelay(era, async (client) => {
        assert.equal((await client.listTools()).tools.length, 9);
        const { structuredContent, isError } = await run(
          client,
          'SELECT id, email FROM accounts ORDER BY id',
        );
        assert.notEqual(isError, true);
        assert.match(JSON.stringify(structuredContent), /"status":"truncated".*email:[0-9a-f]{8}/);
        const before = await executed();
        assert.equal((await run(client, 'DELETE FROM accounts')).isError, true);
        assert.equal(await executed(), before);
      });
      const log = new AuditLog(path.join(folder, 'ai-activity.jsonl'));
      assert.equal((await log.newest(1))[0]?.code, 'not-read-only');
      assert.equal((await log.check()).broken, undefined);
    });

    it('loses its tools when the connection is closed to agents', async () => {
      await withRelay(era, async (client, { setLevel }) => {
        setLevel('off');
        assert.deepEqual((await client.listTools()).tools, []);
        const before = await executed();
        const refused = await run(client, 'SELECT 1 AS one').catch(() => undefined);
        assert.ok(refused === undefined || refused.isError === true);
        assert.equal(await executed(), before);
      });
    });

    it('is notified immediately when the extension is gone', async () => {
      await withRelay(era, async (client, { close }) => {
        const gone = new Promise<void>((resolve) => (client.onclose = resolve));
        await close();
        await gone;
        await assert.rejects(run(client, 'SELECT 1 AS one'));
      });
    });
  });

describe('the socket for relays', () => {
  it('rejects a wrong password, and accepts each password only once', async () => {
    const { door, close } = openDoor();
    try {
      const { address, word } = await door.invite();
      if (process.platform !== 'win32') assert.equal((await stat(address)).mode & 0o777, 0o600);
      const before = await executed();
      for (const wrong of ['', 'x'.repeat(64), word.toUpperCase().padEnd(65, 'A')])
        await assert.rejects(startRelayClient('2025', { address, word: wrong }), wrong);
      const client = await startRelayClient('2025', { address, word });
      await assert.rejects(startRelayClient('2025', { address, word }), 'the word was used');
      await client.close();
      assert.equal(await executed(), before);
    } finally {
      await close();
    }
  });
});
