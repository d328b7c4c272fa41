/** Shares one sandbox per folder between editor windows, as long as any of them is alive. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isMissingFile } from '#base/errors.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { isAlive } from '#base/files/left-overs.ts';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import { asDiskError, sqliteProblem } from '#base/files/sqlite.ts';
import { requireSqlite } from './store/sqlite.ts';
import { sameSecret } from './tokens.ts';

/** Thrown if another process already serves this folder. */
export class FolderInUseError extends Error {}

/** Exit code if another process already serves the folder. */
export const folderInUseExitCode = 3;

/**
 * Locks the folder until this process exits, even if it crashes: the operating system releases the lock, so it can
 * never be stale.
 * @throws FolderInUseError
 */
export function holdFolder(folder: string): void {
  const unusable = (why: string, cause: unknown) =>
    new Error(`The folder ${folder} cannot be used: ${why}.`, { cause });
  try {
    makeFoldersSync(folder, 0o700);
  } catch (error) {
    throw unusable(existsSync(folder) ? 'a file has this name' : (diskWords(error) ?? String(error)), error);
  }
  const { DatabaseSync: Database } = requireSqlite('its lock');
  const file = path.join(folder, 'running.sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (sqliteProblem(error) !== 'busy')
      throw unusable(
        (existsSync(file) && statSync(file).isDirectory() ? 'running.sqlite is a folder' : undefined) ??
          diskWords(asDiskError(error, file)) ??
          `running.sqlite: ${error instanceof Error ? error.message : String(error)}`,
        error,
      );
    throw new FolderInUseError(
      `Another process already serves ${folder}. End that one, or choose another folder.`,
      { cause: error },
    );
  }
  // The listener also keeps the database from being garbage collected, which would release the lock.
  process.once('exit', () => database.close());
}

/** Returns whether the process of any window with a lease file is alive. */
export function hasLiveLease(folder: string): boolean {
  return liveLeases(folder).length > 0;
}

/**
 * Returns whether a client secret belongs to a window. Each window's file contains the hash of a secret known only to
 * that window, so secrets differ between windows and are never stored.
 */
export function isSecretOfLease(folder: string, secret: string): boolean {
  const digest = createHash('sha256').update(secret).digest('hex');
  return liveLeases(folder).some((name) =>
    sameSecret(
      unlessGone(() => readFileSync(path.join(folder, name), 'utf8'), ''),
      digest,
    ),
  );
}

/** Publishes the sandbox's address for windows opened later. The record contains no secret. */
export function announceTo(folder: string, record: Readonly<Record<string, string | number>>): void {
  const file = path.join(folder, 'running.json');
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

/** Returns the live leases and removes those of crashed windows, since process IDs are reused. */
function liveLeases(folder: string): readonly string[] {
  const leases = unlessGone(() => readdirSync(folder), []).filter((name) => /^\d+$/.test(name));
  const isLive = (name: string): boolean => isAlive(Number(name));
  for (const name of leases) if (!isLive(name)) rmSync(path.join(folder, name), { force: true });
  return leases.filter(isLive);
}

/** A window may leave, or have its database forgotten, with the folder, while the service looks. */
function unlessGone<Result>(read: () => Result, gone: Result): Result {
  try {
    return read();
  } catch (error) {
    if (isMissingFile(error)) return gone;
    throw error;
  }
}
