/** The door of a team's service, as a load balancer sees it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { answerMalformed } from '#service/plugins/errors.ts';
import { StateTokens } from '#service/state/clients.ts';
import { openSqliteState } from '#service/state/sqlite-state.ts';
import { createFront } from '#service/team/front.ts';

suite('the door of a team’s service', () => {
  test('keeps an idle connection longer than a load balancer does', async () => {
    const state = await openSqliteState(undefined);
    const options = {
      host: '127.0.0.1',
      publicUrl: undefined,
      allowedHosts: [],
      baseUrl: '',
      log: () => undefined,
    };
    const front = createFront(options, {
      tls: undefined,
      appOf: () => undefined,
      first: undefined,
      isAway: () => false,
      tokens: new StateTokens(state),
      signIn: () => undefined,
      sourceOfExport: () => Promise.resolve(undefined),
      notReady: () => Promise.resolve([]),
      facts: () => ({}),
      requestLog: () => undefined,
      onRequest: () => undefined,
    });
    const address = await front.listen({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await fetch(`${address}/health`);
      assert.equal(answer.headers.get('keep-alive'), 'timeout=72');
      const nobody = await fetch(`${address}/v1/schema/models`);
      assert.equal(nobody.status, 403);
      // Nobody who is not signed in has a long body parsed.
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const body = '['.repeat(20_000);
        const long = await fetch(`${address}/oauth/token`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        assert.equal(long.status, 413, type);
      }
    } finally {
      await front.close();
      await state.close();
    }
  });

  test('leaves a caller whose request is no HTTP, also if that keeps its side of the connection open', async () => {
    const server = createServer();
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      answerMalformed(error, socket, 1),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server's address
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    try {
      caller.write('NOTHING /\r\n\r\n');
      const [taken] = (await once(server, 'connection')) as [Socket]; // the event's argument
      const left = once(taken, 'close');
      const [answer] = (await once(caller, 'data')) as [Buffer]; // the event's argument
      assert.match(answer.toString(), /^HTTP\/1\.1 400 /);
      await left;
    } finally {
      caller.destroy();
      server.close();
    }
  });
});
