/** The pool of connections that runs queries, over a connection that only notes what it is asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerConnection } from '#service/postgres/connection.ts';
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

test('a query whose connection the server ends for a reason of its own fails with that reason, once', async () => {
  const asked: string[] = [];
  const message = 'terminating connection due to transaction timeout';
  const connection = {
    isBroken: false,
    countFromHere: () => undefined,
    exchange: (step: { readonly kind: string }) => {
      asked.push(step.kind);
      if (connection.isBroken) return Promise.reject(new Error('The connection to PostgreSQL has ended.'));
      connection.isBroken = step.kind === 'parse';
      const error = { name: 'error', code: '25P04', message, hint: undefined, position: undefined };
      return Promise.resolve(connection.isBroken ? [error] : []);
    },
    destroy: () => undefined,
  };
  const lease = { connection: connection as unknown as ServerConnection, types: new Map() }; // what the pool uses of it
  const pool = poolWith(() => Promise.resolve(lease));
  const result = pool.run(query, new AbortController().signal);
  await result.until(() => false, new AbortController().signal);
  assert.deepEqual(asked, ['query', 'parse', 'query']);
  assert.ok(result.end?.kind === 'failed');
  assert.deepEqual([result.end.failure.sqlState, result.end.failure.message], ['25P04', message]);
});
