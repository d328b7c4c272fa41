/** Findings about each assumption on the sandbox, and on a service that deviates from it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { examine, type ExamineOptions } from '#api/client/doctor/examine.ts';
import type { Finding } from '#api/client/doctor/finding.ts';
import { AuthError, UserAbort } from '#api/client/errors.ts';
import { assumptions, type AssumptionId } from '#api/contract/assumptions.ts';
import type { Oddity } from '#service/plugins/oddities.ts';
import { shortenPauses } from '../helpers/fast-clock.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { startDrawn } from '../service/drawn/drawn-service.ts';
import { plainService, serviceWith } from '../service/drawn/space.ts';
import { startService, type RunningService } from '../service/service.ts';
import { otherWays, type Gap } from '../service/switches.ts';

type Service = Pick<RunningSandbox, 'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret'>;

async function ask(service: Service, options: Partial<ExamineOptions> = {}): Promise<readonly Finding[]> {
  const { baseUrl, authUrl, clientId, clientSecret } = service;
  const { signal } = new AbortController();
  // A slow machine takes long to start the database.
  const patient = { timeoutMs: 120_000, signal, ...options };
  return await Array.fromAsync(examine({ baseUrl, authUrl, clientId, clientSecret, ...patient }));
}

const idsOf = (findings: readonly Finding[], verdict: Finding['verdict']) =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

/** Assumptions that cannot be tested with read requests. */
const hidden: readonly AssumptionId[] = [
  'create-status',
  'retry-after',
  'characters',
  'action-job',
  'kept-jobs',
  'export-file',
];

function isAllRight(findings: readonly Finding[]): void {
  const differing = findings.filter(({ verdict }) => verdict === 'differs');
  assert.deepEqual(differing, []);
  assert.deepEqual(idsOf(findings, 'unknown'), hidden);
  assert.deepEqual(
    findings.map(({ id }) => id),
    Object.keys(assumptions),
  );
}

suite('on the sandbox', () => {
  let sandbox: RunningSandbox;
  before(async () => {
    sandbox = await startSandbox({ accounts: 20 });
  });
  after(() => sandbox.stop());

  test('every assumption holds, as far as read requests can tell, and nothing is written', async () => {
    await sandbox.forgetRequests();
    isAllRight(await ask(sandbox));
    const asked = await sandbox.requests();
    const writes = asked.filter(
      ({ method, path }) =>
        !['GET', 'OPTIONS'].includes(method) && !['/oauth/token', '/v1/query/execute'].includes(path),
    );
    assert.deepEqual(writes, []);
  });

  test('a check without a response is unknown, and the others continue', async () => {
    await sandbox.setFaults([{ path: '/v1/accounts', always: { kind: 'drop' } }]);
    const findings = await ask(sandbox);
    await sandbox.setFaults([]);
    assert.deepEqual(
      idsOf(findings, 'unknown').toSorted(),
      [...hidden, 'account-role', 'data-classifications', 'open-words', 'page-tokens'].toSorted(),
    );
    assert.deepEqual(idsOf(findings, 'differs'), []);
  });

  test('a rate limit neither confirms nor refutes an assumption', async () => {
    await sandbox.setFaults([{ path: '/v1/query/execute', always: { kind: 'status', status: 429 } }]);
    const findings = await ask(sandbox);
    await sandbox.setFaults([]);
    assert.deepEqual(idsOf(findings, 'differs'), []);
    assert.ok(idsOf(findings, 'unknown').includes('execute'));
  });

  test('a wrong secret is not a finding', async () => {
    await assert.rejects(ask(sandbox, { clientSecret: 'wrong' }), AuthError);
  });

  test('a service that refuses reads is not a finding', async () => {
    await sandbox.setFaults([{ path: '/v1/schema/models', always: { kind: 'status', status: 403 } }]);
    await assert.rejects(ask(sandbox), AuthError);
    await sandbox.setFaults([]);
  });

  test('cancelling takes effect immediately', async () => {
    await assert.rejects(ask(sandbox, { signal: AbortSignal.abort(new UserAbort()) }), UserAbort);
  });
});

