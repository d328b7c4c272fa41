/** The token endpoint, checked against RFC 6749. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

let sandbox: RunningSandbox;
let http: ServiceHttp;

before(async () => {
  sandbox = await startSandbox({
    accounts: 10,
    tokenLifetimeSeconds: 77,
    args: ['--client-secret', 'p:ä +%&=x'],
  });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

const grant = { grant_type: 'client_credentials' };
const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
const basicOf = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`,
});

suite('POST /oauth/token', () => {
  test('returns a bearer token with its lifetime and both scopes, not to be cached', async () => {
    const { status, body, headers } = await http.tokenRequest(
      grant,
      basicOf(sandbox.clientId, sandbox.clientSecret),
    );
    assert.equal(status, 200);
    assert.equal(body.token_type, 'Bearer');
    assert.equal(body.expires_in, 77);
    assert.equal(body.scope, `${sandbox.baseUrl}/read ${sandbox.baseUrl}/write`);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await http.call(endpoints.listModels, { token: body.access_token })).status, 200);
  });

  test('accepts the secret in the body', async () => {
    const form = { ...grant, client_id: sandbox.clientId, client_secret: sandbox.clientSecret };
    assert.equal((await http.tokenRequest(form, {})).status, 200);
  });

  test('returns the requested scopes, and refuses those of another address', async () => {
    const base = sandbox.baseUrl.replace('127.0.0.1', 'localhost');
    const credentials = basicOf(sandbox.clientId, sandbox.clientSecret);
    const { body } = await http.tokenRequest({ ...grant, scope: `${sandbox.baseUrl}/read` }, credentials);
    assert.equal(body.scope, `${sandbox.baseUrl}/read`);
    const wrong = await http.tokenRequest({ ...grant, scope: `${base}x/read` }, credentials);
    assert.equal(wrong.body.error, 'invalid_scope');
  });

  test('a client with only the read scope is refused the write scope, and reads with its own', async () => {
    const reader = basicOf('sandbox-reader', sandbox.clientSecret);
    const scopes = ['read', 'write'].map((scope) => `${sandbox.baseUrl}/${scope}`);
    const refused = await http.tokenRequest({ ...grant, scope: scopes.join(' ') }, reader);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_scope']);
    assert.ok(String(refused.body.error_description).includes(`${sandbox.baseUrl}/read`));
    for (const form of [grant, { ...grant, scope: `${sandbox.baseUrl}/read` }]) {
      const { body } = await http.tokenRequest(form, reader);
      assert.equal(body.scope, `${sandbox.baseUrl}/read`);
      const token = String(body.access_token);
      assert.equal((await http.call(endpoints.listModels, { token })).status, 200);
      const written = await http.call(endpoints.createSavedQuery, { token, body: {} });
      assert.deepEqual([written.status, written.body.code], [403, 'FORBIDDEN']);
    }
  });

  test('a client without scopes gets a token without permissions', async () => {
    const nobody = basicOf('sandbox-no-scopes', sandbox.clientSecret);
    const { status, body } = await http.tokenRequest({ ...grant, scope: `${sandbox.baseUrl}/read` }, nobody);
    assert.deepEqual([status, body.scope], [200, '']);
    const answer = await http.call(endpoints.listModels, { token: String(body.access_token) });
    assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN']);
    assert.equal((await http.tokenRequest(grant, basicOf('sandbox-no-scopes', 'no'))).status, 401);
  });

  const refusals: readonly (readonly [name: string, send: () => Promise<unknown>, status: number, error: string])[] = [
    ['a wrong secret', () => http.tokenRequest(grant, basicOf(sandbox.clientId, 'no')), 401, 'invalid_client'],
    ['a wrong id', () => http.tokenRequest(grant, basicOf('no', sandbox.clientSecret)), 401, 'invalid_client'],
    ['no client', () => http.tokenRequest(grant, {}), 401, 'invalid_client'],
    ['a bearer token', () => http.tokenRequest(grant, { authorization: 'Bearer x' }), 401, 'invalid_client'],
    ['Basic without a colon', () => http.tokenRequest(grant, { authorization: 'Basic eHg=' }), 401, 'invalid_client'],
    ['Basic that is not form-encoded', () => http.tokenRequest(grant, { authorization: `Basic ${Buffer.from('a:%').toString('base64')}` }), 401, 'invalid_client'],
    ['two ways at once', () => http.tokenRequest({ ...grant, client_secret: 'x' }, basicOf('a', 'b')), 400, 'invalid_request'],
    ['no grant type', () => http.tokenRequest({}, basicOf(sandbox.clientId, sandbox.clientSecret)), 400, 'invalid_request'],
    ['another grant type', () => http.tokenRequest({ grant_type: 'password' }, basicOf(sandbox.clientId, sandbox.clientSecret)), 400, 'unsupported_grant_type'],
    ['a scope of nobody', () => http.tokenRequest({ ...grant, scope: 'read' }, basicOf(sandbox.clientId, sandbox.clientSecret)), 400, 'invalid_scope'],
    ['a parameter twice', () => http.tokenRequest('grant_type=client_credentials&grant_type=x', {}), 400, 'invalid_request'],
    ['JSON', () => http.tokenRequest('{}', { 'content-type': 'application/json' }), 400, 'invalid_request'],
  ]; // oxfmt-ignore
  for (const [name, send, status, error] of refusals) {
    test(`${name}: ${error}`, async () => {
      const answer = (await send()) as Awaited<ReturnType<ServiceHttp['tokenRequest']>>; // all send token requests
      assert.equal(answer.body.error, error);
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /);
    });
  }

  test('a token that has expired is refused', async () => {
    const short = await startSandbox({ accounts: 10, tokenLifetimeSeconds: 3_600 });
    try {
      const client = new ServiceHttp(short);
      const token = await client.token('read');
      assert.equal((await client.call(endpoints.listModels, { token })).status, 200);
      await short.nextAnswers('/v1/schema/models', { kind: 'expire-tokens' });
      assert.equal((await client.call(endpoints.listModels, { token })).status, 401);
    } finally {
      await short.stop();
    }
  });
});
