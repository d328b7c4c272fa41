/**
 * The state that both sides shared after the last pull or push in this clone, which is the base of later edits. Stored
 * with the user's local data, never in the repository. Without it, only Git's history determines the base, and more
 * questions are asked.
 */
import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { diskWords } from '#base/files/disk-words.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { t } from '#base/texts.ts';
import type { Agreed } from './plan/pair.ts';
import { SyncError } from './sync-error.ts';

/** By ID on the service. */
export type AgreedQueries = ReadonlyMap<string, Agreed>;

export class AgreedStore {
  readonly #file: string;

  /**
   * Whether work goes on where local data cannot be written, as in a container of CI, which ends after it and shares its
   * folder with nobody.
   */
  readonly isOptional: boolean;

  /** @param root the query folder. @param service the result of `serviceKeyOf`. */
  constructor(dataFolder: string, root: string, service: string, isOptional = false) {
    this.isOptional = isOptional;
    const key = createHash('sha256').update(`${root}\n${service}`).digest('hex').slice(0, 32);
    this.#file = path.join(dataFolder, 'sync', `${key}.json`);
  }

  get lockFile(): string {
    return `${this.#file}.lock`;
  }

  /** A file that cannot be parsed counts as missing, which leads to more questions. */
  async read(): Promise<AgreedQueries> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if (isMissingFile(error)) return new Map();
      throw error;
    }
    try {
      const value: unknown = JSON.parse(text);
      if (!Array.isArray(value)) return new Map();
      return new Map((value as unknown[]).filter(isQuery).map((query) => [query.id, query]));
    } catch {
      return new Map(); // damaged by a crash or a manual edit
    }
  }

  async write(agreed: AgreedQueries): Promise<void> {
    try {
      await makePrivateFolder(path.dirname(this.#file));
      const beside = `${this.#file}.${draftEnding()}`;
      await writePrivateFile(beside, JSON.stringify([...agreed.values()]));
      await rename(beside, this.#file);
    } catch (error) {
      const told = dataNotWritable(path.dirname(this.#file), error);
      if (!(this.isOptional && isNotWritable(told))) throw told;
    }
  }
}

/** Names the folder: without a home that can be written, as in many containers, the variable is the remedy. */
export function dataNotWritable(folder: string, cause: unknown): unknown {
  const words = diskWords(cause);
  if (words === undefined) return cause;
  return new SyncError(
    'notWritable',
    t(
      '"{0}" cannot be written: {1}. Set XDG_DATA_HOME to a folder for local data that can be written.',
      folder,
      words,
    ),
    [],
    { cause },
  );
}

export function isNotWritable(error: unknown): boolean {
  return error instanceof SyncError && error.kind === 'notWritable';
}

function isQuery(value: unknown): value is Agreed {
  if (typeof value !== 'object' || value === null) return false;
  const { id, version, draft, here } = value as Partial<Record<keyof Agreed, unknown>>; // validated below
  return (
    typeof id === 'string' &&
    typeof version === 'number' &&
    isDraft(draft) &&
    (here === undefined || isDraft(here))
  );
}

function isDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>; // any object has string keys
  return ['name', 'model', 'description', 'query_string'].every((name) => typeof fields[name] === 'string');
}