test('each oddity of the sandbox that reading shows is reported as its own assumption', async () => {
  const ofOddity: Partial<Record<Oddity, AssumptionId>> = {
    'no-identity-tables': 'records-by-id',
    'snake-paging': 'execute-paging',
    'same-page-token': 'page-tokens',
    'both-window-ends': 'activity-window',
    'local-assignments': 'other-ids',
    'other-principals': 'principals',
    'classified-objects': 'data-classifications',
    'other-words': 'open-words',
    'patch-updates': 'update',
    'no-members': 'membership',
    'no-information-schema': 'model-columns',
    'no-deletes': 'delete',
    'untyped-columns': 'execute',
    'zero-positions': 'parse-error',
    'failed-422': 'query-failed',
    'model-404': 'unknown-model',
    'no-codes': 'http-errors',
    'lasting-tokens': 'token',
    'role-names': 'account-role',
    'no-other-lists': 'other-lists',
    'other-links': 'link-text',
    'no-exports': 'create-download',
  };
  const names = Object.keys(ofOddity).flatMap((name) => ['--odd', name]);
  const odd = await startSandbox({ accounts: 20, args: names });
  try {
    const differing = idsOf(await ask(odd), 'differs');
    assert.deepEqual(differing.toSorted(), Object.values(ofOddity).toSorted());
  } finally {
    await odd.stop();
  }
  const writing = await startSandbox({ accounts: 20, args: ['--odd', 'execute-writes'] });
  try {
    assert.ok(idsOf(await ask(writing), 'differs').includes('scopes'));
  } finally {
    await writing.stop();
  }
});

test('paging that cannot be tested is told as this, not as rows that are missing', async () => {
  const drawn = await startDrawn(serviceWith({ values: 'not-parsed', strictBody: 'strict' }));
  try {
    const [found] = (await ask(drawn)).filter(({ id }) => id === 'execute-paging');
    assert.deepEqual([found?.verdict, found?.seen.kind], ['unknown', 'paging-untested']);
  } finally {
    await drawn.stop();
  }
});

async function onDrawn(
  ways: Readonly<Record<string, string>>,
  options: Partial<ExamineOptions> = {},
): Promise<ReadonlyMap<AssumptionId, Finding>> {
  const drawn = await startDrawn(serviceWith(ways));
  try {
    return new Map((await ask(drawn, options)).map((finding) => [finding.id, finding]));
  } finally {
    await drawn.stop();
  }
}

