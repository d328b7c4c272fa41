/** Malicious responses: redirects, and endless, compressed or huge content. Reads stay bounded. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { suite, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServiceClient } from '#api/client/client.ts';
import { failure, secret, token, withService, type Answer } from '#test/helpers/client-service.ts';
import { listen, sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const quick = { timeoutMs: 400, totalTimeoutMs: 1_200, retry: { attempts: 1 } } as const;
/** Long enough for the limits above on a busy machine; a test that takes longer hangs. */
const hangs = { timeout: 60_000 };

suite('a response that redirects elsewhere', () => {
  const calls: Readonly<Record<string, (client: ServiceClient, url: string) => Promise<unknown>>> = {
    'a list': (client) => client.models.list(),
    'a query': (client) => Array.fromAsync(queryPages(client, { query_string: 'SELECT 1' })),
    'the file of an export': (client, url) =>
      Array.fromAsync(client.downloads.read(`${url}/file?signature=x`)),
  };
  const forms: readonly (readonly [
    name: string,
    status: number,
    headers: (to: string) => Record<string, string>,
  ])[] = [
    ...[300, 301, 302, 303, 305, 307, 308].map(
      (status) => [String(status), status, (to: string) => ({ location: to })] as const,
    ),
    ['without a scheme', 302, (to) => ({ location: to.replace('http:', '') })],
    ['with a user', 302, (to) => ({ location: to.replace('//', '//me:pass@') })],
    ['to Refresh', 200, (to) => ({ refresh: `0; url=${to}` })],
    ['to Content-Location', 200, (to) => ({ 'content-location': to })],
    ['to Link', 200, (to) => ({ link: `<${to}>; rel="next preload"` })],
    ['to Alt-Svc', 200, (to) => ({ 'alt-svc': `http/1.1="${new URL(to).host}"` })],
    ['to a page that goes on', 200, () => ({ 'content-type': 'text/html' })],
    ['to an authenticated realm', 401, (to) => ({ 'www-authenticate': `Bearer realm="${to}"` })],
  ];
  for (const [carrier, options] of Object.entries({
    'connections of its own': {},
    "the editor's fetch": { fetch },
  })) {
    test(`causes no request there, by ${carrier}`, hangs, async () => {
      const elsewhere = await listen((_, response) => response.end('{}'));
      try {
        for (const [name, status, headers] of forms) {
          const page = `<html><meta http-equiv="refresh" content="0; url=${elsewhere.url}"></html>`;
          const answer: Answer = (_, response) =>
            response.writeHead(status, headers(`${elsewhere.url}/x`)).end(page);
          await withService(
            answer,
            async (client, _seen, url) => {
              for (const call of Object.values(calls)) await failure(call(client, url));
            },
            { ...quick, ...options },
          );
          assert.equal(elsewhere.seen.length, 0, name);
        }
      } finally {
        await elsewhere.close();
      }
    });

    test(`sends no token to the link of a file, even on the service's own address, by ${carrier}`, async () => {
      await withService(
        (_, response) => response.end('id\n1\n'),
        async (client, seen, url) => {
          await failureOrNothing(client.models.list());
          await Array.fromAsync(client.downloads.read(`${url}/file?signature=x`));
          const [asked] = seen().filter(({ path }) => path.startsWith('/file'));
          assert.equal(asked?.headers.authorization, undefined);
          assert.ok(!JSON.stringify(asked).includes(token));
        },
        options,
      );
    });
  }
});

suite('a response without end or limit', () => {
  const oneMegabyte = 1_048_576;
  const zeros = Buffer.alloc(64 * oneMegabyte, 0x20);
  const bombs = {
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros),
    'gzip, gzip': gzipSync(gzipSync(zeros)),
  };
  for (const [coding, bomb] of Object.entries(bombs)) {
    test(`that expands (${coding}) is stopped at the limit`, hangs, async () => {
      assert.ok(bomb.length < oneMegabyte);
      await withService(
        (_, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
            .end(bomb),
        async (client) => {
          const before = process.memoryUsage().arrayBuffers;
          const error = await failure(client.models.list());
          assert.match(
            `${error.name} ${error.message}`,
            /TransportError.*(?:large|more than|limit)|ContractError/s,
          );
          assert.ok(process.memoryUsage().arrayBuffers - before < 32 * oneMegabyte);
        },
        { maxBodyBytes: oneMegabyte, retry: { attempts: 1 } },
      );
    });
  }

  test('is stopped at its size limit', hangs, async () => {
    const left = Promise.withResolvers<undefined>();
    await withService(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.on('close', () => left.resolve(undefined));
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
      async (client) => {
        await failure(client.models.list());
        await left.promise;
      },
      { maxBodyBytes: oneMegabyte, retry: { attempts: 1 } },
    );
  });

  test('that trickles in is stopped at its time limit', hangs, async () => {
    await withService(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
      async (client) => {
        assert.equal((await failure(client.models.list())).name, 'TimeoutError');
      },
      quick,
    );
  });

  for (const status of ['100 Continue', '102 Processing', '103 Early Hints']) {
    test(`that never arrives (${status}) is stopped at its time limit`, hangs, async () => {
      const flood = createServer((socket) => {
        const line = `HTTP/1.1 ${status}\r\nlink: </x>; rel=preload\r\n\r\n`;
        const more = () => {
          while (!socket.destroyed && socket.write(line.repeat(100)));
        };
        socket.on('drain', more).on('error', () => socket.destroy());
        socket.once('data', more);
      });
      await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
      const address = flood.address();
      assert.ok(address !== null && typeof address === 'object');
      try {
        await withService(
          (_, response) => response.end('{}'),
          async (client) => {
            const error = await failure(client.models.list());
            assert.ok(['TimeoutError', 'TransportError'].includes(error.name), error.name);
          },
          { ...quick, baseUrl: `http://127.0.0.1:${address.port}` },
        );
      } finally {
        flood.close();
      }
    });
  }

  test('with a megabyte of headers is refused', hangs, async () => {
    const big = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(oneMegabyte)}\r\n\r\n`));
    });
    await new Promise<void>((resolve) => big.listen(0, '127.0.0.1', resolve));
    const address = big.address();
    assert.ok(address !== null && typeof address === 'object');
    try {
      await withService(
        (_, response) => response.end('{}'),
        async (client) => {
          assert.equal((await failure(client.models.list())).name, 'TransportError');
        },
        { ...quick, baseUrl: `http://127.0.0.1:${address.port}` },
      );
    } finally {
      big.close();
    }
  });
});

async function failureOrNothing(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => assert.ok(error instanceof Error));
}

test('a list that repeats what was sent shows it in no message', async () => {
  const coded = Buffer.from(token).toString('base64');
  for (const items of [
    [{ name: token }, { name: `the ${secret}` }, { name: coded }],
    [{ name: 'x', [token]: { [secret]: 1 } }],
    [{ name: 1, query_id: token }],
  ])
    await withService(
      (_, response) => sendJson(response, 200, { items, nextPageToken: null }),
      async ({ savedQueries, models }) => {
        const told: string[] = [];
        const options = { onLeftOut: (problems: readonly string[]) => void told.push(problems.join('\n')) };
        await Array.fromAsync(savedQueries.listAll(options));
        assert.ok(told.length > 0);
        await models.list().catch((error: unknown) => told.push(String(error)));
        for (const hidden of [token, secret, coded]) assert.doesNotMatch(told.join('\n'), new RegExp(hidden));
      },
    );
});
