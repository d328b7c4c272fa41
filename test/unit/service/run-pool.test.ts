/** The pool of connections that runs queries, over a connection that only notes what it is asked, or a real one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { ServerConnection } from '#service/postgres/connection.ts';
import { RunPool, type Lease } from '#service/postgres/run-pool.ts';

const query = { schema: 'public', sql: 'SELECT 1', values: [], fallbackTypes: [] };

function poolWith(connect: () => Promise<Lease>): RunPool {
  const pool = new RunPool({
    ...{ connect, begin: () => 'BEGIN', timeoutMs: 60_000, rowLimit: 10, byteLimit: 1_000 },
    log: () => undefined,
  });
  pool.open();
  return pool;
}

function notingConnection(asked: string[]): ServerConnection {
  const refuse = (what: string) => () => {
    asked.push(what);
    return Promise.reject(new Error(what));
  };
  return {
    isBroken: false,
    countFromHere: () => undefined,
    ...{ exchange: refuse('exchange'), stream: refuse('stream') },
    ...{ cancel: () => Promise.resolve(), close: () => Promise.resolve(), destroy: () => undefined },
  } as unknown as ServerConnection; // what the pool uses of it
}

for (const end of ['its caller leaves', 'the service stops'] as const)
  test(`a query is not sent if ${end} while a connection opens`, async () => {
    const asked: string[] = [];
    const opened = Promise.withResolvers<Lease>();
    const pool = poolWith(() => opened.promise);
    const caller = new AbortController();
    const result = pool.run(query, caller.signal);
    if (end === 'its caller leaves') caller.abort();
    else await pool.close();
    opened.resolve({ connection: notingConnection(asked), types: new Map() });
    await result.until(() => false, new AbortController().signal);
    assert.deepEqual(asked, []);
    assert.equal(result.end?.kind, 'error');
    await pool.close();
  });

for (const code of ['40001', '40P01', '57P01'])
  test(`a query that the server ends twice before its first row (${code}) can be tried again`, async () => {
    const asked: string[] = [];
    const connection: Partial<ServerConnection> = {
      countFromHere: () => undefined,
      exchange: (...steps) => {
        asked.push(steps[0]?.kind ?? '');
        return Promise.resolve(
          steps[0]?.kind === 'parse'
            ? [{ name: 'error', code, message: 'deadlock detected', hint: undefined, position: undefined }]
            : [],
        );
      },
      destroy: () => undefined,
    };
    const lease = { connection: connection as ServerConnection, types: new Map() }; // what the pool uses of it
    const pool = poolWith(() => Promise.resolve(lease));
    const result = pool.run(query, new AbortController().signal);
    await result.until(() => false, new AbortController().signal);
    assert.equal(asked.filter((step) => step === 'parse').length, 2);
    assert.ok(result.end?.kind === 'error');
    const { statusCode, headers, message } = result.end.error;
    assert.deepEqual([statusCode, headers], [503, { 'retry-after': '2' }]);
    assert.match(message, /before its first row: deadlock detected\. Try again\./i);
  });

function packet(kind: string, body: string): Buffer {
  const content = Buffer.from(body, 'latin1');
  const header = Buffer.from(`${kind}....`);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

/**
 * Lets everyone in, and answers each query without rows.
 * @param fatalOf returns why the connection ends on messages of these kinds, such as PDS
 */
function serve(socket: Socket, fatalOf: (asked: string) => Buffer | undefined): void {
  const ready = packet('Z', 'I');
  let waiting = Buffer.alloc(0);
  let asked = 'start';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const head = asked === 'start' ? 0 : 1;
      if (waiting.length < head + 4) return;
      const end = head + waiting.readInt32BE(head);
      if (waiting.length < end) return;
      if (head === 1) asked += waiting.toString('latin1', 0, 1);
      waiting = waiting.subarray(end);
      if (asked === 'start') socket.write(Buffer.concat([packet('R', '\0\0\0\0'), ready]));
      else if (!/[QS]$/.test(asked)) continue;
      const fatal = fatalOf(asked);
      if (fatal === undefined)
        socket.write(asked.endsWith('Q') ? Buffer.concat([packet('C', 'SET\0'), ready]) : ready);
      else socket.end(fatal);
      asked = '';
    }
  });
}

const fatal: readonly (readonly [
  when: string,
  on: RegExp,
  code: string,
  told: { readonly kind: string; readonly parses: number },
])[] = [
  ['for a reason of its own while it reads the query', /^PDS/, '25P04', { kind: 'failed', parses: 1 }],
  ['for a reason of its own while the query runs', /^PBES/, '25P04', { kind: 'failed', parses: 3 }],
  ['on an error', /^PDS/, '42P18', { kind: 'failed', parses: 1 }],
  ['since it stops', /^PBES/, '57P01', { kind: 'error', parses: 6 }],
];

for (const [when, on, code, told] of fatal)
  test(`a query whose connection the server ends ${when} (${code}) is told that`, async () => {
    const message = `it ended for ${code}`;
    let parses = 0;
    const server = createServer((socket) =>
      serve(socket, (asked) => {
        if (asked.startsWith('P')) parses += 1;
        return on.test(asked) ? packet('E', `SFATAL\0C${code}\0M${message}\0\0`) : undefined;
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server's address
    const pool = poolWith(async () => ({
      connection: await ServerConnection.open(`postgres://reader@127.0.0.1:${port}/hr`),
      types: new Map(),
    }));
    const result = pool.run({ ...query, fallbackTypes: [25] }, new AbortController().signal);
    await result.until(() => false, new AbortController().signal);
    await pool.close();
    server.close();
    const { end } = result;
    assert.ok(end?.kind === 'failed' || end?.kind === 'error');
    assert.deepEqual({ kind: end.kind, parses }, told);
    assert.ok((end.kind === 'failed' ? end.failure : end.error).message.includes(message));
  });
