/** GET /v1/schema/server: what the database is, which collections there are, and what the person should know. */
import type { FastifyInstance } from 'fastify';
import { additionalEndpoints } from '#api/contract/endpoints.ts';
import type { ServerDescription } from '#api/contract/server-description.ts';
import { collectionIds, collectionTables } from '#api/contract/tables.ts';
import { defineRoute, unlessKnown } from '../route.ts';
import type { CurrentDatabase } from './current-database.ts';
import type { Rows } from './database.ts';
import type { Served } from './served.ts';

export interface ServerRouteOptions {
  readonly current: CurrentDatabase;
  readonly describe: () => Promise<DatabaseFacts>;
}

export type DatabaseFacts = Pick<ServerDescription, 'extensions' | 'types' | 'functions' | 'settings'>;

export function registerServerRoute(app: FastifyInstance, { current, describe }: ServerRouteOptions): void {
  defineRoute(app, additionalEndpoints.describeServer, async ({ request, reply }) => {
    await current.refresh();
    const facts = await describe();
    const { version, warnings, identity } = current.served();
    const tables = new Set(identity?.tables.map(({ name }) => name));
    return unlessKnown(request, reply, {
      engine: 'PostgreSQL',
      version,
      ...facts,
      collections: collectionIds.filter((id) => tables.has(collectionTables[id])),
      exports: (identity?.exports ?? []).map(({ context }) => context),
      warnings: [...warnings],
    });
  });
}

/** Names are read up to this number. */
const mostNames = 5_000;

/** @param timeZone that of the runs */
export async function describeDatabase(
  rows: Rows,
  { schemas, extensionSchemas }: Served,
  timeZone: string,
): Promise<DatabaseFacts> {
  const names = [...new Set([...schemas.map(({ name }) => name), ...extensionSchemas])];
  const extensions = await rows<{ name: string; version: string; schema: string }>(
    `SELECT e.extname::text AS name, e.extversion AS version, n.nspname::text AS schema
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace ORDER BY 1`,
  );
  const types = await rows<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, t.typname) AS name FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
     WHERE n.nspname = ANY ($1) AND t.typtype <> 'p' AND t.typcategory <> 'A' AND has_type_privilege(t.oid, 'USAGE')
       AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind <> 'c')
     ORDER BY 1 LIMIT ${mostNames}`,
    [names],
  );
  const functions = await rows<{ name: string }>(
    `SELECT DISTINCT format('%I.%I', n.nspname, p.proname) AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = ANY ($1) AND p.prokind IN ('f', 'a', 'w') AND p.prorettype <> 'trigger'::regtype AND has_function_privilege(p.oid, 'EXECUTE')
     ORDER BY 1 LIMIT ${mostNames}`,
    [names],
  );
  const [settings] = await rows<{ encoding: string; search: string }>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('default_text_search_config') AS search`,
  );
  return {
    extensions,
    types: types.map(({ name }) => name),
    functions: functions.map(({ name }) => name),
    settings: {
      timeZone,
      encoding: settings?.encoding ?? '',
      textSearchConfiguration: settings?.search ?? '',
    },
  };
}
