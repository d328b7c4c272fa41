/**
 * Aligns the columns across a result's pages: each page names its own columns, so values are matched by name, new
 * columns are appended, and duplicate names are matched in order.
 */
import { ContractError } from './errors.ts';

export interface NamedColumn {
  readonly name: string;
  /** Set if the page does not name the column, so that its index identifies it. */
  readonly isUnnamed?: true | undefined;
}

/** Maps a page's cells to all known columns. */
export interface Placing<Column extends NamedColumn> {
  /** For each column, its index in the page's rows (-1 if missing); undefined if rows need no change. */
  readonly from: readonly number[] | undefined;
  /** Columns first seen on this page, appended last. */
  readonly added: readonly Column[];
}

export interface AlignedRows<Column extends NamedColumn> {
  /** Rows whose cells follow the order of all known columns. */
  readonly rows: readonly (readonly unknown[])[];
  /** Columns first seen on this page, appended last. */
  readonly added: readonly Column[];
}

/** A service that sends more columns is inventing names; each column costs memory in every row. */
const columnsMax = 10_000;

export class ColumnAligner<Column extends NamedColumn> {
  readonly #columns: Column[] = [];

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** @throws ContractError if there are too many columns. */
  align(page: {
    readonly columns: readonly Column[];
    readonly rows: readonly (readonly unknown[])[];
  }): AlignedRows<Column> {
    const { from, added } = this.place(page.columns);
    if (from === undefined) return { rows: page.rows, added };
    return { rows: page.rows.map((row) => from.map((at) => (at < 0 ? null : (row[at] ?? null)))), added };
  }

  /** @throws ContractError if there are too many columns. */
  place(columns: readonly Column[]): Placing<Column> {
    const known = this.#columns.length;
    const isSame =
      columns.length === known &&
      columns.every(({ name, isUnnamed }, at) => isUnnamed || name === this.#columns[at]?.name);
    if (isSame) return { from: undefined, added: [] };
    const places = this.#placesOf(columns);
    const added = this.#columns.slice(known);
    const isPlain = places.every((place, at) => place === at);
    if (isPlain) return { from: undefined, added };
    const from = this.#columns.map(() => -1);
    for (const [at, place] of places.entries()) from[place] = at;
    return { from, added };
  }

  /** Returns the index of each page column among all known columns; appends new columns. */
  #placesOf(columns: readonly Column[]): readonly number[] {
    const free = new Map<string, number[]>();
    for (const [at, { name }] of this.#columns.entries()) {
      const places = free.get(name);
      if (places === undefined) free.set(name, [at]);
      else places.push(at);
    }
    const known = this.#columns.length;
    return columns.map((column, at) => {
      const place = column.isUnnamed && at < known ? at : free.get(column.name)?.shift();
      if (place !== undefined) return place;
      if (this.#columns.length >= columnsMax) {
        throw new ContractError(
          'The pages of this result contain more than 10,000 columns. Reading stopped.',
          {
            status: 200,
          },
        );
      }
      return this.#columns.push(column) - 1;
    });
  }
}
