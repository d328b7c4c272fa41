/** The tables of WITH that a query sees. Linked rather than copied for each, since a WITH may have a thousand of them. */
export class VisibleTables<Table extends { readonly name: string }> {
  readonly #own = new Map<string, Table>();
  readonly #outer: VisibleTables<Table> | undefined;

  /** @param outer those of the queries around, which own ones hide */
  constructor(outer?: VisibleTables<Table>) {
    this.#outer = outer;
  }

  get size(): number {
    return this.#own.size + (this.#outer?.size ?? 0);
  }

  /** Makes a table visible to the queries that follow. */
  add(table: Table): void {
    this.#own.set(table.name, table);
  }

  find(name: string): Table | undefined {
    return this.#own.get(name) ?? this.#outer?.find(name);
  }
}
