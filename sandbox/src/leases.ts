/** A sandbox that belongs to the windows of an editor: one at a time for a folder, for as long as one of them is alive. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireSqlite } from './store/sqlite.ts';
import { sameSecret } from './tokens.ts';

/** Another process serves this folder. */
export class FolderInUseError extends Error {}

/** What the process ends with when another one serves the folder. */
export const folderInUseExitCode = 3;

/**
 * Keeps every other process off the folder until this one ends, however it ends: the operating system lets go of the
 * lock, so none is ever left behind.
 * @throws FolderInUseError
 */
export function holdFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { DatabaseSync } = requireSqlite('its lock');
  const database = new DatabaseSync(path.join(folder, 'running.sqlite'));
  try {
    database.exec('BEGIN EXCLUSIVE');
    // Also keeps the database, and with it the lock, from being collected.
    process.once('exit', () => database.close());
  } catch (error) {
    database.close();
    throw new FolderInUseError(`Another sandbox runs in ${folder}.`, { cause: error });
  }
}

/** Whether a window that left its process number in the folder, as the name of a file, is alive. */
export function hasLiveLease(folder: string): boolean {
  return liveLeases(folder).length > 0;
}

/**
 * Whether a client secret is that of a window: its file holds the hash of a secret that only the window knows. So every
 * window has its own, and none is ever written down.
 */
export function isSecretOfLease(folder: string, secret: string): boolean {
  const digest = createHash('sha256').update(secret).digest('hex');
  return liveLeases(folder).some((name) => sameSecret(readFileSync(path.join(folder, name), 'utf8'), digest));
}

/** Tells windows that come later where the sandbox is; nothing in it is secret. */
export function announceTo(folder: string, record: Readonly<Record<string, string | number>>): void {
  const file = path.join(folder, 'running.json');
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

/** Takes away what crashed windows left: their numbers may come to mean other processes. */
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
    // There is such a process, and it is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
