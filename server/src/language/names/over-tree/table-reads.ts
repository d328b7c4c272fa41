/** Collects the model tables that a statement reads, without duplicates, and the columns that are read. */
import { findModel, findTable } from '../catalogue.ts';
import type { NameContext } from '../name-context.ts';
import type { Column, TableRead } from './columns.ts';

export class TableReads {
  readonly #context: NameContext;
  readonly #reads = new Map<string, TableRead>();

  constructor(context: NameContext) {
    this.#context = context;
  }

  /** The tables in order of first mention. */
  get all(): readonly TableRead[] {
    return [...this.#reads.values()];
  }

  read(schema: string | undefined, table: string): TableRead {
    const { catalogue } = this.#context;
    const model = schema ?? this.#context.model;
    const key = `${model}\0${table}`;
    const before = this.#reads.get(key);
    if (before !== undefined) return before;
    const owner = catalogue && findModel(catalogue, model);
    const known = owner && findTable(owner, table);
    const own: Column[] = [];
    const columns = known?.columns && own;
    const read: TableRead = { model, table, known, columns, used: new Set(), isReadWhole: false };
    known?.columns?.forEach(({ name }) => own.push({ name, origin: { table: read, column: name } }));
    this.#reads.set(key, read);
    return read;
  }
}
