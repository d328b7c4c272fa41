/** The columns of `*` in FROM, listed only on demand, since queries may have thousands of joins. */
import { positionOf, type NamedColumn } from './columns-by-name.ts';

const none: ReadonlySet<string> = new Set();

export class Star<Column extends NamedColumn> {
  /** Whether all columns are known. */
  readonly isKnown: boolean;
  /** An upper limit of the number of columns. */
  readonly size: number;
  readonly #merged: readonly Column[];
  readonly #once: ReadonlySet<string>;
  readonly #changed: ((column: Column) => Column) | undefined;
  readonly #sides: readonly Star<Column>[];
  #list: readonly Column[] | undefined;

  private constructor(
    sides: readonly Star<Column>[],
    own: {
      merged?: readonly Column[];
      changed?: (column: Column) => Column;
      list?: readonly Column[] | undefined;
    } = {},
  ) {
    this.#sides = sides;
    this.#merged = own.merged ?? [];
    this.#once = own.merged === undefined ? none : new Set(own.merged.flatMap(({ name = [] }) => name));
    this.#changed = own.changed;
    this.#list = own.list;
    this.isKnown = sides.length === 0 && own.list === undefined ? false : sides.every((side) => side.isKnown);
    this.size = sides.reduce((sum, side) => sum + side.size, this.#merged.length + (own.list?.length ?? 0));
  }

  static of<Column extends NamedColumn>(columns: readonly Column[] | undefined): Star<Column> {
    return new Star([], { list: columns });
  }

  /** Combines the sides of a join, or FROM items. */
  static together<Column extends NamedColumn>(sides: readonly Star<Column>[]): Star<Column> {
    const [only, ...others] = sides;
    return only === undefined ? Star.of<Column>([]) : others.length === 0 ? only : new Star(sides);
  }

  /** Combines sides with merged columns, which come first and appear once. */
  static merging<Column extends NamedColumn>(
    merged: readonly Column[],
    sides: readonly Star<Column>[],
  ): Star<Column> {
    return new Star(sides, { merged });
  }

  /** Changes each column, if all are known. A second change has no effect. */
  changed(by: (column: Column) => Column): Star<Column> {
    return this.#changed !== undefined || !this.isKnown ? this : new Star([this], { changed: by });
  }

  /** Returns all columns, or undefined if any of them is unknown. */
  columns(): readonly Column[] | undefined {
    if (this.isKnown && this.#list === undefined) {
      const list: Column[] = [];
      this.#collect(list, new Map(), undefined);
      this.#list = list;
    }
    return this.#list;
  }

  find(name: string): Column | undefined {
    const column =
      this.#list === undefined ? this.#findInSides(name) : this.#list[positionOf(this.#list, name)];
    return column === undefined ? undefined : (this.#changed?.(column) ?? column);
  }

  /** Returns how many columns have the name. */
  count(name: string): number {
    if (this.#list !== undefined) return this.#list.filter((column) => column.name === name).length;
    return this.#once.has(name) ? 1 : this.#sides.reduce((sum, side) => sum + side.count(name), 0);
  }

  #findInSides(name: string): Column | undefined {
    const merged = this.#merged[positionOf(this.#merged, name)];
    if (merged !== undefined) return merged;
    for (const side of this.#sides) {
      const column = side.find(name);
      if (column !== undefined) return column;
    }
    return undefined;
  }

  /** @param hidden for each name, the number of enclosing joins that merged it */
  #collect(
    list: Column[],
    hidden: Map<string, number>,
    outer: ((column: Column) => Column) | undefined,
  ): void {
    const change = outer ?? this.#changed;
    const add = (columns: readonly Column[]): void => {
      for (const column of columns) {
        const { name } = column;
        if (name === undefined || (hidden.get(name) ?? 0) === 0) list.push(change?.(column) ?? column);
      }
    };
    if (this.#list !== undefined) {
      add(this.#list);
      return;
    }
    add(this.#merged);
    for (const name of this.#once) hidden.set(name, (hidden.get(name) ?? 0) + 1);
    for (const side of this.#sides) side.#collect(list, hidden, change);
    for (const name of this.#once) hidden.set(name, (hidden.get(name) ?? 0) - 1);
  }
}
