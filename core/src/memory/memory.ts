/**
 * What this machine remembers for all of the user's programs: facts of several kinds in one SQLite file. A transaction
 * opens the file and closes it again, so nothing is held between them, no program blocks another one for longer than a
 * transaction takes, and what is deleted is gone from the disk. SQLite's own journal survives the end of a process at any
 * moment; it is kept beside the file and not in a shared memory map, which network drives do not have.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isMissingFile } from '#base/errors.ts';
import { makePrivateFolder } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { asDiskError, openDatabase, sqliteProblem } from '#base/files/sqlite.ts';
import { t } from '#base/texts.ts';
import { ExpectedError } from '../failures/failure.ts';

/** Thousands are the major version: a file with a newer one is left alone. */
const version = 1_000;
const waitMs = 10_000;
const tryAgainMs = 20;
/** Pages of 4 KiB. */
const pagesMax = 262_144;

type Work<Result> = (database: DatabaseSync) => Result;

export class Memory {
  readonly folder: string;
  readonly #file: string;
  readonly #onPutAside: (message: string) => void;

  /** @param folder made when something is first remembered. @param onPutAside says that a damaged file is kept. */
  constructor(folder: string, onPutAside: (message: string) => void) {
    this.folder = folder;
    this.#file = path.join(folder, 'memory.db');
    this.#onPutAside = onPutAside;
  }

  /** @returns undefined if nothing is remembered. @throws ExpectedError, or an error of the file system. */
  async read<Result>(work: Work<Result>): Promise<Result | undefined> {
    return existsSync(this.#file) ? await this.#inTurn(work, 'read') : undefined;
  }

  /**
   * Changes what is remembered, completely or not at all. Resolves once it is on disk.
   * @param work may be called again if another program was faster.
   * @throws ExpectedError, or an error of the file system.
   */
  async change<Result>(work: Work<Result>): Promise<Result> {
    await makePrivateFolder(this.folder);
    const done = await this.#inTurn((database) => ({ result: work(database) }), 'change');
    if (done === undefined) throw new TypeError('A change begins with the table.');
    return done.result;
  }

  async #inTurn<Result>(work: Work<Result>, what: 'read' | 'change'): Promise<Result | undefined> {
    const deadline = performance.now() + waitMs;
    for (let isWhole = true; ;) {
      try {
        return transaction(this.#file, work, what);
      } catch (error) {
        const problem = sqliteProblem(error);
        if (problem === 'damaged' && isWhole) {
          isWhole = false;
          await this.#putAside();
        } else if (problem !== 'busy') throw asDiskError(error, this.#file);
        else if (performance.now() > deadline)
          throw new ExpectedError(t('Another program has locked "{0}". Close it or try again.', this.#file));
        else await pause(tryAgainMs);
      }
    }
  }

  /** Keeps what is damaged, for the person. Under a lock, so that no program puts the new file of another one aside. */
  async #putAside(): Promise<void> {
    const lock = await ProcessLock.wait(`${this.#file}.lock`, waitMs);
    try {
      if (lock === undefined || !isDamaged(this.#file)) return;
      const aside = path.join(this.folder, `memory.damaged-${randomUUID()}.db`);
      // First, since the next file must not be undone by it.
      await rename(`${this.#file}-journal`, `${aside}-journal`).catch((error: unknown) => {
        if (!isMissingFile(error)) throw error;
      });
      await rename(this.#file, aside);
      this.#onPutAside(
        t(
          'What this machine remembers could not be read. It is kept in "{0}", and a new memory starts.',
          aside,
        ),
      );
    } finally {
      lock?.release();
    }
  }
}

function transaction<Result>(file: string, work: Work<Result>, what: 'read' | 'change'): Result | undefined {
  if (what === 'change' && !existsSync(file)) makePrivate(file);
  const database = openDatabase(file);
  try {
    // Exclusive from the start, since a transaction that becomes one may fail at its end.
    database.exec(
      what === 'read'
        ? 'BEGIN'
        : `PRAGMA secure_delete = ON; PRAGMA max_page_count = ${pagesMax}; BEGIN EXCLUSIVE`,
    );
    const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (found >= version + 1_000)
      throw new ExpectedError(
        t('"{0}" was written by a newer version of Identity Queries. Update this one.', file),
      );
    if (found === 0) {
      if (what === 'read') return undefined;
      database.exec(
        `CREATE TABLE fact (noun TEXT, scope TEXT, key TEXT, value TEXT NOT NULL, UNIQUE (noun, scope, key));
        PRAGMA user_version = ${version}`,
      );
    }
    const result = work(database);
    database.exec('COMMIT');
    return result;
  } finally {
    database.close(); // undoes what was not committed
  }
}

function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Another program was faster, or SQLite says why it cannot be made.
  }
}

function isDamaged(file: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file);
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] !== 'ok';
  } catch (error) {
    return sqliteProblem(error) === 'damaged';
  } finally {
    database?.close();
  }
}
