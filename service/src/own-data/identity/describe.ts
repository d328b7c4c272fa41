/** Makes the identity model's views once, in a transaction that is undone, and reads their columns. */
import pg from 'pg';
import type { ModelTable } from '#api/contract/model-tables.ts';
import { classOf, type ColumnClass } from '#api/contract/records/classes.ts';
import { declaredRelations } from '#api/contract/relations.ts';
import { identityModel } from '#api/contract/tables.ts';
import { quoteName } from '#base/sql-names.ts';
import { collections } from '../../data/collections.ts';
import { columnsOf } from '../../data/tables/columns.ts';
import { reasonOf, type ServerConnection } from '../../postgres/connection.ts';
import { inspectOn, OwnDatabaseError, type OwnDatabase, type Rows } from '../database.ts';
import { classOfOwn } from '../tables.ts';
import { describeSelect } from './describe-select.ts';
import {
  installedComment,
  installedSchema,
  searchIdentitySql,
  viewSql,
  viewStart,
  withSchemaOfViews,
  type DescribedExport,
  type DescribedIdentity,
  type IdentityExport,
  type IdentitySource,
  type IdentityTable,
  type SqlProblem,
} from './tables.ts';

/** @throws OwnDatabaseError if the database does not have what the source names, or the login cannot have views. */
export async function describeIdentity(
  database: OwnDatabase,
  source: IdentitySource,
  extensionSchemas: readonly string[],
  classes: ReadonlyMap<string, ColumnClass>,
): Promise<DescribedIdentity> {
  return await database.use(async (connection) => {
    const isInstalled = await usesInstalled(connection, database, source);
    const { failed, ...identity } = await inspectOn(
      connection,
      async (rows) => {
        if (!isInstalled) for (const table of source.tables) await makeView(connection, source, table);
        const columns = await rows<ColumnRow>(columnsSql, [isInstalled ? installedSchema : null]);
        const byTable = Map.groupBy(columns, (column) => column.table);
        const missing = source.tables.filter(({ name }) => !byTable.has(name));
        if (missing.length > 0)
          throw new OwnDatabaseError(
            `The schema ${installedSchema} lacks the views ${missing.map(({ name }) => name).join(', ')}. ${installAgain}`,
          );
        await connection.exec(searchIdentitySql({ isInstalled, extensionSchemas }));
        for (const { name } of source.tables) {
          const refused = await refusalOf(connection, `SELECT FROM ${quoteName(name)}`);
          if (refused !== undefined)
            throw new OwnDatabaseError(source.explain(name, { message: refused, position: undefined }));
        }
        const tables = source.tables.map((table) => described(table, byTable, classes));
        const exports: DescribedExport[] = [];
        for (const each of source.exports) {
          const found = await describedExport(connection, each, isInstalled);
          // The transaction has failed, too.
          if ('message' in found)
            return { isInstalled, tables, exports, failed: { explain: each.explain, problem: found } };
          exports.push(found);
        }
        return { isInstalled, tables, exports, failed: undefined };
      },
      { schemas: extensionSchemas, isReadOnly: isInstalled },
    );
    if (failed === undefined) return identity;
    const rows: Rows = (sql, values) => connection.rows(sql, values);
    throw new OwnDatabaseError(await failed.explain(failed.problem, rows));
  });
}

const installAgain =
  'Let the owner of the database run what "identity-queries serve install" prints, with the same options.';

/** Views cannot be temporary on a standby, or without the right to. */
async function usesInstalled(
  connection: ServerConnection,
  { target }: OwnDatabase,
  source: IdentitySource,
): Promise<boolean> {
  const [row] = await connection.rows<{ temporary: boolean; standby: boolean; installed: string | null }>(
    `SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY') AS temporary,
       pg_catalog.pg_is_in_recovery() AS standby,
       (SELECT pg_catalog.obj_description(n.oid, 'pg_namespace') FROM pg_catalog.pg_namespace n
        WHERE n.nspname = $1 AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')) AS installed`,
    [installedSchema],
  );
  if (row?.temporary === true && !row.standby) return false;
  if (row?.installed === installedComment(source)) return true;
  const why =
    row?.standby === true ? 'it is a standby' : `the login ${target.user} has no TEMPORARY right on it`;
  throw new OwnDatabaseError(
    `The database ${target.shown} allows no temporary views: ${why}. ${typeof row?.installed === 'string' ? `Its schema ${installedSchema} was made for another version, preset or mapping. ` : ''}${row?.standby === true ? 'It gets them from its primary. There: ' : `As its owner, run: GRANT TEMPORARY ON DATABASE ${quoteName(target.database)} TO ${quoteName(target.user)}. Or: `}${installAgain}`,
  );
}

