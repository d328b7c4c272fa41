/** The client against a running service: every method, and the error class and message for every fault. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, suite, test } from 'node:test';
import { createClient, type ClientOptions, type ServiceClient } from '#api/client/client.ts';
import {
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
import { ExactNumber } from '#api/client/json.ts';
import { startSandbox, type FaultAnswer, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
const clients: ServiceClient[] = [];

/** Creates a client that retries without delays, to keep the tests fast. */
function client(options: Partial<ClientOptions> = {}): ServiceClient {
  const made = createClient({ ...sandbox, random: () => 0, ...options });
  clients.push(made);
  return made;
}

before(async () => {
  sandbox = await startSandbox({ embedded: true, accounts: 100 });
});
afterEach(async () => {
  await sandbox.setFaults([]);
  await sandbox.forgetRequests();
  await Promise.all(clients.splice(0).map((each) => each.close()));
});
after(() => sandbox.stop());

const draft = () => ({ name: `Mine ${randomUUID()}`, query_string: 'SELECT :draft' });

suite('methods', () => {
  test('models', async () => {
    const names = (await client().models.list()).map((model) => model.name);
    assert.deepEqual(names, ['platform_identity', 'platform_governance']);
  });

  test('a saved query from its creation to its deletion', async () => {
    const { savedQueries } = client();
    const created = await savedQueries.create({ ...draft(), description: 'd', model: 'platform_governance' });
    assert.equal(created.version, 1);
    assert.deepEqual(await savedQueries.get(created.query_id), created);
    const updated = await savedQueries.update(created.query_id, { ...draft(), expected_version: 1 });
    assert.equal(updated.version, 2);
    assert.equal(updated.model, 'platform_governance');
    await savedQueries.delete(created.query_id);
    await assert.rejects(savedQueries.get(created.query_id), NotFoundError);
  });

  test('a whole list, across pages', async () => {
    const names: string[] = [];
    for await (const query of client().savedQueries.listAll({ pageSize: 4 })) names.push(query.name);
    assert.ok(names.length >= 14);
    assert.equal(new Set(names).size, names.length);
  });

  test('an exact result, page by page', async () => {
    const { queries } = client();
    const request = {
      query_string: 'SELECT g, 12345678901234567890.5 AS n FROM generate_series(1, 5) g',
      pageSize: 3,
    };
    const first = await queries.execute(request);
    assert.equal(first.rowCount, 5);
    const exact = first.rows[0]?.[1];
    assert.ok(exact instanceof ExactNumber);
    assert.equal(exact.text, '12345678901234567890.5');
    const { nextPageToken } = first;
    assert.ok(nextPageToken !== undefined);
    const second = await queries.execute({ ...request, pageToken: nextPageToken });
    assert.deepEqual(
      second.rows.map(([g]) => g),
      [4, 5],
    );
    assert.equal(second.nextPageToken, undefined);
  });

  test('one token for many concurrent requests', async () => {
    const { models } = client();
    await Promise.all(Array.from({ length: 8 }, () => models.list()));
    const asked = (await sandbox.requests()).filter((request) => request.path === '/oauth/token');
    assert.equal(asked.length, 1);
  });

  test('a token with only the read scope cannot write', async () => {
    const { savedQueries } = client({ scopes: ['read'] });
    await assert.rejects(savedQueries.create(draft()), (error) => {
      assert.ok(error instanceof AuthError);
      assert.equal(error.at, 'forbidden');
      assert.match(error.message, /write scope/);
      return true;
    });
  });

  test('the secret works in the body as well as with Basic authentication', async () => {
    assert.equal((await client({ clientAuthentication: 'body' }).models.list()).length, 2);
  });
});

suite('the service refuses', () => {
  test('a taken name', async () => {
    const { savedQueries } = client();
    const query = draft();
    await savedQueries.create(query);
    await assert.rejects(savedQueries.create({ ...query, name: query.name.toUpperCase() }), (error) => {
      assert.ok(error instanceof ConflictError && error.isNameConflict);
      return true;
    });
  });

  test('an outdated version, and reports the newest one', async () => {
    const { savedQueries } = client();
    const created = await savedQueries.create(draft());
    await savedQueries.update(created.query_id, { ...draft(), expected_version: 1 });
    await assert.rejects(
      savedQueries.update(created.query_id, { ...draft(), expected_version: 1 }),
      (error) => {
        assert.ok(error instanceof ConflictError && !error.isNameConflict);
        assert.equal(error.currentVersion, 2);
        return true;
      },
    );
  });

  test('a query that does not parse, and reports position, hint and reasons', async () => {
    await assert.rejects(client().queries.execute({ query_string: 'SELECT 1\nFORM accounts' }), (error) => {
      assert.ok(error instanceof RejectedError);
      assert.equal(error.code, 'QUERY_PARSE_ERROR');
      assert.deepEqual(error.position, { line: 2, column: 6 });
      assert.match(error.hint ?? '', /\S/);
      return true;
    });
    await assert.rejects(client().queries.execute({ query_string: 'DELETE FROM accounts' }), (error) => {
      assert.ok(error instanceof RejectedError);
      assert.equal(error.reasons[0]?.code, 'MUTATION_NOT_ALLOWED');
      return true;
    });
  });
});

