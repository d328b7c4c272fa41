/** Builds dist/sandbox: two bundles, PGlite's files beside them, and the prepared database they start from. */
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import * as esbuild from 'esbuild';
import { preparedName, preparedStampBytes } from './src/assets.ts';
import { schemaSql } from './src/data/schema.ts';

export interface BuildSandboxOptions {
  readonly outdir: string;
  readonly production: boolean;
}

const here = fileURLToPath(new URL('.', import.meta.url));

export async function buildSandbox({ outdir, production }: BuildSandboxOptions): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await esbuild.build({
    absWorkingDir: path.join(here, '..'),
    entryPoints: [
      { in: 'sandbox/src/main.ts', out: 'main' },
      { in: 'sandbox/src/query/worker.ts', out: 'query-worker' },
    ],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22.19',
    format: 'esm',
    minify: production,
    sourcemap: production ? false : 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Fastify and what it stands on are CommonJS and ask for Node's modules with require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  await copyDatabase(outdir);
  await prepareDatabase(outdir);
}

async function copyDatabase(outdir: string): Promise<void> {
  for (const name of ['pglite.wasm', 'pglite.data']) {
    await cp(path.join(packageFolder(), 'dist', name), path.join(outdir, name));
  }
}

/**
 * A database with the schema and no rows: these are made at the start, for the seed, size and day asked for.
 * Left as it is when it was made from the same schema and the same PGlite.
 */
export async function prepareDatabase(outdir: string): Promise<void> {
  const file = path.join(outdir, preparedName);
  const stamp = createHash('sha256')
    .update(schemaSql())
    .update(await readFile(path.join(packageFolder(), 'package.json')))
    .digest();
  if (await isMadeFrom(file, stamp)) return;
  await mkdir(outdir, { recursive: true });
  const database = await PGlite.create();
  await database.exec(schemaSql());
  const dump = new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer());
  await database.close();
  const compressed = await promisify(brotliCompress)(dump, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: dump.length,
    },
  });
  // Under another name first: a sandbox that starts meanwhile must not read half of it.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.concat([stamp, compressed]));
  await rename(unfinished, file);
}

async function isMadeFrom(file: string, stamp: Buffer): Promise<boolean> {
  try {
    return (await readFile(file)).subarray(0, preparedStampBytes).equals(stamp);
  } catch {
    return false; // not there yet
  }
}

function packageFolder(): string {
  return path.join(path.dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))), '..');
}
