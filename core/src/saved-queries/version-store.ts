/**
 * Local copies of saved-query versions seen on this machine, one file each, per connection. Versions that a colleague
 * replaces, deletes or takes offline remain readable. A version is immutable, so its file is written once, and windows
 * share the folder without coordination. File names contain everything needed for lookups and limits. Independent of
 * the editor.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Queue } from '#base/async/queue.ts';
import type { DisposableLike } from '#base/disposables.ts';
import { errorName, isMissingFile } from '#base/errors.ts';
import { makeFolders } from '#base/files/make-folders.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import type { Logger } from '#base/logger.ts';

/** `opened`: read or written on this machine. `listed`: received with a list, and dropped first. */
export type Sighting = 'opened' | 'listed';

export interface KeptVersion {
  readonly record: SavedQuery;
  /** Milliseconds since 1970 when the version was first seen. */
  readonly seenAt: number;
}

/** A version that the service or this machine has. */
export interface KnownVersion {
  readonly record: SavedQuery;
  /** Undefined if this machine has not kept it. */
  readonly seenAt: number | undefined;
}

export interface VersionStoreLimits {
  readonly versionsOfQuery: number;
  /** Maximum number per connection. */
  readonly versions: number;
  /** Maximum total size of the files per connection. */
  readonly bytes: number;
}

export const defaultLimits: VersionStoreLimits = {
  versionsOfQuery: 100,
  versions: 5_000,
  bytes: 64 * 1_048_576,
};

export interface VersionsChange {
  /** Undefined if several connections are affected. */
  readonly connection: string | undefined;
  /** Undefined if several queries are affected. */
  readonly queryId: string | undefined;
}

interface Entry {
  readonly file: string;
  readonly query: string;
  readonly version: number;
  /** Distinguishes different records of the same version, for example after a backup was restored. */
  readonly digest: string;
  readonly seenAt: number;
  readonly bytes: number;
  readonly sighting: Sighting;
}

