/** Messages to receivers: every fault of a real server ends, and no message goes where it must not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDispatcher } from '#api/client/network/dispatcher.ts';
import { isPrivateAddress, publicLookup } from '#api/client/network/private-address.ts';
import { postMessage, type PostedMessage, type PostOptions } from '#api/client/post-message.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answers: Answer[] = [];
let received: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    (answers.shift() ?? status(200))(request, response);
  });
  request.on('error', () => undefined);
});
let base: string;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end('x');

async function post(
  script: readonly Answer[],
  over: Partial<PostedMessage> = {},
  options: Partial<PostOptions> & { readonly isPublic?: boolean } = {},
) {
  answers = [...script];
  received = [];
  const dispatcher = await createDispatcher(options.isPublic === true ? { lookup: publicLookup } : {});
  try {
    const outcome = await postMessage(
      {
        url: `${base}/hook?x=1`,
        isPrivateAllowed: true,
        body: '{"a":1}',
        headers: (now) => ({ 'webhook-id': 'msg_1', 'webhook-timestamp': String(now.getTime()) }),
        ...over,
      },
      {
        dispatcher,
        signal: new AbortController().signal,
        pauseMs: 1,
        pauseMaxMs: 5,
        attemptsMax: 3,
        ...options,
      },
    );
    return outcome.kind === 'sent' ? 'sent' : JSON.stringify(outcome.problem);
  } finally {
    await dispatcher.destroy();
  }
}

describe('a message to a receiver', () => {
  it('arrives with its headers', async () => {
    assert.equal(await post([]), 'sent');
    assert.equal(received[0]?.body, '{"a":1}');
    assert.equal(received[0].headers['content-type'], 'application/json');
    assert.equal(received[0].headers['webhook-id'], 'msg_1');
  });

  const dies: Answer = (request) => request.socket.destroy();
  const diesInside: Answer = (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x');
    setImmediate(() => request.socket.destroy());
  };
  for (const [name, script, outcome, count] of [
    ['is told to slow down', [status(429, { 'retry-after': '0' }), status(429)], 'sent', 3],
    ['fails at first', [status(500), status(503)], 'sent', 3],
    ['dies without an answer', [dies, dies], 'sent', 3],
    ['answers and dies in the middle, with what counts said', [diesInside], 'sent', 1],
    [
      'keeps failing',
      [status(500), status(502), status(503), status(504)],
      '{"kind":"failing","status":503}',
      3,
    ],
    ['keeps dying', [dies, dies, dies], '{"kind":"unreachable","reason":"UND_ERR_SOCKET"}', 3],
    ['refuses', [status(403)], '{"kind":"refused","status":403}', 1],
    ['redirects', [status(302, { location: 'https://example.com/' })], '{"kind":"redirect","status":302}', 1],
    ['redirects for good', [status(308, { location: '/other' })], '{"kind":"redirect","status":308}', 1],
  ] as const)
    it(`ends if the receiver ${name}`, async () => {
      assert.equal(await post(script), outcome);
      assert.equal(received.length, count);
    });

  it('does not wait for a receiver that hangs', async () => {
    const hangs: Answer = () => undefined;
    assert.equal(
      await post([hangs, hangs], {}, { attemptMs: 50, attemptsMax: 2 }),
      '{"kind":"unreachable","reason":"no answer within 0.05 seconds"}',
    );
  });

  it('does not read an endless answer', async () => {
    const endless: Answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    };
    assert.equal(await post([endless]), 'sent');
  });

  for (const wait of ['86400', new Date(Date.now() + 86_400_000).toUTCString()])
    it(`is not asked again where it wants more patience than there is: ${wait}`, async () => {
      assert.equal(await post([status(429, { 'retry-after': wait })]), '{"kind":"later","status":429}');
      assert.equal(received.length, 1);
    });

  it('ends when cancelled', async () => {
    const controller = new AbortController();
    const cancels: Answer = () => controller.abort();
    await assert.rejects(post([cancels], {}, { signal: controller.signal }));
    assert.equal(received.length, 1);
  });

  it('goes to https only, and into no private network by accident', async () => {
    const kind = async (url: string, isPrivateAllowed = false, isPublic = false) =>
      await post([], { url, isPrivateAllowed }, { isPublic, attemptsMax: 1 });
    assert.match(await kind('http://example.com/'), /not-https/);
    assert.match(await kind('ftp://example.com/'), /not-https/);
    assert.match(await kind('http://192.168.1.1/', true), /not-https/);
    assert.match(await kind('https://user:secret@example.com/'), /no-address/);
    assert.match(await kind('nowhere'), /no-address/);
    for (const url of [
      base,
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://169.254.169.254/latest',
      'https://localhost./',
      'https://a.localhost/',
    ])
      assert.match(await kind(url), /private/, url);
    assert.equal(received.length, 0);
  });

  it('does not follow a public name to a private address', async () => {
    // This machine's own resolver knows this name, as a name from outside could point here.
    const looked = await new Promise<string>((resolve) =>
      publicLookup('localhost', { all: true }, (error) => resolve(error?.name ?? 'found')),
    );
    assert.equal(looked, 'PrivateAddressError');
    const { port } = new URL(base);
    assert.match(
      await post([], { url: `http://localhost:${port}/` }, { isPublic: true, attemptsMax: 1 }),
      /"kind":"private"/,
    );
    assert.equal(received.length, 0);
  });

  it('tells private addresses from others', () => {
    const privates = [
      ...[
        '10.1.2.3',
        '127.9.9.9',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.0.1',
        '169.254.0.1',
        '100.64.0.1',
      ],
      ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fd00::1', 'ff02::1'],
      ...['[::1]', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1%eth0'],
    ];
    assert.deepEqual(
      privates.filter((address) => !isPrivateAddress(address)),
      [],
    );
    const publics = [
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      'example.com',
      '',
    ];
    assert.deepEqual(publics.filter(isPrivateAddress), []);
  });
});
