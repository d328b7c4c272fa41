/** Fills tables with a world's records using COPY, one at a time. The caller manages transactions. */
import type { TouchedRecord } from '#service/query/messages.ts';
import { collections, type Collection } from '../collections.ts';
import type { World } from '../company/world.ts';
import { columnsOf, copyLine } from './columns.ts';
import type { SqlRunner } from './schema.ts';

export interface Loader extends SqlRunner {
  /** Sends lines in COPY's text format (UTF-8) to table columns. The caller may reuse the buffer afterward. */
  copyIn(table: string, columns: readonly string[], lines: Uint8Array): Promise<void>;
}

/** Chunk size: large enough to keep the database busy, small enough to hold in memory. */
const bytesAtOnce = 4_000_000;
/** Upper bound on a line's length. */
const mostLineBytes = 1_000_000;

export async function loadData(database: Loader, world: World): Promise<void> {
  const lines = Buffer.allocUnsafe(bytesAtOnce + mostLineBytes);
  for (const collection of Object.values(collections))
    await loadCollection(database, world, collection, lines);
  for (const { table } of Object.values(collections))
    await database.exec(`ANALYZE platform_identity.${table}`);
}

async function loadCollection(
  database: Loader,
  world: World,
  collection: Collection,
  lines: Buffer,
): Promise<void> {
  const columns = columnsOf(collection.schema);
  const names = columns.map((column) => column.name);
  const table = `platform_identity.${collection.table}`;
  const places = collection.places(world);
  let size = 0;
  for (let place = 0; place < places; place += 1) {
    const record = collection.record(world, place);
    // Write each line directly: buffering thousands of lines as strings costs more than creating them.
    if (record !== undefined) size += lines.write(`${copyLine(columns, record)}\n`, size);
    if (size >= bytesAtOnce || (size > 0 && place === places - 1)) {
      await database.copyIn(table, names, lines.subarray(0, size));
      size = 0;
    }
  }
}

/** Rewrites the rows of the given records from the world's current state. */
export async function reloadRecords(
  database: Loader,
  world: World,
  touched: readonly TouchedRecord[],
): Promise<void> {
  for (const { collection: name, place } of touched) {
    const collection: Collection = collections[name];
    const columns = columnsOf(collection.schema);
    const table = `platform_identity.${collection.table}`;
    // Global IDs contain only hexadecimal digits and hyphens, so no escaping is needed.
    await database.exec(`DELETE FROM ${table} WHERE global_id = '${world.ids.of(collection.kind, place)}'`);
    const record = collection.record(world, place);
    if (record === undefined) continue;
    const names = columns.map((column) => column.name);
    await database.copyIn(table, names, Buffer.from(`${copyLine(columns, record)}\n`));
  }
}
