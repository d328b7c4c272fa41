/** A wait in words that a person can use, such as "in 10 minutes". */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Rounded up in the largest unit that stays precise enough: 90 seconds, but 2 minutes for 91 seconds. */
export function untilWords(delayMs: number, language: string): string {
  const relative = new Intl.RelativeTimeFormat(language);
  const [ms, unit] =
    delayMs <= 1.5 * minuteMs
      ? ([1_000, 'second'] as const)
      : delayMs <= 1.5 * hourMs
        ? ([minuteMs, 'minute'] as const)
        : delayMs <= 1.5 * dayMs
          ? ([hourMs, 'hour'] as const)
          : ([dayMs, 'day'] as const);
  return relative.format(Math.max(1, Math.ceil(delayMs / ms)), unit);
}
