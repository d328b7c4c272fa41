/** Says when a person can repeat a request that the service limited, for the editor and the terminal. */
import type { RateLimitError } from '#api/client/errors.ts';
import { untilWords } from '#api/client/requests/format-wait.ts';
import { locale, t } from '#base/texts.ts';
import { clockText, momentText } from '#base/words/moment-text.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * For example "The service limits requests. Try again in 10 minutes, at 14:35 UTC." The service's own message follows.
 * @param now the time of the failure.
 */
export function limitWords(
  { retryAfterMs, serviceMessage }: Pick<RateLimitError, 'retryAfterMs' | 'serviceMessage'>,
  now: number,
): string {
  const words = retryWords(retryAfterMs, now);
  return serviceMessage === undefined ? words : `${words} ${serviceMessage}`;
}

function retryWords(retryAfterMs: number | undefined, now: number): string {
  if (retryAfterMs === undefined) return t('The service limits requests. Try again in a minute.');
  // Within two minutes, the seconds matter. Otherwise, the next whole minute, so that the retry is not too early.
  const isSoon = retryAfterMs <= 2 * 60_000;
  const at = new Date(isSoon ? now + retryAfterMs : Math.ceil((now + retryAfterMs) / 60_000) * 60_000);
  const clock = isSoon ? clockText(at) : momentText(at).slice(-5);
  const time = retryAfterMs < dayMs / 2 ? clock : momentText(at);
  return t(
    'The service limits requests. Try again {0}, at {1}.',
    untilWords(retryAfterMs, locale()),
    `${time} ${zoneNameOf(at)}`,
  );
}

/** In a remote window or in CI, this clock may not be the reader's. */
function zoneNameOf(at: Date): string {
  const parts = new Intl.DateTimeFormat(locale(), { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
