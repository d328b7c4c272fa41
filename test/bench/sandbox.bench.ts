/**
 * Measures the sandbox's response times, and the overhead of its execute endpoint over querying PGlite directly. Prints
 * JSON lines.
 */
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { Agent, request } from 'undici';
import { endpoints } from '#api/contract/endpoints.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';
import { percentile, print } from './statistics.ts';

const median = (values: readonly number[]): number => percentile(values, 0.5);
const round = (value: number): number => Math.round(value * 100) / 100;

// Startup: time until the sandbox listens, and until its data can be queried.
const listening: number[] = [];
const queryable: number[] = [];
/** Processor time of all threads until the first query's response. Only Linux tells that of another process. */
const processor: number[] = [];
for (let time = 0; time < 3; time += 1) {
  const started = performance.now();
  const sandbox = await startSandbox({ from: 'dist' });
  listening.push(performance.now() - started);
  const http = new ServiceHttp(sandbox);
  await http.call(endpoints.executeQuery, { body: { query_string: 'SELECT count(*) FROM accounts' } });
  queryable.push(performance.now() - started);
  const stat = await readFile(`/proc/${sandbox.process.pid}/stat`, 'utf8').catch(() => '');
  const [user = NaN, system = NaN] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  processor.push((user + system) * 10);
  await sandbox.stop();
}
print({
  bench: 'sandbox start',
  listeningMs: Math.round(median(listening)),
  queryableMs: Math.round(median(queryable)),
  processorMs: Math.round(median(processor)),
  limitMs: 3_000,
});

// Execute: the same rows as text values, from the service page by page, and from PGlite in this process.
const sql =
  "SELECT g AS id, g / 3.0 AS share, md5(g::text) AS text, now() AS at, jsonb_build_object('n', g) AS data FROM generate_series(1, 100000) g";
const sandbox = await startSandbox({ from: 'dist' });
const http = new ServiceHttp(sandbox);
const token = await http.token('read');
const agent = new Agent();

async function overHttp(pageSize: number): Promise<number> {
  let rows = 0;
  let pageToken: string | undefined;
  do {
    const { body } = await request(`${sandbox.baseUrl}/v1/query/execute`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query_string: sql, pageSize, pageToken }),
    });
    const page = (await body.json()) as { rows: unknown[]; nextPageToken: string | null }; // guaranteed by the contract
    rows += page.rows.length;
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return rows;
}

const database = await PGlite.create();
async function direct(): Promise<number> {
  const { rows } = await database.query(sql, [], { rowMode: 'array' });
  return rows.length;
}

const times: Record<'http' | 'direct', number[]> = { http: [], direct: [] };
for (let time = 0; time < 5; time += 1) {
  for (const [name, work] of [
    ['http', () => overHttp(10_000)],
    ['direct', direct],
  ] as const) {
    const started = performance.now();
    const rows = await work();
    times[name].push(performance.now() - started);
    if (rows !== 100_000) throw new Error(`${name} gave ${rows} rows`);
  }
}
await database.close();
print({
  bench: 'execute 100,000 rows x 5 columns',
  serviceMs: Math.round(median(times.http)),
  pgliteMs: Math.round(median(times.direct)),
  ratio: round(median(times.http) / median(times.direct)),
});

// A small query, repeated sequentially.
const small: number[] = [];
for (let time = 0; time < 200; time += 1) {
  const started = performance.now();
  await http.call(endpoints.executeQuery, { body: { query_string: 'SELECT 1' } });
  small.push(performance.now() - started);
}
print({ bench: 'execute SELECT 1', medianMs: round(median(small)) });
await agent.close();
await sandbox.stop();
