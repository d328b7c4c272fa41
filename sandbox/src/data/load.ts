/** Fills the tables with the records of a world, table by table with COPY. Transactions are the caller's. */
import { collections, type Collection } from './collections.ts';
import { columnsOf, copyLine } from './columns.ts';
import type { TouchedRecord } from '../query/messages.ts';
import type { World } from './world.ts';
import type { SqlRunner } from './schema.ts';

export interface Loader extends SqlRunner {
  /** Sends lines in COPY's text format (UTF-8) to the columns of a table. The bytes are the caller's again afterwards. */
  copyIn(table: string, columns: readonly string[], lines: Uint8Array): Promise<void>;
}

/** Sent at once: enough to keep the database busy, little enough to hold in memory. */
const bytesAtOnce = 4_000_000;
/** No line is longer. */
const mostLineBytes = 1_000_000;

export async function loadData(database: Loader, world: World): Promise<void> {
  const lines = Buffer.allocUnsafe(bytesAtOnce + mostLineBytes);
  for (const collection of Object.values(collections)) {
    await loadCollection(database, world, collection, lines);
  }
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
    // Written at once: kept as texts until they are sent, the pieces of thousands of lines cost more than making them.
    if (record !== undefined) size += lines.write(`${copyLine(columns, record)}\n`, size);
    if (size >= bytesAtOnce || (size > 0 && place === places - 1)) {
      await database.copyIn(table, names, lines.subarray(0, size));
      size = 0;
    }
  }
}

/** Makes the rows of some records anew, as the world has them now. */
export async function reloadRecords(
  database: Loader,
  world: World,
  touched: readonly TouchedRecord[],
): Promise<void> {
  for (const { collection: name, place } of touched) {
    const collection: Collection = collections[name];
    const columns = columnsOf(collection.schema);
    const table = `platform_identity.${collection.table}`;
    // Global ids are made of hexadecimal digits and hyphens.
    await database.exec(`DELETE FROM ${table} WHERE global_id = '${world.ids.of(collection.kind, place)}'`);
    const record = collection.record(world, place);
    if (record === undefined) continue;
    const names = columns.map((column) => column.name);
    await database.copyIn(table, names, Buffer.from(`${copyLine(columns, record)}\n`));
  }
}
