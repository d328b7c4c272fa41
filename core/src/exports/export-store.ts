/**
 * This person's exports, in one file of this machine: what was asked for and how it stands. The link of an export is a
 * secret and never kept: it is asked for each time it is needed. Files that have arrived in part are written down before
 * their bytes are, since a window that ends does not wait.
 */
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../util/failure.ts';
import { ProcessLock } from '../util/process-lock.ts';
import { t } from '../util/texts.ts';
import { isExportPart, type ExportPart } from './export-part.ts';
import { isMissingFile } from '../util/errors.ts';
import { draftEnding } from '../util/left-overs.ts';
import { makePrivateFolder, writePrivateFile } from '../util/private-file.ts';

export interface KnownExport {
  /** The service's id of the download request. */
  readonly id: string;
  readonly connectionKey: string;
  readonly connection: string;
  readonly context: string;
  readonly fileFormat: string;
  readonly urlTtlMinutes?: number | undefined;
  /** Milliseconds since 1970: when it was asked for, or opened by its id. */
  readonly createdAt: number;
  readonly status: string;
  /** When it was first seen completed. */
  readonly completedAt?: number | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Where its file is to be, while it has not been saved there. */
  readonly target?: string | undefined;
  /** Where its file was saved last. */
  readonly savedTo?: string | undefined;
  /** Files of it that have arrived in part, the newest first; one a target. */
  readonly parts?: readonly ExportPart[] | undefined;
}

/** What names an export. */
export type ExportKey = Pick<KnownExport, 'id' | 'connectionKey'>;

const keptMax = 200;
const lockLimitMs = 5_000;
/** Whether another window writes to a part is seen in less. */
const partLockLimitMs = 500;

/** Somebody, in this window or in another, saves the same export to the same place. */
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
  /** Changes happen one after another, each on what is on disk: another window may have written. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @param folder is made when something is first kept. */
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
      // Missing, or not ours: as good as never kept. Exports can be opened by their id.
      if (isMissingFile(error) || error instanceof SyntaxError) return [];
      throw error;
    }
  }

  async find(key: ExportKey): Promise<KnownExport | undefined> {
    return (await this.list()).find((known) => isSame(known, key));
  }

  /** What is there already of the export is told to `change`: another window may have added to it. */
  async put(key: ExportKey, change: (before: KnownExport | undefined) => KnownExport): Promise<KnownExport> {
    let known: KnownExport | undefined;
    await this.#change((all) => {
      known = change(all.find((one) => isSame(one, key)));
      const sorted = [...all.filter((one) => !isSame(one, key)), known].sort(
        (a, b) => b.createdAt - a.createdAt,
      );
      // What has a file in part is not forgotten for being old: nobody would know of that file.
      return sorted.filter((one, index) => index < keptMax || one.parts !== undefined);
    });
    return known ?? change(undefined);
  }

  async forget(gone: ExportKey): Promise<void> {
    await this.#change((all) => all.filter((known) => !isSame(known, gone)));
  }

  /** Writes down a part, or what is known of it now. @throws PartInUseError when the target has another part. */
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

  /** @returns those that were not offered before, by any window. */
  async offerParts(key: ExportKey, offered: readonly ExportPart[]): Promise<readonly ExportPart[]> {
    let fresh: readonly ExportPart[] = [];
    const names = new Set(offered.map(({ name }) => name));
    await this.#changeParts(key, (parts) => {
      fresh = parts.filter(({ name, isOffered }) => names.has(name) && isOffered !== true);
      return parts.map((part) => (fresh.includes(part) ? { ...part, isOffered: true } : part));
    });
    return fresh;
  }

  /** Keeps everybody else from a part. @returns undefined when somebody writes to it. */
  async lockPart(part: ExportPart): Promise<ProcessLock | undefined> {
    return await ProcessLock.wait(this.#lockFile(part), partLockLimitMs);
  }

  /** Who writes to a part just now. */
  writerOf(part: ExportPart): 'here' | 'elsewhere' | undefined {
    const file = this.#lockFile(part);
    if (ProcessLock.isHeldHere(file)) return 'here';
    const lock = ProcessLock.try(file);
    lock?.release();
    return lock === undefined ? 'elsewhere' : undefined;
  }

  /** Lets this window look again: somebody began or ceased to write to a part. */
  async changed(): Promise<void> {
    await this.#onDidWrite();
  }

  #lockFile({ name }: ExportPart): string {
    return path.join(this.#folder, 'export-parts', `${name.slice(-17, -5)}.lock`);
  }

  /** An export that is not known any more has no parts to write down. */
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
    // What failed before was told to who asked for it; this one is tried all the same.
    const writing = this.#writing.then(write, write);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }
}

function isSame(a: ExportKey, b: ExportKey): boolean {
  return a.id === b.id && a.connectionKey === b.connectionKey;
}

/** Without what is no part of ours. */
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
