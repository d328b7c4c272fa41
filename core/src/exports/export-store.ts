/**
 * The user's exports and their states, among what this machine remembers. An export's link is a secret, so it is
 * requested each time and never stored. Partial files are recorded before their first byte is written, because a closing
 * window does not wait.
 */
import path from 'node:path';
import { ProcessLock } from '#base/files/process-lock.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { ExpectedError } from '../failures/failure.ts';
import { Facts, type FactRows } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';
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
  /** When it was first seen completed without a link, in milliseconds since 1970. */
  readonly linkGoneAt?: number | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Whether a window has told its end. */
  readonly isTold?: boolean | undefined;
  /** Target path until the file is saved. */
  readonly target?: string | undefined;
  /** Path where the file was last saved. */
  readonly savedTo?: string | undefined;
  /** Its partial files, newest first; at most one per target. */
  readonly parts?: readonly ExportPart[] | undefined;
}

export type ExportKey = Pick<KnownExport, 'id' | 'connectionKey'>;

const keptMax = 200;
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
  readonly #memory: Memory;
  readonly #exports: Facts<KnownExport>;
  readonly #onDidWrite: () => Promise<void>;

  constructor(memory: Memory, onDidWrite: () => Promise<void> = () => Promise.resolve()) {
    this.#memory = memory;
    this.#exports = new Facts(memory, { noun: 'exports', parse: exportIn });
    this.#onDidWrite = onDidWrite;
  }

  /** Returns all exports, newest first. */
  async list(): Promise<readonly KnownExport[]> {
    return newestFirst(await this.#exports.all());
  }

  async find(key: ExportKey): Promise<KnownExport | undefined> {
    return (await this.#exports.all()).get(textOf(key));
  }

  /** Adds or updates an export. `change` receives the stored state, since another window may have changed it. */
  async put(key: ExportKey, change: (before: KnownExport | undefined) => KnownExport): Promise<KnownExport> {
    return await this.#change((rows) => {
      const known = change(rows.get(textOf(key)));
      rows.put(textOf(key), known);
      for (const old of newestFirst(rows.all()).slice(keptMax))
        // An export with a partial file is never dropped, because that would orphan the file.
        if (old.parts === undefined) rows.delete(textOf(old));
      return known;
    });
  }

  async forget(gone: ExportKey): Promise<void> {
    await this.#change((rows) => rows.delete(textOf(gone)));
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

  /**
   * Marks the end of an export as told. @returns whether to tell it: no window had before, or nobody can know. Better
   * twice than never.
   */
  async claimEnd(key: ExportKey): Promise<boolean> {
    try {
      return await this.#change((rows) => {
        const known = rows.get(textOf(key));
        if (known !== undefined) rows.put(textOf(key), { ...known, isTold: true });
        return known?.isTold !== true;
      });
    } catch {
      return true; // the memory cannot be written
    }
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
    return path.join(this.#memory.folder, 'export-parts', `${name.slice(-17, -5)}.lock`);
  }

  /** Does nothing if the export was removed. */
  async #changeParts(
    key: ExportKey,
    change: (parts: readonly ExportPart[]) => readonly ExportPart[],
  ): Promise<void> {
    await this.#change((rows) => {
      const known = rows.get(textOf(key));
      if (known === undefined) return;
      const parts = change(known.parts ?? []);
      rows.put(textOf(key), { ...known, parts: parts.length === 0 ? undefined : parts });
    });
  }

  async #change<Result>(work: (rows: FactRows<KnownExport>) => Result): Promise<Result> {
    const result = await this.#exports.change(work);
    await this.#onDidWrite();
    return result;
  }
}

function textOf({ connectionKey, id }: ExportKey): string {
  return JSON.stringify([connectionKey, id]);
}

function newestFirst(exports: ReadonlyMap<string, KnownExport>): readonly KnownExport[] {
  return [...exports.values()].sort((a, b) => b.createdAt - a.createdAt);
}

/** Drops parts that are not valid partial files. */
function exportIn(value: unknown): KnownExport | undefined {
  if (!isObject(value)) return undefined;
  const { id, connectionKey, context, createdAt, status, parts } = value;
  const texts = [id, connectionKey, context, status];
  if (!texts.every((text) => typeof text === 'string') || typeof createdAt !== 'number') return undefined;
  const good = Array.isArray(parts) ? parts.filter(isExportPart) : [];
  const known = { ...value, parts: good.length === 0 ? undefined : good };
  return known as unknown as KnownExport; // what every version wrote was just validated
}
