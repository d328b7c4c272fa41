/**
 * Databases with the sandbox's data, on one server for all files of a stage. Each is a copy of a template, since PGlite
 * takes three seconds of processor time for the first query of a sandbox.
 */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { noChanges } from '#service/data/changes/changes.ts';
import { World } from '#service/data/company/world.ts';
import { loadData } from '#service/data/tables/load.ts';
import { tablesSql } from '#service/data/tables/schema.ts';
import { defaults, startOfDay } from '#service/options.ts';
import { ServerConnection } from '#service/postgres/connection.ts';
import { contentOf, markSql } from '#service/postgres/schemas.ts';
import type { DataSettings } from '#service/query/messages.ts';

/** The environment variable with the superuser's URL of the server, which sample-databases-process.ts starts. */
const variable = 'IDENTITY_QUERIES_TEST_POSTGRES';

export interface SampleDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database with this data; undefined if no server was started. Omitted settings are the sandbox's defaults. */
export async function sampleDatabase(settings: {
  readonly seed?: number;
  readonly accounts?: number;
  /** A date, for example 2026-06-30. */
  readonly now?: string;
}): Promise<SampleDatabase | undefined> {
  const server = process.env[variable];
  if (server === undefined) return undefined;
  const data: DataSettings = {
    seed: settings.seed ?? defaults.seed,
    accounts: settings.accounts ?? defaults.accounts,
    now: startOfDay(settings.now === undefined ? Date.now() : Date.parse(settings.now)),
  };
  const name = `sample_${randomUUID().slice(0, 8)}`;
  await as(server, async (client) => {
    const template = await templateOf(client, server, data);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    url: urlOf(server, name),
    drop: () =>
      as(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Returns the name of the database to copy. The first process that needs it fills it, and others wait. */
async function templateOf(client: pg.Client, server: string, data: DataSettings): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  const name = `template_${digest.slice(0, 12)}`;
  const lock = `pg_advisory_lock(hashtext('${name}'))`;
  await client.query(`SELECT ${lock}`);
  try {
    const known = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (known.rows.length > 0) return name;
    const filling = `filling_${randomUUID().slice(0, 8)}`;
    await client.query(`CREATE DATABASE ${filling}`);
    await fill(urlOf(server, filling), data);
    await client.query(`ALTER DATABASE ${filling} RENAME TO ${name}`);
    return name;
  } finally {
    await client.query(`SELECT ${lock.replace('lock', 'unlock')}`);
  }
}

async function fill(url: string, data: DataSettings): Promise<void> {
  const connection = await ServerConnection.open(url);
  try {
    await connection.exec('BEGIN');
    await connection.exec(tablesSql(() => 'CURRENT_USER'));
    await loadData(connection, new World(data));
    await connection.exec(markSql(contentOf(data, noChanges)));
    await connection.exec('COMMIT');
  } finally {
    await connection.close();
  }
}

async function as(url: string, body: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await body(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  return Object.assign(new URL(server), { pathname: `/${database}` }).href;
}
