/**
 * This person's exports, in one local file: each request and its state. The link of an export is a secret and never
 * stored: it is requested each time. Partial files are recorded before their bytes, since a closing window does not
 * wait.
 */
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../util/failure.ts';
import { ProcessLock } from '../util/files/process-lock.ts';
import { t } from '../util/texts.ts';
import { isExportPart, type ExportPart } from './export-part.ts';
import { isMissingFile } from '../util/errors.ts';
import { draftEnding } from '../util/files/left-overs.ts';
import { makePrivateFolder, writePrivateFile } from '../util/files/private-file.ts';

export interface KnownExport {
  /** The service's ID of the download request. */
  readonly id: string;
  readonly connectionKey: string;
  readonly connection: string;
  readonly context: string;
  readonly fileFormat: string;
  readonly urlTtlMinutes?: number | undefined;
  /** Milliseconds since 1970: when it was requested, or opened by its ID. */
  readonly createdAt: number;
  readonly status: string;
  /** When it was first seen completed. */
  readonly completedAt?: number | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Target path, until it is saved there. */
  readonly target?: string | undefined;
  /** Path where it was last saved. */
  readonly savedTo?: string | undefined;
  /** Its partial files, newest first; one per target. */
  readonly parts?: readonly ExportPart[] | undefined;
}

/** Identifies an export. */
export type ExportKey = Pick<KnownExport, 'id' | 'connectionKey'>;

const keptMax = 200;
const lockLimitMs = 5_000;
/** Maximum age of the knowledge whether another window writes a partial file. */
const partLockLimitMs = 500;

/** This or another window is saving the same export to the same place. */
export class PartInUseError extends ExpectedError {
  constructor(target: string) {
    super(t('{0} is already being saved, here or in another window.', path.basename(target)));
    this.name = 'PartInUseError';
  }
}

export class ExportStore {
  readonly #folder: string;
  readonly #file: string;
  readonly #onDidWrite: () => Promise<void>;
  /** Changes run one at a time, each on the current file: another window may have written it. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @param folder is created when something is first stored. */
  constructor(folder: string, onDidWrite: () => Promise<void> = () => Promise.resolve()) {
    this.#folder = folder;
    this.#file = path.join(folder, 'exports.json');
    this.#onDidWrite = onDidWrite;
  }

  /** The newest first. */
  async list(): Promise<readonly KnownExport[]> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      return Array.isArray(value) ? value.filter(isKnownExport).map(withGoodParts) : [];
    } catch (error) {
      // Missing or damaged: treated as empty. Exports can be opened by their id.
      if (isMissingFile(error) || error instanceof SyntaxError) return [];
      throw error;
    }
  }

  async find(key: ExportKey): Promise<KnownExport | undefined> {
    return (await this.list()).find((known) => isSame(known, key));
  }

  /** `change` receives the stored export: another window may have changed it. */
  async put(key: ExportKey, change: (before: KnownExport | undefined) => KnownExport): Promise<KnownExport> {
    let known: KnownExport | undefined;
    await this.#change((all) => {
      known = change(all.find((one) => isSame(one, key)));
      const sorted = [...all.filter((one) => !isSame(one, key)), known].sort(
        (a, b) => b.createdAt - a.createdAt,
      );
      // An export with a partial file does not expire: otherwise the file would be orphaned.
      return sorted.filter((one, index) => index < keptMax || one.parts !== undefined);
    });
    return known ?? change(undefined);
  }

  async forget(gone: ExportKey): Promise<void> {
    await this.#change((all) => all.filter((known) => !isSame(known, gone)));
  }

  /** Records a partial file or its new state. @throws PartInUseError if the target has another one. */
  async keepPart(key: ExportKey, part: ExportPart): Promise<void> {
    await this.#changeParts(key, (parts) => {
      if (parts.some(({ target, name }) => target === part.target && name !== part.name))
        throw new PartInUseError(part.target);
      return [part, ...parts.filter(({ name }) => name !== part.name)];
    });
  }

  async dropPart(key: ExportKey, { name }: ExportPart): Promise<void> {
    await this.#changeParts(key, (parts) => parts.filter((part) => part.name !== name));
  }

  /** @returns those that no window offered before. */
  async offerParts(key: ExportKey, offered: readonly ExportPart[]): Promise<readonly ExportPart[]> {
    let fresh: readonly ExportPart[] = [];
    const names = new Set(offered.map(({ name }) => name));
    await this.#changeParts(key, (parts) => {
      fresh = parts.filter(({ name, isOffered }) => names.has(name) && isOffered !== true);
      return parts.map((part) => (fresh.includes(part) ? { ...part, isOffered: true } : part));
    });
    return fresh;
  }

  /** Locks a partial file. @returns undefined if it is being written. */
  async lockPart(part: ExportPart): Promise<ProcessLock | undefined> {
    return await ProcessLock.wait(this.#lockFile(part), partLockLimitMs);
  }

  /** The current writers of a partial file. */
  writerOf(part: ExportPart): 'here' | 'elsewhere' | undefined {
    const file = this.#lockFile(part);
    if (ProcessLock.isHeldHere(file)) return 'here';
    const lock = ProcessLock.try(file);
    lock?.release();
    return lock === undefined ? 'elsewhere' : undefined;
  }

  /** Makes this window check again: a writer started or stopped. */
  async changed(): Promise<void> {
    await this.#onDidWrite();
  }

  #lockFile({ name }: ExportPart): string {
    return path.join(this.#folder, 'export-parts', `${name.slice(-17, -5)}.lock`);
  }

  /** A removed export cannot record partial files. */
  async #changeParts(
    key: ExportKey,
    change: (parts: readonly ExportPart[]) => readonly ExportPart[],
  ): Promise<void> {
    await this.#change((all) =>
      all.map((known) => {
        if (!isSame(known, key)) return known;
        const parts = change(known.parts ?? []);
        return { ...known, parts: parts.length === 0 ? undefined : parts };
      }),
    );
  }

  async #change(change: (all: readonly KnownExport[]) => readonly KnownExport[]): Promise<void> {
    const write = async () => {
      await makePrivateFolder(this.#folder);
      const lock = await ProcessLock.wait(`${this.#file}.lock`, lockLimitMs);
      if (lock === undefined)
        throw new Error(t('Another window has locked the list of exports. Close it or try again.'));
      const draft = `${this.#file}.${draftEnding()}`;
      try {
        const next = change(await this.list());
        await writePrivateFile(draft, JSON.stringify(next));
        await rename(draft, this.#file);
      } finally {
        lock.release();
        await rm(draft, { force: true });
      }
      await this.#onDidWrite();
    };
    // The caller of the failed attempt was informed; this one is tried anyway.
    const writing = this.#writing.then(write, write);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }
}

function isSame(a: ExportKey, b: ExportKey): boolean {
  return a.id === b.id && a.connectionKey === b.connectionKey;
}

/** Without foreign files. */
function withGoodParts({ parts, ...known }: KnownExport): KnownExport {
  const good = Array.isArray(parts) ? parts.filter(isExportPart) : [];
  return good.length === 0 ? known : { ...known, parts: good };
}

function isKnownExport(value: unknown): value is KnownExport {
  if (typeof value !== 'object' || value === null) return false;
  const { id, connectionKey, context, createdAt, status } = value as Readonly<Record<string, unknown>>; // an object, read as unknown
  const texts = [id, connectionKey, context, status];
  return texts.every((text) => typeof text === 'string') && typeof createdAt === 'number';
}
