/** Locates the worker, PGlite's files and the prepared database, next to the bundle or in the source tree. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { WorkerSettings } from './query/messages.ts';

/** A Brotli-compressed tar archive. */
export const preparedName = 'prepared.tar.br';
/** PGlite's files. Next to a bundle, their names end in `.br`. */
export const packageFiles = ['pglite.data', 'pglite.wasm'] as const;
/** Length of the digest at the start of a compressed file. It identifies the input, and the Brotli data follows. */
export const stampBytes = 32;

const decompress = promisify(brotliDecompress);

/** Node.js's default of 16 KB takes twice the processor time. */
const chunkBytes = 1_048_576;

export async function unpacked(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = (await readFile(file)).subarray(stampBytes);
  return new Uint8Array(await decompress(compressed, { chunkSize: chunkBytes }));
}

export interface Assets extends Pick<WorkerSettings, 'assets' | 'prepared'> {
  readonly worker: URL;
  /** The worker that fills a PostgreSQL server. */
  readonly loader: URL;
}

/** Finds the assets. `here` is the `import.meta.url` of the main module or of a module next to it. */
export function findAssets(here: string): Assets {
  if (here.endsWith('.ts')) {
    const prepared = fileURLToPath(new URL(`../../dist/sandbox/${preparedName}`, import.meta.url));
    return {
      worker: new URL('./query/worker.ts', import.meta.url),
      loader: new URL('./postgres/loader.ts', import.meta.url),
      assets: undefined,
      prepared: existsSync(prepared) ? prepared : undefined,
    };
  }
  const prepared = fileURLToPath(new URL(preparedName, here));
  return {
    worker: new URL('query-worker.js', here),
    loader: new URL('postgres-loader.js', here),
    assets: fileURLToPath(new URL('.', here)),
    prepared: existsSync(prepared) ? prepared : undefined,
  };
}
