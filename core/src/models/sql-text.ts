/** Small queries as SQL text. */
import type { CatalogueTable } from '../../../server/src/protocol.ts';
import { quoteIdentifier } from '../util/sql-names.ts';

/** A query that lists all columns of a table, so that what is not needed is deleted rather than looked up. */
export function selectAll(model: string, table: CatalogueTable): string {
  return `-- @model ${model}\n${selectRows(table)}\nLIMIT ${previewRows}\n`;
}

/** Rows that a query over a whole table starts with. */
export const previewRows = 100;

/** One statement over all columns, for another place than a query document. */
export function selectRows(table: CatalogueTable): string {
  const columns = (table.columns ?? []).map((column) => `  ${quoteIdentifier(column.name)}`);
  const list = columns.length === 0 ? '  *' : columns.join(',\n');
  return `SELECT\n${list}\nFROM ${quoteIdentifier(table.name)}`;
}
