/**
 * Saves a large export over a connection that is cut repeatedly, and measures the memory of the saving process. The
 * server is a separate process, so its memory does not count. `node test/bench/transfer.bench.ts 5` saves 5 GB.
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createClient } from '#api/client/client.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { ExportStore } from '#core/exports/export-store.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { print } from './statistics.ts';

const blockBytes = 1_048_576;
/** Number of bytes in a response after which the connection is cut. */
const cutAfterBytes = 700 * blockBytes;
const pattern = Buffer.alloc(blockBytes, 'account,alias,enabled,department\r\n');

/** Returns block `number` of the file: its number, followed by a fixed pattern. */
function blockAt(number: number, into: Buffer): Buffer {
  pattern.copy(into);
  into.writeBigUInt64BE(BigInt(number));
  return into;
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  totalBytes: number,
): Promise<void> {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(request.headers.range === undefined ? 200 : 206, {
    'content-type': 'text/csv',
    'content-length': totalBytes - from,
    'content-range': `bytes ${from}-${totalBytes - 1}/${totalBytes}`,
    etag: '"one-state"',
  });
  // Cutting the connection ends both streams. The client then requests the rest.
  await pipeline(Readable.from(blocks(from, totalBytes)), response).catch(() => undefined);
}

/** Yields the file from a byte offset. Throws where the connection must be cut. */
function* blocks(from: number, totalBytes: number): Generator<Buffer, void, undefined> {
  for (let at = from; at < totalBytes; at += blockBytes - (at % blockBytes)) {
    if (at - from >= cutAfterBytes) throw new Error('cut');
    const block = blockAt(Math.floor(at / blockBytes), Buffer.allocUnsafe(blockBytes));
    yield block.subarray(at % blockBytes);
  }
}

/** Runs the service: a token, an export record, and its file. Sends its port to the parent process. */
async function serve(totalBytes: number): Promise<void> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo; // the server listens on a port
    const json = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/oauth/token') json({ access_token: 't', token_type: 'Bearer', expires_in: 3_600 });
    else if (pathname === '/file') void sendFile(request, response, totalBytes);
    else {
      const id = pathname.split('/').at(-1);
      const url = `http://127.0.0.1:${port}/file`;
      json({ id, context: 'identities', fileFormat: 'csv', status: 'completed', urlTtlMinutes: 60, url });
    }
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => process.exit(0));
  process.send?.((server.address() as AddressInfo).port); // the server listens on a port
}

async function assertWhole(file: string, totalBytes: number): Promise<void> {
  const handle = await open(file);
  try {
    const [read, wanted] = [Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)];
    for (let number = 0; number * blockBytes < totalBytes; number += 1) {
      await handle.read(read, 0, blockBytes, number * blockBytes);
      if (!read.equals(blockAt(number, wanted))) throw new Error(`block ${number} is not what was sent`);
    }
  } finally {
    await handle.close();
  }
}

async function measure(gigabytes: number): Promise<void> {
  const totalBytes = Math.round(gigabytes * 1_000) * blockBytes;
  const server = fork(import.meta.filename, ['serve', String(totalBytes)]);
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-transfer-'));
  try {
    const [port] = (await once(server, 'message')) as [number]; // sent by `serve`
    const baseUrl = `http://127.0.0.1:${port}`;
    const credentials = { clientId: 'bench', clientSecret: randomBytes(8).toString('hex') };
    const client = createClient({ baseUrl, authUrl: `${baseUrl}/oauth/token`, ...credentials });
    const known = { id: randomUUID(), connectionKey: 'k', connection: 'Bench' };
    const store = new ExportStore(memoryAt(path.join(folder, 'store')));
    await store.put(known, () => ({
      ...{ ...known, context: 'identities', fileFormat: 'csv', createdAt: 0, status: 'completed' },
    }));
    const target = path.join(folder, 'identities.csv');
    const rssBefore = process.memoryUsage.rss();
    let peak = rssBefore;
    let interruptions = 0;
    let before = 0;
    const started = performance.now();
    const bytes = await saveExport(client, known, target, {
      store,
      signal: new AbortController().signal,
      wait: () => Promise.resolve(),
      onProgress: (progress) => {
        // The counter is reset once bytes arrive again.
        if (progress.interruptions > before) interruptions += progress.interruptions - before;
        before = progress.interruptions;
        peak = Math.max(peak, process.memoryUsage.rss());
      },
    });
    const seconds = (performance.now() - started) / 1_000;
    if (bytes !== totalBytes) throw new Error(`${bytes} bytes arrived of ${totalBytes}`);
    await assertWhole(target, totalBytes);
    await client.close();
    print({
      bench: 'transfer of an export',
      megabytes: totalBytes / blockBytes,
      interruptions,
      seconds: Math.round(seconds),
      rssBeforeMb: Math.round(rssBefore / blockBytes),
      rssPeakMb: Math.round(peak / blockBytes),
    });
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

const [mode = '1', total = '0'] = process.argv.slice(2);
if (mode === 'serve') await serve(Number(total));
else await measure(Number(mode));
