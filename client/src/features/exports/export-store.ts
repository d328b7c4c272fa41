/**
 * This person's exports, in one file of this machine: what was asked for and how it stands. The link of an export is a
 * secret and never kept: it is asked for each time it is needed.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
  /** Where its file was saved last. */
  readonly savedTo?: string | undefined;
}

const keptMax = 200;

export class ExportStore {
  readonly #file: string;
  /** Changes happen one after another, each on what is on disk: another window may have written. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @param folder is made when something is first kept. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'exports.json');
  }

  /** The newest first. */
  async list(): Promise<readonly KnownExport[]> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      return Array.isArray(value) ? value.filter(isKnownExport) : [];
    } catch (error) {
      // Missing, or not ours: as good as never kept. Exports can be opened by their id.
      if (
        error instanceof SyntaxError ||
        (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      )
        return [];
      throw error;
    }
  }

  async put(known: KnownExport): Promise<void> {
    await this.#change((all) => {
      const others = all.filter(
        ({ id, connectionKey }) => id !== known.id || connectionKey !== known.connectionKey,
      );
      return [...others, known].sort((a, b) => b.createdAt - a.createdAt).slice(0, keptMax);
    });
  }

  async forget(gone: Pick<KnownExport, 'id' | 'connectionKey'>): Promise<void> {
    await this.#change((all) =>
      all.filter(({ id, connectionKey }) => id !== gone.id || connectionKey !== gone.connectionKey),
    );
  }

  async #change(change: (all: readonly KnownExport[]) => readonly KnownExport[]): Promise<void> {
    const write = async () => {
      const next = change(await this.list());
      await mkdir(path.dirname(this.#file), { recursive: true });
      const draft = `${this.#file}.${randomUUID()}.tmp`;
      try {
        await writeFile(draft, JSON.stringify(next), { mode: 0o600 });
        await rename(draft, this.#file);
      } finally {
        await rm(draft, { force: true });
      }
    };
    // What failed before was told to who asked for it; this one is tried all the same.
    const writing = this.#writing.then(write, write);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }
}

function isKnownExport(value: unknown): value is KnownExport {
  if (typeof value !== 'object' || value === null) return false;
  const { id, connectionKey, context, createdAt, status } = value as Readonly<Record<string, unknown>>; // an object, read as unknown
  const texts = [id, connectionKey, context, status];
  return texts.every((text) => typeof text === 'string') && typeof createdAt === 'number';
}
