/** Which saved queries use which table and column. Pure data; who fills it decides when. */
import type { TableReference } from '../../../../server/src/protocol.ts';
import type { ColumnNode, TableNode } from './model-nodes.ts';

export class UsesIndex {
  readonly #queries = new Map<string, Set<string>>();

  /** @param tables what one saved query reads. */
  add(queryId: string, tables: readonly TableReference[]): void {
    for (const { model, table, columns } of tables) {
      this.#note([model, table], queryId);
      for (const column of columns) this.#note([model, table, column], queryId);
    }
  }

  /** Ids of the saved queries that use it. */
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
