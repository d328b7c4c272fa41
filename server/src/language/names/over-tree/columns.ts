/** The ordered columns visible at a position, and the table columns they come from. */
import type { CatalogueTable } from '#server/protocol.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';

/** A model's table that the statement reads, and the columns that are read. */
export interface TableRead {
  readonly model: string;
  readonly table: string;
  /** The table in the catalog; undefined if unknown. */
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
  /** The origin of each column; undefined or missing at the end for computed columns. */
  readonly origins: readonly (ColumnOrigin | undefined)[];
}

/** Undefined while unknown. */
export type Columns = ColumnList | undefined;

/** Creates columns that do not come from a table. */
export const computed = (names: readonly string[]): ColumnList => ({ names, origins: [] });

/** Applies an alias list to the first columns. */
export const renamed = (columns: Columns, aliases: readonly string[]): Columns =>
  columns === undefined || aliases.length === 0
    ? columns
    : { names: [...aliases, ...columns.names.slice(aliases.length)], origins: columns.origins };

/** Concatenates the lists. Returns undefined if a list is unknown or the limit is exceeded. */
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
