/**
 * Files that are written beside their place and then take it. What a process that was killed left of them is removed by a
 * later one: the name says whose it is, and nothing is touched that a process still has, or may have.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from './errors.ts';

/** The end of the name of a file that is on its way to its place. */
export function draftEnding(): string {
  return `${process.pid}.${randomUUID()}.tmp`;
}

/** What was not touched for this long is nobody's: written on another machine, or by a process with a used number. */
export const leftAfterMs = 3_600_000;
/** Where a name does not say who writes. */
export const leftUnownedAfterMs = 24 * leftAfterMs;

export interface LeftOverFolder {
  readonly folder: string;
  /** Whether its folders are looked at too. */
  readonly isDeep?: boolean;
}

/** @returns how many files were removed. Folders that are not there have none. */
export async function removeLeftOvers(
  folders: readonly LeftOverFolder[],
  now: number = Date.now(),
): Promise<number> {
  let removed = 0;
  for (const { folder, isDeep = false } of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissingFile(error)) return [];
      throw error;
    });
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

/** Milliseconds after which a file is left over; undefined for one that is in its place, or whose process lives. */
function limitOf(name: string, names: ReadonlySet<string>): number | undefined {
  const pid = /(?:^|\.)(\d{1,10})\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
  if (pid !== undefined) return isAlive(Number(pid)) ? undefined : leftAfterMs;
  if (/\.(?:tmp|partial)$/.test(name)) return leftUnownedAfterMs;
  // Rows of a kept result whose name was never written: nothing leads to them.
  const isNameless = name.endsWith('.rows') && !names.has(`${name.slice(0, -'.rows'.length)}.json`);
  return isNameless ? leftUnownedAfterMs : undefined;
}

async function removeOlder(file: string, limit: number): Promise<boolean> {
  try {
    if ((await stat(file)).mtimeMs > limit) return false;
    await rm(file);
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false; // another window was faster
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
