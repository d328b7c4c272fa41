/**
 * Descriptions of tables and columns from the contract. A table named like a collection holds its records, and a column
 * named like a member holds that member. Loaded lazily, since this module loads the contract's schemas.
 */
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { columnName } from '#api/contract/tables.ts';
import type { CatalogueTable } from '#server/protocol.ts';

export interface TableDescription {
  readonly description: string;
  readonly columns: ReadonlyMap<string, ColumnDescription>;
}

export interface ColumnDescription {
  readonly description: string;
  /** Known values of an open enum. */
  readonly values?: readonly string[];
}

export const tableDescriptions: ReadonlyMap<string, TableDescription> = new Map(
  Object.values<Endpoint>(endpoints).flatMap((endpoint): [string, TableDescription][] => {
    const collection = /^\/v1\/([a-z-]+)$/.exec(endpoint.path)?.[1];
    const members = membersOf(property(property(endpoint.success.body, 'properties'), 'items'));
    if (endpoint.method !== 'GET' || collection === undefined || members === undefined) return [];
    return [[collection.replaceAll('-', '_'), { description: endpoint.summary, columns: members }]];
  }),
);

/** Adds descriptions to tables and columns with known names; existing descriptions are kept. */
export function describeTables(tables: readonly CatalogueTable[]): readonly CatalogueTable[] {
  return tables.map((table) => {
    const known = tableDescriptions.get(table.name);
    if (known === undefined) return table;
    const columns = table.columns?.map((column) => {
      const { description, values } = { ...known.columns.get(column.name), ...column };
      return {
        ...column,
        ...(description === undefined ? {} : { description }),
        ...(values === undefined ? {} : { values }),
      };
    });
    return {
      ...table,
      description: table.description ?? known.description,
      ...(columns === undefined ? {} : { columns }),
    };
  });
}

/** Returns descriptions of the members of an array's items, by column name; undefined if the items are not objects. */
function membersOf(array: unknown): ReadonlyMap<string, ColumnDescription> | undefined {
  const properties = property(property(array, 'items'), 'properties');
  if (typeof properties !== 'object' || properties === null) return undefined;
  return new Map(
    Object.entries(properties).flatMap(([member, schema]): [string, ColumnDescription][] => {
      const description = property(schema, 'description');
      if (typeof description !== 'string') return [];
      const values =
        textsOf(property(schema, 'examples')) ?? textsOf(property(property(schema, 'items'), 'examples'));
      return [[columnName(member), { description, ...(values === undefined ? {} : { values }) }]];
    }),
  );
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? undefined : texts;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
