/** Untrusted links: allowed contents, and the reasons for a refusal. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serviceKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { formatQueryLink, isQueryId, parseQueryLink } from '#core/saved-queries/query-links.ts';

/** Returns the decoded parts, like vscode.Uri. */
function partsOf(link: string): { path: string; query: string } {
  const url = new URL(link);
  return { path: decodeURIComponent(url.pathname), query: decodeURIComponent(url.search.slice(1)) };
}

const profile: ConnectionProfile = {
  name: 'Production',
  baseUrl: 'https://api.example.com/iam',
  authUrl: 'https://login.example.com/token',
  clientId: 'mara',
  protected: false,
  allowChanges: false,
  allowPlainHttp: false,
  source: 'settings',
};

suite('links to saved queries', () => {
  for (const link of [
    { queryId: '3f2a', version: undefined, service: undefined },
    { queryId: 'a b/ç?#%&=', version: 3, service: '0123456789abcdef' },
  ]) {
    test(`${link.queryId} survives the round trip`, () => {
      assert.deepEqual(parseQueryLink(partsOf(formatQueryLink('vscode', link))), link);
    });
  }

  test('match the documentation', () => {
    assert.equal(
      formatQueryLink('vscode', { queryId: '3f2a', version: 3, service: undefined }),
      'vscode://identity-queries.identity-queries/query/3f2a?version=3',
    );
  });

  test('may contain additional parameters, which are ignored', () => {
    const link = parseQueryLink({
      path: '/query/3f2a',
      query: 'run=true&version=2&baseUrl=https://evil.example',
    });
    assert.deepEqual(link, { queryId: '3f2a', version: 2, service: undefined });
  });

  for (const [path, query] of [
    ['/query/', ''],
    ['/query', ''],
    ['/queries/3f2a', ''],
    ['/query/..', ''],
    ['/query/.', ''],
    ['/query/a\nb', ''],
    [`/query/${'a'.repeat(201)}`, ''],
    ['/query/ a', ''],
    ['/query/3f2a', 'version=0'],
    ['/query/3f2a', 'version=-1'],
    ['/query/3f2a', 'version=1.5'],
    ['/query/3f2a', 'version=9999999999'],
    ['/query/3f2a', 'version='],
    ['/query/3f2a', 'service=https://evil.example'],
    ['/query/3f2a', 'service='],
  ] as const) {
    test(`${JSON.stringify(`${path}?${query}`).slice(0, 40)} is refused`, () => {
      assert.equal(parseQueryLink({ path, query }), undefined);
    });
  }

  test('accept any ID except for path steps and control characters', () => {
    for (const id of ['3f2a', 'a/b', 'a..b', 'ü']) assert.equal(isQueryId(id), true, id);
    for (const id of ['', '.', '..', 'a\u0000b', ' a', 'a ']) assert.equal(isQueryId(id), false, id);
  });

  test('identify the service by its address and environment, not by the person', () => {
    const key = serviceKeyOf(profile);
    assert.match(key, /^[0-9a-f]{16}$/);
    assert.equal(serviceKeyOf({ ...profile, name: 'Prod', clientId: 'jonas' }), key);
    assert.notEqual(serviceKeyOf({ ...profile, baseUrl: 'https://test.example.com/iam' }), key);
    assert.equal(serviceKeyOf({ ...profile, source: 'sandbox' }), 'sandbox');
  });
});
