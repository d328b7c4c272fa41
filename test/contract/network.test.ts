/**
 * The client on corporate networks: through real forward proxies, and with services that use a private certificate
 * authority.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient, type ClientOptions } from '#api/client/client.ts';
import {
  CertificateError,
  ContractError,
  TransportError,
  type CertificateProblem,
  type TransportReason,
} from '#api/client/errors.ts';
import { createDispatcher, type DispatcherOptions } from '#api/client/network/dispatcher.ts';
import {
  createPrivateAuthority,
  freePort,
  privateHost,
  startForwardProxy,
  startNamingProxy,
  startTlsFront,
  type ForwardProxy,
  type PrivateAuthority,
} from '../helpers/forward-proxy.ts';
import { listen, type Listener } from '../helpers/http.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'network-'));
const user = { name: 'reader', password: 'p-w0rd' };
let proxy: ForwardProxy;
let closedProxy: Listener;
let guarded: ForwardProxy;
let authority: PrivateAuthority;
let front: Awaited<ReturnType<typeof startTlsFront>>;
let mutual: Awaited<ReturnType<typeof startTlsFront>>;
let sandbox: RunningSandbox;
let secureUrl: string;

before(async () => {
  authority = await createPrivateAuthority(folder);
  const port = await freePort();
  front = await startTlsFront(`http://127.0.0.1:${port}`, authority);
  mutual = await startTlsFront(`http://127.0.0.1:${port}`, authority, { wantsClient: true });
  secureUrl = `https://localhost:${front.port}`;
  sandbox = await startSandbox({
    accounts: 10,
    port,
    args: ['--public-url', secureUrl, '--allow-host', privateHost],
  });
  proxy = await startForwardProxy(folder);
  closedProxy = await listen((_request, response) => response.writeHead(407).end(), 407);
  guarded = await startForwardProxy(folder, user);
});
after(async () => {
  await proxy.stop();
  await closedProxy.close();
  await guarded.stop();
  await sandbox.stop();
  await front.stop();
  await mutual.stop();
  rmSync(folder, { recursive: true });
});

const throughProxy = { proxyLoopback: true } as const;

/** Lists a TLS service's models over connections created with `options`. */
async function listModels(
  options: DispatcherOptions,
  at = secureUrl,
  more: Partial<ClientOptions> = {},
): Promise<number> {
  const dispatcher = await createDispatcher(options);
  const client = createClient({
    baseUrl: at,
    authUrl: `${at}/oauth/token`,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    ...(more.fetch === undefined ? { dispatcher } : {}),
    retry: { attempts: 1 },
    ...more,
  });
  try {
    return (await client.models.list()).length;
  } finally {
    await client.close();
    await dispatcher.destroy();
  }
}

async function failsWith(reason: TransportReason, words: RegExp, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.reason, reason);
    assert.match(error.message, words);
    assert.ok(!error.message.includes(user.password), 'the message holds a password');
    return true;
  });
}

suite('private authority', () => {
  test('is not trusted by default', async () => {
    await failsWith('tls', /certificate.*not trusted/, listModels({}));
  });

  test('is trusted with its file', async () => {
    assert.equal(await listModels({ caFile: authority.caFile }), 2);
    assert.equal(await listModels({ caFile: authority.caFile, useSystemCertificates: false }), 2);
  });

  test('is trusted only for the names in its certificate', async () => {
    const proxied = await startNamingProxy({ host: 'other.test', user: user.name, password: user.password });
    try {
      const options = {
        caFile: authority.caFile,
        proxy: proxied.url.replace('//', `//${user.name}:${user.password}@`),
      };
      await failsWith('tls', /certificate/, listModels(options, `https://other.test:${front.port}`));
    } finally {
      await proxied.stop();
    }
  });

  const files: readonly (readonly [string, CertificateProblem, () => DispatcherOptions])[] = [
    ['a file that is not there', 'unreadable', () => ({ caFile: path.join(folder, 'nope.pem') })],
    ['a file without a certificate', 'no-certificate', () => ({ caFile: written('empty.pem', 'nothing') })],
    [
      'a client certificate without its key',
      'unusable',
      () => ({ certificateFile: authority.client.certificateFile }),
    ],
    [
      'the key of another certificate',
      'unusable',
      () => ({ certificateFile: authority.client.certificateFile, keyFile: path.join(folder, 'server.key') }),
    ],
    [
      'a locked key without a passphrase',
      'passphrase',
      () => ({ certificateFile: authority.client.pkcs12File }),
    ],
    [
      'a wrong passphrase',
      'passphrase',
      () => ({ certificateFile: authority.client.pkcs12File, passphrase: 'wrong' }),
    ],
  ];
  for (const [name, problem, options] of files) {
    test(`${name} is reported: ${problem}`, async () => {
      await assert.rejects(createDispatcher(options()), (error) => {
        assert.ok(error instanceof CertificateError);
        assert.equal(error.problem, problem);
        assert.ok(error.message.includes(error.file));
        return true;
      });
    });
  }
});

