/** The models in SQL: tables from the contract's schemas, governance views, and one read-only role per model. */
import { quoteText } from '#base/sql-names.ts';
import { collections } from '../collections.ts';
import { columnsOf } from './columns.ts';
import { governanceViews } from './governance.ts';

/** Runs SQL without parameters; several statements are allowed. */
export interface SqlRunner {
  exec(sql: string): Promise<unknown>;
}

const identity = 'platform_identity';
const governance = 'platform_governance';

/** The schemas behind the models. Each has the same name as its model. */
export const schemaNames = [identity, governance] as const;

/** Returns the name of the role that may only read the schema's tables. */
export function readerOf(schema: string): string {
  return `reader_${schema}`;
}

export async function installSchema(database: SqlRunner): Promise<void> {
  await database.exec(schemaSql());
}

/** Returns SQL that creates roles, schemas and their contents in a database owned by the sandbox. */
export function schemaSql(): string {
  const roles = schemaNames.map((schema) => `CREATE ROLE ${readerOf(schema)}`);
  // With set_config, a query could undo SET ROLE.
  const settings = 'REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC';
  return [...roles, settings, tablesSql(readerOf)].join(';\n');
}

/**
 * Returns SQL that creates the schemas and their contents. `reader` returns the existing role that may read a schema.
 */
export function tablesSql(reader: (schema: string) => string): string {
  return [
    ...schemaNames.map((schema) => `CREATE SCHEMA ${schema}`),
    ...Object.values(collections).flatMap(tableSql),
    ...governanceViews.flatMap((view) => [
      `CREATE VIEW ${governance}.${view.name} AS ${view.sql}`,
      `COMMENT ON VIEW ${governance}.${view.name} IS ${quoteText(view.description)}`,
      ...Object.entries(view.columns).map(
        ([column, description]) =>
          `COMMENT ON COLUMN ${governance}.${view.name}.${column} IS ${quoteText(description)}`,
      ),
    ]),
    grantsSql(reader),
  ].join(';\n');
}

/** Returns SQL that lets the existing roles read the schemas. In a copy of a database, they are other roles. */
export function grantsSql(reader: (schema: string) => string): string {
  return schemaNames
    .flatMap((schema) => [
      `GRANT USAGE ON SCHEMA ${schema} TO ${reader(schema)}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${reader(schema)}`,
    ])
    .join(';\n');
}

/** Relations created by `tablesSql`, in an order that allows dropping them. */
export const relations: readonly { readonly kind: 'TABLE' | 'VIEW'; readonly name: string }[] = [
  ...governanceViews.map((view) => ({ kind: 'VIEW', name: `${governance}.${view.name}` }) as const).reverse(),
  ...Object.values(collections).map(
    ({ table }) => ({ kind: 'TABLE', name: `${identity}.${table}` }) as const,
  ),
];

function tableSql(collection: (typeof collections)[keyof typeof collections]): string[] {
  const table = `${identity}.${collection.table}`;
  const columns = columnsOf(collection.schema);
  const key = columns.find((column) => column.name === 'global_id');
  return [
    `CREATE TABLE ${table} (${columns
      .map((column) => `"${column.name}" ${column.type}${column.isRequired ? ' NOT NULL' : ''}`)
      .join(', ')}${key === undefined ? '' : ', PRIMARY KEY (global_id)'})`,
    `COMMENT ON TABLE ${table} IS ${quoteText(collection.description)}`,
    ...columns
      .filter((column) => column.description !== '')
      .map((column) => `COMMENT ON COLUMN ${table}."${column.name}" IS ${quoteText(column.description)}`),
  ];
}
