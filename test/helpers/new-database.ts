/**
 * New databases of the embedded PostgreSQL, for tests. Each is read from a file that the first one leaves: to create
 * one takes three seconds of processor time, and to read it a tenth.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { fromRoot } from '#scripts/lib/paths.js';

const folder = fromRoot('node_modules/.cache/databases');

let dump: Promise<Blob> | undefined;

/** Creates an empty database. */
export async function newDatabase(): Promise<PGlite> {
  dump ??= readDump();
  return await PGlite.create({ loadDataDir: await dump });
}

async function readDump(): Promise<Blob> {
  const entry = createRequire(import.meta.filename).resolve('@electric-sql/pglite');
  const hash = createHash('sha256');
  for (const file of [path.join(path.dirname(entry), '../package.json'), import.meta.filename])
    hash.update(await readFile(file));
  const kept = path.join(folder, `${hash.digest('hex').slice(0, 16)}.tar`);
  try {
    return new Blob([await readFile(kept)]);
  } catch {
    const made = await makeDump();
    // Other processes may make it at the same time.
    const unfinished = `${kept}.${randomUUID()}`;
    await mkdir(folder, { recursive: true });
    await writeFile(unfinished, new Uint8Array(await made.arrayBuffer()));
    await rename(unfinished, kept);
    return made;
  }
}

async function makeDump(): Promise<Blob> {
  // Data checksums and 16 MB of write-ahead log take time at each start.
  const database = await PGlite.create({
    initDbStartParams: ['--no-data-checksums', '--wal-segsize=1'],
  });
  // No test creates a database from them, and they are most of the bytes.
  await database.exec('UPDATE pg_database SET datistemplate = false');
  for (const template of ['template0', 'template1']) await database.exec(`DROP DATABASE ${template}`);
  await database.exec('CHECKPOINT');
  const made = await database.dumpDataDir('none');
  await database.close();
  return made;
}
