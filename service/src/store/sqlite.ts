/** Opens the service's SQLite files or in-memory databases with Node.js's built-in module. */
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { diskWords } from '#base/files/disk-messages.ts';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import { loadSqlite } from '#base/files/sqlite.ts';

/**
 * @param folder the file's folder, or undefined for an in-memory database
 * @param what the kind of content, for messages
 * @throws Error with a plain-language message if this runtime has no SQLite or the file cannot be used.
 */
export function openSqlite(folder: string | undefined, name: string, what: string): DatabaseSync {
  const sqlite = requireSqlite(what);
  if (folder === undefined) return new sqlite.DatabaseSync(':memory:');
  const file = path.join(folder, name);
  try {
    makeFoldersSync(folder, 0o700);
    // A new file belongs to its user alone.
    closeSync(openSync(file, 'a', 0o600));
    const database = new sqlite.DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA user_version;');
    return database;
  } catch (error) {
    const refused = diskWords(error);
    const reason = refused ?? (error instanceof Error ? error.message : 'unknown reason');
    const way =
      refused === undefined ? 'Move the file away, or name another folder.' : 'Name another folder.';
    throw new Error(`The ${what} in ${file} cannot be opened: ${reason}. ${way}`, { cause: error });
  }
}

/**
 * @param what the kind of content, for the message
 * @throws Error with a plain-language message if this runtime has no SQLite.
 */
export function requireSqlite(what: string): typeof sqliteModule {
  const sqlite = loadSqlite();
  if (sqlite !== undefined) return sqlite;
  throw new Error(
    `This Node.js (${process.version}) has no node:sqlite, which keeps ${what}. Use Node.js 22.13 or newer, or VS Code 1.106 or newer.`,
  );
}

export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

export function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('A text column holds no text.');
  return value;
}
