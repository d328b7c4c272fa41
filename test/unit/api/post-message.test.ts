/** Messages to receivers: every fault of a real server ends, and no message goes where it must not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDispatcher } from '#api/client/network/dispatcher.ts';
import { isPrivateAddress, leadsInside, publicLookup } from '#api/client/network/private-address.ts';
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

const says =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200).end(text);
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

  const teams = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error';
  for (const [answer, outcome, count] of [
    ['ok', 'sent', 1],
    ['1', 'sent', 1],
    ['', 'sent', 1],
    ['{"ok":true,"error":null,"errors":[]}', 'sent', 1],
    ['["error"]', 'sent', 1],
    ['{"error":[]}', 'sent', 1],
    ['{"error":{}}', 'sent', 1],
    [
      '{"ok":false,"error":"invalid_blocks"}',
      '{"kind":"says-error","code":"invalid_blocks","status":200}',
      1,
    ],
    ['{"error":"https://hooks.example/secret"}', '{"kind":"says-error","status":200}', 1],
    ['{"ok":false,"error":"hook"}', '{"kind":"says-error","status":200}', 1],
    ['{"success":false}', '{"kind":"says-error","status":200}', 1],
    ['{"status":"error"}', '{"kind":"says-error","status":200}', 1],
    ['{"errors":[{"message":"x"}]}', '{"kind":"says-error","status":200}', 1],
    [`${teams} 413 with ContextId x`, '{"kind":"says-error","code":"413","status":200}', 1],
    [`${teams} 429 with ContextId x`, '{"kind":"says-error","code":"429","status":200}', 3],
    ['\n<!DOCTYPE html><title>Sign in</title>', '{"kind":"web-page","status":200}', 1],
  ] as const)
    it(`believes what a receiver says beside a success: ${answer.trim()}`, async () => {
      assert.equal(await post([says(answer), says(answer), says(answer)]), outcome);
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

  it('goes through a proxy inside, and into no private network behind it', async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    // Its name leads to this machine, as that of an organization's proxy leads into its network.
    const address = `http://user:secret@localhost:${(proxy.address() as AddressInfo).port}`;
    const dispatcher = await createDispatcher({ proxy: address, noProxy: '', lookup: publicLookup });
    const through = async (host: string, more: Partial<PostedMessage & PostOptions> = {}) => {
      asked.length = 0;
      const outcome = await postMessage(
        { url: `https://${host}/x`, isPrivateAllowed: false, body: '{}', headers: () => ({}), ...more },
        {
          dispatcher,
          signal: new AbortController().signal,
          attemptsMax: 1,
          isInside: (name) => Promise.resolve(name === 'inside.example'),
          ...more,
        },
      );
      assert.equal(outcome.kind, 'not-sent');
      return [outcome.problem.kind, ...asked];
    };
    try {
      assert.deepEqual(await through('hooks.example'), ['unreachable', 'hooks.example:443']);
      assert.deepEqual(await through('inside.example'), ['private']);
      assert.deepEqual(await through('127.0.0.1'), ['private']);
      assert.deepEqual(await through('[fec0::1]'), ['private']);
      assert.deepEqual(await through('inside.example', { isPrivateAllowed: true }), [
        'unreachable',
        'inside.example:443',
      ]);
      const silent = { attemptMs: 20, isInside: () => new Promise<boolean>(() => undefined) };
      assert.equal((await through('hooks.example', silent))[0], 'unreachable');
      assert.equal(await leadsInside('localhost'), true);
      assert.equal(await leadsInside('no-such-name.invalid'), false);
    } finally {
      await dispatcher.destroy();
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it('tells private addresses from others', () => {
    // The first and the last address of each network.
    const privates = [
      ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
      ...['127.0.0.0', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255'],
      ...['192.0.0.0', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.255'],
      ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255'],
      ...['203.0.113.0', '203.0.113.255', '224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
      ...['::', '::1', '::7f00:1', '::10.0.0.1', '::ffff:0:7f00:1', '::ffff:0:8.8.8.8', '::fffe:8.8.8.8'],
      ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '1fff::1'],
      ...[
        '2001::1',
        '2001:0:ffff::',
        '2001:1::1',
        '2001:2::1',
        '2001:10::1',
        '2001:1ff:ffff::',
        '2001:20::1',
      ],
      ...[
        '2001:db8::',
        '2001:db8:ffff::1',
        '2002::',
        '2002:7f00:1::',
        '2002:808:808::',
        '3fff::',
        '3fff:fff::1',
      ],
      ...['4000::1', '5f00::1', 'fc00::', 'fdff::1', 'fe00::1', 'fe80::', 'febf::1', 'fec0::', 'feff::1'],
      ...['ff02::1', 'ffff::1', '[::1]', '[FEC0::1]', 'fe80::1%eth0', 'fec0::1%1'],
      ...['::ffff:10.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:c0a8:1', '::FFFF:169.254.169.254'],
    ];
    assert.deepEqual(
      privates.filter((address) => !isPrivateAddress(address)),
      [],
    );
    const publics = [
      ...[
        '1.0.0.0',
        '8.8.8.8',
        '9.255.255.255',
        '11.0.0.0',
        '100.63.255.255',
        '100.128.0.0',
        '172.15.255.255',
      ],
      ...[
        '172.32.0.0',
        '192.0.1.0',
        '192.0.3.0',
        '192.31.196.1',
        '192.52.193.1',
        '192.175.48.1',
        '223.255.255.255',
      ],
      ...[
        '2000::1',
        '2001:200::1',
        '2001:db7::1',
        '2001:db9::1',
        '2003::1',
        '2606:4700::1111',
        '2620:4f:8000::1',
      ],
      ...['3ffe::1', '[2606:4700::1111]', '::ffff:8.8.8.8', '::ffff:808:808', 'example.com', ''],
    ];
    assert.deepEqual(publics.filter(isPrivateAddress), []);
  });
});
