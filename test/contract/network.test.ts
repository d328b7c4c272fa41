/** The client on networks of companies: through a real forward proxy, and to a service with a private authority. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient } from '../../api/client/client.ts';
import { createDispatcher, type DispatcherOptions } from '../../api/client/dispatcher.ts';
import { TransportError } from '../../api/client/errors.ts';
import {
  createPrivateAuthority,
  freePort,
  startForwardProxy,
  startTlsFront,
  type ForwardProxy,
  type PrivateAuthority,
} from '../helpers/forward-proxy.ts';
import { listen, type Listener } from '../helpers/http.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'network-'));
let proxy: ForwardProxy;
let closedProxy: Listener;
let authority: PrivateAuthority;
let front: Awaited<ReturnType<typeof startTlsFront>>;
let sandbox: RunningSandbox;
let secureUrl: string;

before(async () => {
  authority = await createPrivateAuthority(folder);
  const port = await freePort();
  front = await startTlsFront(`http://127.0.0.1:${port}`, authority);
  secureUrl = `https://localhost:${front.port}`;
  sandbox = await startSandbox({ accounts: 10, port, args: ['--public-url', secureUrl] });
  proxy = await startForwardProxy(folder);
  closedProxy = await listen((_request, response) => response.writeHead(407).end(), 407);
});
after(async () => {
  await proxy.stop();
  await closedProxy.close();
  await sandbox.stop();
  await front.stop();
  rmSync(folder, { recursive: true });
});

/** Lists the models of the service behind TLS, with connections made by `options`. */
async function listModels(options: DispatcherOptions, baseUrl = secureUrl): Promise<number> {
  const dispatcher = await createDispatcher(options);
  const client = createClient({
    baseUrl,
    authUrl: `${baseUrl}/oauth/token`,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    dispatcher,
    retry: { attempts: 1 },
  });
  try {
    return (await client.models.list()).length;
  } finally {
    await client.close();
    await dispatcher.destroy();
  }
}

suite('private authority', () => {
  test('is not trusted by itself', async () => {
    await assert.rejects(listModels({}), (error) => {
      assert.ok(error instanceof TransportError);
      assert.equal(error.reason, 'tls');
      assert.match(error.message, /certificate.*not trusted/);
      return true;
    });
  });

  test('is trusted with its file', async () => {
    assert.equal(await listModels({ caFile: authority.caFile }), 2);
    assert.equal(await listModels({ caFile: authority.caFile, useSystemCertificates: false }), 2);
  });

  test('a file that is not there or holds no certificate is said so', async () => {
    await assert.rejects(
      createDispatcher({ caFile: path.join(folder, 'nope.pem') }),
      /cannot be read: .*nope\.pem/,
    );
    const empty = path.join(folder, 'empty.pem');
    writeFileSync(empty, 'nothing');
    await assert.rejects(createDispatcher({ caFile: empty }), /holds no certificate/);
  });
});

suite('forward proxy', () => {
  test('is used for a service behind TLS', async () => {
    const before = (await proxy.log()).length;
    assert.equal(await listModels({ proxy: proxy.url, caFile: authority.caFile }), 2);
    assert.match((await proxy.log()).slice(before), new RegExp(`CONNECT localhost:${front.port}`));
  });

  for (const noProxy of ['localhost', 'example.com,localhost', '*']) {
    test(`is left out for ${noProxy}`, async () => {
      const before = (await proxy.log()).length;
      assert.equal(await listModels({ proxy: proxy.url, noProxy, caFile: authority.caFile }), 2);
      assert.equal((await proxy.log()).length, before);
    });
  }

  const failures: readonly (readonly [name: string, proxy: () => string, words: RegExp])[] = [
    ['that is not there', () => 'http://me:secret@127.0.0.1:9', /The proxy 127\.0\.0\.1:9 refuses connections: check its address/],
    ['whose host is not known', () => 'http://me:secret@proxy.invalid:3128', /The proxy proxy\.invalid:3128 has a host that is not known/],
    ['that speaks TLS with an unknown certificate', () => `https://me:secret@localhost:${front.port}`, /The proxy localhost:\d+ has a certificate that is not trusted/],
    ['that wants a password', () => closedProxy.url.replace('//', '//me:secret@'), /The proxy 127\.0\.0\.1:\d+ wants a user name and password \(407\)/],
  ]; // prettier-ignore
  for (const [name, address, words] of failures) {
    for (const target of ['https', 'http'] as const) {
      test(`one ${name} is named without its password (${target} target)`, async () => {
        const options = { proxy: address() };
        await assert.rejects(
          target === 'https'
            ? listModels({ ...options, ...(name.includes('TLS') ? {} : { caFile: authority.caFile }) })
            : listModels(options, 'http://service.example'),
          (error) => {
            assert.ok(error instanceof TransportError);
            assert.equal(error.reason, 'proxy', error.message);
            assert.match(error.message, words);
            assert.match(
              error.message,
              target === 'https'
                ? /https:\/\/localhost:\d+ was not reached/
                : /service\.example was not reached/,
            );
            assert.doesNotMatch(`${error.message}${error.stack}`, /secret/);
            return true;
          },
        );
      });
    }
  }

  test('a service that is not there behind a proxy that is, is not blamed on the connection to the proxy', async () => {
    await assert.rejects(
      listModels({ proxy: proxy.url, caFile: authority.caFile }, 'https://127.0.0.1:9'),
      (error) => {
        assert.ok(error instanceof TransportError);
        assert.match(error.message, /The proxy 127\.0\.0\.1:\d+ refused to connect \(50\d\)/);
        return true;
      },
    );
  });
});
