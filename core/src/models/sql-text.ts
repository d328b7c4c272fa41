/** Generates simple queries. */
import { quoteIdentifier } from '#base/sql-names.ts';
import type { CatalogueTable } from '#server/protocol.ts';

/** Selects all columns by name, since deleting unneeded columns is easier than looking up names. */
export function selectAll(model: string, table: CatalogueTable): string {
  return `-- @model ${model}\n${selectRows(table)}\nLIMIT ${previewRows}\n`;
}

/** Row limit of a generated query. */
export const previewRows = 100;

/** Returns a bare statement over all columns, for use outside a query document. */
export function selectRows(table: CatalogueTable): string {
  const columns = (table.columns ?? []).map((column) => `  ${quoteIdentifier(column.name)}`);
  const list = columns.length === 0 ? '  *' : columns.join(',\n');
  return `SELECT\n${list}\nFROM ${quoteIdentifier(table.name)}`;
}