suite('on drawn services', () => {
  for (const absence of ['404', '405', '501'])
    test(`without execute and jobs (${absence}), their answers are not judged`, async () => {
      const found = await onDrawn({ execute: 'absent', jobs: 'absent', absence, errorBody: 'problem' });
      const request = 'POST /v1/query/execute';
      const seen = { kind: 'not-offered', request, status: Number(absence) };
      assert.deepEqual(found.get('execute'), { id: 'execute', verdict: 'differs', seen });
      for (const id of ['parse-error', 'query-failed', 'unknown-model'] as const)
        assert.deepEqual(found.get(id), { id, verdict: 'unknown', seen });
      // A 404 can also mean that there is no such job.
      if (absence !== '404') assert.equal(found.get('action-job')?.seen.kind, 'not-offered');
    });

  test('that are strict, no name of the request is taken for a missing schema', async () => {
    const found = await onDrawn({ paging: 'snake', strictBody: 'strict' });
    assert.equal(found.get('model-columns')?.verdict, 'holds');
  });

  test('that limit requests or fail once, each assumption is told as on others', async () => {
    const calm = await onDrawn({});
    for (const [limits, hiccup] of [
      ['seconds', '502'],
      ['untold', '504'],
    ] as const) {
      const found = await onDrawn({ limits, hiccup });
      for (const [id, { verdict }] of calm) assert.equal(found.get(id)?.verdict, verdict, `${limits}: ${id}`);
    }
  });

  test('that say when they are back, they are waited for as long as the rule allows', async () => {
    const calm = await onDrawn({});
    const restore = shortenPauses(1_000);
    const pauses: number[] = [];
    const rateLimit = { maxMs: 20_000, onPause: (delayMs: number) => pauses.push(delayMs) };
    const found = await onDrawn({ limits: '503-seconds' }, { rateLimit });
    restore();
    for (const [id, { verdict }] of calm) assert.equal(found.get(id)?.verdict, verdict, id);
    assert.ok(pauses.length > 5 && pauses.every((delayMs) => delayMs === 15_000), pauses.join());
  });

  test('that limit queries from one on, none is judged by that, and the limit is not waited for again', async () => {
    const calm = await onDrawn({});
    for (let answered = 0; answered < 12; answered += 1) {
      let queries = 0;
      const drawn = await startDrawn(plainService, ({ path }, reply) => {
        if (path !== '/v1/query/execute' || ++queries <= answered) return reply;
        const body = JSON.stringify({ code: 'TOO_MANY_REQUESTS', message: 'Slow down.' });
        return { status: 429, headers: { 'retry-after': '60' }, bytes: Buffer.from(body) };
      });
      const pauses: number[] = [];
      try {
        const rateLimit = { maxMs: 50_000, onPause: (delayMs: number) => pauses.push(delayMs) };
        const findings = await ask(drawn, { rateLimit });
        const limited = findings.filter(({ seen }) => seen.kind === 'no-answer');
        assert.ok(limited.length > 0);
        const judged = findings.filter((finding) => !limited.includes(finding));
        for (const { id, verdict } of judged)
          assert.equal(verdict, calm.get(id)?.verdict, `${id} after ${answered} queries`);
        assert.deepEqual(pauses, []);
      } finally {
        await drawn.stop();
      }
    }
  });

  test('a value is told as a value, and a repeated token as one', async () => {
    const found = await onDrawn({ words: 'unknown', listToken: 'same-for-a-walk', positions: 'zeros' });
    assert.equal(found.get('open-words')?.seen.kind, 'value');
    assert.equal(found.get('parse-error')?.seen.kind, 'value');
    assert.equal(found.get('page-tokens')?.seen.kind, 'same-token');
  });
});

suite('on the second service', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ accounts: 10 });
  });
  afterEach(() => service.set({}));
  after(() => service.stop());

  test('every assumption holds, as far as read requests can tell', async () =>
    isAllRight(await ask(service)));

  for (const [id, ways] of Object.entries(otherWays) as [Gap, readonly string[]][]) {
    // the keys of an object literal
    for (const way of ways) {
      // The report lists assumptions that cannot be tested without a write.
      const isHidden =
        way.startsWith('stale-') ||
        [
          'create-status=status-200',
          'retry-after=absent',
          'delete=answers-200',
          'token=lifetime-as-text',
          'characters=utf16-units',
          'kept-jobs=gone',
          'export-file=redirected',
          'action-job=bare',
          'action-job=other-words',
        ].includes(`${id}=${way}`);
      test(`${id}: ${way}${isHidden ? ' cannot be detected by reading' : ''}`, async () => {
        service.set({ assumptions: { [id]: way } });
        const findings = await ask(service);
        assert.deepEqual(idsOf(findings, 'differs'), isHidden ? [] : [id]);
        assert.ok(findings.some((finding) => finding.id === id));
      });
    }
  }

  test('reports a write scope that is not granted', async () => {
    service.set({ oddities: ['write-scope-refused'] });
    const [found] = (await ask(service)).filter(({ id }) => id === 'token');
    assert.deepEqual(found?.seen, { kind: 'write-scope-refused' });
    const reads = (await ask(service, { scopes: ['read'] })).find(({ id }) => id === 'token');
    assert.equal(reads?.verdict, 'holds', 'a connection that only reads does not ask for more');
  });
});
