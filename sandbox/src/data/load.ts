/** Fills the tables with the records of a world, table by table with COPY. */
import { collections, type Collection } from './collections.ts';
import { columnsOf, copyLine } from './columns.ts';
import type { DataSettings } from '../query/messages.ts';
import { World } from './world.ts';
import type { SqlRunner } from './schema.ts';

export interface Loader extends SqlRunner {
  /** Sends lines in COPY's text format to the columns of a table. */
  copyIn(table: string, columns: readonly string[], text: string): Promise<void>;
}

const linesAtOnce = 20_000;

export async function loadData(database: Loader, settings: DataSettings): Promise<void> {
  const world = new World(settings);
  await database.exec('BEGIN');
  for (const collection of Object.values(collections)) await loadCollection(database, world, collection);
  await database.exec('COMMIT');
  await database.exec('ANALYZE');
}

async function loadCollection(database: Loader, world: World, collection: Collection): Promise<void> {
  const columns = columnsOf(collection.schema);
  const names = columns.map((column) => column.name);
  const table = `platform_identity.${collection.table}`;
  const places = collection.places(world);
  let lines: string[] = [];
  for (let place = 0; place < places; place += 1) {
    const record = collection.record(world, place);
    if (record !== undefined) lines.push(copyLine(columns, record));
    if (lines.length >= linesAtOnce || (place === places - 1 && lines.length > 0)) {
      await database.copyIn(table, names, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
}
