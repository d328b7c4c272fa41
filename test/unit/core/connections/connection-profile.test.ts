/** Valid addresses, and the key that binds a secret to its addresses and client. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { addressProblem, secretKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { environmentConnection } from '#core/connections/environment-connection.ts';

const profile: ConnectionProfile = {
  name: 'Production',
  baseUrl: 'https://api.{environment}.example.com',
  authUrl: 'https://auth.prod.example.com/token',
  clientId: 'reader',
  protected: false,
  allowChanges: false,
  allowPlainHttp: false,
  source: 'settings',
};

suite('addressProblem', () => {
  const cases: readonly [string, ReturnType<typeof addressProblem>][] = [
    ['https://api.example.com', undefined],
    ['https://api.{environment}.example.com/base', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['http://localhost:1', undefined],
    ['http://[::1]:1', undefined],
    ['http://api.example.com', 'plain-http'],
    ['http://127.0.0.1.example.com', 'plain-http'],
    ['ftp://api.example.com', 'not-http'],
    ['api.example.com', 'invalid'],
    ['', 'invalid'],
    ['https://user:pass@api.example.com', 'credentials'],
    ['https://login.example.com/token?client_secret=x', 'secret-in-query'],
    ['https://login.example.com/token?p=policy&Access%5fToken=x', 'secret-in-query'],
    ['https://login.example.com/token?subscription-key=x', 'secret-in-query'],
    ['https://login.example.com/token?code=x', 'secret-in-query'],
    ['https://login.example.com/token?p=policy&X-Amz-Signature=x', 'secret-in-query'],
    ['https://login.example.com/token?keyset=a&p=code', undefined],
    ['https://login.example.com/token?p=policy&token_type=b', undefined],
    ['https://api.{Environment}.example.com', 'placeholder'],
    ['https://<tenant>.example.com', 'placeholder'],
    ['https://api.example.com/%7Btenant%7D', 'placeholder'],
    ['https://api.example.com#', 'more-than-path'],
    ['https://api.example.com/token?tenant=a', undefined],
  ];
  for (const [address, problem] of cases) {
    test(`${address || '(empty)'} -> ${problem ?? 'fine'}`, () =>
      assert.equal(addressProblem(address), problem));
  }
});

suite('addressProblem of a base address', () => {
  const cases: readonly [string, ReturnType<typeof addressProblem>][] = [
    ['https://api.example.com/', undefined],
    ['https://api.example.com/v1', 'version'],
    ['https://api.example.com/v1/accounts', 'version'],
    ['https://api.example.com/x/v1/query/saved-queries/', 'version'],
    ['https://api.example.com/v1/identity', undefined],
    ['https://api.example.com/base/V1//', 'version'],
    ['https://api.example.com/v10', undefined],
    ['https://v1.example.com', undefined],
    ['https://api.example.com/?', 'more-than-path'],
    ['https://api.example.com?tenant=a', 'more-than-path'],
    ['http://api.example.com/v1', 'version'],
  ];
  for (const [address, problem] of cases) {
    test(`${address} -> ${problem ?? 'fine'}`, () =>
      assert.equal(addressProblem(address, 'baseUrl'), problem));
  }
});

test('no base address ends in a route of the service', () => {
  for (const { path } of Object.values(endpoints))
    assert.equal(
      addressProblem(`https://api.example.com${path.replaceAll(/\{\w+\}/g, 'a')}`, 'baseUrl'),
      'version',
    );
});

suite('secretKeyOf', () => {
  test('ignores the name, so a rename keeps the secret', () => {
    assert.equal(secretKeyOf(profile), secretKeyOf({ ...profile, name: 'Other' }));
  });
  for (const change of [
    { baseUrl: 'https://evil.example.net' },
    { authUrl: 'https://evil.example.net/token' },
    { clientId: 'other' },
    { environment: 'stage' },
  ]) {
    test(`${Object.keys(change).join()} changes the secret`, () => {
      assert.notEqual(secretKeyOf(profile), secretKeyOf({ ...profile, ...change }));
    });
  }
  test('is different for a connection of the settings, of the environment and of the sandbox', () => {
    const keys = (['settings', 'environment', 'sandbox'] as const).map((source) =>
      secretKeyOf({ ...profile, source }),
    );
    assert.equal(new Set(keys).size, 3);
  });
  test('reveals nothing about the addresses', () =>
    assert.match(secretKeyOf(profile), /^identityQueries\.secret\.[0-9a-f]{64}$/));
});

suite('environmentConnection', () => {
  const full = {
    IDENTITY_QUERIES_BASE_URL: 'http://127.0.0.1:1',
    IDENTITY_QUERIES_AUTH_URL: 'http://127.0.0.1:1/oauth/token',
    IDENTITY_QUERIES_CLIENT_ID: 'id',
    IDENTITY_QUERIES_CLIENT_SECRET: 'hush',
  };
  test('all four variables define a connection, and the secret is separate from the profile', () => {
    const connection = environmentConnection({ ...full, IDENTITY_QUERIES_CONNECTION_NAME: 'Local' });
    assert.equal(connection?.profile.name, 'Local');
    assert.equal(connection.secret, 'hush');
    assert.ok(!JSON.stringify(connection.profile).includes('hush'));
  });
  test('blanks and newlines around the values are ignored, inside of the secret they count', () => {
    const padded = Object.fromEntries(Object.entries(full).map(([name, value]) => [name, ` ${value} \r\n`]));
    const connection = environmentConnection({
      ...padded,
      IDENTITY_QUERIES_CLIENT_SECRET: '\uFEFF hu sh \r\n',
    });
    const { baseUrl, authUrl, clientId } = environmentConnection(full)?.profile ?? {};
    assert.deepEqual(
      [connection?.profile.baseUrl, connection?.profile.authUrl, connection?.profile.clientId],
      [baseUrl, authUrl, clientId],
    );
    assert.equal(connection?.secret, ' hu sh ');
  });
  for (const [text, scopes] of [
    [undefined, undefined],
    ['', undefined],
    ['read', 'read'],
    ['read and write', 'read and write'],
    ['readonly', 'read'],
  ] as const) {
    test(`IDENTITY_QUERIES_SCOPES=${text ?? '(not set)'} requests ${scopes ?? 'the default'}`, () => {
      const connection = environmentConnection({ ...full, IDENTITY_QUERIES_SCOPES: text });
      assert.equal(connection?.profile.scopes, scopes);
    });
  }
  test('only words that mean no take the protection away', () => {
    const isProtected = (IDENTITY_QUERIES_PROTECTED: string | undefined) =>
      environmentConnection({ ...full, IDENTITY_QUERIES_PROTECTED })?.profile.protected;
    for (const text of ['1', 'true', 'TRUE', 'yes', 'on', 'y', 'protected', ' 1\n'])
      assert.equal(isProtected(text), true, text);
    for (const text of [undefined, '', ' ', '0', 'false', 'No', 'OFF'])
      assert.equal(isProtected(text), false, text);
  });
  for (const missing of Object.keys(full)) {
    test(`without ${missing} there is no connection`, () => {
      assert.equal(environmentConnection({ ...full, [missing]: undefined }), undefined);
    });
  }
});
