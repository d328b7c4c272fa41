/** The time window of activities (specification, "Activities window parameters"). */
import { limits } from '#api/contract/limits.ts';

/** A time window in milliseconds since 1970. */
export interface ActivityWindow {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export type WindowProblem = 'not-a-time' | 'empty' | 'too-long';

const dayMs = 24 * 60 * 60 * 1000;
const longestMs = limits.activityWindowMaxDays * dayMs;

/** Returns the last 30 days, which is the service's default window. */
export function defaultWindow(now: number): ActivityWindow {
  return { from: now - limits.activityWindowDefaultDays * dayMs, to: now };
}

/**
 * Parses a typed time: `2026-11-01`, `2026-11-01 14:30` with an optional time zone, `now`, `today`, or a number of days
 * or hours ago (`7d`, `36h`). Without a time zone, it is local time.
 * @returns milliseconds since 1970; undefined for anything else.
 */
export function parseMoment(text: string, now: number): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'now') return now;
  if (trimmed === 'today') return new Date(now).setHours(0, 0, 0, 0);
  const ago = /^(\d{1,5})\s*(d|h)$/.exec(trimmed);
  if (ago !== null) return now - Number(ago[1]) * (ago[2] === 'd' ? dayMs : dayMs / 24);
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[t ]+(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?\s*(z|[+-]\d{2}:?\d{2})?)?$/.exec(
      trimmed,
    );
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = match;
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`);
  return Number.isNaN(moment) ? undefined : moment;
}

export function windowProblem({
  from,
  to,
}: ActivityWindow): Exclude<WindowProblem, 'not-a-time'> | undefined {
  if (to <= from) return 'empty';
  // A calendar month in which the clocks are set back is an hour longer than its days.
  const clockMs = Math.max(0, offsetMs(to) - offsetMs(from));
  return to - from > longestMs + clockMs ? 'too-long' : undefined;
}

/** Minutes west of UTC, in milliseconds. */
function offsetMs(moment: number): number {
  return new Date(moment).getTimezoneOffset() * 60_000;
}

/** Returns windows without a gap or overlap that the service accepts. */
export function requestWindows({ from, to }: ActivityWindow): readonly ActivityWindow[] {
  const middle = from + longestMs;
  return to <= middle
    ? [{ from, to }]
    : [
        { from, to: middle },
        { from: middle, to },
      ];
}

/** Returns the window of the same length that ends where this one starts. */
export function windowBefore({ from, to }: ActivityWindow): ActivityWindow {
  return { from: from - (to - from), to: from };
}

/** Shorter windows are not useful. */
const shortestMs = 60_000;

/**
 * Returns the window of the same length that starts where this one ends, but does not extend past `now`. Undefined if
 * less than a minute would remain.
 */
export function windowAfter({ from, to }: ActivityWindow, now: number): ActivityWindow | undefined {
  if (now - to < shortestMs) return undefined;
  return { from: to, to: Math.min(now, to + (to - from)) };
}

/** Formats a time according to RFC 3339, to the second. */
export function rfc3339(moment: number): string {
  return new Date(moment).toISOString().replace(/\.000Z$/, 'Z');
}
