/** Checks date, time and interval literals. A form is valid if any DateStyle accepts it. */
import { t } from '#base/texts.ts';
import type { TypeCatalogue } from '../catalogue/catalogue.ts';
import type { LiteralProblem } from './literal-problem.ts';

/** Words in date and time literals (datetime.c, datetktbl), truncated to ten letters. */
const words = new Set(
  `ad allballs am apr april at aug august bc d dec december dow doy dst epoch feb february fri friday h infinity isodow
   isoyear j jan january jd jul july julian jun june m mar march may mm mon monday nov november now oct october on pm s
   sat saturday sep sept september sun sunday t thu thur thurs thursday today tomorrow tue tues tuesday wed wednesday weds
   y yesterday z zulu`
    .split(/\s+/)
    .map((word) => word.slice(0, 10)),
);
const specialWords = /\b(?:now|today|tomorrow|yesterday|epoch|infinity|allballs)\b/i;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const remedy = (): string => t('Write {0}.', "'2026-01-31'");

export type TimeZones = Pick<TypeCatalogue, 'isTimeZone'>;

/** Checks a date with an optional time. */
export function checkMoment(text: string, shown: string, zones: TimeZones): LiteralProblem | undefined {
  const outOfRange = { message: `date/time field value out of range: "${text}"` };
  const invalid = { message: `invalid input syntax for type ${shown}: "${text}"`, remedy };
  if (isWordless(text)) return invalid;
  const odd = oddWord(text, zones);
  if (odd !== undefined)
    return odd.includes('/') ? { message: `time zone "${odd.toLowerCase()}" not recognized` } : invalid;
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T\s]+(.*))/is.exec(text);
  if (iso !== null) {
    const [, year, month, day, rest = ''] = iso;
    const isBefore = /\bbc\b/i.test(rest);
    if (!isDay(Number(year), Number(month), Number(day), isBefore) || isOffTime(rest)) return outOfRange;
    return /^\s*[\d-]+\s+\d{1,2}(?:\s*[ap]m|h)?\s*$/i.test(text) ? invalid : undefined;
  }
  if (/^\s*(?:\d{4}(?:-\d{1,2})?|\d{1,2}[-/]\d{1,2}|[a-z]+ \d{1,2}|\d{1,2} [a-z]+)\s*$/i.test(text))
    return specialWords.test(text) ? undefined : invalid;
  if (isOffTime(text)) return outOfRange;
  const compact = /^\s*(\d{4})(\d\d)(\d\d)\s*$/.exec(text);
  if (compact !== null)
    return isDay(Number(compact[1]), Number(compact[2]), Number(compact[3]), false) ? undefined : outOfRange;
  const named =
    /^\s*(?<day>\d{1,2})[\s-]+(?<month>[a-z]+)[\s,-]+(?<year>\d{4})\s*$/i.exec(text) ??
    /^\s*(?<month>[a-z]+)[\s-]+(?<day>\d{1,2})[\s,-]+(?<year>\d{4})\s*$/i.exec(text);
  if (named?.groups !== undefined) {
    const { day, month = '', year } = named.groups;
    const at = months.indexOf(month.slice(0, 3).toLowerCase());
    return at < 0 || isDay(Number(year), at + 1, Number(day), false) ? undefined : outOfRange;
  }
  const other = /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})\s*$/.exec(text);
  if (other !== null) {
    const [one, two] = [Number(other[1]), Number(other[3])];
    return one === 0 || two === 0 || Math.max(one, two) > 31 || Math.min(one, two) > 12
      ? { ...outOfRange, remedy }
      : undefined;
  }
  return undefined;
}

/** Returns the first word that is neither a date word nor a time zone. */
function oddWord(text: string, zones: TimeZones): string | undefined {
  // Digits after letters may be a POSIX time zone such as EST5EDT, or an ISO day.
  if (/[^\x20-\x7e\s]|[a-su-z]\d|[a-z]t\d/i.test(text)) return undefined;
  return text
    .match(/[a-z]+(?:[/_+-][a-z\d]+)*/gi)
    ?.find(
      (word) =>
        !/\d/.test(word) &&
        !zones.isTimeZone(word.toLowerCase()) &&
        !word.split(/[-_+]/).every((part) => words.has(part.toLowerCase().slice(0, 10))),
    );
}

/** Returns whether the text contains only ordinary words or a short number, and thus no date. */
const isWordless = (text: string): boolean =>
  (/^[a-z\s,.]*$/i.test(text) && !specialWords.test(text)) || /^\s*\d{1,2}\s*$/.test(text);

function isDay(year: number, month: number, day: number, isBefore: boolean): boolean {
  if (month < 1 || month > 12 || day < 1 || year < 1) return false;
  // BC years have a different leap rule, so 29 days are accepted.
  const isLeap = isBefore || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 31;
  return day <= days;
}

