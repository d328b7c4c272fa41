/** A limit of the service says when to try again, in words and as a time. */
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { RateLimitError } from '#api/client/errors.ts';
import { setTranslations } from '#base/texts.ts';
import { failureOf } from '#core/failures/failure.ts';
import { limitWords } from '#core/failures/limit-messages.ts';
import { explainFailure } from '#core/runs/explain-failure.ts';

const now = new Date(2026, 0, 31, 14, 24, 30).getTime();
const limited = (retryAfterMs: number | undefined) =>
  new RateLimitError('limited', { code: 'TOO_MANY_REQUESTS', retryable: true, retryAfterMs });
const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
  .formatToParts(now)
  .find(({ type }) => type === 'timeZoneName')?.value;
const words = (retryAfterMs: number | undefined) => limitWords(limited(retryAfterMs), now);

suite('words about a limit', () => {
  afterEach(() => setTranslations({}));

  for (const [seconds, expected] of [
    [0, 'in 1 second, at 14:24:30'],
    [30, 'in 30 seconds, at 14:25:00'],
    // A retry at 2:34 would be too early.
    [600, 'in 10 minutes, at 14:35'],
    [601, 'in 11 minutes, at 14:35'],
    [7_200, 'in 2 hours, at 16:25'],
    [172_800, 'in 2 days, at 2026-02-02 14:25'],
  ] as const) {
    test(`${seconds} seconds: ${expected}`, () => {
      assert.equal(words(seconds * 1_000), `The service limits requests. Try again ${expected} ${zone}.`);
    });
  }

  test('follow the language', () => {
    setTranslations({}, 'de-DE');
    assert.match(words(600_000), /in 10 Minuten, at 14:35 \S+\.$/);
  });

  test('without a time from the service', () => {
    assert.equal(words(undefined), 'The service limits requests. Try again in a minute.');
  });

  test('end with what the service says about it', () => {
    const serviceMessage = 'The 500 queries of today are used up.';
    const error = new RateLimitError('m', { code: 'QUOTA', retryable: true, serviceMessage });
    assert.equal(
      limitWords(error, now),
      'The service limits requests. Try again in a minute. The 500 queries of today are used up.',
    );
  });

  test('are what a run and a notification say', () => {
    const pattern = /^The service limits requests\. Try again in 10 minutes, at \d{1,2}:\d\d/;
    assert.match(explainFailure(limited(600_000), () => undefined).message, pattern);
    const failure = failureOf(limited(600_000));
    assert.match(failure.kind === 'expected' ? failure.message : '', pattern);
  });
});
