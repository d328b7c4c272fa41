/**
 * Confirmations in files of this machine, one each, written whole or not at all. The name says which window looks after
 * it: `<id>.<owner>.json`. A window that ends leaves its files behind; another takes one over by renaming it, which only
 * one window can.
 */
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isOver, type Confirmation } from './change.ts';
import { isMissingFile } from '../util/errors.ts';
import { draftEnding } from '../util/left-overs.ts';
import { makePrivateFolder, writePrivateFile } from '../util/private-file.ts';

/** Confirmations that have ended and are kept. */
const keptMax = 200;
/** A file that its window has not touched for so long is nobody's. Windows touch theirs three times as often. */
export const orphanedAfterMs = 90_000;

/** The owner of what a window left when it closed. */
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

  /** @param folder is made when something is first kept. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when the confirmation is on disk. @throws Error of the file system, or when it was left to others. */
  async save(confirmation: Confirmation): Promise<void> {
    await makePrivateFolder(this.#folder);
    const draft = path.join(this.#folder, draftEnding());
    try {
      await writePrivateFile(draft, JSON.stringify(confirmation));
      // Two windows must not both look after it.
      if (this.#released.has(confirmation.id)) throw new Error('this change was left to other windows');
      await rename(draft, this.#file(confirmation.id, this.#owner));
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Every confirmation that is kept, the newest first. What cannot be read is left out. */
  async list(): Promise<readonly Confirmation[]> {
    const files = await this.#files();
    const kept = await Promise.all(files.map(({ file }) => read(file)));
    const known = kept.filter((confirmation) => confirmation !== undefined);
    // While one changes hands it may be there twice.
    const byId = new Map(known.map((confirmation) => [confirmation.id, confirmation]));
    return [...byId.values()].sort((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** Says that this window still looks after its confirmations. */
  async touch(ids: readonly string[]): Promise<void> {
    const now = new Date();
    for (const id of ids) {
      // A file that is being replaced has just been written.
      await utimes(this.#file(id, this.#owner), now, now).catch(() => undefined);
    }
  }

  /** Takes over what no window looks after any more and is not over, of one connection: others need another client. */
  async adopt(connectionKey: string, now: number): Promise<readonly Confirmation[]> {
    const adopted: Confirmation[] = [];
    for (const { id, owner, file } of await this.#files()) {
      if (owner === this.#owner) continue;
      const confirmation = await read(file);
      if (confirmation?.connectionKey !== connectionKey || isOver(confirmation)) continue;
      try {
        if (owner !== nobody && now - (await stat(file)).mtimeMs < orphanedAfterMs) continue;
        await rename(file, this.#file(id, this.#owner));
        this.#released.delete(id);
        adopted.push(confirmation);
      } catch (error) {
        if (!isMissingFile(error)) throw error; // another window was faster
      }
    }
    return adopted;
  }

  /**
   * Leaves what this window looks after to any other. Without waiting: a window that closes does not wait, and a reload
   * is to go on where it was.
   */
  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.#released.add(id);
      try {
        renameSync(this.#file(id, this.#owner), this.#file(id, nobody));
      } catch (error) {
        // Never written, or taken away: then there is nothing to leave.
        if (!isMissingFile(error)) throw error;
      }
    }
  }

  /** Forgets what has ended; what has not stays. */
  async clear(): Promise<void> {
    for (const { file } of await this.#files()) {
      const confirmation = await read(file);
      if (confirmation === undefined || isOver(confirmation)) await rm(file, { force: true });
    }
  }

  /** Forgets the oldest of what has ended, beyond the number that is kept. */
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
    return isOurs ? (value as Confirmation) : undefined; // written by `save`, whole
  } catch (error) {
    if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