async function makeView(
  connection: ServerConnection,
  source: IdentitySource,
  table: IdentityTable,
): Promise<void> {
  try {
    await connection.exec(viewSql(table));
  } catch (error) {
    if (connection.isBroken) throw error;
    const at = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
    const before = Array.from(viewStart(table.name)).length;
    const position = at > before ? at - before : undefined;
    const message = error instanceof Error ? error.message : reasonOf(error);
    throw new OwnDatabaseError(source.explain(table.name, { message, position }), { cause: error });
  }
}

/** Returns the columns of an export, or what keeps its query from being one. */
async function describedExport(
  connection: ServerConnection,
  { context, sql }: IdentityExport,
  isInstalled: boolean,
): Promise<DescribedExport | (SqlProblem & { readonly sqlState?: string | undefined })> {
  const described = await describeSelect(connection, withSchemaOfViews(sql, isInstalled));
  if (described.kind === 'failed') return described;
  const columns = described.fields.map(({ name }) => name);
  if (columns.length === 0) return { message: 'The query has no columns.', position: undefined };
  const refused = await refusalOf(connection, withSchemaOfViews(sql, isInstalled));
  if (refused !== undefined) return { message: refused, position: undefined };
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice === undefined) return { context, sql, columns };
  const message = `Two columns have the name "${twice.slice(0, 80)}". Give one another with AS.`;
  return { message, position: undefined };
}

const insufficientPrivilege = '42501';

/**
 * Returns why the login may not read what a query names, which is found out where a query starts, and not where it is
 * described. Nothing else is a reason, such as a foreign server that is away.
 */
async function refusalOf(connection: ServerConnection, sql: string): Promise<string | undefined> {
  await connection.exec('SAVEPOINT before_plan');
  try {
    await connection.exec(`EXPLAIN ${sql}`);
  } catch (error) {
    if (connection.isBroken) throw error;
    await connection.exec('ROLLBACK TO SAVEPOINT before_plan');
    if (error instanceof pg.DatabaseError && error.code === insufficientPrivilege)
      return `The login may not read this: ${error.message}`;
  }
  return undefined;
}

interface ColumnRow extends Record<string, unknown> {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const columnsSql = `SELECT c.relname::text AS "table", a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relkind = 'v' AND has_table_privilege(c.oid, 'SELECT')
    AND c.relnamespace = CASE WHEN $1::text IS NULL THEN pg_my_temp_schema() ELSE (SELECT oid FROM pg_namespace WHERE nspname = $1) END
  ORDER BY c.oid, a.attnum`;

const contractColumns: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.values(collections).map(({ table, schema }) => [
    table,
    new Map(columnsOf(schema).map(({ name, description }) => [name, description])),
  ]),
);

function described(
  { name, description, columns, key = 'global_id', classOf: ownClassOf, originOf, relationOf }: IdentityTable,
  all: ReadonlyMap<string, readonly ColumnRow[]>,
  classes: ReadonlyMap<string, ColumnClass>,
): ModelTable {
  const own = all.get(name) ?? [];
  const has = (table: string, column: string): boolean =>
    all.get(table)?.some((each) => each.name === column) === true;
  const relations = [
    ...declaredRelations.map(({ from, to }) => ({ from: from.table, column: from.column, to })),
    ...own.flatMap((column) => {
      const to = relationOf?.(column.name);
      return to === undefined ? [] : [{ from: name, column: column.name, to }];
    }),
  ];
  return {
    name,
    kind: 'view',
    description,
    columns: own.map((column) => {
      const words = columns[column.name] ?? contractColumns.get(name)?.get(column.name) ?? '';
      const origin = originOf?.(column.name);
      // What is said of a column holds for whatever shows it.
      const found =
        (origin === undefined ? undefined : classOfOwn(origin, classes)) ??
        ownClassOf?.(column.name) ??
        classOf(identityModel, name, column.name);
      return {
        name: column.name,
        type: column.type,
        ...(words === '' ? {} : { description: words }),
        ...(found === undefined ? {} : { class: found }),
      };
    }),
    keys: has(name, key) ? [{ kind: 'primary', columns: [key] }] : [],
    references: relations.flatMap(({ from, column, to }) =>
      from === name && has(name, column) && has(to.table, to.column)
        ? [{ columns: [column], model: identityModel, table: to.table, tableColumns: [to.column] }]
        : [],
    ),
  };
}
