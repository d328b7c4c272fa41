/**
 * Pages of one result name their columns each for itself: values go where their name is, and a column that first appears
 * on a later page is added. Of several columns with one name the first belongs to the first, and so on.
 */
import { ContractError } from './errors.ts';

export interface NamedColumn {
  readonly name: string;
  /** The page gave it no name, so only its place tells what it is. */
  readonly isUnnamed?: true | undefined;
}

/** Where the cells of a page's rows stand among all columns. */
export interface Placing<Column extends NamedColumn> {
  /** For each column the place in a page's row, -1 where it has none; undefined where rows stay as they are. */
  readonly from: readonly number[] | undefined;
  /** Those that no page before had; they are the last of all columns. */
  readonly added: readonly Column[];
}

export interface AlignedRows<Column extends NamedColumn> {
  /** In the order of all columns known by now. */
  readonly rows: readonly (readonly unknown[])[];
  /** Those that no page before had; they are the last of all columns. */
  readonly added: readonly Column[];
}

/** Beyond this a service makes up names, and each one costs memory for every row. */
const columnsMax = 10_000;

export class ColumnAligner<Column extends NamedColumn> {
  readonly #columns: Column[] = [];

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** @throws ContractError for more columns than anything can hold. */
  align(page: {
    readonly columns: readonly Column[];
    readonly rows: readonly (readonly unknown[])[];
  }): AlignedRows<Column> {
    const { from, added } = this.place(page.columns);
    if (from === undefined) return { rows: page.rows, added };
    return { rows: page.rows.map((row) => from.map((at) => (at < 0 ? null : (row[at] ?? null)))), added };
  }

  /** @throws ContractError for more columns than anything can hold. */
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

  /** Where each column of a page stands among all; new ones are added. */
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
        throw new ContractError('The pages of this result name more than 10,000 columns. Reading stopped.', {
          status: 200,
        });
      }
      return this.#columns.push(column) - 1;
    });
  }
}
