/**
 * Temporary files that are renamed once they are complete. A later process removes those left by a killed process. A
 * file's name identifies its writer (see `draftEnding`), and files of running processes are kept.
 */
import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '../errors.ts';

/** Age at which a file without a running writer is removed. The writer may be running on another machine. */
export const leftAfterMs = 3_600_000;
/** Age at which a file is removed if its name does not identify the writer. */
export const leftUnownedAfterMs = 24 * leftAfterMs;

export interface LeftOverFolder {
  readonly folder: string;
  /** Whether to include subfolders. */
  readonly isDeep?: boolean;
}

/** @returns the number of removed files. Missing folders count as empty. */
export async function removeLeftOvers(
  folders: readonly LeftOverFolder[],
  now: number = Date.now(),
): Promise<number> {
  let removed = 0;
  for (const { folder, isDeep = false } of folders) {
    const entries = await entriesIn(folder);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const file = path.join(folder, entry.name);
      if (isDeep && entry.isDirectory()) removed += await removeLeftOvers([{ folder: file }], now);
      const limitMs = entry.isFile() ? limitOf(entry.name, names) : undefined;
      if (limitMs !== undefined && (await removeOlder(file, now - limitMs))) removed += 1;
    }
  }
  return removed;
}

/**
 * Removes subfolders in which nothing was written for some time.
 *
 * @param limitMs the age in milliseconds of the last entry that was added, renamed or removed.
 * @returns the number of removed folders. A missing folder counts as empty.
 */
export async function removeOldFolders(
  folder: string,
  limitMs: number,
  now: number = Date.now(),
): Promise<number> {
  let removed = 0;
  for (const entry of await entriesIn(folder)) {
    if (!entry.isDirectory()) continue;
    const old = path.join(folder, entry.name);
    if ((await modifiedAt(old)) > now - limitMs) continue;
    await rm(old, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** A missing folder is empty. */
async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** @returns milliseconds since 1970; infinity for a file that another window has removed. */
async function modifiedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isMissingFile(error)) return Infinity;
    throw error;
  }
}

/**
 * Returns the age in milliseconds at which to remove a file; undefined for a final file, or if its writer is running.
 */
function limitOf(name: string, names: ReadonlySet<string>): number | undefined {
  const pid = /(?:^|\.)(\d{1,10})\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
  if (pid !== undefined) return isAlive(Number(pid)) ? undefined : leftAfterMs;
  if (/\.(?:tmp|partial)$/.test(name)) return leftUnownedAfterMs;
  // The rows of a kept result that was never recorded; nothing refers to them.
  const isNameless = name.endsWith('.rows') && !names.has(`${name.slice(0, -'.rows'.length)}.json`);
  return isNameless ? leftUnownedAfterMs : undefined;
}

async function removeOlder(file: string, limit: number): Promise<boolean> {
  if ((await modifiedAt(file)) > limit) return false;
  try {
    await rm(file);
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false; // another window removed it first
    throw error;
  }
}

/** Returns whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
