/**
 * Creates the prepared database in a worker with a fixed clock and constant random bytes. PostgreSQL writes both to its
 * files, and two builds of the same commit must be byte-identical.
 */
import nodeCrypto from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { schemaSql } from './src/data/tables/schema.ts';

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
const database = await PGlite.create();
await database.exec(schemaSql());
const dump = await (await database.dumpDataDir('none')).arrayBuffer();
await database.close();
parentPort?.postMessage(dump, [dump]);