suite('client certificate', () => {
  const at = () => `https://localhost:${mutual.port}`;

  test('a service that requires one refuses connections without it', async () => {
    await assert.rejects(listModels({ caFile: authority.caFile }, at()), TransportError);
  });

  test('is presented from two PEM files, one PEM file or a PKCS #12 file', async () => {
    const { certificateFile, keyFile, pkcs12File } = authority.client;
    const both = written('both.pem', readFileSync(certificateFile, 'utf8') + readFileSync(keyFile, 'utf8'));
    for (const identity of [
      { certificateFile, keyFile },
      { certificateFile: both },
      { certificateFile: pkcs12File, passphrase: 'hush' },
    ]) {
      const options = { caFile: authority.caFile, ...identity };
      assert.equal(await listModels(options, at(), { baseUrl: secureUrl }), 2);
    }
  });
});

suite('forward proxy', () => {
  test('is used for a service behind TLS', async () => {
    const before = (await proxy.log()).length;
    const options = { ...throughProxy, proxy: proxy.url, caFile: authority.caFile, noProxy: '' };
    assert.equal(await listModels(options), 2);
    assert.match((await proxy.log()).slice(before), new RegExp(`CONNECT localhost:${front.port}`));
  });

  for (const noProxy of ['localhost', 'example.com,localhost', '*']) {
    test(`is skipped for ${noProxy}`, async () => {
      const before = (await proxy.log()).length;
      const options = { ...throughProxy, proxy: proxy.url, noProxy, caFile: authority.caFile };
      assert.equal(await listModels(options), 2);
      assert.equal((await proxy.log()).length, before);
    });
  }

  const failures: readonly (readonly [name: string, proxy: () => string, words: RegExp])[] = [
    ['that is not there', () => 'http://me:secret@127.0.0.1:9', /The proxy 127\.0\.0\.1:9 refuses connections: check its address/],
    ['whose host is not known', () => 'http://me:secret@proxy.invalid:3128', /The proxy proxy\.invalid:3128 has an unknown host/],
    ['that speaks TLS with an unknown certificate', () => `https://me:secret@localhost:${front.port}`, /The proxy localhost:\d+ has a certificate that is not trusted/],
    ['that wants a password', () => closedProxy.url.replace('//', '//me:secret@'), /The proxy 127\.0\.0\.1:\d+ requires a user name and password \(407\)/],
  ]; // oxfmt-ignore
  for (const [name, address, words] of failures) {
    for (const target of ['https', 'http'] as const) {
      test(`one ${name} is reported without its password (${target} target)`, async () => {
        const options = { ...throughProxy, proxy: address() };
        await assert.rejects(
          target === 'https'
            ? listModels({ ...options, ...(name.includes('TLS') ? {} : { caFile: authority.caFile }) })
            : listModels(options, 'http://service.example'),
          (error) => {
            assert.ok(error instanceof TransportError);
            const reason = name.includes('password') ? 'proxy-credentials' : 'proxy';
            assert.equal(error.reason, reason, error.message);
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

  test('an unreachable service behind a working proxy is not reported as a proxy problem', async () => {
    await assert.rejects(
      listModels({ ...throughProxy, proxy: proxy.url, caFile: authority.caFile }, 'https://127.0.0.1:9'),
      (error) => {
        assert.ok(error instanceof TransportError);
        assert.match(error.message, /The proxy 127\.0\.0\.1:\d+ refused to connect \(50\d\)/);
        return true;
      },
    );
  });

  test('is skipped for this machine unless requested', async () => {
    const before = (await proxy.log()).length;
    assert.equal(await listModels({ proxy: proxy.url, noProxy: '', caFile: authority.caFile }), 2);
    assert.equal((await proxy.log()).length, before);
  });

  test('from the environment is used, with its exceptions', async () => {
    const names = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
    const kept = names.map((name) => [name, process.env[name]] as const);
    const options = { ...throughProxy, proxy: 'environment', caFile: authority.caFile };
    try {
      for (const name of names) Reflect.deleteProperty(process.env, name);
      process.env['HTTPS_PROXY'] = proxy.url;
      const before = (await proxy.log()).length;
      assert.equal(await listModels(options), 2);
      const after = (await proxy.log()).length;
      assert.ok(after > before);
      process.env['NO_PROXY'] = 'localhost';
      assert.equal(await listModels(options), 2);
      assert.equal((await proxy.log()).length, after);
    } finally {
      for (const [name, value] of kept) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
});

suite('authenticating proxy', () => {
  const options = () => ({ ...throughProxy, caFile: authority.caFile, noProxy: '' });
  const basic = (password: string) => `Basic ${Buffer.from(`${user.name}:${password}`).toString('base64')}`;

  test('accepts the user and password in its address', async () => {
    const url = guarded.url.replace('//', `//${user.name}:${user.password}@`);
    assert.equal(await listModels({ ...options(), proxy: url }), 2);
  });

  test('accepts the header', async () => {
    const header = { proxyAuthorization: basic(user.password) };
    assert.equal(await listModels({ ...options(), proxy: guarded.url, ...header }), 2);
  });

  for (const [name, header] of [
    ['no password', undefined],
    ['a wrong password', basic('wrong')],
  ] as const) {
    test(`with ${name}, is asked once, and the missing credentials are reported`, async () => {
      const before = (await guarded.log()).length;
      const work = listModels({ ...options(), proxy: guarded.url, proxyAuthorization: header });
      await failsWith('proxy-credentials', /requires a user name and password/, work);
      assert.equal((await guarded.log()).slice(before).match(/CONNECT localhost/g)?.length, 1);
    });
  }

  test('reaches a host that only the proxy can resolve', async () => {
    const naming = await startNamingProxy({ host: privateHost, user: user.name, password: user.password });
    try {
      const at = `https://${privateHost}:${front.port}`;
      const header = { proxyAuthorization: basic(user.password) };
      assert.equal(
        await listModels({ caFile: authority.caFile, proxy: naming.url, noProxy: '', ...header }, at, {
          baseUrl: secureUrl,
          authUrl: `${at}/oauth/token`,
        }),
        2,
      );
      assert.deepEqual(naming.asked(), [privateHost]);
    } finally {
      await naming.stop();
    }
  });
});

suite('redirects', () => {
  for (const carrier of ['our own connections', "the editor's fetch"]) {
    for (const where of ['/v1/schema/models', '/oauth/token']) {
      test(`of ${where} are not followed by ${carrier}: nothing arrives elsewhere`, async () => {
        const elsewhere = await listen((_, response) => response.end('{}'));
        const plain = await startSandbox({ accounts: 10 });
        try {
          await plain.setFaults([{ path: where, always: { kind: 'redirect', location: elsewhere.url } }]);
          const options = {
            baseUrl: plain.baseUrl,
            authUrl: plain.authUrl,
            clientId: plain.clientId,
            clientSecret: plain.clientSecret,
            ...(carrier === 'our own connections' ? {} : { fetch }),
          };
          await assert.rejects(listModels({}, plain.baseUrl, options), (error) => {
            assert.ok(error instanceof ContractError);
            assert.match(error.message, /redirect/);
            return true;
          });
          assert.equal(elsewhere.seen.length, 0);
        } finally {
          await plain.stop();
          await elsewhere.close();
        }
      });
    }
  }
});

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}
