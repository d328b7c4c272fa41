/**
 * The sandbox's objects in a user's database: two schemas, each with a read-only role. Each object has an identifying
 * comment. Objects with the same names but without the comment are never touched.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { quoteName, quoteText } from '#base/sql-names.ts';
import type { Changes } from '../data/changes/changes.ts';
import { relations, schemaNames, tablesSql } from '../data/tables/schema.ts';
import type { DataSettings } from '../query/messages.ts';
import type { ServerConnection } from './connection.ts';

/** The comment that marks objects as the sandbox's own. */
const mark = 'Made by the sandbox of Identity Queries';

/** The message lists the conflicting objects and states that nothing was changed. */
export class ForeignObjectsError extends Error {}

/** The settings of the loaded data, kept as JSON in the first schema's comment. */
interface Content {
  readonly data: DataSettings;
  /** Digest of the table definitions. */
  readonly tables: string;
  readonly changes: string;
  readonly relations: typeof relations;
}

export function contentOf(data: DataSettings, changes: Changes): Content {
  return {
    data: { seed: data.seed, accounts: data.accounts, now: data.now },
    tables: digest(tablesSql((schema) => schema)),
    changes: digest(
      JSON.stringify([
        [...changes.disabledAccounts],
        [...changes.removedAccess],
        changes.memberships,
        changes.activities,
      ]),
    ),
    relations,
  };
}

export function readerName(schema: string, database: string): string {
  // All databases of a server share its roles, so the name includes a digest of the database's name.
  return `reader_${schema}_${digest(database).slice(0, 8)}`;
}

export interface Reader {
  readonly name: string;
  readonly password: string;
}

/** Fails if a schema or role has the sandbox's name but no sandbox created it. */
export async function checkOwnership(
  connection: ServerConnection,
  readers: readonly string[],
): Promise<void> {
  const schemas = await connection.rows<{ name: string; comment: string | null }>(
    `SELECT nspname AS name, obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = ANY($1)`,
    [schemaNames],
  );
  const roles = await connection.rows<{ name: string; comment: string | null }>(
    `SELECT rolname AS name, shobj_description(oid, 'pg_authid') AS comment FROM pg_roles WHERE rolname = ANY($1)`,
    [readers],
  );
  const foreign = [
    ...schemas.filter(isForeign).map(({ name }) => `the schema ${name}`),
    ...roles.filter(isForeign).map(({ name }) => `the role ${name}`),
  ];
  if (foreign.length === 0) return;
  throw new ForeignObjectsError(
    `it holds ${foreign.join(' and ')}, not made by a sandbox. Nothing was changed. Use another database, or rename what is there`,
  );
}

function isForeign({ comment }: { readonly comment: string | null }): boolean {
  return comment?.startsWith(mark) !== true;
}

/** Creates the roles that run queries, or sets new passwords for existing ones. */
export async function makeReaders(
  connection: ServerConnection,
  database: string,
): Promise<Map<string, Reader>> {
  const made = new Map<string, Reader>();
  await connection.exec('BEGIN');
  for (const schema of schemaNames) {
    const reader = { name: readerName(schema, database), password: randomBytes(24).toString('base64url') };
    const known = await connection.rows('SELECT 1 FROM pg_roles WHERE rolname = $1', [reader.name]);
    const verb = known.length > 0 ? 'ALTER' : 'CREATE';
    await connection.exec(
      `${verb} ROLE ${reader.name} LOGIN NOINHERIT PASSWORD ${quoteText(scramVerifier(reader.password))};
       COMMENT ON ROLE ${reader.name} IS ${quoteText(`${mark}: reads ${schema} of one database.`)}`,
    );
    const [access] = await connection.rows<{ mayConnect: boolean }>(
      `SELECT has_database_privilege($1, current_database(), 'CONNECT') AS "mayConnect"`,
      [reader.name],
    );
    if (access?.mayConnect !== true)
      await connection.exec(`GRANT CONNECT ON DATABASE ${quoteName(database)} TO ${reader.name}`);
    made.set(schema, reader);
  }
  await connection.exec('COMMIT');
  return made;
}

/** Returns the password's SCRAM verifier (RFC 5803), so that the password itself never reaches the server's logs. */
function scramVerifier(password: string): string {
  const iterations = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const mac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(mac('Client Key')).digest('base64');
  const serverKey = mac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** Returns the settings of the loaded data, or undefined if the schemas are missing or incomplete. */
export async function heldContent(connection: ServerConnection): Promise<Content | undefined> {
  const [row] = await connection.rows<{ comment: string | null }>(
    `SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1`,
    [schemaNames[0]],
  );
  const start = row?.comment?.indexOf('{') ?? -1;
  if (start < 0) return undefined;
  try {
    return JSON.parse(row?.comment?.slice(start) ?? '') as Content; // written by markSql
  } catch {
    return undefined; // someone edited the comment: refill the schemas, or refuse to drop them
  }
}

/** Returns SQL that marks the schemas, for the transaction that fills them. */
export function markSql(content: Content): string {
  const words = `${mark}: synthetic data, replaced when a sandbox starts with other settings.`;
  return schemaNames
    .map((schema, index) => {
      const comment = index === 0 ? `${words} ${JSON.stringify(content)}` : words;
      return `COMMENT ON SCHEMA ${schema} IS ${quoteText(comment)}`;
    })
    .join('; ');
}

/**
 * Drops only the sandbox's objects. Without CASCADE, the database refuses if other objects are in the schemas or depend
 * on their tables.
 */
export async function dropSchemas(connection: ServerConnection): Promise<void> {
  const held = await heldContent(connection);
  const listed = held?.relations ?? [];
  try {
    for (const { kind, name } of listed) await connection.exec(`DROP ${kind} IF EXISTS ${name}`);
    for (const schema of schemaNames.toReversed()) await connection.exec(`DROP SCHEMA IF EXISTS ${schema}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '2BP01')) throw error;
    const detail = 'detail' in error && typeof error.detail === 'string' ? ` (${error.detail})` : '';
    throw new ForeignObjectsError(
      `something that no sandbox made lies in its schemas or uses their tables${detail}. Nothing was changed. Drop or move that first`,
      { cause: error },
    );
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Drops everything that sandboxes created in this database, including roles. */
export async function removeAll(connection: ServerConnection, database: string): Promise<void> {
  await connection.exec('BEGIN');
  await dropSchemas(connection);
  for (const schema of schemaNames) {
    const name = readerName(schema, database);
    const known = await connection.rows('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (known.length === 0) continue;
    await connection.exec(`REVOKE ALL ON DATABASE ${quoteName(database)} FROM ${name}; DROP ROLE ${name}`);
  }
  await connection.exec('COMMIT');
}
