/** Adds the contract's relations to tables: the columns that refer to other records, and each record's own ID. */
import { declaredRelations, ownIdColumns, type ColumnPlace } from '#api/contract/relations.ts';
import { collectionIds, collectionTables } from '#api/contract/tables.ts';
import type { CatalogueColumn, CatalogueTable, ColumnTarget } from '#server/protocol.ts';

const recordTables: ReadonlySet<string> = new Set(collectionIds.map((id) => collectionTables[id]));

const keyOf = ({ table, column }: ColumnPlace): string => `${table}.${column}`;
const targets = new Map<string, ColumnTarget[]>();
for (const [rank, { from, to }] of declaredRelations.entries())
  targets.set(keyOf(from), [...(targets.get(keyOf(from)) ?? []), { ...to, rank }]);

/** Tables and columns match by name. References to columns that the service does not have are dropped. */
export function relateTables(tables: readonly CatalogueTable[]): readonly CatalogueTable[] {
  const known = new Set(
    tables.flatMap(({ name, columns = [] }) =>
      recordTables.has(name) ? columns.map((column) => keyOf({ table: name, column: column.name })) : [],
    ),
  );
  return tables.map((table) =>
    recordTables.has(table.name) && table.columns !== undefined
      ? { ...table, columns: table.columns.map((column) => related(table.name, column, known)) }
      : table,
  );
}

function related(table: string, column: CatalogueColumn, known: ReadonlySet<string>): CatalogueColumn {
  const refersTo = targets.get(keyOf({ table, column: column.name }))?.filter((to) => known.has(keyOf(to)));
  return {
    ...column,
    ...(ownIdColumns.includes(column.name) ? { isOwnId: true } : {}),
    ...(refersTo === undefined || refersTo.length === 0 ? {} : { refersTo }),
  };
}
