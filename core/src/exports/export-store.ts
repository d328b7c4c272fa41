/**
 * The user's exports and their states, in one local file. An export's link is a secret, so it is requested each time
 * and never stored. Partial files are recorded before their first byte is written, because a closing window does not
 * wait.
 */
import { copyFile, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { t } from '#base/texts.ts';
import { ExpectedError } from '../failures/failure.ts';
import { isExportPart, type ExportPart } from './export-part.ts';

export interface KnownExport {
  /** The download request's ID in the service. */
  readonly id: string;
  readonly connectionKey: string;
  readonly connection: string;
  readonly context: string;
  readonly fileFormat: string;
  readonly urlTtlMinutes?: number | undefined;
  /** When it was requested or opened by ID, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly status: string;
  /** When first seen as completed, in milliseconds since 1970. */
  readonly completedAt?: number | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Target path until the file is saved. */
  readonly target?: string | undefined;
  /** Path where the file was last saved. */
  readonly savedTo?: string | undefined;
  /** Its partial files, newest first; at most one per target. */
  readonly parts?: readonly ExportPart[] | undefined;
}

export type ExportKey = Pick<KnownExport, 'id' | 'connectionKey'>;

const keptMax = 200;
const lockLimitMs = 5_000;
/** Maximum time to wait for the lock of a partial file. */
const partLockLimitMs = 500;

/** Thrown if this or another window is already saving the export to the same target. */
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
  readonly #onPutAside: (message: string) => void;
  /** Changes run one at a time, and each rereads the file, since another window may have written it. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @param folder created when the first export is stored. @param onPutAside says that a damaged list is kept. */
  constructor(
    folder: string,
    onPutAside: (message: string) => void,
    onDidWrite: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#folder = folder;
    this.#file = path.join(folder, 'exports.json');
    this.#onDidWrite = onDidWrite;
    this.#onPutAside = onPutAside;
  }

  /** Returns all exports, newest first. A damaged list is put aside first, and counts as empty. */
  async list(): Promise<readonly KnownExport[]> {
    const { known } = await this.#read();
    if (known === undefined) await this.#putAside(rename);
    return known ?? [];
  }

  /** Entries that cannot be read are put aside, too: they will not be written. */
  async #listToChange(): Promise<readonly KnownExport[]> {
    const { known, isWhole } = await this.#read();
    if (!isWhole) await this.#putAside(known === undefined ? rename : copyFile);
    return known ?? [];
  }

  /** `known` is undefined if the file is no list. */
  async #read(): Promise<{ readonly known: readonly KnownExport[] | undefined; readonly isWhole: boolean }> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if (isMissingFile(error)) return { known: [], isWhole: true };
      throw error;
    }
    const all = listIn(text);
    const known = all?.filter(isKnownExport);
    return { known: known?.map(withGoodParts), isWhole: all !== undefined && known?.length === all.length };
  }

  /** What cannot be read is kept for the person: the next write would lose it. */
  async #putAside(put: (from: string, to: string) => Promise<void>): Promise<void> {
    const aside = path.join(this.#folder, `exports.damaged-${crypto.randomUUID()}.json`);
    try {
      await put(this.#file, aside);
    } catch (error) {
      if (isMissingFile(error)) return; // another window was faster
      throw error;
    }
    this.#onPutAside(
      t(
        'A part of the list of exports could not be read, and is kept in {0}. Exports can still be opened by their ID.',
        aside,
      ),
    );
  }

  async #replace(all: readonly KnownExport[]): Promise<void> {
    const draft = `${this.#file}.${draftEnding()}`;
    try {
      await writePrivateFile(draft, JSON.stringify(all));
      await rename(draft, this.#file);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async find(key: ExportKey): Promise<KnownExport | undefined> {
    return (await this.list()).find((known) => isSame(known, key));
  }

  /** Adds or updates an export. `change` receives the stored state, since another window may have changed it. */
  async put(key: ExportKey, change: (before: KnownExport | undefined) => KnownExport): Promise<KnownExport> {
    let known: KnownExport | undefined;
    await this.#change((all) => {
      known = change(all.find((one) => isSame(one, key)));
      const sorted = [...all.filter((one) => !isSame(one, key)), known].sort(
        (a, b) => b.createdAt - a.createdAt,
      );
      // An export with a partial file is never dropped, because that would orphan the file.
      return sorted.filter((one, index) => index < keptMax || one.parts !== undefined);
    });
    return known ?? change(undefined);
  }

  async forget(gone: ExportKey): Promise<void> {
    await this.#change((all) => all.filter((known) => !isSame(known, gone)));
  }

  /**
   * Records a partial file or its new state. @throws PartInUseError if the target already has a different partial file.
   */
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

  /** Marks partial files as offered. @returns those that no window had offered before. */
  async offerParts(key: ExportKey, offered: readonly ExportPart[]): Promise<readonly ExportPart[]> {
    let fresh: readonly ExportPart[] = [];
    const names = new Set(offered.map(({ name }) => name));
    await this.#changeParts(key, (parts) => {
      fresh = parts.filter(({ name, isOffered }) => names.has(name) && isOffered !== true);
      return parts.map((part) => (fresh.includes(part) ? { ...part, isOffered: true } : part));
    });
    return fresh;
  }

  /** Locks a partial file. @returns undefined if another writer holds the lock. */
  async lockPart(part: ExportPart): Promise<ProcessLock | undefined> {
    return await ProcessLock.wait(this.#lockFile(part), partLockLimitMs);
  }

  /** Returns where a partial file is being written; undefined if it is not. */
  writerOf(part: ExportPart): 'here' | 'elsewhere' | undefined {
    const file = this.#lockFile(part);
    if (ProcessLock.isHeldHere(file)) return 'here';
    const lock = ProcessLock.try(file);
    lock?.release();
    return lock === undefined ? 'elsewhere' : undefined;
  }

  /** Notifies this window that a writer started or stopped. */
  async changed(): Promise<void> {
    await this.#onDidWrite();
  }

  #lockFile({ name }: ExportPart): string {
    return path.join(this.#folder, 'export-parts', `${name.slice(-17, -5)}.lock`);
  }

  /** Does nothing if the export was removed. */
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
      try {
        await this.#replace(change(await this.#listToChange()));
      } finally {
        lock.release();
      }
      await this.#onDidWrite();
    };
    // The caller of a failed write already received the error; this write is attempted anyway.
    const writing = this.#writing.then(write, write);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }
}

function isSame(a: ExportKey, b: ExportKey): boolean {
  return a.id === b.id && a.connectionKey === b.connectionKey;
}

/** Returns undefined if the text is not a list. */
function listIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // cut by a crash, or edited by hand
  }
}

/** Drops entries that are not valid partial files. */
function withGoodParts({ parts, ...known }: KnownExport): KnownExport {
  const good = Array.isArray(parts) ? parts.filter(isExportPart) : [];
  return good.length === 0 ? known : { ...known, parts: good };
}

function isKnownExport(value: unknown): value is KnownExport {
  if (typeof value !== 'object' || value === null) return false;
  const { id, connectionKey, context, createdAt, status } = value as Readonly<Record<string, unknown>>; // narrowed to an object above
  const texts = [id, connectionKey, context, status];
  return texts.every((text) => typeof text === 'string') && typeof createdAt === 'number';
}
