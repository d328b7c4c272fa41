/**
 * Locks between processes on one machine. The operating system releases a lock when its process ends, so no stale lock
 * remains. Independent of the editor.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { t } from '../texts.ts';
import { makeFoldersSync } from './make-folders-sync.ts';

/** Files locked by this process. */
const held = new Set<string>();
/** SQLITE_BUSY: another process holds the lock. */
const busy = 5;
/** SQLITE_CORRUPT and SQLITE_NOTADB: the file was damaged by a crash or a manual edit. */
const damaged: readonly number[] = [11, 26];
/** SQLITE_READONLY, SQLITE_IOERR and SQLITE_CANTOPEN. */
const unwritable: readonly number[] = [8, 10, 14];
const tryAgainMs = 20;

export class ProcessLock {
  readonly #file: string;
  readonly #database: DatabaseSync;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    held.add(file);
  }

  /** Returns whether this process holds the lock. */
  static isHeldHere(file: string): boolean {
    return held.has(file);
  }

  /**
   * Tries to lock a file.
   * @param file created if missing; its content stays empty. @returns undefined if the lock is held.
   * @throws Error if the file cannot be used.
   */
  static try(file: string): ProcessLock | undefined {
    if (held.has(file)) return undefined;
    makeFoldersSync(path.dirname(file));
    // Loaded on first use, because most windows never lock anything.
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof sqliteModule | undefined; // some forks lack it
    if (sqlite === undefined) {
      throw new Error(
        t('This editor has no node:sqlite ({0}). Use VS Code 1.106 or newer.', process.version),
      );
    }
    return ProcessLock.#open(sqlite, file, { isDamaged: false });
  }

  static #open(
    sqlite: typeof sqliteModule,
    file: string,
    before: { readonly isDamaged: boolean },
  ): ProcessLock | undefined {
    const database = openDatabase(sqlite, file);
    try {
      database.exec('BEGIN EXCLUSIVE');
      return new ProcessLock(file, database);
    } catch (error) {
      database.close();
      const code = codeOf(error);
      if (code === busy) return undefined;
      if (unwritable.includes(code)) throw notWritable(error);
      if (before.isDamaged || !damaged.includes(code)) throw error;
      // The file has no content to lose, and a damaged file cannot be locked, so a new one replaces it.
      rmSync(file, { force: true });
      return ProcessLock.#open(sqlite, file, { isDamaged: true });
    }
  }

  /** Retries until the time limit. @returns undefined if the file is still locked. */
  static async wait(file: string, limitMs: number): Promise<ProcessLock | undefined> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const lock = ProcessLock.try(file);
      if (lock !== undefined || performance.now() > deadline) return lock;
      await pause(tryAgainMs);
    }
  }

  release(): void {
    if (!held.delete(this.#file)) return;
    this.#database.close();
  }

  /** Releases the lock and removes its file, for a lock that is never used again. */
  end(): void {
    this.release();
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // Another window is checking the lock, which prevents deletion on some systems. The empty file remains.
    }
  }
}

function openDatabase(sqlite: typeof sqliteModule, file: string): DatabaseSync {
  try {
    return new sqlite.DatabaseSync(file);
  } catch (error) {
    throw unwritable.includes(codeOf(error)) ? notWritable(error) : error;
  }
}

/** Returns SQLite's code of an error; NaN for another one. */
function codeOf(error: unknown): number {
  return Number(error instanceof Error ? Reflect.get(error, 'errcode') : undefined);
}

/** The same error as of a file that cannot be written, for which there are words (disk-words.ts). */
function notWritable(cause: unknown): Error {
  const error = new Error('EACCES: permission denied, open', { cause });
  return Object.assign(error, { code: 'EACCES', syscall: 'open' });
}
