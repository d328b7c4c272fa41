/** The connection test against real services, proxies and faults: every step, every failure, and the skipped steps. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ApiError, ContractError, UserAbort } from '#api/client/errors.ts';
import {
  testConnection,
  type ConnectionTestOptions,
  type Step,
} from '#api/client/network/connection-test.ts';
import { startDatabase } from '../helpers/client-service.ts';
import {
  createPrivateAuthority,
  freePort,
  privateHost,
  startNamingProxy,
  startTlsFront,
  type PrivateAuthority,
} from '../helpers/forward-proxy.ts';
import { startSandbox, type FaultAnswer, type RunningSandbox } from '../helpers/sandbox.ts';
import { startDrawn } from '../service/drawn/drawn-service.ts';
import { serviceWith } from '../service/drawn/space.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'connection-test-'));
let authority: PrivateAuthority;
let front: Awaited<ReturnType<typeof startTlsFront>>;
let sandbox: RunningSandbox;
let secureUrl: string;

before(async () => {
  authority = await createPrivateAuthority(folder);
  const port = await freePort();
  front = await startTlsFront(`http://127.0.0.1:${port}`, authority);
  secureUrl = `https://${privateHost}:${front.port}`;
  sandbox = await startSandbox({ accounts: 10, port });
  await startDatabase(sandbox);
});
after(async () => {
  await sandbox.stop();
  await front.stop();
  rmSync(folder, { recursive: true });
});

async function run(options: Partial<ConnectionTestOptions> = {}): Promise<Step[]> {
  const steps: Step[] = [];
  const all = testConnection({
    baseUrl: sandbox.baseUrl,
    authUrl: sandbox.authUrl,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    network: {},
    stepTimeoutMs: 600_000,
    signal: new AbortController().signal,
    ...options,
  });
  for await (const step of all) steps.push(step);
  const written = JSON.stringify(steps, (_, value: unknown) =>
    value instanceof Error ? (value.stack ?? value.message) : value,
  );
  assert.ok(!written.includes(sandbox.clientSecret), 'a step holds the secret');
  return steps;
}

const kinds = (steps: readonly Step[]) => steps.map((step) => `${step.name} ${step.outcome.kind}`);
const failed = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.outcome.kind === 'failed' ? [step] : []));

function messageOf(step: Step | undefined): string {
  assert.ok(step?.outcome.kind === 'failed');
  const { error } = step.outcome;
  assert.ok(error instanceof ApiError || error instanceof ContractError);
  return error.message;
}

test('a service that need not list its saved queries works, with a restriction', async () => {
  for (const absence of ['404', '405', '501', '403'])
    for (const errorBody of ['envelope', 'html', 'empty']) {
      const drawn = await startDrawn(serviceWith({ savedList: 'absent', absence, errorBody }));
      const { baseUrl, authUrl, clientId, clientSecret } = drawn;
      try {
        const steps = testConnection({
          ...{ baseUrl, authUrl, clientId, clientSecret, network: {} },
          signal: new AbortController().signal,
        });
        const all = await Array.fromAsync(steps);
        const outcomes = all.map(({ name, outcome }) => `${name} ${outcome.kind}`);
        assert.ok(outcomes.includes('saved-queries warning'), `${absence} ${errorBody}: ${outcomes.join()}`);
        assert.ok(
          outcomes.every((each) => !each.endsWith('failed')),
          outcomes.join(),
        );
      } finally {
        await drawn.stop();
      }
    }
});

suite('testConnection', () => {
  test('reports a finding for every step on a working service', async () => {
    const steps = await run();
    assert.deepEqual(kinds(steps), [
      'name ok',
      'tcp ok',
      'tls skipped',
      'token ok',
      'scopes ok',
      'models ok',
      'saved-queries ok',
      'execute ok',
    ]);
    const facts = new Map(
      steps.map(({ name, outcome }) => [name, 'facts' in outcome ? outcome.facts : undefined]),
    );
    assert.deepEqual(facts.get('name'), { kind: 'addresses', addresses: ['127.0.0.1'] });
    assert.deepEqual(facts.get('token'), { kind: 'token', lifetimeSeconds: 3600 });
    assert.deepEqual(facts.get('scopes'), { kind: 'scopes', granted: ['read', 'write'], isAssumed: false });
    assert.deepEqual(facts.get('models'), {
      kind: 'models',
      names: ['platform_identity', 'platform_governance'],
    });
    assert.deepEqual(facts.get('execute'), { kind: 'rows', count: 1 });
  });

  test('reports who signed the certificate of a service behind a proxy', async () => {
    const proxy = await startNamingProxy({ host: privateHost, user: 'me', password: 'pass' });
    try {
      const network = { caFile: authority.caFile, noProxy: '', proxy: proxy.url.replace('//', '//me:pass@') };
      const steps = await run({ authUrl: `${secureUrl}/oauth/token`, network });
      assert.deepEqual(kinds(steps).slice(0, 4), ['name ok', 'tcp ok', 'proxy ok', 'tls ok']);
      const tls = steps[3]?.outcome;
      assert.ok(tls?.kind === 'ok' && tls.facts.kind === 'tls');
      assert.equal(tls.facts.tls.issuer, 'Test Authority');
      assert.match(tls.facts.tls.protocol, /^TLSv1\.[23]$/);

      const distrusting = await run({
        authUrl: `${secureUrl}/oauth/token`,
        network: { ...network, caFile: '' },
      });
      const [refused] = failed(distrusting);
      assert.equal(refused?.name, 'tls');
      assert.match(messageOf(refused), /not trusted/);
      const found = refused.outcome.kind === 'failed' ? refused.outcome.facts : undefined;
      assert.ok(found?.kind === 'tls');
      assert.equal(found.tls.issuer, 'Test Authority');
      assert.deepEqual(kinds(distrusting).slice(-5), [
        'token skipped',
        'scopes skipped',
        'models skipped',
        'saved-queries skipped',
        'execute skipped',
      ]);

      const nobody = await run({
        authUrl: `${secureUrl}/oauth/token`,
        network: { ...network, proxy: proxy.url },
      });
      assert.deepEqual(kinds(nobody).slice(0, 4), ['name ok', 'tcp ok', 'proxy failed', 'tls skipped']);
      assert.match(messageOf(failed(nobody)[0]), /requires a user name and password \(407\)/);
    } finally {
      await proxy.stop();
    }
  });

  test('reports an unknown host name', async () => {
    const steps = await run({ baseUrl: 'https://no-such-host.invalid' });
    assert.equal(failed(steps)[0]?.name, 'name');
    assert.match(
      messageOf(failed(steps)[0]),
      /^No host named "no-such-host\.invalid" is known: check the address/,
    );
    assert.ok(kinds(steps).includes('models skipped'));
  });

  test('reports a port without a listener', async () => {
    const steps = await run({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    assert.match(messageOf(failed(steps).find(({ name }) => name === 'tcp')), /refuses connections/);
  });

  test('reports a wrong secret and a wrong client', async () => {
    for (const wrong of [{ clientSecret: 'wrong' }, { clientId: 'wrong' }]) {
      const steps = await run(wrong);
      assert.deepEqual(kinds(failed(steps)), ['token failed']);
      assert.match(messageOf(failed(steps)[0]), /client ID or secret is wrong/);
      assert.deepEqual(kinds(steps).slice(-4), [
        'scopes skipped',
        'models skipped',
        'saved-queries skipped',
        'execute skipped',
      ]);
    }
  });

  test('ignores a scope that was not requested, and warns about a refused one', async () => {
    const outcomeWith = async (more: Parameters<typeof run>[0]) =>
      (await run(more)).find(({ name }) => name === 'scopes')?.outcome;
    const facts = { kind: 'scopes', granted: ['read'], isAssumed: false };
    assert.deepEqual(await outcomeWith({ scopes: ['read'] }), {
      kind: 'ok',
      facts: { ...facts, withoutWrite: 'not-asked' },
    });
    assert.deepEqual(await outcomeWith({ clientId: 'sandbox-reader' }), {
      kind: 'warning',
      facts: { ...facts, withoutWrite: 'refused' },
    });
  });

  const faults: readonly (readonly [string, string, FaultAnswer, RegExp])[] = [
    ['token', '/oauth/token', { kind: 'html' }, /HTML page instead of a token/],
    ['token', '/oauth/token', { kind: 'status', status: 500 }, /try again later/],
    ['models', '/v1/schema/models', { kind: 'html' }, /HTML page instead of JSON/],
    ['models', '/v1/schema/models', { kind: 'status', status: 403 }, /read scope/],
    ['models', '/v1/schema/models', { kind: 'redirect', location: 'https://elsewhere.example.com' }, /redirect/],
    ['saved-queries', '/v1/query/saved-queries', { kind: 'status', status: 429, retryAfter: '90' }, /90 seconds/],
    ['execute', '/v1/query/execute', { kind: 'drop' }, /closed the connection/],
    ['execute', '/v1/query/execute', { kind: 'truncate' }, /middle of its response/],
  ]; // oxfmt-ignore
  for (const [name, at, fault, words] of faults) {
    test(`${name} with ${fault.kind} as its response is reported, and independent steps continue`, async () => {
      await sandbox.setFaults([{ path: at, always: fault }]);
      try {
        const steps = await run();
        assert.deepEqual(
          failed(steps).map((step) => step.name),
          [name],
        );
        assert.match(messageOf(failed(steps)[0]), words);
        if (name === 'saved-queries') assert.ok(kinds(steps).includes('execute ok'));
      } finally {
        await sandbox.setFaults([]);
      }
    });
  }

  test('a missing response ends the step, not the test', async () => {
    await sandbox.setFaults([{ path: '/v1/schema/models', always: { kind: 'latency', ms: 60_000 } }]);
    try {
      const steps = await run({ stepTimeoutMs: 700 });
      assert.deepEqual(kinds(failed(steps)), ['models failed']);
      assert.match(messageOf(failed(steps)[0]), /within 0\.7 seconds/);
    } finally {
      await sandbox.setFaults([]);
    }
  });

  test('can be cancelled at any time', async () => {
    const controller = new AbortController();
    await assert.rejects(async () => {
      for await (const step of testConnection({
        baseUrl: sandbox.baseUrl,
        authUrl: sandbox.authUrl,
        clientId: sandbox.clientId,
        clientSecret: sandbox.clientSecret,
        network: {},
        signal: controller.signal,
      })) {
        if (step.name === 'tcp') controller.abort(new UserAbort());
      }
    }, UserAbort);
  });

  test("skips the lower layers with the editor's fetch", async () => {
    assert.deepEqual(kinds(await run({ fetch })), [
      'tcp skipped',
      'token ok',
      'scopes ok',
      'models ok',
      'saved-queries ok',
      'execute ok',
    ]);
  });
});
