/** The time window of a list of activities. */
import { limits } from '#api/contract/limits.ts';
import { badField } from '../errors.ts';
import { dayMs } from '../options.ts';

/** Returns the most recent thirty days by default. If only one end is given, the window has its maximum length. */
export function activityWindow(
  from: string | undefined,
  to: string | undefined,
  now: number,
): { from: number; to: number } {
  const longest = limits.activityWindowMaxDays * dayMs;
  const start = from === undefined ? undefined : timeOf('from', from);
  const end = to === undefined ? undefined : timeOf('to', to);
  if (start === undefined && end === undefined) {
    // Changes made during the company's current day belong to its most recent days.
    return { from: now - limits.activityWindowDefaultDays * dayMs, to: Infinity };
  }
  const window = { from: start ?? (end ?? now) - longest, to: end ?? (start ?? now) + longest };
  if (window.from >= window.to) throw badField('query', 'to', 'must be later than from');
  if (window.to - window.from > longest)
    throw badField('query', 'to', `must be at most ${limits.activityWindowMaxDays} days after from`);
  return window;
}

function timeOf(field: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw badField('query', field, 'must be a date and time (RFC 3339)');
  return time;
}
