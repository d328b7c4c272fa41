/** Times as spreadsheets read them: without a zone, of which they have none, and with milliseconds at most. */
import { epochMicroseconds } from '../timestamps.ts';

const pattern = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** Returns a time with a zone in UTC, as `2026-01-31 08:00:00`; any other text unchanged. */
export function sheetTime(text: string): string {
  const match = pattern.exec(text);
  if (match === null) return text;
  const iso = new Date(Math.floor(epochMicroseconds(text) / 1_000)).toISOString();
  // The year may have left the four digits.
  if (!/^\d{4}-/.test(iso)) return text;
  return iso.replace('T', ' ').replace(/(?:\.000)?Z$/, '');
}
