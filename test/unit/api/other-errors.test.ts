/** Errors and tokens from other implementations: their meaning, the parts kept, and size limits. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Asking } from '#api/client/doctor/asking.ts';
import {
  ApiError,
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TransportError,
} from '#api/client/errors.ts';
import { errorOfTransport } from '#api/client/network/error-of-transport.ts';
import { errorOfResponse } from '#api/client/requests/error-of-response.ts';
import { sentIn, withoutSent } from '#api/client/requests/sent-texts.ts';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { writeAnswerOf } from '#core/saved-queries/write-answers.ts';
import { failure, secret, token, withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

async function failed(status: number, body: unknown): Promise<Error> {
  const errors: Error[] = [];
  await withService(
    (_, response) => sendJson(response, status, body),
    async ({ savedQueries }) => {
      errors.push(await failure(savedQueries.get('q')));
    },
    { retry: { attempts: 1 } },
  );
  return errors[0] ?? assert.fail();
}

suite('errors', () => {
  for (const [code, status, kind] of [
    ['SAVED_QUERY_NOT_FOUND', 400, NotFoundError],
    ['SAVED_QUERY_NOT_FOUND', 410, NotFoundError],
    ['SAVED_QUERY_NOT_FOUND', 500, NotFoundError],
    ['NAME_CONFLICT', 400, ConflictError],
    ['VERSION_CONFLICT', 412, ConflictError],
    ['TOO_MANY_REQUESTS', 503, RateLimitError],
  ] as const) {
    test(`${code} with ${status} is classified by its code`, async () => {
      const error = await failed(status, { code, message: 'words' });
      assert.ok(error instanceof kind);
      assert.deepEqual([error.code, error.status], [code, status]);
    });
  }

  for (const status of [400, 401, 403, 404, 409, 429, 500]) {
    test(`details and reasons of ${status} are kept`, async () => {
      const details = { tried: ['a'], at: 7 };
      const reasons = [{ code: 'WHY', message: 'since' }];
      const error = await failed(status, { code: 'ODD', message: 'words', details, reasons });
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.details, error.reasons], [details, reasons]);
    });
  }

  // As gateways and frameworks write them: none has a code of the service.
  for (const body of [
    { errors: [{ code: 'X', message: 'Too wide.' }] },
    { errors: ['Too wide.'] },
    [{ message: 'Too wide.' }],
    { errorCode: 'E1', errorSummary: 'Too wide' },
    { fault: { faultstring: 'Too wide', detail: { errorcode: 'policies.x' } } },
    { status: 400, msg: 'Too wide' },
    { title: 'Too wide', errors: { name: ['other words'] } },
  ])
    test(`the words of ${JSON.stringify(body)} are told`, async () => {
      const error = await failed(400, body);
      assert.ok(error instanceof RejectedError, String(error));
      assert.deepEqual([error.code, error.serviceMessage], ['HTTP_400', 'Too wide.']);
      const hidden = await failed(403, body);
      assert.ok(hidden instanceof AuthError);
      assert.match(hidden.message, /Too wide\. A gateway may have sent it/);
    });

  const said = /^There is no member pageSize\.$/;
  for (const [status, body, type, words] of [
    [400, '', 'none', /^Bad Request, which the service does not explain\. Check what was sent/],
    [412, '', 'none', /^Precondition Failed, which the service does not explain/],
    [423, '{}', 'application/json', /^Locked, which the service does not explain/],
    [428, '', 'application/json', /^Precondition Required, which the service does not explain/],
    [422, '{"status":422,"path":"/x"}', 'application/problem+json', /^Unprocessable Entity, which/],
    [460, '', 'none', /^status 460, which the service does not explain/],
    [400, 'There is no member pageSize.\n', 'text/plain; charset=utf-8', said],
    [400, '"There is no member pageSize"', 'application/json', said],
  ] as const)
    test(`${status} with ${JSON.stringify(body)} (${type}) is a refusal of the service`, async () => {
      await withService(
        (_, response) =>
          response.writeHead(status, type === 'none' ? {} : { 'content-type': type }).end(body),
        async ({ savedQueries }) => {
          const error = await failure(savedQueries.get('q'));
          assert.ok(error instanceof RejectedError, String(error));
          assert.deepEqual([error.code, error.status], [`HTTP_${status}`, status]);
          assert.match(error.serviceMessage, words);
          assert.doesNotMatch(error.message, /proxy|base address/);
          assert.equal(writeAnswerOf(error).kind, 'rejected');
        },
      );
    });

  for (const [location, words] of [
    [
      'https://real.test/v1/x?token=1',
      /\(308\) to https:\/\/real\.test, which is not followed.*real address/,
    ],
    ['/v1/x/', /\(308\), which is not followed.*path of the base address/],
    ['http://127.0.0.1:9/api/v1/x', /\(308\), which is not followed.*path of the base address/],
    ['data:text/html,x', /\(308\), which is not followed.*real address/],
    ['http://', /\(308\), which is not followed.*real address/],
    [undefined, /\(308\), which is not followed.*real address/],
  ] as const)
    test(`a redirect to ${location} is told with what helps`, () => {
      const { message } = errorOfResponse({
        ...{ status: 308, headers: { location }, body: '', request: 'GET /x', origin: 'http://127.0.0.1:9' },
        ...{ scope: 'read' },
      });
      assert.match(message, words);
      assert.doesNotMatch(message, /token=1|\/v1/);
    });

  test('a page, a file and a time limit are none', async () => {
    for (const [status, type, body] of [
      [400, 'text/html', '<html>no</html>'],
      [400, 'text/plain', '<!doctype html>'],
      [413, 'application/xml', '<Error/>'],
      ...[408, 499].flatMap((limit) => [
        [limit, 'none', ''] as const,
        [limit, 'text/plain', 'Request Timeout'] as const,
        [limit, 'application/json', '"timed out"'] as const,
        [limit, 'application/json', '{"message":"timeout"}'] as const,
        [limit, 'application/json', '{"errors":["timeout"]}'] as const,
      ]),
    ] as const)
      await withService(
        (_, response) =>
          response.writeHead(status, type === 'none' ? {} : { 'content-type': type }).end(body),
        async ({ savedQueries }) => {
          const error = await failure(savedQueries.get('q'));
          assert.ok(error instanceof ContractError, String(error));
          // After a time limit, a write was perhaps carried out.
          const isLimit = status === 408 || status === 499;
          assert.equal(writeAnswerOf(error).kind, isLimit ? 'unanswered' : 'rejected');
          assert.ok(!isLimit || body === '' || /time(?:d )?out\./i.test(error.message), error.message);
        },
        { retry: { attempts: 1 } },
      );
  });

  test('words in plain text are told with any status, and never as the code', async () => {
    for (const [status, kind] of [
      [401, AuthError],
      [403, AuthError],
      [404, NotFoundError],
      [409, ConflictError],
      [429, RateLimitError],
      [503, ServerFaultError],
    ] as const)
      await withService(
        (_, response) =>
          response.writeHead(status, { 'content-type': 'text/plain' }).end(`RBAC: no ${token}\n`),
        async ({ savedQueries }) => {
          const error = await failure(savedQueries.get('q'));
          assert.ok(error instanceof kind, String(error));
          assert.equal(error.code, `HTTP_${status}`);
          assert.match(error.message, /RBAC: no \[…\]\./);
        },
        { retry: { attempts: 1 } },
      );
  });

  test('words of a list are looked for among its first errors', () => {
    const errorOf = (errors: readonly unknown[]) =>
      errorOfResponse({
        ...{ status: 400, headers: {}, request: 'GET /x', origin: 'http://127.0.0.1:9' },
        body: JSON.stringify({ errors }),
      });
    assert.match(errorOf([0, {}, ' ', { message: 'Too wide' }]).message, /Too wide\./);
    const many = Array.from({ length: 100 }, (_, at) => at);
    assert.doesNotMatch(errorOf([...many, 'Too wide']).message, /Too wide/);
    const [body, again] = [{ message: 'Too wide', code: 'X' }, { errors: [] }];
    assert.ok(errorOf([again, body]) instanceof RejectedError);
  });

  test('a message of a megabyte is truncated', async () => {
    const long = 'x'.repeat(1_000_000);
    const reasons = Array.from({ length: 500 }, (_, at) =>
      at === 0 ? { code: long, message: long } : { code: 'R', message: 'm'.repeat(2_000) },
    );
    for (const status of [400, 403, 500]) {
      const error = await failed(status, { code: 'LONG', message: long, reasons });
      assert.ok(error instanceof ApiError);
      assert.ok(error.message.length < 15_000);
      assert.ok(JSON.stringify(error.reasons).length < 150_000);
    }
  });
});

/** Every member in which an answer may repeat what was sent. */
const repeating = (word: string): readonly object[] => [
  { code: word, message: 'x' },
  { code: 'X', message: `got ${word}.` },
  { code: 'X', message: 'm', reasons: [{ code: word, message: 'y' }] },
  { code: 'X', message: 'm', reasons: [{ code: 'Y', message: word }] },
  { code: 'X', message: 'm', details: { hint: word, [word]: 1 } },
  { message: word },
  { error: word },
  { error: { message: word } },
  { error: 'x', error_description: `no ${word}` },
  { title: word, detail: word },
];

