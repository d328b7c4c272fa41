/** A table as a service lists it, with the relations that its own keys declare. */
import type { ModelTable } from '#api/contract/model-tables.ts';
import type { CatalogueTable, ColumnTarget } from '#server/protocol.ts';

export function catalogueTable(
  { name, description, columns, keys, references }: ModelTable,
  model: string,
): CatalogueTable {
  const own = new Set(
    keys.flatMap(({ kind, columns: key }) => (kind === 'primary' && key.length === 1 ? key : [])),
  );
  const targets = new Map<string, ColumnTarget[]>();
  for (const reference of references) {
    for (const [index, column] of reference.columns.entries()) {
      const target = reference.tableColumns[index];
      if (target === undefined) continue;
      const known = targets.get(column) ?? [];
      const to = { table: reference.table, column: target, rank: known.length };
      targets.set(column, [...known, reference.model === model ? to : { model: reference.model, ...to }]);
    }
  }
  return {
    name,
    ...described(description),
    columns: columns.map((column) => {
      const refersTo = targets.get(column.name);
      return {
        name: column.name,
        type: column.type,
        ...(column.nullable === undefined ? {} : { nullable: column.nullable }),
        ...described(column.description),
        ...(column.values === undefined || column.values.length === 0 ? {} : { values: column.values }),
        class: column.class ?? 'none',
        ...(own.has(column.name) && refersTo === undefined ? { isOwnId: true } : {}),
        ...(refersTo === undefined ? {} : { refersTo }),
      };
    }),
  };
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined || description === '' ? {} : { description };
}
