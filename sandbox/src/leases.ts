/** Shares one sandbox per folder between editor windows, for as long as one of them is alive. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireSqlite } from './store/sqlite.ts';
import { sameSecret } from './tokens.ts';

/** Another process serves this folder. */
export class FolderInUseError extends Error {}

/** Exit code if another process serves the folder. */
export const folderInUseExitCode = 3;

/**
 * Locks the folder until this process ends in any way: the operating system releases the lock, so none is stale.
 * @throws FolderInUseError
 */
export function holdFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { DatabaseSync } = requireSqlite('its lock');
  const database = new DatabaseSync(path.join(folder, 'running.sqlite'));
  try {
    database.exec('BEGIN EXCLUSIVE');
    // Also keeps the database, and with it the lock, from being garbage collected.
    process.once('exit', () => database.close());
  } catch (error) {
    database.close();
    throw new FolderInUseError(`Another sandbox runs in ${folder}.`, { cause: error });
  }
}

/** Whether any window with a lease file is alive, by its process ID. */
export function hasLiveLease(folder: string): boolean {
  return liveLeases(folder).length > 0;
}

/**
 * Whether a client secret belongs to a window: each window's file contains the hash of a secret that only the window
 * knows, so windows have separate secrets, none of which is ever stored.
 */
export function isSecretOfLease(folder: string, secret: string): boolean {
  const digest = createHash('sha256').update(secret).digest('hex');
  return liveLeases(folder).some((name) => sameSecret(readFileSync(path.join(folder, name), 'utf8'), digest));
}

/** Publishes the sandbox's address for windows opened later; contains no secret. */
export function announceTo(folder: string, record: Readonly<Record<string, string | number>>): void {
  const file = path.join(folder, 'running.json');
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

/** Removes leases of crashed windows, since their process IDs may be reused. */
function liveLeases(folder: string): readonly string[] {
  const leases = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  const isLive = (name: string): boolean => isAlive(Number(name));
  for (const name of leases) if (!isLive(name)) rmSync(path.join(folder, name), { force: true });
  return leases.filter(isLive);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
