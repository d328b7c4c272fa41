/** Small queries as SQL text. */
import type { CatalogueTable } from '../../../server/src/protocol.ts';
import { quoteIdentifier } from '../util/sql-names.ts';

/** Lists all columns of a table: deleting unneeded ones is easier than looking them up. */
export function selectAll(model: string, table: CatalogueTable): string {
  return `-- @model ${model}\n${selectRows(table)}\nLIMIT ${previewRows}\n`;
}

/** Row limit in a new query over a whole table. */
export const previewRows = 100;

/** One statement over all columns, for use outside a query document. */
export function selectRows(table: CatalogueTable): string {
  const columns = (table.columns ?? []).map((column) => `  ${quoteIdentifier(column.name)}`);
  const list = columns.length === 0 ? '  *' : columns.join(',\n');
  return `SELECT\n${list}\nFROM ${quoteIdentifier(table.name)}`;
}
