/**
 * Installs, updates and removes the packs of a folder, and finds local changes. Never executes anything from a pack.
 */
import { lstat, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { FileRefusal, readBounded, removeWithin, writeWithin } from '#base/files/bounded-file.ts';
import { mergePack, type FileChange, type Texts } from './merge-pack.ts';
import { fileBytesMax } from './pack-files.ts';
import {
  basePath,
  lockFile,
  packsFolder,
  parseBase,
  parseLock,
  writeBase,
  writeLock,
  type LockedPack,
  type PackSource,
} from './pack-lock.ts';
import { manifestFile, parseManifest, type PackManifest } from './pack-manifest.ts';
import { digestOf, type Pack } from './read-pack.ts';

export type StoreProblem =
  /** The lock file, or the file with the installed pack, was not written by this program. */
  | 'lock'
  | 'base'
  /** Part of the path is a link, which may lead out of the folder. */
  | 'link'
  | 'notInstalled'
  /** The tag that is installed names another commit now. `file` has both. */
  | 'moved'
  /** The pack's folder already exists but is not an installed pack. */
  | 'taken';

export class PackStoreError extends Error {
  readonly problem: StoreProblem;
  /** Path relative to the folder. */
  readonly file: string;

  constructor(problem: StoreProblem, file: string) {
    super(`${problem}: ${file}`);
    this.name = 'PackStoreError';
    this.problem = problem;
    this.file = file;
  }
}

export interface PlannedInstall {
  readonly pack: Pack;
  readonly source: PackSource;
  readonly commit: string | undefined;
  /** Undefined if the pack is not yet installed. */
  readonly before: LockedPack | undefined;
  readonly changes: readonly FileChange[];
}

export class PackStore {
  readonly #folder: string;

  /** @param folder the open folder, or the current directory. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws PackStoreError */
  async list(): Promise<readonly LockedPack[]> {
    const text = await this.#read(lockFile);
    if (text === undefined) return [];
    const packs = parseLock(text);
    if (packs === undefined) throw new PackStoreError('lock', lockFile);
    return packs;
  }

  /** Returns the paths of the files that were changed or deleted since installation. @throws PackStoreError */
  async changedFiles({ name, files }: LockedPack): Promise<readonly string[]> {
    const mine = await this.#textsOf(name, Object.keys(files));
    return Object.entries(files).flatMap(([file, digest]) => {
      const text = mine.get(file);
      return text !== undefined && digestOf(text) === digest ? [] : [file];
    });
  }

  /** Plans an installation without writing anything. @throws PackStoreError */
  async plan(pack: Pack, source: PackSource, commit?: string): Promise<PlannedInstall> {
    const { name } = pack.manifest;
    const before = (await this.list()).find((each) => each.name === name);
    if (before === undefined && (await this.#isTaken(name)))
      throw new PackStoreError('taken', `${packsFolder}/${name}`);
    if (before !== undefined && hasMoved(before, source, commit))
      throw new PackStoreError('moved', `${source.tag ?? ''}: ${before.commit ?? '?'}, ${commit ?? '?'}`);
    const base = before === undefined ? new Map<string, string>() : await this.#baseOf(before);
    const paths = new Set([...base.keys(), ...pack.files.keys()]);
    const mine = await this.#textsOf(name, paths);
    return { pack, source, commit, before, changes: mergePack(base, mine, pack.files) };
  }

  /** @throws PackStoreError */
  async install({ pack, source, commit, changes }: PlannedInstall): Promise<LockedPack> {
    const { name, version } = pack.manifest;
    for (const { path: file, kind, text } of changes) {
      const target = `${packsFolder}/${name}/${file}`;
      if (text !== undefined) await this.#write(target, text);
      else if (kind === 'delete') await this.#delete(target);
    }
    const locked: LockedPack = {
      name,
      version,
      source,
      ...(commit === undefined ? {} : { commit }),
      files: Object.fromEntries([...pack.files].map(([file, text]) => [file, digestOf(text)])),
    };
    await this.#write(basePath(name), writeBase(pack.files));
    const others = (await this.list()).filter((each) => each.name !== name);
    await this.#write(lockFile, writeLock([...others, locked]));
    return locked;
  }

  /** Removes a pack but keeps changed files. @returns the kept files. @throws PackStoreError */
  async remove(name: string): Promise<readonly string[]> {
    const packs = await this.list();
    const pack = packs.find((each) => each.name === name);
    if (pack === undefined) throw new PackStoreError('notInstalled', name);
    const mine = await this.#textsOf(name, Object.keys(pack.files));
    const kept: string[] = [];
    for (const [file, digest] of Object.entries(pack.files)) {
      const text = mine.get(file);
      if (text === undefined) continue;
      if (digestOf(text) === digest) await this.#delete(`${packsFolder}/${name}/${file}`);
      else kept.push(`${packsFolder}/${name}/${file}`);
    }
    await this.#delete(basePath(name));
    await this.#write(lockFile, writeLock(packs.filter((each) => each.name !== name)));
    return kept;
  }

  /** Returns the manifests of installed packs, excluding unreadable ones. @throws PackStoreError */
  async manifests(): Promise<readonly PackManifest[]> {
    const found: PackManifest[] = [];
    for (const { name } of await this.list()) {
      const text = await this.#read(`${packsFolder}/${name}/${manifestFile}`);
      const parsed = text === undefined ? undefined : parseManifest(text);
      if (parsed !== undefined && 'manifest' in parsed) found.push(parsed.manifest);
    }
    return found;
  }

  async #baseOf(locked: LockedPack): Promise<Texts> {
    const file = basePath(locked.name);
    const text = await this.#read(file);
    const base = text === undefined ? undefined : parseBase(text);
    const isWhole =
      base !== undefined &&
      Object.entries(locked.files).every(([each, digest]) => digestOf(base.get(each) ?? '') === digest);
    if (!isWhole) throw new PackStoreError('base', file);
    return base;
  }

  async #textsOf(name: string, files: Iterable<string>): Promise<Texts> {
    const texts = new Map<string, string>();
    for (const file of files) {
      const text = await this.#read(`${packsFolder}/${name}/${file}`);
      if (text !== undefined) texts.set(file, text);
    }
    return texts;
  }

  async #isTaken(name: string): Promise<boolean> {
    await this.#requireNoLink(packsFolder);
    return (await statOf(this.#at(`${packsFolder}/${name}`))) !== undefined;
  }

  async #read(file: string): Promise<string | undefined> {
    try {
      // Large enough for the file that stores a whole pack as it was installed.
      const limits = { maxBytes: 100 * fileBytesMax, within: this.#folder };
      return (await readBounded(this.#at(file), limits)).toString('utf8');
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      if (error.code === 'link') throw new PackStoreError('link', file);
      // A lock file that cannot be read is not an empty one.
      if (file === lockFile && error.code !== 'missing') throw new PackStoreError('lock', file);
      return undefined;
    }
  }

  async #write(file: string, text: string): Promise<void> {
    try {
      await writeWithin(this.#folder, this.#at(file), text);
    } catch (error) {
      throw refusalIn(file, error);
    }
  }

  /** Deletes a file and any folders that become empty. */
  async #delete(file: string): Promise<void> {
    try {
      await removeWithin(this.#folder, this.#at(file));
    } catch (error) {
      throw refusalIn(file, error);
    }
    for (let under = path.posix.dirname(file); under.includes('/'); under = path.posix.dirname(under)) {
      const isGone = await rmdir(this.#at(under)).then(
        () => true,
        () => false, // not empty
      );
      if (!isGone) return;
    }
  }

  /** The folder is untrusted; a link in it could redirect writes. */
  async #requireNoLink(file: string): Promise<void> {
    const parts = file.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const part = parts.slice(0, count).join('/');
      if ((await statOf(this.#at(part)))?.isSymbolicLink() === true) throw new PackStoreError('link', part);
    }
  }

  #at(file: string): string {
    return path.join(this.#folder, ...file.split('/'));
  }
}

const refusalIn = (file: string, error: unknown): unknown =>
  error instanceof FileRefusal && error.code === 'link' ? new PackStoreError('link', file) : error;

function hasMoved(
  before: LockedPack,
  { kind, address, tag }: PackSource,
  commit: string | undefined,
): boolean {
  const { source } = before;
  const isSame = kind === 'git' && source.kind === 'git' && source.address === address && source.tag === tag;
  return isSame && before.commit !== commit;
}

async function statOf(file: string) {
  try {
    return await lstat(file);
  } catch {
    return undefined; // it does not exist, or its parent is not a folder
  }
}
