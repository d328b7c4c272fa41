/** Where the worker, PGlite's files and the prepared database lie: beside the bundle, or in the source tree. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { WorkerSettings } from './query/messages.ts';

/** A tar archive. */
export const preparedName = 'prepared.tar.br';
/** Of PGlite; beside a bundle with `.br` behind their names. */
export const packageFiles = ['pglite.data', 'pglite.wasm'] as const;
/** A compressed file starts with a digest of what it was made from; then comes what Brotli made of it. */
export const stampBytes = 32;

const decompress = promisify(brotliDecompress);

/** Some 75 ms for the largest of them. */
export async function unpacked(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await decompress((await readFile(file)).subarray(stampBytes)));
}

export interface Assets extends Pick<WorkerSettings, 'assets' | 'prepared'> {
  readonly worker: URL;
  /** Fills a PostgreSQL server. */
  readonly loader: URL;
}

/** `here` is the `import.meta.url` of the running main module or of a module beside it. */
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
