/** The sandbox responds only to its own host names, so DNS rebinding gives a web page no access. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { isOwnHost } from '#service/plugins/host.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;

before(async () => {
  sandbox = await startSandbox({ accounts: 10 });
});
after(() => sandbox.stop());

async function statusFor(host: string, path: string, method = 'GET'): Promise<number | undefined> {
  const asked = request(`${sandbox.baseUrl}${path}`, { method, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]; // the event's only argument
  answer.resume();
  return answer.statusCode;
}

suite('Host', () => {
  test('requests with another host name are refused', async () => {
    const { port } = new URL(sandbox.baseUrl);
    for (const [path, method] of [
      ['/openapi.json', 'GET'],
      ['/oauth/token', 'POST'],
      ['/_sandbox/requests', 'GET'],
      ['/_sandbox/faults', 'DELETE'],
      ['/nothing', 'GET'],
    ] as const) {
      assert.equal(await statusFor(`evil.example:${port}`, path, method), 403, path);
    }
  });

  test('requests with a name of this machine get a response', async () => {
    const { port } = new URL(sandbox.baseUrl);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])
      assert.equal(await statusFor(`${host}:${port}`, '/openapi.json'), 200, host);
  });

  const own = { host: '127.0.0.1', publicUrl: undefined };
  const everywhere = { host: '0.0.0.0', publicUrl: undefined };
  const published = { host: '0.0.0.0', publicUrl: 'https://sandbox.example/base' };
  const cases: readonly (readonly [header: string, names: Parameters<typeof isOwnHost>[1], is: boolean])[] = [
    ['127.0.0.2:80', own, true],
    ['localhost.evil.example', own, false],
    ['127.0.0.1.evil.example', own, false],
    ['127.0.0.1@evil.example', own, false],
    ['192.0.2.7:8080', own, false],
    ['', own, false],
    ['a b', own, false],
    ['192.0.2.7:8080', { host: '192.0.2.7', publicUrl: undefined }, true],
    ['[2001:db8::7]:8080', { host: '2001:db8::7', publicUrl: undefined }, true],
    ['192.0.2.7:8080', everywhere, true],
    ['[2001:db8::7]', everywhere, true],
    ['sandbox.example', everywhere, false],
    ['sandbox.example', published, true],
    ['Sandbox.Example:443', published, true],
    ['other.example', published, false],
    ['Other.Example:8080', { ...own, allowedHosts: ['third.example', 'other.example'] }, true],
    ['evil.example', { ...own, allowedHosts: ['other.example'] }, false],
    ['[2001:DB8::7]', { ...own, allowedHosts: ['2001:db8:0::7'] }, true],
  ];
  for (const [header, names, is] of cases) {
    test(`"${header}" ${is ? 'is' : 'is not'} a name of ${names.publicUrl ?? names.host}`, () => {
      assert.equal(isOwnHost(header, names), is);
    });
  }
});
