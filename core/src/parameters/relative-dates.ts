/**
 * Parses relative dates and times such as `today - 30 days`. The form's page also uses this module, so it must not
 * depend on the editor or Node.
 */

const anchors = 'today|now|yesterday|tomorrow|start of (?:week|month|quarter|year)';
const units = 'minute|hour|day|week|month|quarter|year';
const whole = new RegExp(`^(${anchors})((?:\\s*[+-]\\s*\\d{1,6}\\s*(?:${units})s?)*)$`, 'i');
const term = new RegExp(`([+-])\\s*(\\d{1,6})\\s*(${units})s?`, 'gi');

/**
 * Resolves text such as `today - 30 days` or `start of month - 1 month` in local time; undefined for any other text.
 */
export function relativeMoment(text: string, now: Date): Date | undefined {
  const match = whole.exec(text.trim().replace(/\s+/g, ' '));
  if (match === null) return undefined;
  const [, anchor = '', terms = ''] = match;
  const moment = anchorMoment(anchor.toLowerCase(), now);
  for (const [, sign, amount, unit = 'day'] of terms.matchAll(term)) {
    add(moment, Number(amount) * (sign === '-' ? -1 : 1), unit.toLowerCase());
  }
  return Number.isNaN(moment.getTime()) || moment.getFullYear() < 1 ? undefined : moment;
}

function anchorMoment(anchor: string, now: Date): Date {
  const moment = new Date(now);
  if (anchor === 'now') return moment;
  moment.setHours(0, 0, 0, 0);
  switch (anchor) {
    case 'yesterday':
      moment.setDate(moment.getDate() - 1);
      break;
    case 'tomorrow':
      moment.setDate(moment.getDate() + 1);
      break;
    case 'start of week':
      // Weeks start on Monday, as in PostgreSQL's date_trunc.
      moment.setDate(moment.getDate() - ((moment.getDay() + 6) % 7));
      break;
    case 'start of month':
      moment.setDate(1);
      break;
    case 'start of quarter':
      moment.setMonth(moment.getMonth() - (moment.getMonth() % 3), 1);
      break;
    case 'start of year':
      moment.setMonth(0, 1);
      break;
    default:
  }
  return moment;
}

function add(moment: Date, amount: number, unit: string): void {
  switch (unit) {
    case 'minute':
      moment.setMinutes(moment.getMinutes() + amount);
      break;
    case 'hour':
      moment.setHours(moment.getHours() + amount);
      break;
    case 'week':
      moment.setDate(moment.getDate() + amount * 7);
      break;
    case 'month':
      addMonths(moment, amount);
      break;
    case 'quarter':
      addMonths(moment, amount * 3);
      break;
    case 'year':
      addMonths(moment, amount * 12);
      break;
    default:
      moment.setDate(moment.getDate() + amount);
  }
}

/** Adds months as PostgreSQL does: the 31st becomes the last day of a shorter month. */
function addMonths(moment: Date, months: number): void {
  const day = moment.getDate();
  moment.setDate(1);
  moment.setMonth(moment.getMonth() + months);
  const lastDay = new Date(moment.getFullYear(), moment.getMonth() + 1, 0).getDate();
  moment.setDate(Math.min(day, lastDay));
}

/** Formats a local date as `2026-01-31`. */
export function isoDate(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Formats a local time as `2026-01-31 08:00:00.000`. */
export function isoLocalTime(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  return `${isoDate(moment)} ${clock}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}
