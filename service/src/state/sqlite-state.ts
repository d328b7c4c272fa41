/** State in a SQLite file, or in memory: for one process of the service. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Queue } from '#base/async/queue.ts';
import { sqliteProblem, type SqliteProblem } from '#base/files/sqlite.ts';
import { unavailable } from '../errors.ts';
import { openSqlite } from '../store/sqlite.ts';
import { migrateFolder } from './migrate.ts';
import {
  stateIsAway,
  stateIsFull,
  stateIsUnwritable,
  UniqueViolation,
  writtenIn,
  type RunSql,
  type StateDatabase,
} from './state-database.ts';

/** The file that the first versions of the service kept saved queries in. */
export const stateFile = 'saved-queries.sqlite';

const written = writtenIn({
  prefix: '',
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  text: 'TEXT',
  integer: 'INTEGER',
  held: '', // there is one transaction at a time
});

const uniqueCodes: readonly unknown[] = [1_555, 2_067];
/** What callers are told of a file that cannot be used. */
const toldOf: Readonly<Record<SqliteProblem, string>> = {
  busy: stateIsAway,
  full: stateIsFull,
  damaged: stateIsUnwritable,
  unwritable: stateIsUnwritable,
};

/**
 * Opens the state in `folder`, or in memory, and brings its tables up to date.
 * @throws Error with a plain-language message if this runtime has no SQLite or the file cannot be used.
 */
export async function openSqliteState(folder: string | undefined): Promise<StateDatabase> {
  const state = new SqliteState(openSqlite(folder, stateFile, 'saved queries'), folder ?? 'memory');
  try {
    await migrateFolder(state);
  } catch (error) {
    await state.close();
    throw error;
  }
  return state;
}

class SqliteState implements StateDatabase {
  readonly shown: string;
  readonly isShared = false;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The work before: a transaction is not interleaved with anything, since there is one connection. */
  readonly #turns = new Queue();

  constructor(database: DatabaseSync, shown: string) {
    this.#database = database;
    this.shown = shown;
  }

  readonly read: RunSql = (text, values) => this.#turns.add(() => this.#run(text, values));

  write<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result> {
    return this.#turns.add(async () => {
      await this.#run('BEGIN IMMEDIATE');
      try {
        const result = await work((text, values) => this.#run(text, values));
        await this.#run('COMMIT');
        return result;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (this.#database.isTransaction) await this.#run('ROLLBACK');
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#turns.ended();
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #run(...[text, values = []]: Parameters<RunSql>): ReturnType<RunSql> {
    try {
      const sql = written(text);
      const known = this.#statements.get(sql);
      const statement = known ?? this.#database.prepare(sql);
      if (known === undefined && /^\s*(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK)/.test(sql))
        this.#statements.set(sql, statement);
      const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
      return Promise.resolve(values.length === 0 ? statement.all() : statement.all(named));
    } catch (error) {
      const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
      if (uniqueCodes.includes(code))
        return Promise.reject(new UniqueViolation('A name is taken.', { cause: error }));
      const problem = sqliteProblem(error);
      return Promise.reject(problem === undefined ? asError(error) : unavailable(toldOf[problem], error));
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
