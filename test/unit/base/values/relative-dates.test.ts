import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { Temporal } from 'temporal-polyfill';
import { isoInstant, isoLocalTime, relativeMoment } from '#base/values/relative-dates.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { momentsAround, postgresTimes, relativeTimes, zoneChanges } from '#test/helpers/zone-changes.ts';

describe('relative times where clocks change', () => {
  const local = (zone: string, now: string, text: string) => {
    const moment = relativeMoment(text, new Date(now), zone);
    assert.ok(moment !== undefined, text);
    return `${isoLocalTime(moment)}${moment.offset}`;
  };

  it('counts hours and minutes as elapsed time', () => {
    const spring = '2026-03-29T01:10:00Z';
    assert.equal(local('Europe/Berlin', spring, 'now'), '2026-03-29 03:10:00.000+02:00');
    assert.equal(local('Europe/Berlin', spring, 'now - 30 minutes'), '2026-03-29 01:40:00.000+01:00');
    const autumn = '2026-10-25T01:10:00Z';
    assert.equal(local('Europe/Berlin', autumn, 'now - 30 minutes'), '2026-10-25 02:40:00.000+02:00');
    assert.equal(local('Europe/Berlin', autumn, 'now - 1 day'), '2026-10-24 02:10:00.000+02:00');
  });

  it('starts a day at its first instant', () => {
    // On these days, clocks went from midnight to one o'clock, or showed the hour after midnight twice.
    assert.equal(local('Africa/Cairo', '2025-04-25T12:00:00Z', 'today'), '2025-04-25 01:00:00.000+03:00');
    assert.equal(
      local('Africa/Cairo', '2025-04-30T12:00:00Z', 'today - 5 days'),
      '2025-04-25 01:00:00.000+03:00',
    );
    assert.equal(
      local('Africa/Cairo', '2025-04-25T12:00:00Z', 'start of month'),
      '2025-04-01 00:00:00.000+02:00',
    );
    assert.equal(local('America/Havana', '2025-11-02T17:00:00Z', 'today'), '2025-11-02 00:00:00.000-04:00');
  });

  describe('in PostgreSQL', () => {
    let database: PGlite;
    before(async () => {
      database = await newDatabase();
    });
    after(async () => {
      await database.close();
    });

    it('are the same in each kind of zone from 2016 to 2025', async (test) => {
      const { rows } = await database.query<{ name: string }>('SELECT name FROM pg_timezone_names');
      const [{ version: postgres } = { version: '' }] = (
        await database.query<{ version: string }>(`SELECT split_part(version(), ' on ', 1) AS version`)
      ).rows;
      const known = new Set(rows.map(({ name }) => name));
      const differing = new Set<string>();
      let compared = 0;
      for (const [zone, changes] of zoneChanges({ apart: true })) {
        assert.ok(known.has(zone), zone);
        const moments = momentsAround(changes);
        const theirs = await postgresTimes(database, zone, moments);
        for (const [index, at] of moments.entries()) {
          for (const [place, [text]] of relativeTimes.entries()) {
            const own = relativeMoment(text, new Date(at), zone);
            const their = theirs[index]?.[place] ?? Number.NaN;
            compared += 1;
            if (own?.epochMilliseconds === their) continue;
            // A day whose midnight comes twice starts with the first one here, and with the second one in PostgreSQL.
            const shown = Temporal.Instant.fromEpochMilliseconds(their)
              .toZonedDateTimeISO(zone)
              .toPlainDateTime();
            assert.ok(
              !text.startsWith('now') && own?.toPlainDateTime().equals(shown),
              `${text} in ${zone} at ${new Date(at).toISOString()}: ${String(own)}, not ${String(shown)}`,
            );
            differing.add(zone);
          }
        }
      }
      test.diagnostic(
        `${compared} times; time zones of Node.js: ${process.versions.tz}, of ${postgres}; a midnight comes twice in ${[...differing].join(', ')}`,
      );
      assert.ok(compared > 10_000);
    });
  });

  it('is written for every year as PostgreSQL reads it', () => {
    const written = (text: string) => {
      const moment = relativeMoment(text, new Date('2026-11-30T10:20:30.456Z'), 'Asia/Kathmandu');
      return moment && [isoInstant(moment), isoLocalTime(moment)];
    };
    assert.deepEqual(written('now + 9000 years'), ['11026-11-30T10:20:30.456Z', '11026-11-30 16:05:30.456']);
    assert.deepEqual(written('now - 1 hour'), ['2026-11-30T09:20:30.456Z', '2026-11-30 15:05:30.456']);
  });

  it('does not go beyond the years of dates', () => {
    for (const text of ['now - 3000 years', 'today + 999999 years', 'now + 999999 years'])
      assert.equal(relativeMoment(text, new Date('2026-01-01')), undefined);
  });
});
