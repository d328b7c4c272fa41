/** Retry rules and delays. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  ContractError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UserAbort,
} from '#api/client/errors.ts';
import {
  defaultRetryPolicy,
  isPerhapsDone,
  parseRetryAfter,
  retryDelay,
} from '#api/client/requests/retry.ts';
import { withService } from '#test/helpers/client-service.ts';
import { shortenPauses } from '#test/helpers/fast-clock.ts';
import { sendJson } from '#test/helpers/http.ts';

const limited = (retryAfterMs?: number) =>
  new RateLimitError('', { code: 'TOO_MANY_REQUESTS', status: 429, retryable: true, retryAfterMs });
const fault = (status: number, retryAfterMs?: number) =>
  new ServerFaultError('', { code: 'X', status, retryable: true, retryAfterMs });
const lost = new TransportError('', 'reset', undefined);
const options = (isSafe: boolean) => ({ policy: defaultRetryPolicy, isSafe, random: () => 0.5 });

suite('retryDelay', () => {
  test('honors the delay that the service requests', () =>
    assert.equal(retryDelay(limited(1500), 1, options(true)), 1500));
  test('does not wait longer than the maximum', () =>
    assert.equal(retryDelay(limited(60_000), 1, options(true)), undefined));
  test('retries a write after a 429, because it was not carried out', () =>
    assert.equal(retryDelay(limited(), 1, options(false)), 100));
  test('doubles without Retry-After, with jitter', () => {
    assert.equal(retryDelay(lost, 1, options(true)), 100);
    assert.equal(retryDelay(lost, 2, options(true)), 200);
  });
  test('stops after the last attempt', () => assert.equal(retryDelay(lost, 3, options(true)), undefined));
  test('does not retry a lost write', () => assert.equal(retryDelay(lost, 1, options(false)), undefined));
  test('retries a query after a 503, but not after a 500, which it may have caused', () => {
    assert.equal(retryDelay(fault(503, 10), 1, options(true)), 10);
    assert.equal(retryDelay(fault(500), 1, options(true)), undefined);
    assert.equal(retryDelay(fault(503), 1, options(false)), undefined);
  });
  test('retries a lookup after any failure that may pass', () => {
    for (const status of [500, 502, 503, 504])
      assert.equal(retryDelay(fault(status, 10), 1, { ...options(true), isLookup: true }), 10, `${status}`);
    assert.equal(retryDelay(fault(501), 1, { ...options(true), isLookup: true }), undefined);
  });
  test('does not retry a timeout, a refusal or a wrong certificate', () => {
    const refused = new RejectedError('', { code: 'X', status: 400, retryable: false, serviceMessage: '' });
    for (const error of [new TimeoutError('', 1), refused, new TransportError('', 'tls', undefined)]) {
      assert.equal(retryDelay(error, 1, options(true)), undefined);
    }
  });
});

suite('isPerhapsDone', () => {
  const coded = (code: string) => new ServerFaultError('', { code, status: 503, retryable: true });
  const seen: readonly (readonly [string, unknown, boolean])[] = [
    ...(['refused', 'dns', 'unreachable', 'proxy', 'proxy-credentials'] as const).map(
      (reason) => [reason, new TransportError('', reason, undefined), false] as const,
    ),
    ...(['reset', 'truncated', 'too-large', 'unknown'] as const).map(
      (reason) => [reason, new TransportError('', reason, undefined), true] as const,
    ),
    ['502', fault(502), true],
    ['503 of a gateway', coded('HTTP_503'), true],
    ['503 with a delay', fault(503, 10), false],
    ['503 with a code of the service', coded('BUSY'), false],
    ['429', limited(), false],
    ['a time limit', new TimeoutError('', 1), true],
    ['a stop', new UserAbort(), true],
    ['an unreadable answer', new ContractError('', { status: 200 }), true],
    ['a redirect', new ContractError('', { status: 302 }), false],
    [
      'a refused connection after a loss',
      Object.assign(new TransportError('', 'refused', undefined), { isAfterLoss: true }),
      true,
    ],
  ];
  for (const [name, error, isDone] of seen)
    test(name, () => {
      assert.equal(isPerhapsDone(error), isDone);
    });
});

suite('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  test('seconds', () => assert.equal(parseRetryAfter(' 7 ', now), 7000));
  test('an HTTP date', () => assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now), 9000));
  test('a date in the past', () => assert.equal(parseRetryAfter('Wed, 31 Dec 2025 23:59:00 GMT', now), 0));
  test('a distant time is limited to what a timer can wait for', () => {
    for (const text of ['9'.repeat(400), '2592000', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      assert.equal(parseRetryAfter(text, now), 2 ** 31 - 1, text);
  });
  test('an invalid or missing header', () => {
    assert.equal(parseRetryAfter('soon', now), undefined);
    assert.equal(parseRetryAfter(undefined, now), undefined);
  });
});

suite('a service that says when it is back', () => {
  const busy = (maxMs: number, isWrite = false) => {
    const pauses: (readonly [number, boolean])[] = [];
    return withService(
      (_, response, count) => {
        if (count === 1) response.setHeader('retry-after', '11');
        if (count === 1) sendJson(response, 503, { code: 'BUSY', message: 'Later.' });
        else sendJson(response, 200, { models: [] });
      },
      async (client) => {
        const asked = isWrite ? client.accounts.disable('a') : client.models.list();
        const error = await asked.then(
          () => undefined,
          (caught: unknown) => caught,
        );
        const isWaited = maxMs >= 11_000 && !isWrite;
        assert.equal(error === undefined, isWaited);
        assert.deepEqual(pauses, isWaited ? [[11_000, false]] : []);
      },
      { rateLimit: { maxMs, onPause: (delayMs, isLimited) => pauses.push([delayMs, isLimited]) } },
    );
  };
  before(() => {
    restore = shortenPauses(1_000);
  });
  after(() => restore());
  let restore: () => void = () => undefined;

  test('is waited for', async () => busy(20_000));
  test('is not waited for longer than the rule allows', async () => busy(10_000));
  test('is not waited for at all', async () => busy(0));
  test('gets no write twice', async () => busy(20_000, true));
});
