/**
 * Creates the prepared database in a worker with a fixed clock and constant random bytes. PostgreSQL writes both to its
 * files, and two builds of the same commit must be byte-identical.
 */
import nodeCrypto from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { schemaSql } from '#service/data/tables/schema.ts';

const standing = Date.UTC(2026, 0, 1);

class StandingDate extends Date {
  constructor(...given: [] | [number | string | Date]) {
    super(given[0] ?? standing);
  }

  static override now(): number {
    return standing;
  }
}

function fillWithOnes<View extends ArrayBufferView>(view: View): View {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(1);
  return view;
}

// PGlite's runtime gets its time and random bytes here. The fixed bytes protect nothing: any connection is accepted.
globalThis.Date = StandingDate as DateConstructor; // PGlite passes at most one argument
Object.assign(nodeCrypto, { randomFillSync: fillWithOnes });
Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fillWithOnes });

const { PGlite } = await import('@electric-sql/pglite');
const database = await PGlite.create({
  // Data checksums and 16 MB of write-ahead log take time at each start, and protect nothing in memory.
  initDbStartParams: ['--no-data-checksums', '--wal-segsize=1'],
  postgresqlconf: [
    // With `TRUNCATE` in the same transaction, `COPY` then writes no log (query/worker.ts).
    ...['wal_level = minimal', 'max_wal_senders = 0'],
    ...['wal_init_zero = off', 'wal_recycle = off', 'full_page_writes = off'],
    // PostgreSQL clears this memory at each start; the default is 128 MB.
    'shared_buffers = 32MB',
    // To extend a file, the other method copies it as a whole here.
    'file_extend_method = write_zeros',
  ],
});
await database.exec(schemaSql());
// No database is ever created from them, and they are most of the bytes.
await database.exec('UPDATE pg_database SET datistemplate = false');
for (const template of ['template0', 'template1']) await database.exec(`DROP DATABASE ${template}`);
await database.exec('CHECKPOINT');
const dump = await (await database.dumpDataDir('none')).arrayBuffer();
await database.close();
parentPort?.postMessage(dump, [dump]);
