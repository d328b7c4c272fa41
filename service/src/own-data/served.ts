/** What is served: the schemas of the database that the login may read, and what the server says of itself. */
import type { ColumnClass } from '#api/contract/records/classes.ts';
import { identityModel } from '#api/contract/tables.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { OwnDatabaseError, UntrustedLoginError, type OwnDatabase, type Rows, type Told } from './database.ts';
import { describeIdentity } from './identity/describe.ts';
import { installedSchema, type DescribedIdentity, type IdentitySource } from './identity/tables.ts';
import { testRole, type RoleReport } from './reading-role.ts';

export interface ServedSchema {
  readonly name: string;
  readonly description: string;
}

export interface Served {
  readonly schemas: readonly ServedSchema[];
  /** Schemas of installed extensions, whose types and operators a query needs. */
  readonly extensionSchemas: readonly string[];
  /** For example `18.4`. */
  readonly version: string;
  readonly major: number;
  readonly role: RoleReport;
  /** The identity model, if a preset or a mapping makes one. */
  readonly identity: ServedIdentity | undefined;
  /** Sentences for the person who started the service. */
  readonly warnings: readonly string[];
}

export interface ServedIdentity extends DescribedIdentity {
  readonly source: IdentitySource;
}

export interface ServeRules {
  /** Names of the schemas to serve; undefined for all that the login may read. */
  readonly schemas: readonly string[] | undefined;
  readonly acceptsUntestedEngine: boolean;
  readonly allowsWritesByRole: boolean;
  /** Returns what fills the identity model; undefined if nothing does. @throws OwnDatabaseError */
  readonly identity?: (
    database: OwnDatabase,
    facts: Pick<Served, 'major' | 'extensionSchemas'>,
  ) => Promise<IdentitySource>;
  /** What columns reveal, by `schema.table.column`. */
  readonly classes?: ReadonlyMap<string, ColumnClass>;
  /** Whether a login that may read no table is served. */
  readonly mayServeNothing?: boolean;
}

export const oldestPromised = 15;
const oldestKnown = 12;
export const newestPromised = 18;

export interface LookBefore {
  readonly identity: ServedIdentity | undefined;
  readonly told: Told;
}

/**
 * @param before what a service that runs found last: where the identity model no longer fits the database, the rest is
 *   served on, and the model with what still fits
 * @throws OwnDatabaseError if the database cannot be served by these rules.
 */
export async function lookAtDatabase(
  database: OwnDatabase,
  rules: ServeRules,
  before?: LookBefore,
): Promise<Served> {
  const served = await database.inspect(async (rows) => await look(rows, database, rules));
  if (rules.identity === undefined) return served;
  if (served.schemas.some(({ name }) => name === identityModel))
    throw new OwnDatabaseError(
      `The schema ${identityModel} has the name of the model that the preset or mapping makes. Name the schemas to serve without it (--schemas).`,
    );
  try {
    const source = await rules.identity(database, served);
    const described = await describeIdentity(
      database,
      source,
      served.extensionSchemas,
      rules.classes ?? new Map(),
    );
    return { ...served, identity: { source, ...described } };
  } catch (error) {
    if (before?.identity === undefined || !(error instanceof OwnDatabaseError)) throw error;
    const why = `The model ${identityModel} stays as it was: ${before.told(error)}`;
    return { ...served, identity: before.identity, warnings: [...served.warnings, why] };
  }
}

