/** PostgreSQL's dates and timestamps as a number to compare by; texts are shown as sent, never re-formatted. */

const pattern =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?(?::?\d\d)?)?( BC)?$/;

/** Microseconds since 1970 in UTC; the infinities as such; NaN for what is no date. */
export function epochMicroseconds(text: string): number {
  const match = pattern.exec(text);
  if (match === null) {
    if (text === 'infinity') return Number.POSITIVE_INFINITY;
    return text === '-infinity' ? Number.NEGATIVE_INFINITY : Number.NaN;
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone, bc] = match;
  const date = new Date(0);
  // setUTCFullYear takes years below 100 as they are, unlike Date.UTC. Year 1 BC is year 0.
  date.setUTCFullYear(bc === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zoneSeconds(zone);
  return (date.getTime() / 1000 + seconds) * 1e6 + Number(fraction.padEnd(6, '0'));
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const digits = zone.slice(1).replaceAll(':', '').padEnd(6, '0');
  const seconds =
    Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6));
  return zone.startsWith('-') ? -seconds : seconds;
}
