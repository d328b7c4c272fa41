/** Index of the saved queries that use each table and column. Pure data; its owner fills it. */
import type { ColumnName, OutputReference, TableReference } from '#server/protocol.ts';
import type { ColumnNode, TableNode } from './model-nodes.ts';

/** The columns that a saved query reads, and the origins of its result columns. */
export interface QueryUse {
  readonly tables: readonly TableReference[];
  readonly outputs: readonly OutputReference[];
}

export class UsesIndex {
  readonly #queries = new Map<string, Set<string>>();
  /** For each column and query, the result columns derived from the column. */
  readonly #readers = new Map<string, Map<string, string[]>>();

  add(queryId: string, { tables, outputs }: QueryUse): void {
    for (const { model, table, columns } of tables) {
      this.#note([model, table], queryId);
      for (const column of columns) this.#note([model, table, column], queryId);
    }
    for (const { name = '?column?', origins } of outputs) {
      for (const { model, table, column } of origins) {
        const key = JSON.stringify([model, table, column]);
        const readers = this.#readers.get(key) ?? new Map<string, string[]>();
        this.#readers.set(key, readers);
        const names = readers.get(queryId);
        if (names === undefined) readers.set(queryId, [name]);
        else if (!names.includes(name)) names.push(name);
      }
    }
  }

  /** Returns the saved queries that use the column, each with the result columns derived from it. */
  readersOf({ model, table, column }: ColumnName): ReadonlyMap<string, readonly string[]> {
    const key = JSON.stringify([model, table, column]);
    const readers = this.#readers.get(key);
    const users = this.#queries.get(key) ?? none;
    return new Map(
      [...new Set([...(readers?.keys() ?? []), ...users])].map((id) => [id, readers?.get(id) ?? []]),
    );
  }

  /** Returns the IDs of the saved queries that use a table or column. */
  of(node: TableNode | ColumnNode): ReadonlySet<string> {
    const path = [node.model, node.table.name, ...(node.kind === 'column' ? [node.column.name] : [])];
    return this.#queries.get(JSON.stringify(path)) ?? none;
  }

  #note(path: readonly string[], queryId: string): void {
    const key = JSON.stringify(path);
    const known = this.#queries.get(key);
    if (known === undefined) this.#queries.set(key, new Set([queryId]));
    else known.add(queryId);
  }
}

const none: ReadonlySet<string> = new Set();