const escaped = (text: string, spell: (code: number) => string): string =>
  Array.from(text, (char) => spell(char.charCodeAt(0))).join('');

suite('a credential that is repeated in an answer is in no part of the error', () => {
  const statuses = [400, 401, 403, 404, 409, 422, 429, 500, 503];
  const partsOf = (error: unknown): string =>
    error instanceof Error ? `${error.message}\n${JSON.stringify(error)}`.toLowerCase() : '';
  const once = { retry: { attempts: 1 } } as const;

  const asSent = Buffer.from(`reader:${secret}`).toString('base64');

  for (const word of [token, secret, asSent])
    test(`by the service, as ${word === token ? 'the token' : 'the client secret'}`, async () => {
      for (const status of statuses)
        for (const [at, body] of repeating(word).entries())
          await withService(
            (_, response) => sendJson(response, status, body, { 'x-request-id': at === 0 ? word : 'r-1' }),
            async ({ savedQueries }) => {
              const error = await failure(savedQueries.get('q'));
              assert.ok(!partsOf(error).includes(word.toLowerCase()), `${status} ${JSON.stringify(body)}`);
            },
            once,
          );
    });

  for (const word of [secret, asSent])
    test(`by the token address, as ${word === secret ? 'itself' : 'it was sent'}`, async () => {
      for (const status of [200, ...statuses])
        for (const body of repeating(word))
          await withService(
            (_, response) => sendJson(response, 200, { models: [] }),
            async ({ models }) => {
              const error = await failure(models.list());
              assert.ok(!partsOf(error).includes(word.toLowerCase()), `${status} ${JSON.stringify(body)}`);
            },
            once,
            (_, response) => sendJson(response, status, body),
          );
    });

  test('where a text is cut, a value that was sent neither', () => {
    const value = 'the sent value of a parameter';
    const sent = sentIn({ parameters: { value } }, [token]);
    const errorOf = (body: object) =>
      errorOfResponse({
        ...{ status: 400, headers: {}, request: 'GET /x', origin: 'http://127.0.0.1:9', sent },
        body: JSON.stringify(body),
      });
    for (const [length, bodyOf] of [
      [100, (word: string) => ({ code: word, message: 'm' })],
      [1_000, (word: string) => ({ code: 'X', message: 'm', reasons: [{ code: 'Y', message: word }] })],
      [1_000, (word: string) => ({ error: { message: word } })],
      [20_000, (word: string) => ({ code: 'X', message: word })],
    ] as const) {
      const cutWith = (word: string) => errorOf(bodyOf(`${'x'.repeat(length - 8)}${word}`));
      assert.ok(!partsOf(cutWith(token)).includes(token.slice(0, 7)), `${length}`);
      const error = cutWith(value);
      assert.ok(error instanceof RejectedError);
      assert.ok(!JSON.stringify([error.code, error.said]).includes(value.slice(0, 7)), `${length}`);
    }
  });

  test('in a header', async () => {
    const headers = { 'content-type': `text/${token}`, allow: token, 'x-request-id': token };
    for (const status of [200, ...statuses])
      await withService(
        (_, response) => response.writeHead(status, headers).end('words'),
        async ({ savedQueries }) => {
          const error = await failure(savedQueries.get('q'));
          assert.ok(!partsOf(error).includes(token), `${status}`);
        },
        once,
      );
  });

  test('to a question of the doctor', async () => {
    for (const word of [token, secret])
      for (const body of repeating(word)) {
        const ask = new Asking({
          ...{ baseUrl: 'http://127.0.0.1:9', token, userAgent: 'test', rateLimit: undefined },
          secrets: [secret],
          renew: () => Promise.resolve(token),
          signal: new AbortController().signal,
          exchange: () => Promise.resolve({ status: 400, headers: {}, body: JSON.stringify(body) }),
        });
        const { code, toError } = await ask.get('/v1/x');
        assert.ok(!partsOf(toError()).includes(word), JSON.stringify(body));
        assert.notEqual(code, word);
      }
  });

  for (const [name, statusOf, renewing, statuses, renewals] of [
    [
      'that has ended is renewed',
      (given: string, at: number) => (at > 0 && given === 't0' ? 401 : 200),
      true,
      [200, 200, 200],
      1,
    ],
    ['that was never taken is renewed once', () => 401, true, [401, 401, 401], 1],
    [
      'that another one ended before its first use is renewed',
      (given: string) => (given === 't0' ? 401 : 200),
      true,
      [200, 200, 200],
      1,
    ],
    [
      'is not renewed for each question',
      (_: string, at: number) => (at % 2 === 0 ? 200 : 401),
      true,
      [200, 401, 200, 401, 200, 401, 200, 401],
      2,
    ],
    [
      'that cannot be renewed leaves the answer',
      (_: string, at: number) => (at === 0 ? 200 : 401),
      false,
      [200, 401, 401, 401, 401],
      2,
    ],
  ] as const)
    test(`to the doctor: a token ${name}`, async () => {
      let [at, renewed] = [0, 0];
      const ask = new Asking({
        ...{
          baseUrl: 'http://127.0.0.1:9',
          token: 't0',
          userAgent: 'test',
          rateLimit: undefined,
          secrets: [],
        },
        renew: () => {
          renewed += 1;
          return renewing ? Promise.resolve(`t${renewed}`) : Promise.reject(new Error('no token'));
        },
        signal: new AbortController().signal,
        exchange: ({ headers }) =>
          Promise.resolve({
            status: statusOf(String(headers['authorization']).replace('Bearer ', ''), at),
            headers: {},
            body: '{}',
          }),
      });
      const seen: number[] = [];
      for (; at < statuses.length; at += 1) seen.push((await ask.get('/v1/x')).status);
      assert.deepEqual([seen, renewed], [statuses, renewals]);
    });

  test('in the spelling of an address, of JSON, HTML or a header', () => {
    const word = 'p&<"ä +/x1';
    const inAddress = encodeURIComponent(word);
    const spellings = [
      inAddress,
      inAddress.replaceAll(/%../g, (code) => code.toLowerCase()),
      'p&amp;&lt;&quot;ä +/x1',
      JSON.stringify(word).slice(1, -1),
      Buffer.from(word).toString('base64'),
      Buffer.from(word).toString('base64url'),
      // In capitals, with every character escaped, and one within another.
      word.toUpperCase().replace('Ä', 'ä'),
      escaped(word, (code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`),
      escaped(word, (code) => `%u${code.toString(16).padStart(4, '0')}`),
      escaped(word, (code) => `&#${code};`),
      escaped(word, (code) => `&#x${code.toString(16)};`),
      word.replace('/', String.raw`\/`).replace('"', String.raw`\"`),
      word.replace('&', '&amp;').replace('+', '&plus;').replace('/', '&sol;'),
      inAddress.replaceAll(/[a-z]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
      encodeURIComponent(inAddress),
      encodeURIComponent(encodeURIComponent(inAddress)),
      encodeURIComponent(escaped(word, (code) => `&#${code};`)),
      JSON.stringify(escaped(word, (code) => `\\u${code.toString(16).padStart(4, '0')}`)).slice(1, -1),
    ];
    for (const spelling of spellings) {
      const { message } = withoutSent({ code: 'X', message: `got ${spelling}.` }, sentIn({}, [word]));
      assert.match(message, /^got \[…\]=*\.$/, spelling);
    }
  });

  test('of a short word, in its own case only: codes contain words', () => {
    for (const [word, text, expected] of [
      ['Client', 'invalid_client', 'invalid_client'],
      ['Client', 'the Client', 'the […]'],
      ['Client-7', 'CLIENT-7', '[…]'],
    ] as const)
      assert.equal(withoutSent({ code: 'X', message: text }, sentIn({}, [word])).message, expected);
  });

  test('in Base64 with what was sent beside it', () => {
    const word = 'hush-hush & more';
    for (const before of ['', 'a', 'ab', 'reader:'])
      for (const after of ['', '!', '":1}'])
        for (const form of ['base64', 'base64url'] as const) {
          const coded = Buffer.from(`${before}${word}${after}`).toString(form);
          const { message } = withoutSent({ code: 'X', message: `got ${coded}.` }, sentIn({}, [word]));
          // What is left of it says nothing but a part of a character at either end.
          const left = message.replace('got ', '').replace('[…]', '');
          assert.ok(coded.length - left.length >= Math.floor((word.length * 8) / 6) - 2, message);
        }
  });

  test('and the words around it stay', () => {
    const sent = sentIn({}, ['hush-hush', 'a']);
    for (const [message, shown] of [
      ['Token hush-hush is not for reading 100%25.', 'Token […] is not for reading 100%25.'],
      ['hush-hush&#45;hush-hush', '[…]&#45;[…]'],
      [' A ', ' […] '],
      ['%68%75%73h-hush%', '[…]%'],
      [String.raw`C:\users\hush &nbsp; &#9999999; &#x110000; %zz %ff \u12`, undefined],
    ] as const)
      assert.equal(withoutSent({ code: 'X', message }, sent).message, shown ?? message);
  });

  test('in a text of megabytes, and takes no longer for it', () => {
    const spelled = escaped('hush-hush', (code) => `&#${code};`);
    const sent = sentIn({}, ['hush-hush']);
    for (const text of [spelled.repeat(100_000), 'x'.repeat(199_980) + spelled, '%25'.repeat(1_000_000)]) {
      const { message } = withoutSent({ code: 'X', message: text }, sent);
      assert.doesNotMatch(message, /h|&/);
      assert.ok(message.length <= 20_001);
    }
  });

  test('and a value that was sent is not passed on as a code', async () => {
    const value = 'ada@corp.example';
    await withService(
      (_, response) => sendJson(response, 400, { code: `BAD ${value}`, message: `about ${value}` }),
      async ({ queries }) => {
        const request = { query_string: 'SELECT :a', model: 'm', parameters: { a: value } };
        const error = await failure(queries.execute(request));
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.said?.code], ['BAD […]', 'BAD […]']);
      },
      once,
    );
  });
});

test('an expired certificate, one of another host and an untrusted one are distinguished', () => {
  const at = { request: 'GET /', origin: 'https://a.test', timeoutMs: 1 };
  const messages = ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'].map(
    (code) => {
      const error = errorOfTransport(Object.assign(new Error(code), { code }), at);
      assert.ok(error instanceof TransportError);
      assert.equal(error.reason, 'tls');
      return error.message;
    },
  );
  assert.match(messages[0] ?? '', /expired/);
  assert.match(messages[1] ?? '', /another host/);
  assert.match(messages[2] ?? '', /not trusted/);
});