type ErrorClass = abstract new (...args: never[]) => Error;

interface FaultCase {
  readonly name: string;
  readonly answers: readonly FaultAnswer[];
  readonly error: ErrorClass;
  readonly message: RegExp;
  /** Number of requests that a call of models.list sends. */
  readonly sent: number;
  readonly also?: (error: Error) => void;
}

const twice = (answer: FaultAnswer): FaultAnswer[] => [answer, answer, answer];
const status = (code: number, more: object = {}): FaultAnswer => ({ kind: 'status', status: code, ...more });

const faults: readonly FaultCase[] = [
  { name: 'another site answers with a page', answers: [{ kind: 'html' }], error: ContractError, message: /HTML page.*base address/, sent: 1 },
  { name: 'JSON that stops in the middle', answers: [{ kind: 'invalid-json' }], error: ContractError, message: /is text that is cut off or damaged instead of JSON/, sent: 1 },
  { name: 'a redirect', answers: [{ kind: 'redirect', location: 'https://example.org/' }], error: ContractError, message: /redirect.*base address/, sent: 1 },
  { name: 'a 401 that stays after a new token', answers: twice(status(401)), error: AuthError, message: /client secret/, sent: 2 },
  { name: 'a 403', answers: [status(403)], error: AuthError, message: /scope/, sent: 1 },
  { name: 'a 404', answers: [status(404)], error: NotFoundError, message: /404/, sent: 1 },
  { name: 'a 409', answers: [status(409, { code: 'NAME_CONFLICT' })], error: ConflictError, message: /409/, sent: 1 },
  {
    name: 'a 429 that asks for more patience than there is',
    answers: [status(429, { retryAfter: '120' })],
    error: RateLimitError,
    message: /Try again in 2 minutes/,
    sent: 1,
    also: (error) => assert.ok(error instanceof RateLimitError && error.retryAfterMs === 120_000),
  },
  { name: 'a 429 without advice, again and again', answers: twice(status(429)), error: RateLimitError, message: /limits requests/, sent: 3 },
  { name: 'a 500, again and again', answers: twice(status(500)), error: ServerFaultError, message: /Nothing is wrong with your request.*request ID/, sent: 3 },
  { name: 'a 503, again and again', answers: twice(status(503)), error: ServerFaultError, message: /503/, sent: 3 },
  {
    name: 'a connection cut before the answer, again and again',
    answers: twice({ kind: 'drop' }),
    error: TransportError,
    message: /closed the connection before it responded/,
    sent: 3,
    also: (error) => assert.ok(error instanceof TransportError && error.reason === 'reset'),
  },
  {
    name: 'a connection cut in the middle of the answer, again and again',
    answers: twice({ kind: 'truncate' }),
    error: TransportError,
    message: /in the middle of its response/,
    sent: 3,
    also: (error) => assert.ok(error instanceof TransportError && error.reason === 'truncated'),
  },
]; // oxfmt-ignore

