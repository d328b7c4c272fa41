/** Moments around the changes of clocks, and what PostgreSQL makes of relative times there. */
import type { PGlite } from '@electric-sql/pglite';
import { Temporal } from 'temporal-polyfill';

const first = Temporal.Instant.from('2016-01-01T00:00Z');
const end = Temporal.Instant.from('2026-01-01T00:00Z');

/** A relative time, with the same in SQL: `ts` is the moment, and `zone` names the time zone. */
export const relativeTimes: readonly (readonly [string, string])[] = [
  ['now - 30 minutes', `ts - interval '30 minutes'`],
  ['now + 1 hour', `ts + interval '1 hour'`],
  ['now - 24 hours', `ts - interval '24 hours'`],
  ['now - 1 day', `ts - interval '1 day'`],
  ['now + 1 day - 1 hour', `ts + interval '1 day' - interval '1 hour'`],
  ['now - 1 month', `ts - interval '1 month'`],
  ['now + 1 week', `ts + interval '7 days'`],
  ['now - 1 year + 1 quarter', `ts - interval '1 year' + interval '3 months'`],
  ['today', `current_day::timestamptz`],
  ['tomorrow', `(current_day + 1)::timestamptz`],
  ['today - 30 days', `(current_day - 30)::timestamptz`],
  ['start of week', `date_trunc('week', current_day)::date::timestamptz`],
  ['start of month', `date_trunc('month', current_day)::date::timestamptz`],
  [
    'start of quarter - 1 month',
    `(date_trunc('quarter', current_day) - interval '1 month')::date::timestamptz`,
  ],
  ['start of year', `date_trunc('year', current_day)::date::timestamptz`],
];

/** Returns the zones with the moments of their changes; zones with the same changes are listed once if `apart`. */
export function zoneChanges({ apart }: { readonly apart: boolean }): ReadonlyMap<string, readonly number[]> {
  const zones = new Map<string, readonly number[]>();
  const seen = new Set<string>();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    let at = first.toZonedDateTimeISO(zone);
    let rules = at.offset;
    const changes: number[] = [];
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (next === null || Temporal.Instant.compare(next.toInstant(), end) >= 0) break;
      at = next;
      changes.push(at.epochMilliseconds);
      rules += ` ${at.epochMilliseconds}${at.offset}`;
    }
    if (apart && seen.has(rules)) continue;
    seen.add(rules);
    zones.set(zone, changes);
  }
  return zones;
}

/** Returns moments shortly before and after each change, and the day after. */
export function momentsAround(changes: readonly number[]): readonly number[] {
  return changes.flatMap((at) => [at - 600_000, at + 600_000, at + 86_400_000]);
}

/** Returns PostgreSQL's milliseconds since 1970 of each relative time, for each moment. */
export async function postgresTimes(
  database: PGlite,
  zone: string,
  moments: readonly number[],
): Promise<readonly (readonly number[])[]> {
  await database.query(`SELECT set_config('TimeZone', $1, false)`, [zone]);
  const columns = relativeTimes.map(
    ([, sql], index) => `extract(epoch FROM ${sql})::float8 * 1000 AS c${index}`,
  );
  const { rows } = await database.query<unknown[]>(
    `SELECT ${columns.join(', ')}
     FROM unnest($1::float8[]) WITH ORDINALITY AS one (ms, place),
          LATERAL (SELECT to_timestamp(ms / 1000) AS ts) AS moment,
          LATERAL (SELECT ts::date AS current_day) AS day
     ORDER BY place`,
    [moments],
    { rowMode: 'array' },
  );
  return rows.map((row) => row.map(Number));
}
