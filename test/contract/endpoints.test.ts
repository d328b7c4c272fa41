/** Every endpoint in the table over plain HTTP: the response schema, the required scope, and every possible error. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { endpoints, type Endpoint, type EndpointId } from '#api/contract/endpoints.ts';
import { BareError, ErrorEnvelope, errorCodes, type ErrorCode } from '#api/contract/errors.ts';
import { limits } from '#api/contract/limits.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireAnswer, type WireRequest } from '../helpers/service-http.ts';

interface Case {
  /** Returns a successful request. Called again for each use, since some requests change the service. */
  readonly valid: () => Promise<WireRequest> | WireRequest;
  /** Failing requests, each with its error code and, for 400, the field named by the error. */
  readonly invalid?: readonly (readonly [
    name: string,
    request: WireRequest,
    code: ErrorCode,
    field?: string,
  ])[];
}

let sandbox: RunningSandbox;
let http: ServiceHttp;

before(async () => {
  sandbox = await startSandbox({ embedded: true, accounts: 100, args: ['--job-step', '60000'] });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

const nobody = randomUUID();
const long = (count: number): string => 'x'.repeat(count);

async function saved(): Promise<{ query_id: string; version: number; name: string }> {
  const body = { name: `Query ${randomUUID()}`, query_string: 'SELECT :draft FROM' };
  const answer = await http.call(endpoints.createSavedQuery, { body });
  return answer.body as { query_id: string; version: number; name: string }; // the schema's own test checks this
}

const listErrors = [
  ['a page of nothing', { query: { pageSize: 0 } }, 'BAD_REQUEST', 'pageSize'],
  ['a page over the limit', { query: { pageSize: limits.pageSizeMax + 1 } }, 'BAD_REQUEST', 'pageSize'],
  ['a page size that is no number', { query: { pageSize: 'ten' } }, 'BAD_REQUEST', 'pageSize'],
  ...['1.5', '1e2', '0x10', 'true', ' 10', ''].map(
    (pageSize) =>
      [`a page size written as "${pageSize}"`, { query: { pageSize } }, 'BAD_REQUEST', 'pageSize'] as const,
  ),
  ['a page token that was made up', { query: { pageToken: 'abc' } }, 'BAD_REQUEST', 'pageToken'],
  [
    'an instance that is no UUID',
    { query: { applicationInstanceId: 'x' } },
    'BAD_REQUEST',
    'applicationInstanceId',
  ],
] as const;

const writeErrors = [
  ['no name', { body: { query_string: 'x' } }, 'BAD_REQUEST', 'name'],
  ['no text', { body: { name: 'x' } }, 'BAD_REQUEST', 'query_string'],
  ['an empty name', { body: { name: '', query_string: 'x' } }, 'BAD_REQUEST', 'name'],
  ['a name over the limit', { body: { name: long(limits.savedQueryNameMax + 1), query_string: 'x' } }, 'BAD_REQUEST', 'name'],
  ['an empty text', { body: { name: 'x', query_string: '' } }, 'BAD_REQUEST', 'query_string'],
  ['a text over the limit', { body: { name: 'x', query_string: long(limits.queryStringMax + 1) } }, 'BAD_REQUEST', 'query_string'],
  ['a description over the limit', { body: { name: 'x', query_string: 'x', description: long(limits.descriptionMax + 1) } }, 'BAD_REQUEST', 'description'],
  ['a name that is a number', { body: { name: 5, query_string: 'x' } }, 'BAD_REQUEST', 'name'],
  ['a field that does not exist', { body: { name: 'x', query_string: 'x', colour: 1 } }, 'BAD_REQUEST', 'colour'],
  ['a model that does not exist', { body: { name: 'x', query_string: 'x', model: 'nope' } }, 'BAD_REQUEST', 'model'],
  ['half of a character', { rawBody: '{"name":"x","query_string":"SELECT \'\\uD83D\'"}' }, 'BAD_REQUEST', 'query_string'],
  ['a body that is not UTF-8', { rawBody: Buffer.from('{"name":"\xff","query_string":"x"}', 'latin1') }, 'BAD_REQUEST'],
  ['a body that is no object', { body: [1] }, 'BAD_REQUEST'],
  ['a body that is no JSON', { rawBody: '{"name": ' }, 'BAD_REQUEST'],
  ['no body', { headers: { 'content-type': 'application/json' } }, 'BAD_REQUEST'],
  ['another media type', { rawBody: 'name=x', headers: { 'content-type': 'text/plain' } }, 'UNSUPPORTED_MEDIA_TYPE'],
] as const; // oxfmt-ignore

/** Returns a field's value from the first matching list item. */
async function first(
  endpoint: Endpoint,
  member: string,
  is: (item: Record<string, unknown>) => boolean = () => true,
): Promise<string> {
  let pageToken: string | undefined;
  do {
    const query = { pageSize: 200, ...(pageToken === undefined ? {} : { pageToken }) };
    const { body } = await http.call(endpoint, { query });
    for (const item of body.items as Record<string, unknown>[]) {
      // objects, guaranteed by the schema
      if (is(item)) return String(item[member]);
    }
    pageToken = body.nextPageToken as string | undefined; // a string, guaranteed by the schema
  } while (pageToken !== undefined);
  throw new Error(`${endpoint.path} has no such item`);
}

const access = endpoints.listEntityAssignedAccessToObject;
const ofType = (entity: string, object: string) => (item: Record<string, unknown>) =>
  item['entityType'] === entity && item['assignedObjectType'] === object;

const unknownId = [['nobody', { path: { id: nobody } }, 'NOT_FOUND']] as const;

const cases: Record<EndpointId, Case> = {
  listAccounts: { valid: () => ({}), invalid: listErrors },
  listRoles: { valid: () => ({}), invalid: listErrors },
  listAccountRoles: { valid: () => ({}), invalid: listErrors },
  listAuthenticators: { valid: () => ({}), invalid: listErrors },
  listAuthenticatorEnrollments: { valid: () => ({}), invalid: listErrors },
  listActivities: {
    valid: () => ({ query: { pageSize: limits.pageSizeMax } }),
    invalid: [
      ...listErrors,
      ['a start that is no time', { query: { from: 'yesterday' } }, 'BAD_REQUEST', 'from'],
      [
        'an end before the start',
        { query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
        'BAD_REQUEST',
        'to',
      ],
      [
        'a window of nothing',
        { query: { from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } },
        'BAD_REQUEST',
        'to',
      ],
      [
        'a window over the limit',
        { query: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00.001Z' } },
        'BAD_REQUEST',
        'to',
      ],
    ],
  },
  listEntityAssignedAccessToObject: { valid: () => ({}), invalid: listErrors },
  listPersonIsEmployee: { valid: () => ({}), invalid: listErrors },
  listEnrollmentViaAuthenticator: { valid: () => ({}), invalid: listErrors },
  getRole: {
    valid: async () => ({ path: { id: await first(endpoints.listRoles, 'globalId') } }),
    invalid: unknownId,
  },
  getAccountRole: {
    valid: async () => ({ path: { id: await first(endpoints.listAccountRoles, 'globalId') } }),
    invalid: unknownId,
  },
  getActivity: {
    valid: async () => ({ path: { id: await first(endpoints.listActivities, 'globalId') } }),
    invalid: unknownId,
  },
  getAuthenticatorEnrollment: {
    valid: async () => ({ path: { id: await first(endpoints.listAuthenticatorEnrollments, 'globalId') } }),
    invalid: unknownId,
  },
  disableAccount: {
    valid: async () => ({ path: { id: await first(endpoints.listAccounts, 'globalId') } }),
    invalid: [...unknownId, ['a role', { path: { id: nobody } }, 'NOT_FOUND']],
  },
  removeAssignedAccount: {
    valid: async () => {
      const is = ofType('Account', 'AssignedApplication');
      const id = await first(access, 'globalAssignedObjectId', is);
      return { path: { id, accountId: await first(access, 'globalEntityId', is) } };
    },
    invalid: [['nobody', { path: { id: nobody, accountId: nobody } }, 'NOT_FOUND']],
  },
  removeAssignedGroup: {
    valid: async () => {
      const is = ofType('UserGroup', 'AssignedApplication');
      const id = await first(access, 'globalAssignedObjectId', is);
      return { path: { id, groupId: await first(access, 'globalEntityId', is) } };
    },
    invalid: [['nobody', { path: { id: nobody, groupId: nobody } }, 'NOT_FOUND']],
  },
  addGroupMember: {
    valid: async () => ({
      path: {
        groupId: await first(access, 'globalEntityId', ofType('UserGroup', 'AssignedApplication')),
        accountId: await first(endpoints.listAccounts, 'globalId'),
      },
    }),
    invalid: [['nobody', { path: { groupId: nobody, accountId: nobody } }, 'NOT_FOUND']],
  },
  removeGroupMember: {
    valid: async () => {
      const is = ofType('Account', 'UserGroup');
      return {
        path: {
          groupId: await first(access, 'globalAssignedObjectId', is),
          accountId: await first(access, 'globalEntityId', is),
        },
      };
    },
    invalid: [['nobody', { path: { groupId: nobody, accountId: nobody } }, 'NOT_FOUND']],
  },
  getActionJob: {
    valid: async () => {
      const { body } = await http.call(endpoints.disableAccount, {
        path: { id: await first(endpoints.listAccounts, 'globalId') },
      });
      return { path: { jobId: String(body.jobId) } };
    },
    invalid: [['nobody', { path: { jobId: nobody } }, 'NOT_FOUND']],
  },
  createDownload: {
    valid: () => ({ body: { context: 'employees' } }),
    invalid: [
      ['no context', { body: {} }, 'BAD_REQUEST', 'context'],
      ['a context that does not exist', { body: { context: 'nope' } }, 'BAD_REQUEST', 'context'],
      [
        'a format that does not exist',
        { body: { context: 'employees', fileFormat: 'xml' } },
        'BAD_REQUEST',
        'fileFormat',
      ],
      [
        'a link that never lives',
        { body: { context: 'employees', urlTtlMinutes: 0 } },
        'BAD_REQUEST',
        'urlTtlMinutes',
      ],
      [
        'a link that lives too long',
        { body: { context: 'employees', urlTtlMinutes: limits.urlTtlMinutesMax + 1 } },
        'BAD_REQUEST',
        'urlTtlMinutes',
      ],
    ],
  },
  getDownload: {
    valid: async () => ({
      path: {
        id: String((await http.call(endpoints.createDownload, { body: { context: 'employees' } })).body.id),
      },
    }),
    invalid: [
      ['nobody', { path: { id: nobody } }, 'NOT_FOUND'],
      ['an id that is no UUID', { path: { id: 'x' } }, 'BAD_REQUEST'],
    ],
  },
  listModels: { valid: () => ({}) },
  listSavedQueries: { valid: () => ({ query: { pageSize: 5 } }), invalid: listErrors },
  createSavedQuery: {
    valid: () => ({
      body: { name: randomUUID(), query_string: 'SELECT', description: 'd', model: 'platform_governance' },
    }),
    invalid: writeErrors,
  },
  getSavedQuery: {
    valid: async () => ({ path: { query_id: (await saved()).query_id } }),
    invalid: [['nobody', { path: { query_id: nobody } }, 'SAVED_QUERY_NOT_FOUND']],
  },
  updateSavedQuery: {
    valid: async () => {
      const { query_id, version, name } = await saved();
      return { path: { query_id }, body: { name, query_string: 'SELECT 2', expected_version: version } };
    },
    invalid: [
      [
        'nobody',
        { path: { query_id: nobody }, body: { name: 'x', query_string: 'x', expected_version: 1 } },
        'SAVED_QUERY_NOT_FOUND',
      ],
      [
        'no expected version',
        { path: { query_id: nobody }, body: { name: 'x', query_string: 'x' } },
        'BAD_REQUEST',
        'expected_version',
      ],
      [
        'a version of nothing',
        { path: { query_id: nobody }, body: { name: 'x', query_string: 'x', expected_version: 0 } },
        'BAD_REQUEST',
        'expected_version',
      ],
      [
        'a model that does not exist',
        {
          path: { query_id: nobody },
          body: { name: 'x', query_string: 'x', model: 'nope', expected_version: 1 },
        },
        'BAD_REQUEST',
        'model',
      ],
    ],
  },
  deleteSavedQuery: {
    valid: async () => ({ path: { query_id: (await saved()).query_id } }),
    invalid: [['nobody', { path: { query_id: nobody } }, 'SAVED_QUERY_NOT_FOUND']],
  },
  executeQuery: {
    valid: () => ({ body: { query_string: 'SELECT 1 AS one' } }),
    invalid: [
      ['no text', { body: {} }, 'BAD_REQUEST', 'query_string'],
      [
        'a text over the limit',
        { body: { query_string: long(limits.queryStringMax + 1) } },
        'BAD_REQUEST',
        'query_string',
      ],
      [
        'a page over the limit',
        { body: { query_string: 'SELECT 1', pageSize: limits.executePageSizeMax + 1 } },
        'BAD_REQUEST',
        'pageSize',
      ],
      [
        'a model that does not exist',
        { body: { query_string: 'SELECT 1', model: 'nope' } },
        'BAD_REQUEST',
        'model',
      ],
      [
        'a parameter that is an object',
        { body: { query_string: 'SELECT :a', parameters: { a: {} } } },
        'BAD_REQUEST',
        'parameters.a',
      ],
      [
        'a list of lists',
        { body: { query_string: 'SELECT :a', parameters: { a: [1, [2]] } } },
        'BAD_REQUEST',
        'parameters.a.1',
      ],
      [
        'half of a character',
        { rawBody: '{"query_string":"SELECT :a","parameters":{"a":["\\udc00"]}}' },
        'BAD_REQUEST',
        'parameters.a.0',
      ],
      [
        'a page token that was made up',
        { body: { query_string: 'SELECT 1', pageToken: 'abc' } },
        'BAD_REQUEST',
        'pageToken',
      ],
    ],
  },
};

function assertError(answer: WireAnswer, code: ErrorCode, field?: string): void {
  assert.equal(answer.body?.code, code, answer.text.slice(0, 300));
  assert.equal(answer.status, errorCodes[code].status);
  assert.ok(Compile(ErrorEnvelope).Check(answer.body));
  assert.match(answer.body.message, /\S/);
  if (field !== undefined) assert.equal(answer.body.details?.['field'], field);
  assert.ok(answer.headers.get('x-request-id'));
}

for (const [id, endpoint] of Object.entries(endpoints) as [EndpointId, Endpoint][]) {
  // the keys of an object literal
  const { valid, invalid = [] } = cases[id];
  suite(`${endpoint.method} ${endpoint.path}`, () => {
    test('responds according to its schema', async () => {
      const answer = await http.call(endpoint, await valid());
      assert.equal(answer.status, endpoint.success.status, answer.text.slice(0, 300));
      assert.ok(answer.headers.get('x-request-id'));
      if (endpoint.success.body === undefined) {
        assert.equal(answer.text, '');
      } else {
        const validator = Compile(endpoint.success.body);
        assert.ok(validator.Check(answer.body), JSON.stringify(validator.Errors(answer.body)[0]));
      }
    });

    test('requires a valid token with the scope', async () => {
      const request = await valid();
      assertError(await http.call(endpoint, { ...request, token: null }), 'UNAUTHORIZED');
      const wrong = await http.call(endpoint, { ...request, token: 'made-up' });
      assertError(wrong, 'UNAUTHORIZED');
      assert.match(wrong.headers.get('www-authenticate') ?? '', /invalid_token/);
      const basic = { authorization: 'Basic eDp5' };
      assertError(await http.call(endpoint, { ...request, token: null, headers: basic }), 'UNAUTHORIZED');
      const other = await http.token(endpoint.scope === 'read' ? 'write' : 'read');
      assertError(await http.call(endpoint, { ...request, token: other }), 'FORBIDDEN');
    });

    for (const [name, request, code, field] of invalid) {
      test(`${name}: ${code}`, async () => {
        const answer = await http.call(endpoint, request);
        assertError(answer, code, field);
        if (endpoint.hasBareErrors === true) assert.ok(Compile(BareError).Check(answer.body), answer.text);
      });
    }

    if (endpoint.body === undefined) {
      test('accepts a content type without a body', async () => {
        const request = { ...(await valid()), headers: { 'content-type': 'application/json' } };
        const answer = await http.call(endpoint, request);
        assert.equal(answer.status, endpoint.success.status, answer.text.slice(0, 300));
      });
    }

    test('another method is refused, and the allowed ones are listed', async () => {
      const answer = await http.call(
        { method: 'PATCH', path: endpoint.path },
        { path: { query_id: nobody } },
      );
      assertError(answer, 'METHOD_NOT_ALLOWED');
      assert.ok(answer.headers.get('allow')?.includes(endpoint.method));
    });
  });
}

suite('saved queries', () => {
  test('limits are exact', async () => {
    const name = long(limits.savedQueryNameMax - 36) + randomUUID();
    const body = {
      name,
      query_string: long(limits.queryStringMax),
      description: long(limits.descriptionMax),
    };
    const answer = await http.call(endpoints.createSavedQuery, { body });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.version, 1);
    assert.equal(answer.body.model, 'platform_identity');
    const read = await http.call(endpoints.getSavedQuery, { path: { query_id: answer.body.query_id } });
    assert.deepEqual(read.body, answer.body);
  });

  test('names are unique regardless of case', async () => {
    const { name } = await saved();
    const body = { name: name.toUpperCase(), query_string: 'SELECT 1' };
    assertError(await http.call(endpoints.createSavedQuery, { body }), 'NAME_CONFLICT', 'name');
  });

  test('the second of two writers gets the current version', async () => {
    const { query_id, name } = await saved();
    const update = { path: { query_id }, body: { name, query_string: 'SELECT 2', expected_version: 1 } };
    assert.equal((await http.call(endpoints.updateSavedQuery, update)).body.version, 2);
    const second = await http.call(endpoints.updateSavedQuery, update);
    assertError(second, 'VERSION_CONFLICT');
    assert.equal(second.body.details.current_version, 2);
  });

  test('exactly one of many concurrent writers wins', async () => {
    const { query_id, name } = await saved();
    const body = { name, query_string: 'SELECT 2', expected_version: 1 };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => http.call(endpoints.updateSavedQuery, { path: { query_id }, body })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.equal(answers.filter((answer) => answer.body.code === 'VERSION_CONFLICT').length, 9);
  });

  test('text is kept exactly as sent', async () => {
    const query_string = '-- @model platform_identity\r\nSELECT \'🙂\', "ü"\t\u0000\n';
    const { body } = await http.call(endpoints.createSavedQuery, {
      body: { name: randomUUID(), query_string },
    });
    const read = await http.call(endpoints.getSavedQuery, { path: { query_id: body.query_id } });
    assert.equal(read.body.query_string, query_string);
  });

  test('the list returns everything, page by page', async () => {
    const ids = new Set<string>();
    let pageToken: string | undefined;
    do {
      const query = { pageSize: 7, ...(pageToken === undefined ? {} : { pageToken }) };
      const { body } = await http.call(endpoints.listSavedQueries, { query });
      assert.ok(body.items.length > 0 && body.items.length <= 7);
      for (const item of body.items) {
        const id = String(item.query_id);
        assert.ok(!ids.has(id));
        ids.add(id);
      }
      pageToken = body.nextPageToken as string | undefined; // the schema's own test checks this
    } while (pageToken !== undefined);
    assert.ok(ids.size > 14);
  });

  test('a deleted query is gone', async () => {
    const path = { query_id: (await saved()).query_id };
    assert.equal((await http.call(endpoints.deleteSavedQuery, { path })).status, 204);
    assertError(await http.call(endpoints.getSavedQuery, { path }), 'SAVED_QUERY_NOT_FOUND');
    assertError(await http.call(endpoints.deleteSavedQuery, { path }), 'SAVED_QUERY_NOT_FOUND');
  });
});

suite('anything else', () => {
  for (const path of ['/', '/v1', '/v1/nope', '/v1/query/saved-queries/a/b', '/oauth', '/%']) {
    test(`GET ${path} returns the error envelope`, async () => {
      const answer = await http.call({ method: 'GET', path });
      assert.ok(answer.status === 404 || answer.status === 400);
      assertError(answer, answer.status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST');
      assert.ok(answer.headers.get('x-request-id'));
    });
  }

  for (const endpoint of Object.values(endpoints).filter(({ path }) => path.includes('{'))) {
    test(`${endpoint.method} ${endpoint.path} with an ID of 10,000 characters returns the error envelope`, async () => {
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
      const path = Object.fromEntries(names.map((name) => [name, long(10_000 / names.length)]));
      const body = 'body' in endpoint ? { body: { name: 'x', query_string: 'x', expected_version: 1 } } : {};
      const answer = await http.call(endpoint, { path, ...body });
      // The specification defines export IDs as UUIDs, so any other ID makes the request malformed.
      const code = endpoint.path.includes('/downloads/') ? 'BAD_REQUEST' : 'NOT_FOUND';
      assertError(answer, endpoint.path.includes('saved-queries') ? 'SAVED_QUERY_NOT_FOUND' : code);
      assertError(await http.call(endpoint, { path, ...body, token: null }), 'UNAUTHORIZED');
    });
  }

  test('an address longer than Node.js accepts and invalid HTTP also return the error envelope', async () => {
    const { hostname, port } = new URL(sandbox.baseUrl);
    for (const sent of [`GET /v1/roles/${long(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 'HELLO\r\n\r\n']) {
      const socket = connect(Number(port), hostname);
      socket.write(sent);
      let text = '';
      for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
      assert.match(text, /^HTTP\/1\.1 400 /);
      const [, body = ''] = text.split('\r\n\r\n');
      assert.ok(Compile(ErrorEnvelope).Check(JSON.parse(body)), body);
      assert.match(body, /"code":"BAD_REQUEST"/);
    }
  });

  test('a body larger than the service accepts is refused before it is sent', async () => {
    const { hostname, port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), hostname);
    const token = await http.token('write');
    socket.write(
      `POST /v1/query/saved-queries HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
        'content-type: application/json\r\ncontent-length: 5000000\r\n\r\n{',
    );
    let text = '';
    for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /"code":"PAYLOAD_TOO_LARGE"/);
  });

  test('a valid request ID from the caller is returned, and an invalid one is not', async () => {
    const send = (id: string) => http.call(endpoints.listModels, { headers: { 'x-request-id': id } });
    assert.equal((await send('abc-123')).headers.get('x-request-id'), 'abc-123');
    assert.notEqual((await send('a b<script>')).headers.get('x-request-id'), 'a b<script>');
  });
});
