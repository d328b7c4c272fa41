/** Makes the prepared database that a sandbox starts from in a second instead of in five. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { preparedName, preparedStampBytes } from './src/assets.ts';
import { schemaSql } from './src/data/schema.ts';

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

export function packageFolder(): string {
  return path.join(path.dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))), '..');
}
