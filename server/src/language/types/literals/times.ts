/** Literals of dates, times and intervals. Forms whose meaning depends on DateStyle are right where any reads them. */
interface Problem {
  readonly message: string;
  readonly remedy?: string;
}

const specialWords = /\b(?:now|today|tomorrow|yesterday|epoch|infinity|allballs)\b/i;

/** A date, or a date with a time. */
export function checkMoment(text: string, shown: string): Problem | undefined {
  const outOfRange = { message: `date/time field value out of range: "${text}"` };
  if (isWordless(text)) {
    return { message: `invalid input syntax for type ${shown}: "${text}"`, remedy: "Write '2026-01-31'." };
  }
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T\s]+(.*))/is.exec(text);
  if (iso !== null) {
    const [, year, month, day, rest = ''] = iso;
    const isBefore = /\bbc\b/i.test(rest);
    return isDay(Number(year), Number(month), Number(day), isBefore) && !isOffTime(rest)
      ? undefined
      : outOfRange;
  }
  const other = /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})\s*$/.exec(text);
  if (other !== null) {
    const [one, two] = [Number(other[1]), Number(other[3])];
    return one === 0 || two === 0 || Math.max(one, two) > 31 || Math.min(one, two) > 12
      ? { ...outOfRange, remedy: "Write '2026-01-31'." }
      : undefined;
  }
  return undefined;
}

/** Nothing in it that could be a date: no digit and none of the words that stand for one. */
const isWordless = (text: string): boolean =>
  (/^[a-z\s,.]*$/i.test(text) && !specialWords.test(text)) || /^\s*\d{1,2}\s*$/.test(text);

function isDay(year: number, month: number, day: number, isBefore: boolean): boolean {
  if (month < 1 || month > 12 || day < 1 || year < 1) {
    return false;
  }
  // Years before Christ leap otherwise.
  const isLeap = isBefore || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 31;
  return day <= days;
}

/** Whether a time stands at the beginning that no clock shows. */
function isOffTime(text: string): boolean {
  const time = /^\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d+)?)?(?![\d:])/.exec(text);
  if (time === null) {
    return false;
  }
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  return hours > 24 || minutes > 59 || seconds > 60 || (hours === 24 && minutes + seconds > 0);
}

export function checkTime(text: string, shown: string): Problem | undefined {
  if (isWordless(text) && !/^\s*\d/.test(text)) {
    return { message: `invalid input syntax for type ${shown}: "${text}"`, remedy: "Write '14:30'." };
  }
  return /^[\d:.\s]*$/.test(text) && isOffTime(text)
    ? { message: `date/time field value out of range: "${text}"` }
    : undefined;
}

const units = new Set(
  (
    'ago c cent centuries century d day days dec decade decades decs h hour hours hr hrs m microsecon mil mils ' +
    'millennia millennium millisecon min mins minute minutes mon mons month months ms msec msecond mseconds msecs qtr ' +
    'quarter quarters s sec second seconds secs timezone us usec usecond useconds usecs w week weeks y year years yr yrs'
  ).split(' '),
);

export function checkInterval(text: string, shown: string): Problem | undefined {
  const wrong = {
    message: `invalid input syntax for type ${shown}: "${text}"`,
    remedy: "Write '3 days' or '2 hours 30 minutes'.",
  };
  if (!/\d/.test(text)) {
    return /^[a-z\s]*$/i.test(text) && !/infinity/i.test(text) ? wrong : undefined;
  }
  if (!/^@?\s*(?:[+-]?\d+(?:\.\d*)?\s*[a-z]+\s*)+$/i.test(text.trim())) {
    return undefined;
  }
  const words = text.match(/[a-z]+/gi) ?? [];
  return words.every((word) => units.has(word.toLowerCase().slice(0, 10)) || /^[pt]$/i.test(word))
    ? undefined
    : wrong;
}