suite('token endpoints', () => {
  const refusing: Answer = (request, response) =>
    decodeURIComponent(request.body).includes('/write')
      ? sendJson(response, 400, { error: 'invalid_scope' })
      : sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 0 });

  test('that refuse the write scope are asked for the read scope alone, which is reported once', async () => {
    const told: unknown[] = [];
    await withService(
      (_, response) => sendJson(response, 200, { models: [] }),
      async ({ models }, seen) => {
        await models.list();
        await models.list();
        assert.deepEqual(told, [['read']]);
        assert.equal(seen().filter(({ path }) => path === '/prod/token').length, 3);
      },
      { onGrantedScopes: (scopes) => told.push(scopes) },
      refusing,
    );
  });

  for (const [name, scopes, words] of [
    [
      'refused',
      ['read', 'write'],
      /needs the write scope, which the token endpoint refused\. Nothing was sent/,
    ],
    [
      'not asked for',
      ['read'],
      /needs the write scope, which this connection does not ask for\. Nothing was sent/,
    ],
  ] as const) {
    test(`without the write scope (${name}) nothing is written, and the missing scope is named`, async () => {
      await withService(
        (_, response) => sendJson(response, 200, { models: [] }),
        async (client, seen) => {
          // No request is named where none was about to be sent.
          const refused = await failure(client.requireScope('write'));
          assert.ok(refused instanceof AuthError && refused.asked === undefined);
          for (const write of [() => client.savedQueries.delete('q'), () => client.accounts.disable('a')]) {
            const error = await failure(write());
            assert.ok(error instanceof AuthError && error.at === 'forbidden', String(error));
            assert.equal(error.code, 'INSUFFICIENT_SCOPE');
            assert.match(error.message, words);
          }
          await client.models.list();
          const paths = seen().map(({ path }) => path);
          assert.deepEqual(
            paths.filter((path) => path !== '/prod/token'),
            ['/v1/schema/models'],
          );
        },
        { scopes },
        refusing,
      );
    });
  }

  test('that also refuse the read scope cause an error after one retry', async () => {
    await withService(
      () => undefined,
      async ({ models }, seen) => {
        const error = await failure(models.list());
        assert.ok(error instanceof AuthError && error.code === 'INVALID_SCOPE');
        assert.equal(seen().length, 2);
      },
      {},
      (_, response) => sendJson(response, 400, { error: 'invalid_scope' }),
    );
  });

  test('that send an oversized response are not read', async () => {
    await withService(
      () => undefined,
      async ({ models }) => {
        const error = await failure(models.list());
        assert.ok(error instanceof TransportError && error.reason === 'too-large');
        assert.match(error.message, /64 KiB/);
      },
      {},
      (_, response) =>
        sendJson(response, 200, { access_token: token, token_type: 'Bearer', pad: 'x'.repeat(70_000) }),
    );
  });

  for (const [authUrl, resolved] of [
    ['https://{environment}.a.test/token', 'https://stage.a.test/token'],
    ['https://{environment}.a.test/prod/token', 'https://stage.a.test/prod/token'],
    ['https://prod.a.test/prod/token', 'https://stage.a.test/stage/token'],
    ['https://products.a.test/token', 'https://products.a.test/token'],
  ] as const) {
    test(`${authUrl} contains its environment once`, () => {
      const environment = 'stage';
      assert.equal(resolveDeployment({ baseUrl: 'https://a.test', authUrl, environment }).authUrl, resolved);
    });
  }
});
