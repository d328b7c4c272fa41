/**
 * How a moment is written, the same everywhere and in every language: in local time on screen, and with its zone where
 * it is kept or sent to someone else.
 */

type Moment = Date | number | string;

/** @returns `2026-01-31 08:00`, in local time. */
export function momentText(at: Moment): string {
  return exactMomentText(at).slice(0, -3);
}

/** @returns `2026-01-31 08:00:05`, in local time. */
export function exactMomentText(at: Moment): string {
  return `${dayText(at)} ${clockText(at)}`;
}

/** @returns `08:00:05`, in local time. */
export function clockText(at: Moment): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** @returns `2026-01-31`, in local time. */
export function dayText(at: Moment): string {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the day, for today the time: `2026-01-31` or `08:00`. */
export function dayOrClockText(at: Moment): string {
  const day = dayText(at);
  return day === dayText(Date.now()) ? clockText(at).slice(0, -3) : day;
}

/** For what is kept. @returns `2026-01-31T08:00:05+01:00` */
export function recordedText(at: Moment): string {
  return `${dayText(at)}T${clockText(at)}${zoneText(at)}`;
}

/** @returns the offset of local time, such as `+01:00`. */
function zoneText(at: Moment): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