/**
 * Returns the days that a date such as `2026-02-30` may be meant as: the last of its month, the first of the next one,
 * or the one with month and day swapped. A time of day stays.
 */
export function daysAround(text: string): readonly string[] {
  const [, year = '', month = '', day = '', rest = ''] =
    /^(\d{4})-(\d\d)-(\d\d)((?:[T ].*)?)$/s.exec(text) ?? [];
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (isDay(y, m, d, false)) return [];
  if (m > 12) return isDay(y, d, m, false) ? [`${year}-${day}-${month}${rest}`] : [];
  const last = [31, 30, 29, 28].find((each) => each < d && isDay(y, m, each, false));
  if (d > 31 || last === undefined) return [];
  const next =
    m === 12 ? `${String(y + 1).padStart(4, '0')}-01` : `${year}-${String(m + 1).padStart(2, '0')}`;
  return [`${year}-${month}-${last}${rest}`, `${next}-01${rest}`];
}

/** Returns whether the first time in the text, excluding UTC offsets, is invalid. */
function isOffTime(text: string): boolean {
  const time = /(?<![\d:.+-]|[a-su-z])(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?![\d:])|(?![\d:.]))/i.exec(text);
  // Times such as 45:06.7 are minutes and seconds, which the pattern does not match.
  if (time === null) return false;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  const isHalfDay = /^[\d:.\s]+[ap]m\b/i.test(text);
  return (
    hours > (isHalfDay ? 12 : 24) || minutes > 59 || seconds > 60 || (hours === 24 && minutes + seconds > 0)
  );
}

export function checkTime(text: string, shown: string, zones: TimeZones): LiteralProblem | undefined {
  const wrong = {
    message: `invalid input syntax for type ${shown}: "${text}"`,
    remedy: () => t('Write {0}.', "'14:30'"),
  };
  const isShort = /^\s*\d{1,2}(?:\s*[ap]m|h|[.-]\d\d)?\s*$/i.test(text);
  const isWord = /^[a-z\s,.]*$/i.test(text) && !/\b(?:now|allballs)\b/i.test(text);
  if (isShort || isWord || oddWord(text, zones) !== undefined) return wrong;
  return isOffTime(text) ? { message: `date/time field value out of range: "${text}"` } : undefined;
}

/** Time units (datetime.c, deltatktbl), grouped by meaning. */
const unitGroups = `c cent centuries century|d day days|dec decade decades decs|h hour hours hr hrs|m min mins minute minutes
 |mil millennia millennium mils|mon mons month months|ms msec msecond mseconds msecs millisecon|microsecon us usec usecond
 useconds usecs|qtr quarter quarters|s sec second seconds secs|timezone|dow|w week weeks|y year years yr yrs|ago`;
const units = new Map(
  unitGroups.split('|').flatMap((group, index) =>
    group
      .trim()
      .split(/\s+/)
      .map((word) => [word, index] as const),
  ),
);

export const unitOf = (word: string): number | undefined => units.get(word.toLowerCase().slice(0, 10));

export function checkInterval(text: string, shown: string): LiteralProblem | undefined {
  const wrong = {
    message: `invalid input syntax for type ${shown}: "${text}"`,
    remedy: () => t('Write {0}.', t('{0} or {1}', "'3 days'", "'2 hours 30 minutes'")),
  };
  if (text.startsWith('P')) {
    const [date = '', ...times] = text.split('T');
    const hasWrongUnit = /[HS]/.test(date) || times.some((time) => /[YDW]/.test(time));
    return /^P[\dYMWDTHSeE.,:+-]+$/.test(text) && !hasWrongUnit ? undefined : wrong;
  }
  if (/^\s*\d+:\d+:\d+:|^\s*\d{4}-\d\d-\d\d\s*$/.test(text)) return wrong;
  // With only two parts, the last one may be minutes or seconds.
  const [, middle, last] = /\d:(?:(\d{1,2}):)?(\d{1,2})(?![\d:])/.exec(text) ?? [];
  const yearMonth = /^\s*[+-]?\d+-(\d{1,9})\s*$/.exec(text);
  if (Number(middle ?? 0) > 59 || Number(last ?? 0) > 60 || Number(yearMonth?.[1] ?? 0) > 11)
    return { message: `interval field value out of range: "${text}"` };
  if (/infinity/i.test(text) || /[^\x20-\x7e\s]/.test(text)) return undefined;
  if (!/\d/.test(text)) return /^[a-z\s]*$/i.test(text) ? wrong : undefined;
  const own = (text.match(/[a-z]+/gi) ?? []).map(unitOf);
  const isPlain = /^@?\s*(?:[+-]?\d+(?:\.\d*)?\s*[a-z]+\s*)+$/i.test(text.trim());
  return own.includes(undefined) || (isPlain && new Set(own).size < own.length) ? wrong : undefined;
}
