/** Facts of one kind in the memory, such as the calls of agents: values by key, within a scope. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Memory } from './memory.ts';

export interface FactsOptions<Value> {
  readonly noun: string;
  /** Facts of different scopes do not see each other. */
  readonly scope?: string;
  /** Returns undefined for what is no such value; it then counts as missing. */
  readonly parse: (value: unknown) => Value | undefined;
}

export class Facts<Value> {
  readonly #memory: Memory;
  readonly #options: FactsOptions<Value>;

  constructor(memory: Memory, options: FactsOptions<Value>) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Returns all facts, the one that was changed last at the end. */
  async all(): Promise<ReadonlyMap<string, Value>> {
    return (await this.#memory.read((database) => new FactRows(database, this.#options).all())) ?? new Map();
  }

  /** See `Memory.change`. */
  async change<Result>(work: (rows: FactRows<Value>) => Result): Promise<Result> {
    return await this.#memory.change((database) => work(new FactRows(database, this.#options)));
  }
}

/** The facts within a transaction. */
export class FactRows<Value> {
  readonly #database: DatabaseSync;
  readonly #parse: (value: unknown) => Value | undefined;
  readonly #of: readonly [noun: string, scope: string];

  constructor(database: DatabaseSync, { noun, scope = '', parse }: FactsOptions<Value>) {
    this.#database = database;
    this.#parse = parse;
    this.#of = [noun, scope];
  }

  all(): ReadonlyMap<string, Value> {
    return new Map(
      this.#select('ORDER BY rowid').flatMap(({ key, value }) => {
        const known = this.#known(value);
        return known === undefined ? [] : [[String(key), known]];
      }),
    );
  }

  get(key: string): Value | undefined {
    return this.#known(this.#select('AND key = ?', key)[0]?.['value']);
  }

  /** What is there already is not written again. */
  put(key: string, value: Value): void {
    const text = JSON.stringify(value);
    if (this.#select('AND key = ?', key)[0]?.['value'] === text) return;
    this.#run('INSERT OR REPLACE INTO fact (noun, scope, key, value) VALUES (?, ?, ?, ?)', key, text);
  }

  delete(key: string): void {
    this.#run('DELETE FROM fact WHERE noun = ? AND scope = ? AND key = ?', key);
  }

  /** Forgets the facts that were changed before the last `count`. */
  keepNewest(count: number): void {
    this.#run(
      `DELETE FROM fact WHERE rowid IN
      (SELECT rowid FROM fact WHERE noun = ? AND scope = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      count,
    );
  }

  #select(rest: string, ...values: SQLInputValue[]) {
    return this.#database
      .prepare(`SELECT key, value FROM fact WHERE noun = ? AND scope = ? ${rest}`)
      .all(...this.#of, ...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...this.#of, ...values);
  }

  #known(value: unknown): Value | undefined {
    if (typeof value !== 'string') return undefined;
    try {
      return this.#parse(JSON.parse(value));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined; // edited by hand
      throw error;
    }
  }
}
