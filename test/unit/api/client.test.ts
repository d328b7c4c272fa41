/** The client against real listeners: the requests that it sends, and the error for each failure. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import {
  ApiError,
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UserAbort,
} from '#api/client/errors.ts';
import { failure, secret, token, withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const models = { models: [{ name: 'platform_identity', description: 'd' }] };

const envelope = (code: string, more: object = {}) => ({
  code,
  message: 'The words of the service',
  ...more,
});

suite('error classes', () => {
  const rows: readonly [string, number, unknown, new (...args: never[]) => Error, RegExp][] = [
    ['400', 400, envelope('BAD_REQUEST'), RejectedError, /BAD_REQUEST.*words of the service/],
    ['401', 401, envelope('UNAUTHORIZED'), AuthError, /Update the client secret/],
    ['403', 403, envelope('FORBIDDEN'), AuthError, /read scope/],
    ['404', 404, envelope('NOT_FOUND'), NotFoundError, /base address/],
    ['404 without an envelope', 404, 'nope', NotFoundError, /base address/],
    ['409', 409, envelope('NAME_CONFLICT'), ConflictError, /409/],
    ['429', 429, envelope('TOO_MANY_REQUESTS'), RateLimitError, /Try again in a minute/],
    ['500', 500, envelope('INTERNAL_ERROR'), ServerFaultError, /try again later/],
    ['502 as HTML', 502, '<html>', ServerFaultError, /502/],
    ['302', 302, '', ContractError, /redirect/],
    ['418 without an envelope', 418, '<html>', ContractError, /HTML page/],
  ];
  for (const [name, status, body, kind, message] of rows) {
    test(name, async () => {
      await withService(
        (_, response) => sendJson(response, status, body),
        async (client) => {
          const error = await failure(client.models.list());
          assert.equal(error.constructor, kind);
          assert.match(error.message, message);
          if (error instanceof ApiError) assert.equal(error.status, status);
        },
      );
    });
  }

  test('a parse error has its position, hint and reasons, whatever the status', async () => {
    const details = { line: 2, column: 5, hint: 'Did you mean FROM?' };
    const reasons = [{ code: 'MUTATION_NOT_ALLOWED', message: 'Only SELECT' }];
    await withService(
      (_, response) => sendJson(response, 422, envelope('QUERY_PARSE_ERROR', { details, reasons })),
      async (client) => {
        const error = await failure(client.queries.execute({ query_string: 'SELEC' }));
        assert.ok(error instanceof RejectedError);
        assert.deepEqual(error.position, { line: 2, column: 5 });
        assert.equal(error.hint, 'Did you mean FROM?');
        assert.deepEqual(error.reasons, reasons);
      },
    );
  });

  test('a reason that only repeats the message is said once', async () => {
    const message = 'relation "roles" does not exist';
    const reasons = [
      { code: '42P01', message },
      { code: 'X', message: `${message}.` },
      { code: 'Y', message: 'It has: a, b' },
    ];
    await withService(
      (_, response) => sendJson(response, 400, { code: 'QUERY_PARSE_ERROR', message, reasons }),
      async (client) => {
        const error = await failure(client.queries.execute({ query_string: 'SELECT' }));
        assert.equal(
          error.message,
          `The service refused this (QUERY_PARSE_ERROR): ${message}. It has: a, b.`,
        );
      },
    );
  });

  test('a position counts from 1, also if the service counts from 0 or sends text', async () => {
    for (const [told, position] of [
      [
        { line: 0, column: 4 },
        { line: 1, column: 5 },
      ],
      [
        { line: 0, column: 0 },
        { line: 1, column: 1 },
      ],
      [
        { line: 2, column: 0 },
        { line: 2, column: 1 },
      ],
      [
        { line: '2', column: '5' },
        { line: 2, column: 5 },
      ],
      [{ line: -1, column: 5 }, undefined],
      [{ line: 1.5, column: 5 }, undefined],
      [{ line: 'two', column: 5 }, undefined],
    ] as const)
      await withService(
        (_, response) => sendJson(response, 400, envelope('QUERY_PARSE_ERROR', { details: told })),
        async (client) => {
          const error = await failure(client.queries.execute({ query_string: 'SELEC' }));
          assert.ok(error instanceof RejectedError);
          assert.deepEqual(error.position, position);
        },
      );
  });

  test("a version conflict names the service's version", async () => {
    await withService(
      (_, response) =>
        sendJson(response, 409, envelope('VERSION_CONFLICT', { details: { current_version: 7 } })),
      async (client) => {
        const error = await failure(
          client.savedQueries.update('q', { name: 'n', query_string: 's', expected_version: 6 }),
        );
        assert.ok(error instanceof ConflictError);
        assert.equal(error.currentVersion, 7);
        assert.ok(!error.isNameConflict);
      },
    );
  });

  test('a 503 that says when to come back is told with the time, not with "later"', async () => {
    await withService(
      (_, response) => sendJson(response, 503, envelope('UNAVAILABLE'), { 'retry-after': '90' }),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ServerFaultError);
        assert.match(error.message, /try again in 90 seconds/);
      },
    );
  });

  test('a 429 with a Retry-After above the maximum reports the delay', async () => {
    await withService(
      (_, response) => sendJson(response, 429, envelope('TOO_MANY_REQUESTS'), { 'retry-after': '90' }),
      async (client, seen) => {
        const error = await failure(client.models.list());
        assert.match(error.message, /in 90 seconds/);
        assert.equal(seen().length, 2);
      },
    );
  });

  test('a 429 is thrown immediately if the caller handles the delay', async () => {
    await withService(
      (_, response) => sendJson(response, 429, envelope('TOO_MANY_REQUESTS'), { 'retry-after': '1' }),
      async (client, seen) => {
        const error = await failure(client.accounts.disable('a', { throwsRateLimit: true }));
        assert.ok(error instanceof RateLimitError);
        assert.equal(error.serviceMessage, 'The words of the service.');
        assert.equal(error.retryAfterMs, 1_000);
        assert.deepEqual(
          seen().map(({ path }) => path),
          ['/prod/token', '/v1/accounts/a/disable'],
        );
      },
    );
  });

  test('HTML with status 200 does not count as a response from the service', async () => {
    await withService(
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in'),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /HTML page.*base address/);
        assert.ok(!error.message.includes('Sign in'));
      },
    );
  });

  test('JSON with a different shape is reported with the position', async () => {
    await withService(
      (_, response) => sendJson(response, 200, { models: [{}] }),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /`name`/);
      },
    );
  });

  test('a connection lost during a response', async () => {
    await withService(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"models":[', () => response.destroy());
      },
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof TransportError);
        assert.equal(error.reason, 'truncated');
      },
    );
  });

  test('a connection closed before the response', async () => {
    await withService(
      (_, response) => response.destroy(),
      async (client, seen) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof TransportError);
        assert.equal(error.reason, 'reset');
        assert.equal(
          seen().filter((each) => each.path !== '/prod/token').length,
          3,
          'a read is sent three times',
        );
      },
    );
  });

  test('a service that never responds', async () => {
    await withService(
      () => undefined,
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof TimeoutError);
        assert.equal(error.timeoutMs, 200);
      },
      { timeoutMs: 200 },
    );
  });

  test('a call including all retries has a time limit', async () => {
    await withService(
      (_, response) => sendJson(response, 429, envelope('TOO_MANY_REQUESTS'), { 'retry-after': '9' }),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof TimeoutError);
        assert.equal(error.timeoutMs, 60);
      },
      { totalTimeoutMs: 60 },
    );
  });

  test('no listener', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}`;
    const client = createClient({
      baseUrl: url,
      authUrl: `${url}/token`,
      clientId: 'a',
      clientSecret: secret,
    });
    const error = await failure(client.models.list());
    await client.close();
    assert.ok(error instanceof TransportError);
    assert.equal(error.reason, 'refused');
    assert.match(error.message, /is running/);
  });

  test('a response over the limit is not read', async () => {
    await withService(
      (_, response) => sendJson(response, 200, { models: [], pad: 'x'.repeat(3_000_000) }),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof TransportError);
        assert.equal(error.reason, 'too-large');
      },
      { maxBodyBytes: 1_048_576 },
    );
  });
});

suite('requests', () => {
  test('share one token, requested with Basic authentication and both scopes', async () => {
    await withService(
      (_, response) => sendJson(response, 200, models),
      async (client, seen) => {
        await Promise.all([client.models.list(), client.models.list(), client.models.list()]);
        const [first, ...rest] = seen();
        assert.equal(first?.path, '/prod/token');
        assert.equal(
          first.headers.authorization,
          `Basic ${Buffer.from(`reader:${secret}`).toString('base64')}`,
        );
        assert.match(
          decodeURIComponent(first.body),
          /grant_type=client_credentials&scope=http:\/\/[^ ]*\/read\+http:\/\/[^ ]*\/write/,
        );
        assert.equal(rest.length, 3);
        for (const request of rest) assert.equal(request.headers.authorization, `Bearer ${token}`);
      },
    );
  });

  test('send the secret in the body if configured', async () => {
    await withService(
      (_, response) => sendJson(response, 200, models),
      async (client, seen) => {
        await client.models.list();
        assert.equal(seen()[0]?.headers.authorization, undefined);
        assert.match(seen()[0]?.body ?? '', /client_id=reader&client_secret=hush-hush/);
      },
      { clientAuthentication: 'body' },
    );
  });

  test('are retried once with a new token after a 401', async () => {
    await withService(
      (_, response, count) =>
        count === 1 ? sendJson(response, 401, envelope('UNAUTHORIZED')) : sendJson(response, 200, models),
      async (client, seen) => {
        await client.models.list();
        assert.deepEqual(
          seen().map((request) => request.path),
          ['/prod/token', '/v1/schema/models', '/prod/token', '/v1/schema/models'],
        );
      },
    );
  });

  test('a token is renewed at 80 % of its lifetime', async () => {
    let now = 0;
    await withService(
      (_, response) => sendJson(response, 200, models),
      async (client, seen) => {
        const tokens = () => seen().filter((request) => request.path === '/prod/token').length;
        await client.models.list();
        now = 79_000;
        await client.models.list();
        assert.equal(tokens(), 1);
        now = 80_000;
        await client.models.list();
        assert.equal(tokens(), 2);
      },
      { now: () => now },
      (_, response) =>
        sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 100 }),
    );
  });

  test('a wrong secret is sent to the token address only once', async () => {
    await withService(
      () => undefined,
      async (client, seen) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof AuthError);
        assert.equal(error.at, 'token-endpoint');
        assert.match(error.message, /update the client secret/);
        assert.equal(seen().length, 1);
      },
      {},
      (_, response) => sendJson(response, 401, { error: 'invalid_client' }),
    );
  });

  test('a refused secret is not sent again, but a different one is', async () => {
    let current = 'old';
    const told: Error[] = [];
    await withService(
      (_, response) => sendJson(response, 200, models),
      async (client, seen) => {
        assert.ok((await failure(client.models.list())) instanceof AuthError);
        assert.ok((await failure(client.models.list())) instanceof AuthError);
        assert.equal(seen().length, 1);
        assert.equal(told.length, 1);
        current = 'new';
        await client.models.list();
        assert.deepEqual(
          seen().map((request) => request.path),
          ['/prod/token', '/prod/token', '/v1/schema/models'],
        );
      },
      { clientSecret: () => Promise.resolve(current), onAuthFailure: (error) => told.push(error) },
      (request, response) =>
        request.headers.authorization === `Basic ${Buffer.from('reader:new').toString('base64')}`
          ? sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
          : sendJson(response, 401, { error: 'invalid_client' }),
    );
  });

  test('a second rejected token in a row is final, and reported once', async () => {
    const told: Error[] = [];
    await withService(
      (_, response) => sendJson(response, 401, envelope('UNAUTHORIZED')),
      async (client, seen) => {
        assert.ok((await failure(client.models.list())) instanceof AuthError);
        assert.equal(seen().length, 4);
        assert.deepEqual(
          told.map((error) => error instanceof AuthError && error.at),
          ['unauthorized'],
        );
      },
      { onAuthFailure: (error) => told.push(error) },
    );
  });

  test('each call reports whether the service was reached; a refusal is a response', async () => {
    const told: (string | undefined)[] = [];
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.destroy(),
      (response) => sendJson(response, 403, envelope('FORBIDDEN')),
      (response) => sendJson(response, 503, envelope('UNAVAILABLE')),
      (response) => sendJson(response, 500, envelope('INTERNAL_ERROR')),
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    ];
    await withService(
      (_, response) => answers.shift()?.(response),
      async (client) => {
        for (let call = 0; call < 5; call += 1) await failure(client.models.list());
        assert.deepEqual(told, [
          'TransportError',
          undefined,
          'ServerFaultError',
          'ServerFaultError',
          'ContractError',
        ]);
      },
      { onReach: (error) => told.push(error?.name), retry: { attempts: 1 } },
    );
  });

  test('a missing permission is not a sign-in failure', async () => {
    const told: Error[] = [];
    await withService(
      (_, response) => sendJson(response, 403, envelope('FORBIDDEN')),
      async (client) => {
        assert.ok((await failure(client.models.list())) instanceof AuthError);
        assert.match((await failure(client.accounts.disable('a'))).message, /write scope/);
        // `execute` is a POST request, but only needs the read scope.
        assert.match(
          (await failure(client.queries.execute({ query_string: 'SELECT 1' }))).message,
          /read scope/,
        );
        assert.equal(told.length, 0);
      },
      { onAuthFailure: (error) => told.push(error) },
    );
  });

  test('a failing token address is a server fault, whatever its response body', async () => {
    await withService(
      () => undefined,
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ServerFaultError);
        assert.equal(error.status, 500);
      },
      { retry: { attempts: 1 } },
      (_, response) => sendJson(response, 500, { error: 'server_error' }),
    );
  });

  test('a wrong token address is named as such, and no record is said to be deleted', async () => {
    const answers = [404, 405, 410, 501].flatMap((status) =>
      [envelope('NOT_FOUND'), '<html>'].map((body) => [status, body] as const),
    );
    for (const [status, body] of answers) {
      await withService(
        () => undefined,
        async (client) => {
          const error = await failure(client.models.list());
          assert.ok(error instanceof ContractError);
          assert.match(
            error.message,
            new RegExp(
              `^There is no token address at http:.*/prod/token \\(${status}\\). Check the token address.$`,
            ),
          );
        },
        {},
        (_, response) => sendJson(response, status, body),
      );
    }
  });

  test('a token address that redirects is told as that address, not as the base address', async () => {
    await withService(
      () => undefined,
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /redirect \(302\).*credentials\. Set the token address/);
        assert.doesNotMatch(error.message, /base address/);
      },
      {},
      (_, response) => response.writeHead(302, { location: '/login' }).end(),
    );
  });

  const faults: readonly [string, (response: ServerResponse) => void, number][] = [
    ['says that it is not available', (response) => sendJson(response, 503, '<html>'), 2],
    ['limits how often it is asked', (response) => sendJson(response, 429, {}, { 'retry-after': '0' }), 2],
    ['closes the connection', (response) => response.destroy(), 2],
    ['fails', (response) => sendJson(response, 500, {}), 2],
  ];
  for (const [what, fault, asked] of faults) {
    test(`a token address that ${what} once, before a write`, async () => {
      await withService(
        (_, response) => sendJson(response, 202, { jobId: 'j', self: '/v1/action-jobs/j' }),
        async ({ accounts }, seen) => {
          assert.equal((await accounts.disable('a')).jobId, 'j');
          assert.equal(seen().filter(({ path }) => path === '/prod/token').length, asked);
          assert.equal(seen().filter(({ path }) => path.endsWith('/disable')).length, asked - 1);
        },
        {},
        (_, response, count) =>
          count === 1
            ? fault(response)
            : sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 100 }),
      );
    });
  }

  for (const [what, fault] of faults.slice(0, 3)) {
    for (const isRepeatable of [undefined, false]) {
      const isLimit = what.startsWith('limits');
      const asked = isRepeatable === false && !isLimit ? 1 : 2;
      test(`a query that is ${asked === 1 ? 'not proven' : 'harmless or limited'}, when the service ${what}: ${asked}`, async () => {
        await withService(
          (_, response, count) =>
            count === 1 ? fault(response) : sendJson(response, 200, { columns: [], rows: [] }),
          async ({ queries }, seen) => {
            const request = { query_string: "SELECT nextval('s')" };
            const sent = () => seen().filter(({ path }) => path.endsWith('/execute')).length;
            await queries.execute(request, { isRepeatable }).catch(() => undefined);
            assert.equal(sent(), asked);
          },
        );
        await withService(
          (_, response, count) =>
            count === 1 ? fault(response) : sendJson(response, 200, { columns: [], rows: [] }),
          async ({ queries }, seen) => {
            const request = { query_string: "SELECT nextval('s')" };
            await Array.fromAsync(queryPages({ queries }, request, { isRepeatable })).catch(() => undefined);
            assert.equal(seen().filter(({ path }) => path.endsWith('/execute')).length, asked);
          },
        );
      });
    }
  }

  test('while no new token is available, the old one is used up to 95 % of its lifetime', async () => {
    let now = 0;
    await withService(
      (_, response) => sendJson(response, 200, models),
      async (client, seen) => {
        const tokens = () => seen().filter((request) => request.path === '/prod/token').length;
        await client.models.list();
        now = 80_000;
        await client.models.list();
        assert.equal(tokens(), 2);
        now = 84_999; // just before the next attempt is due
        await client.models.list();
        assert.equal(tokens(), 2);
        now = 94_999;
        await client.models.list();
        assert.equal(tokens(), 3);
        now = 95_000;
        assert.ok((await failure(client.models.list())) instanceof ServerFaultError);
      },
      { now: () => now, retry: { attempts: 1 } },
      (_, response, count) =>
        count === 1
          ? sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 100 })
          : sendJson(response, 503, '<html>'),
    );
  });

  test('an error from the secret callback reaches the caller unchanged', async () => {
    const own = new Error('no secret stored');
    const told: Error[] = [];
    await withService(
      () => undefined,
      async (client, seen) => {
        assert.equal(await failure(client.models.list()), own);
        assert.equal(seen().length, 0);
        assert.deepEqual(told, [own]);
      },
      { clientSecret: () => Promise.reject(own), onAuthFailure: (error) => told.push(error) },
    );
  });

  test('an aborted request is not a failure', async () => {
    const controller = new AbortController();
    await withService(
      () => controller.abort(),
      async (client) => {
        assert.ok((await failure(client.models.list({ signal: controller.signal }))) instanceof UserAbort);
      },
    );
  });

  test('use PATCH if a 405 allows nothing else', async () => {
    const record = { query_id: 'q', name: 'n', query_string: 's', model: 'm', version: 2 };
    await withService(
      (request, response) =>
        request.method === 'PATCH'
          ? sendJson(response, 200, record)
          : sendJson(response, 405, envelope('METHOD_NOT_ALLOWED'), { allow: 'GET, PATCH' }),
      async (client, seen) => {
        const saved = await client.savedQueries.update('q', {
          name: 'n',
          query_string: 's',
          expected_version: 1,
        });
        assert.equal(saved.version, 2);
        assert.deepEqual(
          seen()
            .slice(1)
            .map((request) => request.method),
          ['PUT', 'PATCH'],
        );
      },
    );
  });

  test('a lost write is sent once', async () => {
    await withService(
      (_, response) => response.destroy(),
      async (client, seen) => {
        await failure(client.savedQueries.create({ name: 'n', query_string: 's' }));
        assert.equal(
          seen().filter((request) => request.method === 'POST' && request.path !== '/prod/token').length,
          1,
        );
      },
    );
  });
});

suite('saved queries from a list without texts', () => {
  const listed = { query_id: 'a', name: 'A', model: 'm', version: 2 };
  const answer: Answer = (_, response) => sendJson(response, 200, { items: [listed] });

  test('are read as summaries', async () => {
    await withService(answer, async (client) => {
      assert.deepEqual(await Array.fromAsync(client.savedQueries.listSummaries()), [listed]);
    });
  });

  test('are not mistaken for whole records', async () => {
    await withService(answer, async (client) => {
      assert.ok((await failure(Array.fromAsync(client.savedQueries.listAll()))) instanceof ContractError);
    });
  });
});

suite('reading', () => {
  test('a list is read to its end across empty pages', async () => {
    const record = (name: string) => ({ query_id: name, name, query_string: 's', model: 'm', version: 1 });
    const pages = [
      { items: [record('a')], nextPageToken: '1' },
      { items: [], nextPageToken: '1b' },
      { items: [record('b')] },
    ];
    await withService(
      (_, response, count) => sendJson(response, 200, pages[count - 1]),
      async (client) => {
        const names: string[] = [];
        let waits = 0;
        for await (const query of client.savedQueries.listAll({
          emptyPageDelayMs: 1,
          onWaiting: () => (waits += 1),
        })) {
          names.push(query.name);
        }
        assert.deepEqual(names, ['a', 'b']);
        assert.equal(waits, 1);
      },
    );
  });

  test('a list that repeats a page ends with an error', async () => {
    const page = {
      items: [{ query_id: 'a', name: 'a', query_string: 's', model: 'm', version: 1 }],
      nextPageToken: 'same',
    };
    await withService(
      (_, response) => sendJson(response, 200, page),
      async (client) => {
        const error = await failure(Array.fromAsync(client.savedQueries.listAll()));
        assert.match(error.message, /repeats a page/);
      },
    );
  });

  for (const [name, body] of [
    ['as agreed', { columns: [{ name: 'n', type: 'int8' }], rows: [[1]] }],
    ['with items of objects and no types', { columns: ['n'], items: [{ n: 1 }] }],
    ['with data and no columns', { data: [{ n: 1 }] }],
  ] as const) {
    test(`a result ${name}`, async () => {
      await withService(
        (_, response) => sendJson(response, 200, body),
        async (client) => {
          const page = await client.queries.execute({ query_string: 'SELECT 1 AS n' });
          assert.equal(page.columns[0]?.name, 'n');
          assert.deepEqual(page.rows, [[1]]);
        },
      );
    });
  }
});
