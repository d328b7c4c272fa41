/** Columns as a place sees them, in order, and the columns of tables that they come from. */
import type { CatalogueTable } from '../../../protocol.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';

/** A table of a model that the statement reads, and what it reads of it. */
export interface TableRead {
  readonly model: string;
  readonly table: string;
  /** What is known of it. */
  readonly known: CatalogueTable | undefined;
  readonly columns: Columns;
  readonly used: Set<string>;
  /** Whether `*` reads whatever columns there are. */
  isReadWhole: boolean;
}

/** A column of a table of a model. */
export interface ColumnOrigin {
  readonly table: TableRead;
  readonly column: string;
}

export interface ColumnList {
  readonly names: readonly string[];
  /** By position; undefined, or missing at the end, for what is computed. */
  readonly origins: readonly (ColumnOrigin | undefined)[];
}

/** Undefined while unknown. */
export type Columns = ColumnList | undefined;

/** Columns that come from no table. */
export const computed = (names: readonly string[]): ColumnList => ({ names, origins: [] });

/** Under the names that an alias list gives to the first of them. */
export const renamed = (columns: Columns, aliases: readonly string[]): Columns =>
  columns === undefined || aliases.length === 0
    ? columns
    : { names: [...aliases, ...columns.names.slice(aliases.length)], origins: columns.origins };

/** The lists as one; undefined where one of them is unknown, and past the limit. */
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
