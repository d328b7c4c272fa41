/** A service that sends an unsolicited `100 Continue` before each response, which HTTP allows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { createClient } from '#api/client/client.ts';
import { createDispatcher } from '#api/client/network/dispatcher.ts';

const interim = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Responds to requests on a raw connection, one at a time, with the chunks that the test supplies. */
async function withRawService(
  pieces: (path: string, count: number) => readonly string[],
  body: (url: string, connections: () => number) => Promise<void>,
): Promise<void> {
  let connections = 0;
  let count = 0;
  const sockets = new Set<net.Socket>();
  const server = net
    .createServer((socket) => {
      connections += 1;
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        for (;;) {
          const head = /^(\w+) (\S+) HTTP\/1\.1\r\n(.*?)\r\n\r\n/s.exec(text);
          if (head === null) return;
          const length = Number(/^content-length: (\d+)/im.exec(head[3] ?? '')?.[1] ?? 0);
          if (text.length < head[0].length + length) return;
          text = text.slice(head[0].length + length);
          count += 1;
          void send(socket, pieces(head[2] ?? '', count));
        }
      });
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => connections);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
}

/** Sends each chunk in a separate packet. */
async function send(socket: net.Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function answer(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

const tokenAnswer = JSON.stringify({ access_token: 't', token_type: 'Bearer', expires_in: 3600 });
const model = JSON.stringify({ items: [{ name: 'identity', description: '' }] });

suite('unprompted 100 Continue', () => {
  test('tokens, reads and writes get their responses, over connections that are kept alive', async () => {
    const record = JSON.stringify({
      query_id: 'q',
      name: 'n',
      model: 'm',
      query_string: 'SELECT 1',
      version: 1,
    });
    const bodyOf = (path: string) =>
      path.includes('token') ? tokenAnswer : path.includes('saved-queries') ? record : model;
    await withRawService(
      (path) => [interim, answer(bodyOf(path))],
      async (url, connections) => {
        const client = createClient({
          baseUrl: url,
          authUrl: `${url}/token`,
          clientId: 'reader',
          clientSecret: 'hush',
          retry: { attempts: 1 },
        });
        try {
          assert.equal((await client.savedQueries.get('q')).query_string, 'SELECT 1');
          const draft = { name: 'n', model: 'm', query_string: 'SELECT 1' };
          assert.equal((await client.savedQueries.create(draft)).version, 1);
          assert.equal((await client.savedQueries.get('q')).version, 1);
          assert.ok(connections() < 4, 'four requests over fewer connections');
        } finally {
          await client.close();
        }
      },
    );
  });

  const whole = interim + answer('{"a":1}');
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['in one packet with the answer', [whole]],
    ['byte by byte', [...whole]],
    ['several times', [interim.repeat(3), interim, answer('{"a":1}')]],
    ['with headers of its own', ['HTTP/1.1 100 Go on\r\nx-a: b\r\n', `x-c: d\r\n\r\n${answer('{"a":1}')}`]],
    ['not at all', [answer('{"a":1}')]],
  ];
  for (const [words, pieces] of cases) {
    test(`${words}: the response is read, repeatedly`, async () => {
      const dispatcher = await createDispatcher();
      try {
        await withRawService(
          () => pieces,
          async (url) => {
            for (const method of ['GET', 'POST', 'GET'] as const) {
              const body = method === 'POST' ? '{}' : null;
              const got = await request(url, { dispatcher, method, body });
              assert.deepEqual([got.statusCode, await got.body.text()], [200, '{"a":1}']);
            }
          },
        );
      } finally {
        await dispatcher.destroy();
      }
    });
  }

  test('in a body counts as content, wherever a packet starts', async () => {
    const body = `a${interim}b`;
    const text = answer(body);
    const at = text.indexOf(interim);
    const dispatcher = await createDispatcher();
    try {
      await withRawService(
        () => [interim, text.slice(0, at), text.slice(at)],
        async (url) => {
          const got = await request(url, { dispatcher });
          assert.equal(await got.body.text(), body);
        },
      );
    } finally {
      await dispatcher.destroy();
    }
  });
});
