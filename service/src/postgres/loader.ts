/** The worker thread that fills a PostgreSQL database. Creating the records on the main thread would block it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Changes } from '../data/changes/changes.ts';
import { World } from '../data/company/world.ts';
import { loadData } from '../data/tables/load.ts';
import { grantsSql, tablesSql } from '../data/tables/schema.ts';
import type { DataSettings } from '../query/messages.ts';
import { reasonOf, ServerConnection } from './connection.ts';
import { contentOf, dropSchemas, heldContent, markSql } from './schemas.ts';

export interface LoaderSettings {
  readonly url: string;
  readonly data: DataSettings;
  readonly changes: Changes;
  /** The role that reads each schema, by schema name. */
  readonly readers: Readonly<Record<string, string>>;
}

export type FromLoader =
  | { readonly kind: 'loaded'; readonly isReused: boolean }
  | { readonly kind: 'failed'; readonly message: string };

/** Loads everything in one transaction, so that readers see the previous data until it succeeds. */
async function load(settings: LoaderSettings): Promise<FromLoader> {
  const { url, data, changes, readers } = settings;
  const connection = await ServerConnection.open(url);
  try {
    const content = contentOf(data, changes);
    const held = await heldContent(connection);
    const reader = (schema: string): string => readers[schema] ?? '';
    if (JSON.stringify(held) === JSON.stringify(content)) {
      await connection.exec(grantsSql(reader));
      return { kind: 'loaded', isReused: true };
    }
    const world = new World(data);
    world.changes = changes;
    await connection.exec('BEGIN');
    await dropSchemas(connection);
    await connection.exec(tablesSql(reader));
    await loadData(connection, world);
    await connection.exec(markSql(content));
    await connection.exec('COMMIT');
    return { kind: 'loaded', isReused: false };
  } finally {
    await connection.close();
  }
}

const port = parentPort;
if (port === null) throw new Error('This file runs only as a worker thread.');
load(workerData as LoaderSettings) // sent by engine.ts from the same build
  .catch((error: unknown): FromLoader => ({ kind: 'failed', message: reasonOf(error) }))
  .then(
    (message) => port.postMessage(message),
    () => undefined,
  );
