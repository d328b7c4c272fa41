/** Timestamps in local time. */
import { recordedText } from '#panel-protocol/panel-texts.ts';
import { epochMicroseconds } from '#panel-protocol/rows.ts';

/** Returns undefined for a time without a zone, and for infinities. */
export function localTime(text: string): string | undefined {
  const time = text.search(/\d\d:\d\d/);
  if (time < 0 || !/(?:Z|[+-]\d\d(?::?\d\d)*)$/.test(text.slice(time + 5))) return undefined;
  const micros = epochMicroseconds(text);
  if (!Number.isFinite(micros)) return undefined;
  const date = new Date(micros / 1000);
  return Number.isNaN(date.getTime()) ? undefined : recordedText(date);
}
