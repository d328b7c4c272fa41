/** Answers of token endpoints: what they say about the secret, the scopes and the moment. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AuthError, ContractError } from '#api/client/errors.ts';
import type { ScopeName } from '#api/contract/token.ts';
import { failure, token, withService, type Answer } from '#test/helpers/client-service.ts';
import { failureKindOf } from '#test/helpers/failure-kind.ts';
import { sendJson } from '#test/helpers/http.ts';

const models: Answer = (_, response) => sendJson(response, 200, { models: [] });
const good = { access_token: token, token_type: 'Bearer', expires_in: 3600 };

suite('a refusal that is not about the secret', () => {
  for (const [what, refuse] of [
    ['a page of a gateway', (response) => sendJson(response, 403, '<html>no</html>')],
    ['access_denied', (response) => sendJson(response, 403, { error: 'access_denied' })],
    ['invalid_request', (response) => sendJson(response, 400, { error: 'invalid_request' })],
  ] as const satisfies readonly [string, (response: Parameters<Answer>[1]) => void][]) {
    test(`${what} is not remembered`, async () => {
      let isRefusing = true;
      await withService(
        models,
        async (client) => {
          assert.notEqual(failureKindOf(await failure(client.models.list())), 'other');
          isRefusing = false;
          assert.deepEqual(await client.models.list(), []);
        },
        {},
        (_, response) => (isRefusing ? refuse(response) : sendJson(response, 200, good)),
      );
    });
  }

  for (const [what, page] of [
    ['a page', '<html>no</html>'],
    // As frameworks write a refusal.
    ['an error that names the status', { error: 'Forbidden', status: 403, path: '/oauth/token' }],
  ] as const)
    test(`${what} with 403 is told as a gateway, and never as a wrong secret`, async () => {
      await withService(
        models,
        async (client) => {
          const error = await failure(client.models.list());
          assert.ok(error instanceof ContractError, String(error));
          assert.match(error.message, /gateway or firewall.*The client secret is not in question/);
        },
        {},
        (_, response) => sendJson(response, 403, page),
      );
    });

  test('temporarily_unavailable is tried again', async () => {
    await withService(
      models,
      async (client) => assert.deepEqual(await client.models.list(), []),
      {},
      (_, response, count) =>
        count === 1
          ? sendJson(response, 400, { error: 'temporarily_unavailable' })
          : sendJson(response, 200, good),
    );
  });
});

suite('a refusal with 400 that RFC 6749 does not describe', () => {
  for (const [what, body, code, words] of [
    ['names what is wrong', { errorCode: 'x', errorSummary: 'No such client' }, 'HTTP_400', /No such client/],
    [
      'with an inner code',
      { error: { code: 'invalid_client', message: 'Gone' } },
      'INVALID_CLIENT',
      /secret/,
    ],
    ['in capitals', { error: 'INVALID_CLIENT' }, 'INVALID_CLIENT', /update the client secret/],
  ] as const)
    test(`${what} is a failed sign-in`, async () => {
      await withService(
        models,
        async (client) => {
          const error = await failure(client.models.list());
          assert.ok(error instanceof AuthError && error.at === 'token-endpoint', String(error));
          assert.equal(error.code, code);
          assert.match(error.message, words);
        },
        {},
        (_, response) => sendJson(response, 400, body),
      );
    });

  test('and that no token endpoint gives is told as a gateway', async () => {
    await withService(
      models,
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError, String(error));
        assert.match(error.message, /an HTML page \(400\).*gateway or firewall.*check the token address/);
      },
      {},
      (_, response) => {
        response.writeHead(400, { 'content-type': 'text/html' });
        response.end('<html>no</html>');
      },
    );
  });
});

test('a token in JSON that is cut off is told as that', async () => {
  await withService(
    models,
    async (client) => {
      const { message } = await failure(client.models.list());
      assert.match(message, /with text that is cut off or damaged instead of a token/);
    },
    {},
    (_, response) => sendJson(response, 200, '{"access_token":"a'),
  );
});

test('a wrong secret is not sent again for a minute, and then once more', async () => {
  let now = 0;
  await withService(
    models,
    async (client, seen) => {
      const asked = () => seen().filter(({ path }) => path === '/prod/token').length;
      await failure(client.models.list());
      now = 59_000;
      await failure(client.models.list());
      assert.equal(asked(), 1);
      now = 61_000;
      await client.models.list();
      assert.equal(asked(), 2);
    },
    { now: () => now },
    (_, response, count) =>
      count === 1 ? sendJson(response, 401, { error: 'invalid_client' }) : sendJson(response, 200, good),
  );
});

test('the description of a refusal is shown, without the secret', async () => {
  await withService(
    models,
    async (client) => {
      const error = await failure(client.models.list());
      assert.match(error.message, /"unauthorized_client"\. Client reader with \[…\] may not do this\./);
    },
    {},
    (_, response) =>
      sendJson(response, 400, {
        error: 'unauthorized_client',
        error_description: 'Client reader with hush-hush may not do this',
      }),
  );
});

test('an error with status 200 is an error', async () => {
  await withService(
    models,
    async (client) => {
      const error = await failure(client.models.list());
      assert.ok(error instanceof AuthError);
      assert.equal(error.code, 'INVALID_CLIENT');
    },
    {},
    (_, response) => sendJson(response, 200, { error: 'invalid_client', access_token: null }),
  );
});

for (const [what, answer] of [
  ['without a type', { access_token: token }],
  [
    'with null for what it leaves out',
    { access_token: token, token_type: null, scope: null, expires_in: null },
  ],
] as const)
  test(`a token ${what} is a bearer token`, async () => {
    await withService(
      models,
      async (client) => assert.deepEqual(await client.models.list(), []),
      {},
      (_, response) => sendJson(response, 200, answer),
    );
  });

const types = [
  'mac',
  'DPoP',
  'N_A',
  'pop',
  'Bearer, mac',
  'Bear',
  'bearer\u0000',
  '',
  ' ',
  1,
  false,
  ['Bearer'],
  {},
];
for (const token_type of types)
  test(`a token of the type ${JSON.stringify(token_type)} is never sent`, async () => {
    await withService(
      models,
      async (client, seen) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /a type other than Bearer/);
        assert.ok(seen().every(({ path }) => path === '/prod/token'));
      },
      {},
      (_, response) => sendJson(response, 200, { ...good, token_type }),
    );
  });

for (const token_type of ['bearer', 'BEARER', ' Bearer ', 'BearerToken'])
  test(`a token of the type ${JSON.stringify(token_type)} is sent`, async () => {
    await withService(
      models,
      async (client) => assert.deepEqual(await client.models.list(), []),
      {},
      (_, response) => sendJson(response, 200, { ...good, token_type }),
    );
  });

for (const access_token of [
  'a\r\nX-Other: y',
  'a b',
  ' ',
  '\0',
  'schlüssel',
  '€',
  'a\u202eb',
  'a\u007f',
  5,
  ['a'],
])
  test(`the token ${JSON.stringify(access_token)}, which no header can carry, is refused as an answer`, async () => {
    await withService(
      models,
      async (client, seen) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /instead of a token/);
        assert.ok(seen().every(({ path }) => path === '/prod/token'));
      },
      {},
      (_, response) => sendJson(response, 200, { ...good, access_token }),
    );
  });

suite('the write scope', () => {
  for (const error of [
    ...['invalid_scope', 'insufficient_scope', 'access_denied', 'invalid_request', 'unauthorized_client'],
  ])
    test(`refused with ${error}: reading works, and a write is not sent`, async () => {
      const told: (readonly ScopeName[])[] = [];
      await withService(
        models,
        async (client, seen) => {
          assert.deepEqual(await client.models.list(), []);
          assert.deepEqual(told, [['read']]);
          assert.equal(failureKindOf(await failure(client.accounts.disable('a'))), 'not-allowed');
          assert.ok(!seen().some(({ path }) => path.endsWith('/disable')));
        },
        { onGrantedScopes: (scopes) => told.push(scopes) },
        (request, response) =>
          decodeURIComponent(request.body).includes('/write')
            ? sendJson(response, 400, { error })
            : sendJson(response, 200, good),
      );
    });

  test('refused once is asked for again after a minute, and then a write is sent', async () => {
    const told: (readonly ScopeName[])[] = [];
    let now = 0;
    let refusals = 0;
    await withService(
      (_, response) => sendJson(response, 202, { jobId: 'j', self: '/v1/action-jobs/j' }),
      async (client, seen) => {
        await failure(client.accounts.disable('a'));
        now += 59_000;
        await failure(client.accounts.disable('a'));
        assert.ok(!seen().some(({ path }) => path.endsWith('/disable')));
        now += 1_000;
        assert.equal((await client.accounts.disable('a')).jobId, 'j');
        assert.deepEqual(told, [['read'], ['read', 'write']]);
      },
      { onGrantedScopes: (scopes) => told.push(scopes), now: () => now },
      (request, response) =>
        decodeURIComponent(request.body).includes('/write') && (refusals += 1) === 1
          ? sendJson(response, 400, { error: 'access_denied' })
          : sendJson(response, 200, good),
    );
  });

  test('left out of what was granted: a write is not sent', async () => {
    const told: (readonly ScopeName[])[] = [];
    await withService(
      models,
      async (client, seen, url) => {
        assert.deepEqual(await client.models.list(), []);
        assert.deepEqual(told, [['read']]);
        await failure(client.accounts.disable('a'));
        assert.ok(!seen().some(({ path }) => path.endsWith('/disable')), url);
      },
      { onGrantedScopes: (scopes) => told.push(scopes) },
      (_, response) => sendJson(response, 200, { ...good, scope: 'https://elsewhere.example/read' }),
    );
  });

  test('granted under other names: nothing is concluded', async () => {
    await withService(
      (_, response) => sendJson(response, 202, { jobId: 'j', self: '/v1/action-jobs/j' }),
      async (client) => assert.equal((await client.accounts.disable('a')).jobId, 'j'),
      {},
      (_, response) => sendJson(response, 200, { ...good, scope: 'api.all' }),
    );
  });
});
