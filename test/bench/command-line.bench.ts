/**
 * `run` on 1,000,000 rows of ten columns to a file: what the program holds in memory, and how fast it is beside plain
 * undici that writes the same pages as they come. The service is a process of its own.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { request } from 'undici';
import { print } from './statistics.ts';

const rowCount = Number(process.argv[2] ?? 1_000_000);
const pageRows = 10_000;
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
  // Made once: a service that makes each page would be what is measured.
  const body = JSON.stringify({ columns, rows, rowCount }).slice(0, -1);
  const server = createServer((asked, response) => {
    response.setHeader('content-type', 'application/json');
    if (asked.url === '/token') {
      response.end('{"access_token":"t","token_type":"Bearer","expires_in":3600}');
      return;
    }
    void json(asked).then((value) => {
      const page = Number((value as { readonly pageToken?: string }).pageToken ?? 0) + 1; // as it was given
      response.end(page * pageRows < rowCount ? `${body},"nextPageToken":"${page}"}` : `${body}}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => process.exit(0));
  process.send?.((server.address() as AddressInfo).port); // it listens on a port
}

async function plain(baseUrl: string, file: string): Promise<number> {
  const started = performance.now();
  const handle = await open(file, 'w');
  for (let page = 0; page * pageRows < rowCount; page += 1) {
    const body = JSON.stringify({ query_string: 'SELECT 1', pageToken: String(page) });
    const headers = { 'content-type': 'application/json' };
    const answer = await request(`${baseUrl}/v1/query/execute`, { method: 'POST', body, headers });
    await handle.write(new Uint8Array(await answer.body.arrayBuffer()));
  }
  await handle.sync();
  await handle.close();
  return performance.now() - started;
}

async function run(baseUrl: string, file: string): Promise<{ readonly ms: number; readonly peakMb: number }> {
  const started = performance.now();
  const program = path.join(import.meta.dirname, '../../dist/cli.js');
  const child = spawn(process.execPath, [program, 'run', '-', '--out', file], {
    env: {
      ...process.env,
      IDENTITY_QUERIES_BASE_URL: baseUrl,
      IDENTITY_QUERIES_AUTH_URL: `${baseUrl}/token`,
      IDENTITY_QUERIES_CLIENT_ID: 'c',
      IDENTITY_QUERIES_CLIENT_SECRET: 's',
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end('SELECT * FROM accounts');
  let peakMb = 0;
  // Linux keeps the most that a process had.
  const look = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024 || peakMb),
      () => undefined,
    );
  }, 50);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  if (code !== 0) throw new Error(`run ended with code ${code}`);
  return { ms: performance.now() - started, peakMb };
}

async function measure(): Promise<void> {
  const server = fork(import.meta.filename, [String(rowCount), 'serve']);
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
  try {
    const [port] = (await once(server, 'message')) as [number]; // sent by `serve`
    const baseUrl = `http://127.0.0.1:${port}`;
    for (const ending of ['csv', 'parquet']) {
      const before = await plain(baseUrl, path.join(folder, 'raw'));
      const { ms, peakMb } = await run(baseUrl, path.join(folder, `rows.${ending}`));
      const after = await plain(baseUrl, path.join(folder, 'raw'));
      const plainMs = (before + after) / 2;
      print({
        bench: `run to ${ending}`,
        rows: rowCount,
        plainMs: Math.round(plainMs),
        runMs: Math.round(ms),
        share: Math.round((plainMs / ms) * 100) / 100,
        peakMb: Math.round(peakMb),
      });
    }
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[3] === 'serve') await serve();
else await measure();
