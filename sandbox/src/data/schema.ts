/** The SQL side of the models: tables from the contract's schemas, views for governance, one reading role a model. */
import { collections } from './collections.ts';
import { columnsOf } from './columns.ts';
import { governanceViews } from './governance.ts';

/** Runs SQL without parameters, several statements at once. */
export interface SqlRunner {
  exec(sql: string): Promise<unknown>;
}

const identity = 'platform_identity';
const governance = 'platform_governance';

export async function installSchema(database: SqlRunner): Promise<void> {
  await database.exec(schemaSql());
}

export function schemaSql(): string {
  return [
    ...[identity, governance].flatMap((schema) => [
      `CREATE SCHEMA ${schema}`,
      `CREATE ROLE reader_${schema}`,
      `GRANT USAGE ON SCHEMA ${schema} TO reader_${schema}`,
    ]),
    ...Object.values(collections).flatMap(tableSql),
    ...governanceViews.flatMap((view) => [
      `CREATE VIEW ${governance}.${view.name} AS ${view.sql}`,
      `COMMENT ON VIEW ${governance}.${view.name} IS ${literal(view.description)}`,
      ...Object.entries(view.columns).map(
        ([column, description]) =>
          `COMMENT ON COLUMN ${governance}.${view.name}.${column} IS ${literal(description)}`,
      ),
    ]),
    ...[identity, governance].map(
      (schema) => `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader_${schema}`,
    ),
  ].join(';\n');
}

function tableSql(collection: (typeof collections)[keyof typeof collections]): string[] {
  const table = `${identity}.${collection.table}`;
  const columns = columnsOf(collection.schema);
  const key = columns.find((column) => column.name === 'global_id');
  return [
    `CREATE TABLE ${table} (${columns
      .map((column) => `"${column.name}" ${column.type}${column.isRequired ? ' NOT NULL' : ''}`)
      .join(', ')}${key === undefined ? '' : ', PRIMARY KEY (global_id)'})`,
    `COMMENT ON TABLE ${table} IS ${literal(collection.description)}`,
    ...columns
      .filter((column) => column.description !== '')
      .map((column) => `COMMENT ON COLUMN ${table}."${column.name}" IS ${literal(column.description)}`),
  ];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
