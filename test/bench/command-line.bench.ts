/**
 * Runs `run` with 1,000,000 rows of ten columns into a file. Measures memory, and speed against two minimal programs
 * (plain-pages.ts) that request the same pages of 10,000 rows sequentially: one writes the bodies unchanged, the other
 * parses them and writes CSV. The service and each program are separate processes. Times run from start to exit, with
 * the file flushed to disk (`fsync`). Then the same rows come from ten connections, as one result.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { percentile, print } from './statistics.ts';

const rowCount = Number(process.argv[2] ?? 1_000_000);
const pageRows = 10_000;
const rounds = 5;
const connectionCount = 10;
const columns = [
  'int8',
  'text',
  'text',
  'text',
  'bool',
  'timestamptz',
  'int4',
  'text',
  'text',
  'numeric',
].map((type, index) => ({ name: `column_${index}`, type }));

async function serve(): Promise<void> {
  const rows = Array.from({ length: pageRows }, (_, n) => [
    n,
    `account-${n}`,
    `person.${n}@example.com`,
    'a text of some words',
    n % 2 === 0,
    '2026-01-02T03:04:05Z',
    n * 7,
    `0f8fad5b-d9cb-469f-a165-${String(n).padStart(12, '0')}`,
    null,
    n / 4,
  ]);
  // Build the page only once. Otherwise, the benchmark would measure how fast the service builds pages.
  const [, ...others] = rows;
  const head = JSON.stringify({ columns, rowCount }).slice(0, -1);
  const tail = JSON.stringify(others).slice(1);
  const server = createServer((asked, response) => {
    response.setHeader('content-type', 'application/json');
    if (asked.url === '/token') {
      response.end('{"access_token":"t","token_type":"Bearer","expires_in":3600}');
      return;
    }
    void json(asked).then((value) => {
      const page = Number((value as { readonly pageToken?: string }).pageToken ?? 0) + 1; // from this server
      const more = page * pageRows < rowCount ? `,"nextPageToken":"${page}"` : '';
      // Its first row makes each page another one; the same page again would be refused.
      const first = JSON.stringify([page, ...(rows[0] ?? []).slice(1)]);
      response.end(`${head}${more},"rows":[${first},${tail}}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => process.exit(0));
  process.send?.((server.address() as AddressInfo).port); // the server listens on a port
}

interface Taken {
  readonly ms: number;
  /** User and system CPU time. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Measures a run from process start to exit. */
async function taken(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Taken> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end('SELECT * FROM accounts');
  let peakMb = 0;
  let cpuMs = 0;
  // Linux reports a process's peak memory and CPU time only while it is alive.
  const look = setInterval(() => {
    const seen = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '');
    void Promise.all([seen('status'), seen('stat')]).then(([status, stat]) => {
      peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024 || peakMb;
      const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
      cpuMs = Math.max(cpuMs, (user + system) * 10);
    });
  }, 20);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  if (code !== 0) throw new Error(`${args[0] ?? ''} ended with code ${code}`);
  return { ms: performance.now() - started, cpuMs, peakMb };
}

function plain(mode: 'raw' | 'parsed', baseUrl: string, file: string): Promise<Taken> {
  const program = path.join(import.meta.dirname, 'plain-pages.ts');
  return taken([program, mode, `${baseUrl}/v1/query/execute`, String(Math.ceil(rowCount / pageRows)), file]);
}

function run(baseUrl: string, file: string): Promise<Taken> {
  const program = path.join(import.meta.dirname, '../../dist/cli.js');
  return taken([program, 'run', '-', '--out', file], {
    ...process.env,
    IDENTITY_QUERIES_BASE_URL: baseUrl,
    IDENTITY_QUERIES_AUTH_URL: `${baseUrl}/token`,
    IDENTITY_QUERIES_CLIENT_ID: 'c',
    IDENTITY_QUERIES_CLIENT_SECRET: 's',
  });
}

/** Runs one query on several connections, each of which has its share of the rows. */
async function runOnAll(baseUrl: string, folder: string): Promise<Taken> {
  const program = path.join(import.meta.dirname, '../../dist/cli.js');
  const connections = Array.from({ length: connectionCount }, (_, n) => ({
    name: `c${n}`,
    baseUrl,
    authUrl: `${baseUrl}/token`,
    clientId: `client-${n}`,
    secretVariable: 'IDENTITY_QUERIES_BENCH_SECRET',
  }));
  const file = path.join(folder, 'connections.json');
  await writeFile(file, JSON.stringify(connections));
  const args = ['run', '-', '--connections', file, '--on', 'c*', '--out', path.join(folder, 'all.csv')];
  return taken([program, ...args], { ...process.env, IDENTITY_QUERIES_BENCH_SECRET: 's' });
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

async function measure(): Promise<void> {
  const server = fork(import.meta.filename, [String(rowCount), 'serve']);
  const part = fork(import.meta.filename, [String(rowCount / connectionCount), 'serve']);
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
  try {
    // Both numbers are sent by `serve`.
    const told = await Promise.all([server, part].map((service) => once(service, 'message')));
    const [baseUrl = '', partUrl = ''] = told.map(([port]) => `http://127.0.0.1:${port as number}`);
    const all: Taken[] = [];
    const raw: Taken[] = [];
    const parsed: Taken[] = [];
    const runs: Record<'csv' | 'parquet', Taken[]> = { csv: [], parquet: [] };
    // Alternate between the programs, so that other load on the machine affects them equally.
    for (let round = 0; round < rounds; round += 1) {
      raw.push(await plain('raw', baseUrl, path.join(folder, 'raw')));
      runs.csv.push(await run(baseUrl, path.join(folder, 'rows.csv')));
      parsed.push(await plain('parsed', baseUrl, path.join(folder, 'parsed.csv')));
      runs.parquet.push(await run(baseUrl, path.join(folder, 'rows.parquet')));
      all.push(await runOnAll(partUrl, folder));
    }
    const summary = (all: readonly Taken[]) => ({
      ms: Math.round(median(all.map(({ ms }) => ms))),
      cpuMs: Math.round(median(all.map(({ cpuMs }) => cpuMs))),
      peakMb: Math.round(Math.max(...all.map(({ peakMb }) => peakMb))),
    });
    const share = (before: number, after: number) => Math.round((before / after) * 100) / 100;
    print({ bench: 'undici and the bodies in a file', rows: rowCount, ...summary(raw) });
    print({ bench: 'undici, JSON.parse and plain CSV', rows: rowCount, ...summary(parsed) });
    const several = summary(all);
    print({
      bench: `run on ${connectionCount} connections to csv`,
      rows: rowCount,
      ...several,
      ratioToOne: share(several.ms, summary(runs.csv).ms),
    });
    for (const [ending, each] of Object.entries(runs)) {
      const own = summary(each);
      print({
        bench: `run to ${ending}`,
        rows: rowCount,
        ...own,
        shareOfRaw: share(summary(raw).ms, own.ms),
        shareOfParsed: share(summary(parsed).ms, own.ms),
      });
    }
  } finally {
    server.disconnect();
    part.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[3] === 'serve') await serve();
else await measure();
