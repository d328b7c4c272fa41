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
