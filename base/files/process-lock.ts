/**
 * Locks between processes on one machine. The operating system releases a lock when its process ends, so no stale lock
 * remains. Independent of the editor.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFoldersSync } from './make-folders-sync.ts';
import { asDiskError, openDatabase, sqliteProblem } from './sqlite.ts';

/** Files locked by this process. */
const held = new Set<string>();
const tryAgainMs = 20;

export class ProcessLock {
  readonly #file: string;
  readonly #database: DatabaseSync;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    held.add(file);
  }

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
    return ProcessLock.#open(file, { isDamaged: false });
  }

  static #open(file: string, before: { readonly isDamaged: boolean }): ProcessLock | undefined {
    let database: DatabaseSync | undefined;
    try {
      database = openDatabase(file);
      database.exec('BEGIN EXCLUSIVE');
      return new ProcessLock(file, database);
    } catch (error) {
      database?.close();
      const problem = sqliteProblem(error);
      if (problem === 'busy') return undefined;
      if (before.isDamaged || problem !== 'damaged') throw asDiskError(error, file);
      // The file has no content to lose, and a damaged file cannot be locked, so a new one replaces it.
      rmSync(file, { force: true });
      return ProcessLock.#open(file, { isDamaged: true });
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
