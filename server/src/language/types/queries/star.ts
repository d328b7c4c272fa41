/** The columns of `*` in FROM, listed only on demand, since queries may have thousands of joins. */
import { positionOf } from '../columns-by-name.ts';
import type { Column, Columns } from '../typing.ts';

export class Star {
  /** Whether all columns are known. */
  readonly isKnown: boolean;
  readonly #merged: readonly Column[];
  readonly #once: ReadonlySet<string>;
  readonly #isOpen: boolean;
  readonly #sides: readonly Star[];
  #list: readonly Column[] | undefined;

  private constructor(
    sides: readonly Star[],
    own: { merged?: readonly Column[]; isOpen?: boolean; list?: Columns } = {},
  ) {
    this.#sides = sides;
    this.#merged = own.merged ?? [];
    this.#once = new Set(own.merged?.flatMap(({ name = [] }) => name));
    this.#isOpen = own.isOpen === true;
    this.#list = own.list;
    this.isKnown = sides.length === 0 && own.list === undefined ? false : sides.every((side) => side.isKnown);
  }

  static of(columns: Columns): Star {
    return new Star([], { list: columns });
  }

  /** Combines the sides of a join, or FROM items. */
  static together(sides: readonly Star[]): Star {
    const [only, ...others] = sides;
    return only === undefined ? Star.of([]) : others.length === 0 ? only : new Star(sides);
  }

  /** Combines sides with merged columns, which come first and appear once. */
  static merging(merged: readonly Column[], sides: readonly Star[]): Star {
    return new Star(sides, { merged });
  }

  /** Marks the columns on one side of an outer join as nullable. */
  nullable(): Star {
    return this.#isOpen || !this.isKnown ? this : new Star([this], { isOpen: true });
  }

  /** Returns all columns, or undefined if any of them is unknown. */
  columns(): Columns {
    if (this.isKnown && this.#list === undefined) {
      const list: Column[] = [];
      this.#collect(list, new Map(), false);
      this.#list = list;
    }
    return this.#list;
  }

  find(name: string): Column | undefined {
    const column =
      this.#list === undefined ? this.#findInSides(name) : this.#list[positionOf(this.#list, name)];
    return column !== undefined && this.#isOpen ? open(column) : column;
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
  #collect(list: Column[], hidden: Map<string, number>, isNullable: boolean): void {
    const isOpen = isNullable || this.#isOpen;
    const add = (columns: readonly Column[]): void => {
      for (const column of columns) {
        const { name } = column;
        if (name === undefined || (hidden.get(name) ?? 0) === 0) list.push(isOpen ? open(column) : column);
      }
    };
    if (this.#list !== undefined) {
      add(this.#list);
      return;
    }
    add(this.#merged);
    for (const name of this.#once) hidden.set(name, (hidden.get(name) ?? 0) + 1);
    for (const side of this.#sides) side.#collect(list, hidden, isOpen);
    for (const name of this.#once) hidden.set(name, (hidden.get(name) ?? 0) - 1);
  }
}

const open = (column: Column): Column => (column.nullable === true ? column : { ...column, nullable: true });

const opened = new WeakMap<readonly Column[], readonly Column[]>();

/** Marks the columns on one side of an outer join as nullable. Returns the same list if it has already been marked. */
export function nullableColumns(columns: Columns): Columns {
  if (columns === undefined) return undefined;
  let own = opened.get(columns);
  if (own === undefined) {
    own = columns.map(open);
    opened.set(columns, own);
    opened.set(own, own);
  }
  return own;
}
