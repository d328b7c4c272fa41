/** Ordered columns visible at a position, with the table columns they come from. */
import type { CatalogueTable } from '../../../protocol.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';

/** A model's table that the statement reads, with the columns read. */
export interface TableRead {
  readonly model: string;
  readonly table: string;
  /** Its known facts. */
  readonly known: CatalogueTable | undefined;
  readonly columns: Columns;
  readonly used: Set<string>;
  /** Whether `*` reads all columns, including unknown ones. */
  isReadWhole: boolean;
}

/** A column of a model's table. */
export interface ColumnOrigin {
  readonly table: TableRead;
  readonly column: string;
}

export interface ColumnList {
  readonly names: readonly string[];
  /** By position; undefined, or missing at the end, for computed columns. */
  readonly origins: readonly (ColumnOrigin | undefined)[];
}

/** Undefined while unknown. */
export type Columns = ColumnList | undefined;

/** Columns without an origin in a table. */
export const computed = (names: readonly string[]): ColumnList => ({ names, origins: [] });

/** Renames the first columns by an alias list. */
export const renamed = (columns: Columns, aliases: readonly string[]): Columns =>
  columns === undefined || aliases.length === 0
    ? columns
    : { names: [...aliases, ...columns.names.slice(aliases.length)], origins: columns.origins };

/** Concatenates the lists; undefined if one is unknown, or beyond the limit. */
export function concatenated(lists: readonly Columns[], limit: ExpansionLimit): Columns {
  if (lists.length === 1) {
    return lists[0];
  }
  const size = lists.reduce<number | undefined>(
    (sum, columns) => (sum === undefined || columns === undefined ? undefined : sum + columns.names.length),
    0,
  );
  if (size === undefined || !limit.takes(size)) {
    return undefined;
  }
  const names: string[] = [];
  const origins: (ColumnOrigin | undefined)[] = [];
  for (const columns of lists) {
    columns?.names.forEach((name, index) => {
      names.push(name);
      origins.push(columns.origins[index]);
    });
  }
  return { names, origins };
}
