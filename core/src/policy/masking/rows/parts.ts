/** Relations of a query, as far as it counts which rows and columns of tables theirs are made from. */

/**
 * Returns the column of a table that a column of a relation has its values from, as `schema.table.column`; '' if the query
 * makes them, and undefined if the relation has no such column.
 */
export type Lookup = (column: string) => string | undefined;

/** What a relation adds to the rows of a FROM. */
export interface Part {
  /** Its name in conditions. */
  readonly name: string;
  /** The copies of each row that it makes. */
  readonly copies: number;
  /** What makes them, if it is not their number. */
  readonly why?: string | undefined;
  /** Whether values of parameters may choose any number of them. */
  readonly isByValue: boolean;
  /** How many tables it is joined from. */
  readonly tables: number;
  /** Whether it need not be joined: it has one row, or only rows that are written out. */
  readonly isCounted: boolean;
  /** Relations beside it that its rows are looked up by, by their names. */
  readonly of: readonly string[];
  readonly lookup: Lookup;
  /** The names of its columns, in order, as far as the models tell. */
  readonly names?: readonly string[] | undefined;
  /** The columns whose elements its rows are. */
  readonly splits: readonly string[];
  /** How often its rows have what a column of a table has; '' stands for all that the query makes. */
  readonly uses: Uses;
  /** The same of one of its columns. */
  readonly holds: Holds;
}

/** Values of a fixed size are in none. */
export type Uses = ReadonlyMap<string, number>;

export type Holds = (column: string) => Uses | undefined;

/** The relations that an expression may name. */
export interface Scope {
  readonly parts: readonly Part[];
  readonly outer: Scope | undefined;
}

export const nothing: Lookup = () => undefined;

export const made: Lookup = () => '';

export const oneRow: Part = {
  name: '',
  copies: 1,
  isByValue: false,
  tables: 0,
  isCounted: true,
  of: [],
  lookup: nothing,
  splits: [],
  uses: new Map(),
  holds: () => undefined,
};

export const aTable: Part = { ...oneRow, tables: 1, isCounted: false };

export const endless = (why: string): Pick<Part, 'copies' | 'why'> => ({ copies: Infinity, why });

/** Looks in several relations. What one of them makes counts as made. */
export const lookupIn =
  (parts: readonly Part[]): Lookup =>
  (column) => {
    const found = parts.map((part) => part.lookup(column)).filter((source) => source !== undefined);
    return found.includes('') ? '' : found[0];
  };

/** Each name is looked up once, since a relation that is read often asks others in turn. */
export function remembered<T>(lookup: (column: string) => T): (column: string) => T {
  const known = new Map<string, T>();
  return (column) => {
    const before = known.get(column);
    if (before !== undefined || known.has(column)) return before as T;
    const found = lookup(column);
    known.set(column, found);
    return found;
  };
}
