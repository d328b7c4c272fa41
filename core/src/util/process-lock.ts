/**
 * Locks between the windows of one machine. The operating system lets go of one when its process ends, however it ends,
 * so none is ever left behind. No editor API in here.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { t } from './texts.ts';

/** Files whose lock this process holds. */
const held = new Set<string>();
/** SQLITE_BUSY: somebody holds it. */
const busy = 5;
/** SQLITE_CORRUPT, SQLITE_NOTADB: a crash or a hand has written into it. */
const damaged: readonly number[] = [11, 26];
const tryAgainMs = 20;

export class ProcessLock {
  readonly #file: string;
  readonly #database: DatabaseSync;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    held.add(file);
  }

  /** Whether this process holds the lock. */
  static isHeldHere(file: string): boolean {
    return held.has(file);
  }

  /**
   * @param file is made where it is missing, and stays empty. @returns undefined when somebody holds the lock.
   * @throws Error when the file cannot be used.
   */
  static try(file: string): ProcessLock | undefined {
    if (held.has(file)) return undefined;
    mkdirSync(path.dirname(file), { recursive: true });
    // At run time: a window that never locks anything does not load it.
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof sqliteModule | undefined; // absent in some forks
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
    const database = new sqlite.DatabaseSync(file);
    try {
      database.exec('BEGIN EXCLUSIVE');
      return new ProcessLock(file, database);
    } catch (error) {
      database.close();
      const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
      if (code === busy) return undefined;
      if (before.isDamaged || !damaged.includes(Number(code))) throw error;
      // The file holds nothing, and nobody can hold a lock on one that is damaged: a new one takes its place.
      rmSync(file, { force: true });
      return ProcessLock.#open(sqlite, file, { isDamaged: true });
    }
  }

  /** Tries for a while. @returns undefined when somebody held it all the time. */
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

  /** Takes its file away too: for a lock that nobody will ask for again. */
  end(): void {
    this.release();
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // Another window is just looking whether it is held, which some systems do not allow: an empty file stays.
    }
  }
}
