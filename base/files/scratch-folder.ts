/**
 * Folders for what a process needs only while it runs: rows on their way, clones, sockets. A name has the machine and
 * the process, and the next process of the same person removes what a killed one left.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from './left-overs.ts';

/** A folder of temporary files may be shared by containers, whose processes have the same numbers. */
const machine = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 6);
const ofThisMachine = new RegExp(`^identity-queries-${machine}-(\\d{1,10})-[^-]+$`, 'u');

/** @returns a new folder that only this user can read. Whoever made it removes it. @throws an error of the file system */
export async function makeScratchFolder(parent: string = os.tmpdir()): Promise<string> {
  await removeLeft(parent);
  return await mkdtemp(path.join(parent, `identity-queries-${machine}-${process.pid}-`));
}

/** What cannot be removed stays: it must not hinder what the person asked for. */
async function removeLeft(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const pid = ofThisMachine.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(parent, name);
    if (await isOwnFolder(folder)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A folder of temporary files is everyone's: another user's folder, or a link, may have any name. */
async function isOwnFolder(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  } catch {
    return false; // another process removed it
  }
}
