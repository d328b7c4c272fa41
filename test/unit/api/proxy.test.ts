/** Proxy selection for an address, from settings and the environment. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ProxyAddressError } from '#api/client/errors.ts';
import {
  proxyAuthorizationOf,
  proxyFor,
  requireProxies,
  uselessExceptions,
  type ProxyOptions,
} from '#api/client/network/proxy.ts';

const proxy = 'http://proxy.example.com:3128';
const via = (target: string, options: ProxyOptions, environment: NodeJS.ProcessEnv = {}) =>
  proxyFor(new URL(target), options, environment)?.href;

suite('proxyFor', () => {
  test('uses no proxy if none is configured', () => {
    for (const options of [{}, { proxy: '' }, { proxy: 'environment' }])
      assert.equal(via('https://api.example.com', options), undefined);
  });

  const exceptions: readonly (readonly [string, string, boolean])[] = [
    ['https://api.example.com', 'example.com', false],
    ['https://api.example.com', '.example.com', false],
    ['https://api.example.com', '*.example.com', false],
    ['https://example.com', '*.example.com', true],
    ['https://example.com', '.example.com', false],
    ['https://notexample.com', 'example.com', true],
    ['https://api.example.com', 'other.net, api.example.com', false],
    ['https://api.example.com', 'other.net api.example.com', false],
    ['https://api.example.com', '*', false],
    ['https://api.example.com', 'x,*', false],
    ['https://api.example.com', 'api.example.com:8443', true],
    ['https://api.example.com:8443', 'api.example.com:8443', false],
    ['https://api.example.com', 'api.example.com:443', false],
    ['https://API.example.com.', 'Api.Example.com', false],
    ['https://[fd00::1]', 'fd00::1', false],
    ['https://[fd00::1]:8443', '[fd00::1]:8443', false],
    ['https://api.example.com', '', true],
    ['https://10.1.2.3', '10.0.0.0/8', false],
    ['https://11.1.2.3', '10.0.0.0/8', true],
    ['https://10.1.2.3:8443', 'x, 10.1.2.0/24', false],
    ['https://192.168.1.9', '192.168.1.8/31', false],
    ['https://192.168.1.10', '192.168.1.8/31', true],
    ['https://[fd00::1]', 'fd00::/8', false],
    ['https://[fd00::1]', '[fd00::]/8', false],
    ['https://[fe00::1]', 'fd00::/8', true],
    ['https://10.1.2.3', '10.0.0.0/99', true],
    ['https://api.example.com', '10.0.0.0/0', true],
    ['https://10.1.2.3', 'example.com/8', true],
  ];
  for (const [target, noProxy, isUsed] of exceptions) {
    test(`${target} with the exceptions "${noProxy}": ${isUsed ? 'used' : 'skipped'}`, () =>
      assert.equal(via(target, { proxy, noProxy }) !== undefined, isUsed));
  }

  test('names the exceptions that can match no host', () => {
    const useless = [
      'http://a.example',
      '10.0.0.0/99',
      'example.com/8',
      '10.*',
      '*a*',
      '1.2.3.4-1.2.3.9',
      'a:b',
    ];
    const useful = exceptions.flatMap(([, entries]) => entries.split(/[,\s]+/));
    const noProxy = [...useful, 'müller.example', '_x.example', '::1', ...useless].join(',');
    assert.deepEqual(uselessExceptions({ noProxy }, {}), ['10.0.0.0/99', 'example.com/8', ...useless]);
    assert.deepEqual(uselessExceptions({}, { no_proxy: 'a, http://b' }), ['http://b']);
  });

  test('reaches this machine directly, unless configured otherwise', () => {
    for (const target of ['http://localhost:1', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:1']) {
      assert.equal(via(target, { proxy }), undefined);
      assert.equal(via(target, { proxy, proxyLoopback: true }), `${proxy}/`);
    }
  });

  test('reads the environment by scheme, lower case first, and prefers the settings', () => {
    const environment = { HTTPS_PROXY: 'http://up:1', https_proxy: 'http://low:1', HTTP_PROXY: 'plain:1' };
    const options = { proxy: 'environment' };
    assert.equal(via('https://a.example.com', options, environment), 'http://low:1/');
    assert.equal(via('http://a.example.com', options, environment), 'http://plain:1/');
    assert.equal(via('https://a.example.com', options, { HTTP_PROXY: 'http://plain:1' }), 'http://plain:1/');
    assert.equal(via('https://a.example.com', { proxy }, environment), `${proxy}/`);
    assert.equal(via('https://a.example.com', { proxy }, { NO_PROXY: 'example.com' }), undefined);
    assert.equal(via('https://a.example.com', { proxy, noProxy: 'x' }, { NO_PROXY: '*' }), `${proxy}/`);
  });

  test('ignores blanks around an address, and refuses one that is none, without showing it', () => {
    const environment = { HTTPS_PROXY: ' http://up:1 \n' };
    assert.equal(via('https://a.example.com', { proxy: 'environment' }, environment), 'http://up:1/');
    for (const wrong of [
      'http://me:hu#sh@proxy:1',
      'http://me:1#hush@proxy:1',
      'http://me:1/hush@proxy:1',
      'http://me:1?hush@proxy:1',
      'me:hu#sh@proxy:1',
      // With a second at sign, the rest of the password would be the host.
      'http://me:p@hush#1@proxy:1',
      'http://me:p@hush/1@proxy:1',
      'http://me:p@hush?1@proxy:1',
      'http://me:p@hush\\1@proxy:1',
      'me:p@hush:9#1@proxy:1',
      'https://me:@@hush#@proxy:1',
      'http://',
      'http://a b:hush',
      // Other kinds of proxies would be spoken to as if they were of this kind.
      'socks5://me:hush@proxy:1',
      'ftp://proxy',
    ]) {
      for (const variable of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])
        assert.throws(
          () => requireProxies({ proxy: 'environment' }, { [variable]: wrong }),
          (error) =>
            error instanceof ProxyAddressError &&
            error.message.includes(variable) &&
            !error.message.includes('hush'),
          wrong,
        );
      assert.throws(() => requireProxies({ proxy: wrong }, {}), ProxyAddressError);
    }
    requireProxies({ proxy: 'environment' }, { HTTP_PROXY: ' ', https_proxy: 'http://me:hu%23sh@proxy:1' });
  });

  test('turns the user and password in the address into a header', () => {
    assert.equal(proxyAuthorizationOf(new URL(proxy)), undefined);
    const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    assert.equal(proxyAuthorizationOf(new URL('http://me:p%40ss@proxy:1')), expected);
  });
});
