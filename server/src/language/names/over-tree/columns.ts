/** The ordered columns visible at a position, and the table columns they come from. */
import type { CatalogueTable } from '#server/protocol.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';
import { renamed } from '../relations/relations.ts';
import type { Star } from '../relations/star.ts';

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

export interface ColumnOrigin {
  readonly table: TableRead;
  readonly column: string;
}

export interface Column {
  readonly name: string;
  /** Undefined for computed columns. */
  readonly origin: ColumnOrigin | undefined;
}

/** Undefined while unknown. */
export type Columns = readonly Column[] | undefined;

/** Creates a column that does not come from a table. */
export const computed = (name: string): Column => ({ name, origin: undefined });

/** Applies an alias list, even one that is too long. */
export const aliased = (columns: Columns, aliases: readonly string[]): Columns =>
  columns === undefined || aliases.length === 0
    ? columns
    : [...renamed(columns, aliases), ...aliases.slice(columns.length).map(computed)];

/** Lists the columns of `*`. Returns undefined if any is unknown or the limit is exceeded. */
export const listed = (star: Star<Column>, limit: ExpansionLimit): Columns =>
  star.isKnown && limit.takes(star.size) ? star.columns() : undefined;
