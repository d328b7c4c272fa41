/**
 * Parses relative dates and times such as `today - 30 days`. The form's page also uses this module, so it must not
 * depend on the editor or Node.
 */
import { Temporal } from 'temporal-polyfill';

const anchors = 'today|now|yesterday|tomorrow|start of (?:week|month|quarter|year)';
const units = 'minute|hour|day|week|month|quarter|year';
const whole = new RegExp(`^(${anchors})((?:\\s*[+-]\\s*\\d{1,6}\\s*(?:${units})s?)*)$`, 'i');
const term = new RegExp(`([+-])\\s*(\\d{1,6})\\s*(${units})s?`, 'gi');

export type Moment = Temporal.ZonedDateTime;

/**
 * Resolves text such as `today - 30 days` or `start of month - 1 month`; undefined for any other text. Hours and minutes
 * are elapsed time, longer units are steps in the calendar, and a day starts at its first instant.
 * @param zone the name of a time zone; by default, that of this machine.
 */
export function relativeMoment(
  text: string,
  now: Date,
  zone = Temporal.Now.timeZoneId(),
): Moment | undefined {
  const match = whole.exec(text.trim().replace(/\s+/g, ' '));
  if (match === null) return undefined;
  const [, anchor = '', terms = ''] = match;
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  try {
    const moment = atTerms(anchor.toLowerCase(), [...terms.matchAll(term)], start);
    return moment.year < 1 ? undefined : moment;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // beyond the years that a date can have
    throw error;
  }
}

function atTerms(anchor: string, terms: readonly RegExpMatchArray[], now: Moment): Moment {
  /** The day, as long as only its first instant is meant. */
  let day = anchor === 'now' ? undefined : anchorDay(anchor, now.toPlainDate());
  let moment = now;
  const zone = now.timeZoneId;
  for (const [, sign, amount, unit = 'day'] of terms) {
    const name = unit.toLowerCase();
    const step = Temporal.Duration.from(durationOf(Number(amount) * (sign === '-' ? -1 : 1), name));
    const isElapsed = name === 'hour' || name === 'minute';
    if (day !== undefined && !isElapsed) day = day.add(step);
    else {
      if (day !== undefined) moment = day.toZonedDateTime(zone);
      day = undefined;
      // As in PostgreSQL, a time that a clock shows twice is the later one.
      moment = isElapsed
        ? moment.add(step)
        : moment.toPlainDateTime().add(step).toZonedDateTime(zone, { disambiguation: 'later' });
    }
  }
  return day?.toZonedDateTime(zone) ?? moment;
}

function anchorDay(anchor: string, today: Temporal.PlainDate): Temporal.PlainDate {
  switch (anchor) {
    case 'yesterday':
      return today.subtract({ days: 1 });
    case 'tomorrow':
      return today.add({ days: 1 });
    case 'start of week':
      // Weeks start on Monday, as in PostgreSQL's date_trunc.
      return today.subtract({ days: today.dayOfWeek - 1 });
    case 'start of month':
      return today.with({ day: 1 });
    case 'start of quarter':
      return today.with({ month: today.month - ((today.month - 1) % 3), day: 1 });
    case 'start of year':
      return today.with({ month: 1, day: 1 });
    default:
      return today;
  }
}

/** The 31st becomes the last day of a shorter month, as in PostgreSQL. */
function durationOf(amount: number, unit: string): Temporal.DurationLike {
  return unit === 'quarter' ? { months: amount * 3 } : { [`${unit}s`]: amount };
}

/** Formats a local date as `2026-01-31`. */
export function isoDate(moment: Date | Moment): string {
  const [year, month, day] =
    moment instanceof Date
      ? [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
      : [moment.year, moment.month, moment.day];
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Formats a local time as `2026-01-31 08:00:00.000`. */
export function isoLocalTime(moment: Moment): string {
  const clock = [moment.hour, moment.minute, moment.second].map(two).join(':');
  return `${isoDate(moment)} ${clock}.${String(moment.millisecond).padStart(3, '0')}`;
}

/** Formats an instant as `2026-01-31T08:00:00.000Z`. */
export function isoInstant(moment: Moment): string {
  // A Date writes a year after 9999 with a sign, which PostgreSQL reads as that of a time zone.
  return `${isoLocalTime(moment.withTimeZone('UTC')).replace(' ', 'T')}Z`;
}

const two = (value: number): string => String(value).padStart(2, '0');
