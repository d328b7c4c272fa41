/**
 * Reads the tables and columns of a model: a service that can list them is asked, otherwise a query reads
 * information_schema (assumption `model-columns`).
 */
import type { WalkOptions } from '#api/client/answers/paging.ts';
import type { ServiceClient } from '#api/client/client.ts';
import type { CatalogueColumn, CatalogueTable } from '#server/protocol.ts';
import { ownQuery } from '../policy/send-query.ts';
import { readRows } from '../runs/rows-in-memory.ts';
import { describeTables } from './descriptions.ts';
import { catalogueTable } from './listed-table.ts';
import { relateTables } from './relate-tables.ts';

const columnsQuery = `SELECT table_name, column_name, data_type, udt_name, is_nullable
FROM information_schema.columns
WHERE table_schema = :model
ORDER BY table_name, ordinal_position`;

/** Allows a hundred million columns, more than any real service has. */
const pagesMax = 10_000;

export interface ModelTables {
  readonly tables: readonly CatalogueTable[];
  /** Whether the service leaves it open whether there are more. */
  readonly isPartial: boolean;
}

/**
 * @throws ApiError if the service does not support the query, leaving tables and columns unknown; ContractError if the
 * pages never end.
 */
export async function readModelTables(
  client: ServiceClient,
  model: string,
  options: WalkOptions = {},
): Promise<ModelTables> {
  const listed = await client.models.tables(model, { signal: options.signal });
  if (listed !== undefined)
    return { tables: listed.map((table) => catalogueTable(table, model)), isPartial: false };
  const tables = new Map<string, CatalogueColumn[]>();
  const read = await readRows(
    client,
    ownQuery(),
    { query_string: columnsQuery, model, parameters: { model } },
    { pagesMax, ...options },
  );
  const places = new Map(read.columns.map((column, at) => [column.name.toLowerCase(), at]));
  const reader = (name: string) => {
    const at = places.get(name);
    return (row: readonly unknown[]) => (at === undefined ? undefined : row[at]);
  };
  const [tableOf, nameOf, dataTypeOf, udtNameOf, nullableOf] = [
    reader('table_name'),
    reader('column_name'),
    reader('data_type'),
    reader('udt_name'),
    reader('is_nullable'),
  ];
  // A database that answers in capitals folds unquoted names to them, so these are the names that queries write.
  const isFolded = places.has('table_name') && !read.columns.some(({ name }) => /[a-z]/.test(name));
  const written = (name: string) => (isFolded && !/[a-z]/.test(name) ? name.toLowerCase() : name);
  for (const row of read.rows) {
    const [toldTable, toldName] = [tableOf(row), nameOf(row)];
    if (typeof toldTable !== 'string' || typeof toldName !== 'string') continue;
    const [table, name] = [written(toldTable), written(toldName)];
    const known = tables.get(table) ?? [];
    known.push({
      name,
      type: typeName(dataTypeOf(row), udtNameOf(row)),
      nullable: nullableOf(row) !== 'NO',
    });
    tables.set(table, known);
  }
  const described = describeTables([...tables].map(([name, columns]) => ({ name, columns })));
  return { tables: relateTables(described), isPartial: !read.isComplete };
}

/** PostgreSQL reports the type `ARRAY` without its element type, and names array types `_element` in udt_name. */
function typeName(dataType: unknown, udtName: unknown): string {
  if (dataType === 'ARRAY' && typeof udtName === 'string') return `${udtName.replace(/^_/, '')}[]`;
  return typeof dataType === 'string' ? dataType : 'unknown';
}
