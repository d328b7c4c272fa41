/**
 * Stores confirmations in local files, one file each, written atomically. The file name identifies the owning window:
 * `<id>.<owner>.json`. A closing window leaves its files behind. Another window takes over a file by renaming it, which
 * succeeds in only one window.
 */
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { isOver, reopened, type Confirmation } from './change.ts';

/** Number of ended confirmations to keep. */
const keptMax = 200;
/**
 * A file that was not touched for this long has no owner, unless its window still holds its lock: a machine may have
 * slept. Windows touch their files three times as often.
 */
export const orphanedAfterMs = 90_000;

/** The owner of files that a closed window left behind. */
const nobody = '00000000-0000-0000-0000-000000000000';

interface KeptFile {
  readonly id: string;
  readonly owner: string;
  readonly file: string;
}

export class ChangeStore {
  readonly #folder: string;
  readonly #owner = randomUUID();
  readonly #released = new Set<string>();
  #lock: ProcessLock | undefined;

  /** @param folder created when something is first stored. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Stores a confirmation; resolves once it is on disk.
   * @throws a file system error, or an error if the confirmation was released to other windows.
   */
  async save(confirmation: Confirmation): Promise<void> {
    await makePrivateFolder(this.#folder);
    this.#claim();
    await writePrivateFile(this.#file(confirmation.id, this.#owner), JSON.stringify(confirmation), () => {
      // Two windows must never own the same confirmation.
      if (this.#released.has(confirmation.id)) throw new Error('this change was left to other windows');
    });
  }

  /** Returns all stored confirmations, newest first. Skips unreadable files. */
  async list(): Promise<readonly Confirmation[]> {
    const files = await this.#files();
    const kept = await Promise.all(files.map(({ file }) => read(file)));
    const known = kept.filter((confirmation) => confirmation !== undefined);
    // A confirmation may exist twice while its owner changes.
    const byId = new Map(known.map((confirmation) => [confirmation.id, confirmation]));
    return [...byId.values()].sort((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** Signals that this window still owns its confirmations. */
  async touch(ids: readonly string[]): Promise<void> {
    const now = new Date();
    for (const id of ids) {
      // If this fails because the file is being replaced, it was just written.
      await utimes(this.#file(id, this.#owner), now, now).catch(() => undefined);
    }
  }

  /**
   * Takes over unfinished confirmations that have no owner, for one connection only, since others need a different
   * client.
   */
  async adopt(connectionKey: string, now: number): Promise<readonly Confirmation[]> {
    const adopted: Confirmation[] = [];
    for (const { id, owner, file } of await this.#files()) {
      if (owner === this.#owner) continue;
      const confirmation = await read(file);
      if (confirmation?.connectionKey !== connectionKey || isOver(confirmation)) continue;
      try {
        const isRecent = now - (await stat(file)).mtimeMs < orphanedAfterMs;
        if (owner !== nobody && (isRecent || this.#isAlive(owner))) continue;
        this.#claim();
        await rename(file, this.#file(id, this.#owner));
        this.#released.delete(id);
        adopted.push(confirmation);
      } catch (error) {
        if (!isMissingFile(error)) throw error; // another window took it over first
      }
    }
    return adopted;
  }

  /**
   * Takes over an ended confirmation to look for its unclear outcomes again. At most one window gets it.
   * @returns undefined if there is nothing to look for, or another window is looking.
   */
  async reopen(id: string): Promise<Confirmation | undefined> {
    // A rename alone is not enough: the file has an owner's name before and after, so a second window could take it too.
    const lock = ProcessLock.try(path.join(this.#folder, `${id}.lock`));
    if (lock === undefined) return undefined;
    try {
      for (const each of await this.#files()) {
        if (each.id !== id) continue;
        const confirmation = await read(each.file);
        const open = confirmation === undefined ? undefined : reopened(confirmation);
        if (open === undefined) continue;
        this.#released.delete(id);
        await this.save(open);
        if (each.owner !== this.#owner) await rm(each.file, { force: true });
        return open;
      }
      return undefined;
    } finally {
      lock.end();
    }
  }

  /**
   * Releases this window's confirmations to other windows. Synchronous, since a closing window does not wait. After a
   * reload, the window takes them over again.
   */
  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.#released.add(id);
      try {
        renameSync(this.#file(id, this.#owner), this.#file(id, nobody));
      } catch (error) {
        // The file was never written or is already taken, so there is nothing to release.
        if (!isMissingFile(error)) throw error;
      }
    }
  }

  /** Ends the claim of a closing window to what it did not release. */
  dispose(): void {
    this.#lock?.end();
  }

  /** Deletes ended confirmations; unfinished ones are kept. */
  async clear(): Promise<void> {
    for (const { file } of await this.#files()) {
      const confirmation = await read(file);
      if (confirmation === undefined || isOver(confirmation)) await rm(file, { force: true });
    }
  }

  /** Deletes the oldest ended confirmations beyond the limit. */
  async trim(): Promise<void> {
    const ended: { readonly file: string; readonly at: number }[] = [];
    for (const { file } of await this.#files()) {
      const confirmation = await read(file);
      if (confirmation !== undefined && isOver(confirmation))
        ended.push({ file, at: confirmation.confirmedAt });
    }
    ended.sort((a, b) => b.at - a.at);
    for (const { file } of ended.slice(keptMax)) await rm(file, { force: true });
  }

  /** Shows other windows that this one lives. Where there are no locks, as on some network drives, the time does. */
  #claim(): void {
    try {
      this.#lock ??= ProcessLock.try(this.#lockFile(this.#owner));
    } catch {
      // Its files are touched.
    }
  }

  #isAlive(owner: string): boolean {
    try {
      const lock = ProcessLock.try(this.#lockFile(owner));
      lock?.end();
      return lock === undefined;
    } catch {
      return false;
    }
  }

  #lockFile(owner: string): string {
    return path.join(this.#folder, `${owner}.lock`);
  }

  async #files(): Promise<readonly KeptFile[]> {
    try {
      return (await readdir(this.#folder)).flatMap((name) => {
        const match = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.json$/.exec(name);
        return match?.[1] === undefined || match[2] === undefined
          ? []
          : [{ id: match[1], owner: match[2], file: path.join(this.#folder, name) }];
      });
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  #file(id: string, owner: string): string {
    return path.join(this.#folder, `${id}.${owner}.json`);
  }
}

async function read(file: string): Promise<Confirmation | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const isOurs =
      typeof value === 'object' && value !== null && 'targets' in value && Array.isArray(value.targets);
    return isOurs ? (value as Confirmation) : undefined; // `save` wrote it atomically
  } catch (error) {
    if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
