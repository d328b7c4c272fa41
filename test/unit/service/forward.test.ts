/** A request for a page that another instance has: what that instance sees of the caller. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { useErrorEnvelope } from '#service/plugins/errors.ts';
import { useForwarding } from '#service/team/forward.ts';
import { newOwner } from '#service/tokens.ts';

test('ends at the other instance when its caller leaves, and is no failure', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo; // a TCP server's address
  const problems: string[] = [];
  const server = fastify();
  useErrorEnvelope(server, (line) => problems.push(line));
  useForwarding(server, newOwner(), (boot) =>
    Promise.resolve({
      ...{ id: 'other', boot, address: `http://127.0.0.1:${port}`, certificate: undefined },
      ...{ configuration: '', sources: [], program: '' },
    }),
  );
  server.get('/list', () => ({ items: [] }));
  // The error handler runs right after these hooks.
  const failed = Promise.withResolvers<undefined>();
  server.addHook('onError', (_request, _reply, _error, done) => {
    failed.resolve(undefined);
    done();
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const caller = new AbortController();
    const asked = fetch(`${address}/list?pageToken=${newOwner()}~x.y`, {
      headers: { authorization: 'Bearer token' },
      signal: caller.signal,
    });
    const [passedOn] = (await once(other, 'request')) as [IncomingMessage]; // the event's argument
    const ended = once(passedOn.socket, 'close');
    caller.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await Promise.all([ended, failed.promise]);
    assert.deepEqual(problems, []);
  } finally {
    await server.close();
    other.closeAllConnections();
    other.close();
  }
});
