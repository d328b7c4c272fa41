/** Names and small queries as SQL text. */
import type { CatalogueTable } from '../../../../server/src/protocol.ts';

/** Quoted only where PostgreSQL would fold or reject the bare name. */
export function quoteIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

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

/** Reserved key words of PostgreSQL 18 (documentation, appendix C, "reserved"). */
const reserved = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation ' +
    'column concurrently constraint create cross current_catalog current_date current_role current_schema current_time ' +
    'current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze ' +
    'from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit ' +
    'localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references ' +
    'returning right select session_user similar some symmetric system_user table tablesample then to trailing true union ' +
    'unique user using variadic verbose when where window with'
  ).split(' '),
);