suite('faults', () => {
  for (const { name, answers, error, message, sent, also } of faults) {
    test(name, async () => {
      const { models } = client();
      await models.list();
      await sandbox.nextAnswers('/v1/schema/models', ...answers);
      await sandbox.forgetRequests();
      await assert.rejects(models.list(), (thrown) => {
        assert.ok(thrown instanceof error, String(thrown));
        assert.match(thrown.message, message);
        assert.ok(!thrown.message.includes(sandbox.clientSecret));
        also?.(thrown);
        return true;
      });
      const asked = (await sandbox.requests()).filter((request) => request.path === '/v1/schema/models');
      assert.equal(asked.length, sent);
    });
  }

  const recovered: readonly (readonly [name: string, answers: readonly FaultAnswer[]])[] = [
    ['tokens that were forgotten', [{ kind: 'expire-tokens' }]],
    ['one 429 with Retry-After', [status(429, { retryAfter: '0' })]],
    ['one 429 with a date in the past', [status(429, { retryAfter: 'Mon, 01 Jan 2024 00:00:00 GMT' })]],
    ['two times 503', [status(503), status(503)]],
    ['two connections cut', [{ kind: 'drop' }, { kind: 'truncate' }]],
    ['a slow answer', [{ kind: 'latency', ms: 20 }]],
    ['an answer in small pieces', [{ kind: 'trickle', bytes: 40, everyMs: 1 }]],
  ];
  for (const [name, answers] of recovered) {
    test(`${name}: the call succeeds`, async () => {
      const { models } = client();
      await models.list();
      await sandbox.nextAnswers('/v1/schema/models', ...answers);
      assert.equal((await models.list()).length, 2);
    });
  }

  test('a large page that is cut off is discarded and requested again', async () => {
    const { queries } = client();
    const request = {
      query_string: "SELECT g, repeat('x', 1000) FROM generate_series(1, 2000) g",
      pageSize: 2_000,
    };
    await queries.execute(request);
    await sandbox.nextAnswers('/v1/query/execute', { kind: 'truncate' }, { kind: 'drop' });
    assert.equal((await queries.execute(request)).rows.length, 2_000);
    await sandbox.setFaults([{ path: '/v1/query/execute', always: { kind: 'truncate' } }]);
    await assert.rejects(
      queries.execute(request),
      (error) => error instanceof TransportError && error.reason === 'truncated',
    );
    await sandbox.setFaults([]);
  });

  test('an export that is cut off is an error, not a shorter file', async () => {
    const { downloads } = client();
    const { id } = await downloads.create({ context: 'accessInventoryAccounts' });
    const { url = '' } = await downloads.wait(id, { pollMs: 20 });
    const read = async (): Promise<number> => {
      let size = 0;
      for await (const piece of downloads.read(url)) size += piece.length;
      return size;
    };
    const size = await read();
    assert.ok(size > 10_000);
    await sandbox.nextAnswers(new URL(url).pathname, { kind: 'truncate' });
    await assert.rejects(read(), TransportError);
    await sandbox.nextAnswers(new URL(url).pathname, { kind: 'trickle', bytes: 50_000, everyMs: 1 });
    assert.equal(await read(), size);
  });

  test('a write without a response is sent only once, and takes effect', async () => {
    const { savedQueries } = client();
    await savedQueries.list();
    await sandbox.nextAnswers('/v1/query/saved-queries', { kind: 'drop-after' });
    await sandbox.forgetRequests();
    const query = draft();
    await assert.rejects(savedQueries.create(query), TransportError);
    const asked = (await sandbox.requests()).filter((request) => request.method === 'POST');
    assert.equal(asked.length, 1);
    await assert.rejects(savedQueries.create(query), ConflictError);
  });

  test('a service that does not respond in time', async () => {
    const { models } = client({ timeoutMs: 200 });
    await sandbox.nextAnswers('/v1/schema/models', { kind: 'latency', ms: 60_000 });
    await assert.rejects(models.list(), (error) => {
      assert.ok(error instanceof TimeoutError);
      assert.match(error.message, /0\.2 seconds/);
      return true;
    });
  });

  test('a cancellation', async () => {
    const { models } = client();
    await models.list(); // a token request is shared and survives the abort
    await sandbox.nextAnswers('/v1/schema/models', { kind: 'latency', ms: 60_000 });
    const abort = new AbortController();
    const listing = models.list({ signal: abort.signal });
    abort.abort();
    await assert.rejects(listing, UserAbort);
  });

  test('a wrong secret', async () => {
    await assert.rejects(client({ clientSecret: 'wrong' }).models.list(), (error) => {
      assert.ok(error instanceof AuthError);
      assert.equal(error.at, 'token-endpoint');
      assert.match(error.message, /client ID or secret is wrong/);
      return true;
    });
    const refused = (await sandbox.requests()).filter((request) => request.status === 401);
    assert.deepEqual(
      refused.map((request) => request.path),
      ['/oauth/token'],
    );
  });

  test('a base address of a different deployment', async () => {
    const other = { baseUrl: 'http://127.0.0.1:9/{environment}', environment: 'test' };
    await assert.rejects(client(other).models.list(), (error) => {
      assert.ok(error instanceof AuthError);
      assert.equal(error.code, 'INVALID_SCOPE');
      assert.match(error.message, /base address and environment/);
      return true;
    });
  });

  test('a base address with a path that does not exist', async () => {
    const { baseUrl } = sandbox;
    const error = await client({ baseUrl: `${baseUrl}/api` })
      .models.list()
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof AuthError || error instanceof NotFoundError, String(error));
  });

  test('a token address that is a web page', async () => {
    await sandbox.nextAnswers('/oauth/token', { kind: 'html' });
    await assert.rejects(client().models.list(), (error) => {
      assert.ok(error instanceof ContractError);
      assert.match(error.message, /HTML page instead of a token.*token address/);
      return true;
    });
  });

  test('a service that is not running', async () => {
    const gone = await startSandbox({ embedded: true, accounts: 10 });
    const { baseUrl, authUrl } = gone;
    await gone.stop();
    await assert.rejects(client({ baseUrl, authUrl }).models.list(), (error) => {
      assert.ok(error instanceof TransportError);
      assert.equal(error.reason, 'refused');
      assert.match(error.message, /check the address and its port/);
      return true;
    });
  });
});