export class VersionStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #limits: VersionStoreLimits;
  readonly #now: () => number;
  readonly #keyOf: (connection: string) => string | undefined;
  readonly #listeners = new Set<(change: VersionsChange) => void>();
  /** The files on disk as this window last saw them, by connection folder and file name. */
  readonly #known = new Map<string, Map<string, Entry>>();
  /** Tasks one at a time, so that limits stay exact and every version is written once. */
  readonly #work = new Queue();

  constructor(options: {
    /** Created on first use. */
    readonly folder: string;
    readonly log: Logger;
    readonly limits?: VersionStoreLimits;
    readonly now?: () => number;
    /** Returns the key of a connection's target. Until it is known, versions are stored under the connection's name. */
    readonly keyOf?: (connection: string) => string | undefined;
  }) {
    this.#folder = options.folder;
    this.#log = options.log;
    this.#limits = options.limits ?? defaultLimits;
    this.#now = options.now ?? Date.now;
    this.#keyOf = options.keyOf ?? (() => undefined);
  }

  /** The listener is called after this window added or removed versions. */
  onDidChange(listener: (change: VersionsChange) => void): DisposableLike {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * Stores a version that was read or written. Returns immediately. If storing fails, an error is logged and only this
   * copy is missing.
   */
  note(connection: string, record: SavedQuery): void {
    this.#queue(`keeping version ${record.version}`, () => this.#keep(connection, [record], 'opened'));
  }

  /**
   * Stores the listed versions as long as no others must be dropped. Versions of queries that were opened count as
   * opened.
   */
  noteListed(connection: string, records: readonly SavedQuery[]): void {
    this.#queue('keeping listed versions', () => this.#keep(connection, records, 'listed'));
  }

  /**
   * Returns the local versions of one query, newest first. Records with the same version number are sorted by time,
   * last seen first.
   */
  async versions(connection: string, queryId: string): Promise<readonly KeptVersion[]> {
    await this.#work.ended();
    const folder = await this.#folderOf(connection);
    const ofQuery = [...(await this.#loadFolder(folder)).values()].filter(
      (entry) => entry.query === hashOf(queryId),
    );
    // If two windows stored the same version at the same time, the first sighting counts.
    ofQuery.sort((a, b) => b.seenAt - a.seenAt);
    const entries = [...new Map(ofQuery.map((entry) => [versionKey(entry), entry])).values()];
    entries.sort((a, b) => b.version - a.version || b.seenAt - a.seenAt);
    const kept = await Promise.all(entries.map((entry) => this.#read(folder, entry)));
    return kept.filter((version) => version?.record.query_id === queryId).filter(isPresent);
  }

  async queryIds(connection: string): Promise<readonly string[]> {
    await this.#work.ended();
    const folder = await this.#folderOf(connection);
    const entries = [...(await this.#loadFolder(folder)).values()];
    const one = [...new Map(entries.map((entry) => [entry.query, entry])).values()];
    const kept = await Promise.all(one.map((entry) => this.#read(folder, entry)));
    return kept.flatMap((version) => (version === undefined ? [] : [version.record.query_id]));
  }

  /** Returns one version, or the newest if none is given. Undefined if it was never seen here or has been dropped. */
  async get(connection: string, queryId: string, version?: number): Promise<KeptVersion | undefined> {
    const all = await this.versions(connection, queryId);
    return version === undefined ? all[0] : all.find((kept) => kept.record.version === version);
  }

  /** Deletes all versions, those of one connection, or those of one query. @returns the number of deleted versions. */
  async clear(connection?: string, queryId?: string): Promise<number> {
    let count = 0;
    await this.#work.add(async () => {
      const folders =
        connection === undefined ? await this.#connections() : [await this.#folderOf(connection)];
      for (const folder of folders) {
        for (const entry of (await this.#loadFolder(folder)).values()) {
          if (queryId !== undefined && entry.query !== hashOf(queryId)) continue;
          await this.#remove(folder, entry);
          count += 1;
        }
      }
    });
    this.#fire({ connection, queryId });
    return count;
  }

  /** Resolves when all versions noted so far are on disk. */
  async flush(): Promise<void> {
    await this.#work.ended();
  }

  async #keep(connection: string, records: readonly SavedQuery[], sighting: Sighting): Promise<void> {
    const folder = await this.#folderOf(connection);
    // Read again, because another window may have stored the same version.
    const known = await this.#loadFolder(folder);
    const opened = new Set([...known.values()].filter(isOpened).map((entry) => entry.query));
    const byVersion = new Map([...known.values()].map((entry) => [versionKey(entry), entry]));
    let [count, bytes] = totals(known);
    const changed = new Set<string>();
    for (const record of records) {
      const query = hashOf(record.query_id);
      const text = JSON.stringify(record);
      const size = Buffer.byteLength(text);
      const how = sighting === 'opened' || opened.has(query) ? 'opened' : 'listed';
      const wanted = { query, version: record.version, digest: digestOf(record) };
      const before = byVersion.get(versionKey(wanted));
      if (before !== undefined && (before.sighting === 'opened' || how === 'listed')) continue;
      const isFull = count >= this.#limits.versions || bytes + size > this.#limits.bytes;
      if (how === 'listed' && isFull) continue;
      const entry = entryOf({ ...wanted, seenAt: before?.seenAt ?? this.#now(), bytes: size, sighting: how });
      if (before === undefined) await this.#write(folder, entry, text);
      else await this.#rename(folder, before, entry);
      known.set(entry.file, entry);
      byVersion.set(versionKey(entry), entry);
      if (before === undefined) [count, bytes] = [count + 1, bytes + size];
      changed.add(record.query_id);
    }
    if (changed.size === 0) return;
    await this.#shrink(folder, known);
    const [only] = changed;
    this.#fire({ connection, queryId: changed.size === 1 ? only : undefined });
  }

  /** Enforces the limits. Listed versions are dropped first, then those seen longest ago. */
  async #shrink(folder: string, known: Map<string, Entry>): Promise<void> {
    const ofQuery = new Map<string, number>();
    let [count, bytes] = totals(known);
    for (const entry of known.values()) ofQuery.set(entry.query, (ofQuery.get(entry.query) ?? 0) + 1);
    const order = [...known.values()].sort(
      (a, b) => Number(isOpened(a)) - Number(isOpened(b)) || a.seenAt - b.seenAt || a.version - b.version,
    );
    for (const entry of order) {
      const inQuery = ofQuery.get(entry.query) ?? 0;
      const isOver = count > this.#limits.versions || bytes > this.#limits.bytes;
      if (!isOver && inQuery <= this.#limits.versionsOfQuery) continue;
      await this.#remove(folder, entry);
      ofQuery.set(entry.query, inQuery - 1);
      [count, bytes] = [count - 1, bytes - entry.bytes];
    }
  }

  /**
   * Returns the folder of the connection's target. Versions that were stored under the connection's name are moved
   * there.
   */
  async #folderOf(connection: string): Promise<string> {
    const byName = hashOf(connection);
    const key = this.#keyOf(connection);
    if (key === undefined) return byName;
    const folder = hashOf(`key\n${key}`);
    const files = await namesIn(path.join(this.#folder, byName));
    if (files.length > 0) {
      await makeFolders(path.join(this.#folder, folder), { mode: 0o700 });
      for (const file of files) {
        await unlessMoved(
          rename(path.join(this.#folder, byName, file), path.join(this.#folder, folder, file)),
        );
      }
      await unlessMoved(rmdir(path.join(this.#folder, byName)));
      for (const each of [byName, folder]) this.#known.delete(each);
    }
    return folder;
  }

  /** Reads the file names again to find versions stored by other windows. */
  async #loadFolder(folder: string): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const file of await namesIn(path.join(this.#folder, folder))) {
      const entry = parseEntry(file);
      if (entry !== undefined) entries.set(file, entry);
    }
    this.#known.set(folder, entries);
    return entries;
  }

  async #connections(): Promise<readonly string[]> {
    return (await namesIn(this.#folder)).filter((name) => /^[0-9a-f]{16}$/.test(name));
  }

  async #read(folder: string, entry: Entry): Promise<KeptVersion | undefined> {
    const file = path.join(this.#folder, folder, entry.file);
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      const [{ decodeNeeded }, contract] = await Promise.all([
        import('#api/client/answers/decode.ts'),
        import('#api/contract/saved-queries.ts'),
      ]);
      // As tolerant as the client that received the record.
      const needed = ['query_id', 'name', 'query_string', 'model', 'version'] as const;
      const context = { status: 200, requestId: undefined, request: 'a kept version' };
      return { record: decodeNeeded(contract.SavedQuery, needed, { value, context }), seenAt: entry.seenAt };
    } catch (error) {
      // The file was dropped by another window or is damaged, so the version counts as unknown.
      this.#log.debug(`a kept version could not be read: ${errorName(error)}`);
      return undefined;
    }
  }

  async #write(folder: string, entry: Entry, text: string): Promise<void> {
    const directory = path.join(this.#folder, folder);
    const file = path.join(directory, entry.file);
    try {
      await writePrivateFile(file, text);
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      await makePrivateFolder(directory);
      await writePrivateFile(file, text);
    }
  }

  async #rename(folder: string, from: Entry, to: Entry): Promise<void> {
    const directory = path.join(this.#folder, folder);
    await rename(path.join(directory, from.file), path.join(directory, to.file));
    this.#known.get(folder)?.delete(from.file);
  }

  async #remove(folder: string, entry: Entry): Promise<void> {
    await rm(path.join(this.#folder, folder, entry.file), { force: true });
    this.#known.get(folder)?.delete(entry.file);
  }

  #queue(what: string, work: () => Promise<void>): void {
    void this.#work
      .add(work)
      .catch((error: unknown) => this.#log.warn(`${what} failed: ${errorName(error)}`));
  }

  #fire(change: VersionsChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/**
 * Returns the versions of both, newest first. Records with the same number are sorted by time, last seen first, after
 * what only the service has.
 */
export function mergeVersions(
  fromService: readonly SavedQuery[],
  kept: readonly KeptVersion[],
): readonly KnownVersion[] {
  const keyOf = (record: SavedQuery): string => `${record.version} ${digestOf(record)}`;
  const isKept = new Set(kept.map(({ record }) => keyOf(record)));
  const others = fromService
    .filter((record) => !isKept.has(keyOf(record)))
    .map((record) => ({ record, seenAt: undefined }));
  return [...others, ...kept].toSorted((a, b) => b.record.version - a.record.version);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function digestOf(record: SavedQuery): string {
  const { name, model, description, query_string } = record;
  return hashOf(JSON.stringify([name, model, description ?? '', query_string])).slice(0, 8);
}

function entryOf(fields: Omit<Entry, 'file'>): Entry {
  const { query, version, digest, seenAt, bytes, sighting } = fields;
  const file = `${query}-${version}-${digest}-${seenAt}-${bytes}-${sighting}.json`;
  return { ...fields, file };
}

function parseEntry(file: string): Entry | undefined {
  const match = /^([0-9a-f]{16})-(\d+)-([0-9a-f]{8})-(\d+)-(\d+)-(opened|listed)\.json$/.exec(file);
  if (match === null) return undefined;
  const [, query = '', version, digest = '', seenAt, bytes, sighting] = match;
  return {
    file,
    query,
    version: Number(version),
    digest,
    seenAt: Number(seenAt),
    bytes: Number(bytes),
    sighting: sighting === 'opened' ? 'opened' : 'listed',
  };
}

function versionKey(entry: Pick<Entry, 'query' | 'version' | 'digest'>): string {
  return `${entry.query}-${entry.version}-${entry.digest}`;
}

function isOpened(entry: Entry): boolean {
  return entry.sighting === 'opened';
}

function totals(known: ReadonlyMap<string, Entry>): [count: number, bytes: number] {
  let bytes = 0;
  for (const entry of known.values()) bytes += entry.bytes;
  return [known.size, bytes];
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** Ignores errors that occur when another window is moving or writing the same file. */
async function unlessMoved(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isRefilled = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
    if (!isMissingFile(error) && !isRefilled) throw error;
  }
}
