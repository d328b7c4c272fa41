/** Formats an age in the given language, such as "5 minutes ago". Independent of the editor. */

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * @param at milliseconds since 1970.
 * @param now milliseconds since 1970.
 */
export function ageText(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, ms] of units) {
    const count = Math.floor((now - at) / ms);
    if (count >= 1) return format.format(-count, unit);
  }
  return format.format(0, 'minute');
}