async function look(rows: Rows, { target }: OwnDatabase, rules: ServeRules): Promise<Served> {
  const { shown, user } = target;
  const warnings: string[] = [];
  const engine = await engineOf(rows);
  if (!engine.isPostgres || engine.major < oldestKnown || engine.major > newestPromised) {
    const what = engine.isPostgres ? `PostgreSQL ${engine.version}` : 'not PostgreSQL itself';
    if (!rules.acceptsUntestedEngine)
      throw new OwnDatabaseError(
        `The database ${shown} is ${what}: this service was tested with PostgreSQL ${oldestPromised} to ${newestPromised}. To try it anyway, add --accept-untested-engine.`,
      );
    warnings.push(`The database is ${what}, which this service was not tested with.`);
  } else if (engine.major < oldestPromised)
    warnings.push(
      `PostgreSQL ${engine.version} is older than ${oldestPromised}: most things work, and nothing is promised.`,
    );
  const schemas = await schemasOf(rows, target, rules);
  const role = await testRole(
    rows,
    schemas.map(({ name }) => name),
    { temporary: rules.identity !== undefined },
  );
  if (role.blocking.length > 0 && !rules.allowsWritesByRole)
    throw new UntrustedLoginError(refusal(user, role));
  if (role.blocking.length > 0)
    warnings.push(
      `--unsafe-allow-writes-by-role: ${user} can do more than read (${role.blocking.join('; ')}). A mistake in this service would let a query do it.`,
    );
  const extensionSchemas = await rows<{ name: string }>(
    `SELECT DISTINCT n.nspname::text AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE n.nspname <> 'pg_catalog' AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1`,
  );
  return {
    schemas,
    extensionSchemas: extensionSchemas.map(({ name }) => name),
    version: engine.version,
    major: engine.major,
    identity: undefined,
    role,
    warnings: [...warnings, ...role.warnings],
  };
}

/** Says why a login is not trusted and what to do. */
export function refusal(user: string, { blocking }: RoleReport): string {
  const [first = '', ...more] = blocking;
  const others = more.length === 0 ? '' : ` Also: ${more.slice(0, 4).join('; ')}.`;
  return `The login ${user} can do more than read: ${first}.${others} Make a login that only reads, and use that: "identity-queries serve init" prints the SQL.`;
}

async function engineOf(rows: Rows) {
  const [row] = await rows<{ version: string; number: string; words: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
       version() AS words`,
  );
  const words = row?.words ?? '';
  return {
    version: row?.version.split(' ')[0] ?? '',
    major: Math.floor(Number(row?.number ?? 0) / 10_000),
    isPostgres:
      /^PostgreSQL \d+(?:\.\d+|devel|beta\d+|rc\d+)*(?: |,)/.test(words) &&
      !/redshift|cockroach|yugabyte/i.test(words),
  };
}

async function schemasOf(
  rows: Rows,
  { shown, user }: OwnDatabase['target'],
  { schemas: wanted, identity, mayServeNothing = identity !== undefined }: ServeRules,
): Promise<readonly ServedSchema[]> {
  const known = await rows<{
    name: string;
    description: string | null;
    usable: boolean;
    tables: number;
    readable: number;
  }>(
    `SELECT n.nspname::text AS name, obj_description(n.oid, 'pg_namespace') AS description,
       has_schema_privilege(n.oid, 'USAGE') AS usable, count(c.oid)::int AS tables,
       (count(c.oid) FILTER (WHERE has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')))::int AS readable
     FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
     WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(?:temp|toast)'
     GROUP BY n.oid ORDER BY n.nspname`,
  );
  const served = ({ name, description }: (typeof known)[number]): ServedSchema => ({
    name,
    description: description ?? '',
  });
  const grants = (name: string): string =>
    `GRANT USAGE ON SCHEMA ${quoteIdentifier(name)} TO ${quoteIdentifier(user)}; GRANT SELECT ON ALL TABLES IN SCHEMA ${quoteIdentifier(name)} TO ${quoteIdentifier(user)};`;
  // The installed schema is the identity model's.
  const readable = known.filter(
    ({ name, usable, readable: count }) => usable && count > 0 && name !== installedSchema,
  );
  if (wanted === undefined) {
    if (readable.length > 0 || mayServeNothing) return readable.map(served);
    throw new OwnDatabaseError(
      `The login ${user} may read no table in ${shown}. As the owner of the tables, run: ${grants(known.find(({ tables }) => tables > 0)?.name ?? 'public')}`,
    );
  }
  return wanted.map((name) => {
    const schema = known.find((each) => each.name === name);
    if (schema === undefined)
      throw new OwnDatabaseError(
        `There is no schema "${name}" in ${shown}. The login may read: ${readable.map((each) => each.name).join(', ') || 'none'}.`,
      );
    if (!schema.usable || (schema.tables > 0 && schema.readable === 0))
      throw new OwnDatabaseError(
        `The login ${user} may read nothing in the schema "${name}" of ${shown}. As the owner of the tables, run: ${grants(name)}`,
      );
    return served(schema);
  });
}
