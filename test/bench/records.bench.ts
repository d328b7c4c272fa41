/**
 * Writes 100,000 records to a file with the extension's own code (pages, rows, the writing worker). Compares it with
 * raw undici writing the same items from the same service as JSON Lines. Also measures resident memory. Prints JSON
 * lines.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '#api/client/client.ts';
import { PageReader } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { recordsFeed } from '#core/records/records-source.ts';
import type { FileData } from '#core/rows/result-data-factory.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { PipedWriter, type RowsTarget } from '#core/runs/piped-writer.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';
import { closeRawPages, rawPages } from './raw-pages.ts';
import { percentile, print } from './statistics.ts';

const recordCount = 100_000;
const sandbox = await startSandbox({ from: 'dist', accounts: recordCount });
const token = await new ServiceHttp(sandbox).token('read');
const client = createClient(sandbox);
const worker = createWorkerData(fileURLToPath(new URL('../../dist/results-worker.cjs', import.meta.url)));
const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));

async function overUndici(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for await (const items of rawPages(sandbox.baseUrl, token)) {
    const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    if (!stream.write(lines)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

async function overExtension(file: string, onRows?: (count: number) => void): Promise<void> {
  let data: FileData | undefined;
  const target: RowsTarget = {
    open: async (columns) => {
      data = await worker.createFile(columns, {
        format: 'jsonl',
        path: file,
        byteOrderMark: false,
        nullText: '',
        guardFormulas: true,
        tableName: 'accounts',
      });
    },
    grow: () => Promise.reject(new Error('the columns change')),
    write: async (rows) => await data?.write(rows),
  };
  const writer = new PipedWriter(target, onRows);
  const feed = recordsFeed(client, 'accounts', { filter: {}, say: () => undefined });
  const outcome = await writer.readAll(
    new PageReader({
      feed,
      writer,
      signal: undefined,
      rowLimit: Number.MAX_SAFE_INTEGER,
      deadline: limitedByCaller(),
    }),
  );
  assert.ok(outcome.kind === 'rows' && outcome.extent === 'complete');
  await data?.finish();
  await data?.dispose();
}

const times: Record<'extension' | 'undici', number[]> = { extension: [], undici: [] };
let number = 0;
const nextFile = () => path.join(folder, `${(number += 1)}.jsonl`);
for (let time = 0; time < 3; time += 1) {
  for (const [name, stream] of [
    ['undici', overUndici],
    ['extension', overExtension],
  ] as const) {
    const started = performance.now();
    await stream(nextFile());
    times[name].push(performance.now() - started);
  }
}

/** Peak resident memory including the worker, in the first tenth and in the rest. */
let early = 0;
let late = 0;
await overExtension(nextFile(), (count) => {
  const mb = process.memoryUsage.rss() / 1_048_576;
  if (count <= recordCount / 10) early = Math.max(early, mb);
  else late = Math.max(late, mb);
});

const [extensionMs, undiciMs] = [percentile(times.extension, 0.5), percentile(times.undici, 0.5)];
print({
  bench: 'stream 100,000 accounts to a file',
  extensionMs,
  undiciMs,
  ratio: Math.round((extensionMs / undiciMs) * 100) / 100,
  rssAfterTenthMb: Math.round(early),
  rssPeakMb: Math.round(late),
});
await worker.dispose();
await client.close();
await closeRawPages();
await sandbox.stop();
await rm(folder, { recursive: true, force: true });
