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
    const known = this.#columns.length;
    const isSame =
      page.columns.length === known &&
      page.columns.every(({ name, isUnnamed }, at) => isUnnamed || name === this.#columns[at]?.name);
    if (isSame) return { rows: page.rows, added: [] };
    const places = this.#placesOf(page.columns);
    const added = this.#columns.slice(known);
    const isPlain = places.every((place, at) => place === at);
    if (isPlain) return { rows: page.rows, added };
    const from = this.#columns.map(() => -1);
    for (const [at, place] of places.entries()) from[place] = at;
    const rows = page.rows.map((row) => from.map((at) => (at < 0 ? null : (row[at] ?? null))));
    return { rows, added };
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
