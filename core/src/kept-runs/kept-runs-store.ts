/**
 * The results of earlier runs, which `-- @keep` keeps on this machine for the editor and the terminal: the rows and what
 * they are, in a folder of each query and connection. A result is there completely or not at all, only its owner can
 * read it, and it holds no parameter value: equal values are known by a digest.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isMissingFile, isMissingPath } from '#base/errors.ts';
import { readBoundedText } from '#base/files/bounded-file.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { removeLeftOvers } from '#base/files/left-overs.ts';
import { makePrivateFolder, putInPlace, syncFolder, writePrivateFile } from '#base/files/private-file.ts';
import { isText, optional, shapeOf } from '#base/values/shapes.ts';
import type { ParameterField } from '../parameters/parameter-field.ts';
import { nameKeyOf } from '../saved-queries/known-query.ts';

export interface KeptRun {
  readonly id: string;
  /** When its rows were read, in milliseconds since 1970. */
  readonly at: number;
  readonly title: string;
  /** Version of the saved query, if its text was that of the version. */
  readonly version?: number | undefined;
  readonly connection: string;
  /** SHA-256 of the statement. */
  readonly statement: string;
  /** Digest of the parameter values, with a key of its own. */
  readonly parameters: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** SHA-256 of the file with the rows. */
  readonly sha256: string;
}

/** A query on a connection, whose runs are compared with each other. */
export interface KeptQuery {
  /** See `connectionKeyOf`. */
  readonly connectionKey: string;
  /** The ID of a saved query, or the path of a file. */
  readonly query: { readonly saved: string } | { readonly file: string };
}

export interface RunToKeep extends Pick<KeptRun, 'at' | 'title' | 'version' | 'connection' | 'rowCount'> {
  readonly statement: string;
  readonly parameters: EnteredParameters;
  /** A complete file of `KeptRowsFile`, which becomes the store's. */
  readonly draft: string;
  /** Number of runs of the query that stay. */
  readonly runs: number;
}

export const keptRunLimits = { runBytes: 200_000_000, bytes: 2_000_000_000 } as const;
const headBytesMax = 100_000;
const idPattern = /^(\d{15})-[0-9a-f]{12}$/;

/** Why a result was not kept. */
export class NotKeptError extends Error {
  readonly reason: 'run-bytes' | 'bytes';

  constructor(reason: 'run-bytes' | 'bytes') {
    super(reason);
    this.name = 'NotKeptError';
    this.reason = reason;
  }
}

export class KeptRunsStore {
  readonly #folder: string;

  get folder(): string {
    return this.#folder;
  }

  /** @param dataFolder the folder for the user's local data. */
  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, 'kept-runs');
  }

  /** Lists the kept runs of a query, the newest first. A damaged one is passed over. */
  async list(query: KeptQuery): Promise<readonly KeptRun[]> {
    return await runsIn(await this.#folderOf(query));
  }

  /**
   * Lists the kept runs of every query with this name: a saved query's, or that of a file, with or without its folder
   * and ending. Each list is of one query on one connection, the newest first.
   */
  async named(
    name: string,
  ): Promise<readonly { readonly query: string; readonly runs: readonly KeptRun[] }[]> {
    const wanted = nameKeyOf(name);
    const found: { query: string; runs: readonly KeptRun[] }[] = [];
    for (const query of await namesIn(this.#folder)) {
      const runs = await runsIn(path.join(this.#folder, query));
      const names = namesOf(runs[0]?.title ?? '');
      if (runs.length > 0 && names.some((each) => nameKeyOf(each) === wanted)) found.push({ query, runs });
    }
    return found;
  }

  /** Returns a path for a file to pass as `draft` to `add`. @throws NotKeptError if there is no room. */
  async draftFor(query: KeptQuery): Promise<string> {
    if ((await this.sizeBytes()) >= keptRunLimits.bytes) throw new NotKeptError('bytes');
    const folder = await this.#folderOf(query);
    await makePrivateFolder(folder);
    return path.join(folder, draftEnding());
  }

  /** Keeps a run, and forgets the query's oldest ones. @throws NotKeptError if it is too large. */
  async add(query: KeptQuery, run: RunToKeep): Promise<KeptRun> {
    const { statement, parameters, draft, runs, ...about } = run;
    const { size } = await lstat(draft);
    if (size > keptRunLimits.runBytes) throw new NotKeptError('run-bytes');
    const folder = await this.#folderOf(query);
    // With one salt, runs of a query with other values are told apart.
    const [salt = randomBytes(16).toString('hex')] = (await runsIn(folder)).map(saltOf);
    const id = `${String(about.at).padStart(15, '0')}-${randomBytes(6).toString('hex')}`;
    const kept: KeptRun = {
      ...about,
      id,
      statement: digestOfStatement(statement),
      parameters: digestOf(parameters, salt),
      sizeBytes: size,
      sha256: await digestOfFile(draft),
    };
    const rows = path.join(folder, `${id}.rows`);
    await putInPlace(draft, rows);
    await writePrivateFile(path.join(folder, `${id}.json`), JSON.stringify(kept));
    await syncFolder(folder);
    // Never the new one: after a clock that was ahead, it sorts before others.
    const others = (await idsIn(folder)).filter((each) => each !== id);
    for (const old of others.slice(0, Math.max(0, others.length + 1 - runs))) await forget(folder, old);
    await removeLeftOvers([{ folder }]);
    return kept;
  }

  /** Returns the file with a run's rows; undefined if it is gone or was changed. */
  async rowsOf(
    query: KeptQuery | string,
    { id, sha256 }: Pick<KeptRun, 'id' | 'sha256'>,
  ): Promise<string | undefined> {
    if (!idPattern.test(id)) return undefined;
    const folder = typeof query === 'string' ? path.join(this.#folder, query) : await this.#folderOf(query);
    const file = path.join(folder, `${id}.rows`);
    try {
      // A pipe in its place would be waited for.
      if (!(await lstat(file)).isFile()) return undefined;
      return (await digestOfFile(file)) === sha256 ? file : undefined;
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  async sizeBytes(): Promise<number> {
    let size = 0;
    for (const name of await namesIn(this.#folder))
      for (const file of await namesIn(path.join(this.#folder, name)))
        size += (await lstat(path.join(this.#folder, name, file)).catch(() => undefined))?.size ?? 0; // just removed
    return size;
  }

  /** Forgets all runs of all queries. @returns their number. */
  async clear(): Promise<number> {
    let count = 0;
    for (const name of await namesIn(this.#folder))
      count += (await idsIn(path.join(this.#folder, name))).length;
    await rm(this.#folder, { recursive: true, force: true });
    return count;
  }

  async #folderOf({ connectionKey, query }: KeptQuery): Promise<string> {
    const identity =
      'saved' in query
        ? ['saved', query.saved]
        : ['file', await realpath(query.file).catch(() => query.file)];
    const name = createHash('sha256')
      .update(JSON.stringify([connectionKey, ...identity]))
      .digest('hex')
      .slice(0, 32);
    return path.join(this.#folder, name);
  }
}

export function digestOfStatement(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What was entered for the parameters of a run. A default such as `today - 30 days` is the same on every day. */
export type EnteredParameters = Readonly<Record<string, string | null>>;

export function enteredParameters(
  fields: readonly Pick<ParameterField, 'name' | 'text' | 'isNull' | 'isEmpty' | 'defaultText'>[],
): EnteredParameters {
  return Object.fromEntries(
    fields.map(({ name, text, isNull, isEmpty, defaultText }) => {
      const isDefault = text === '' && !isEmpty;
      return [name, isNull ? null : isDefault ? (defaultText ?? '') : text];
    }),
  );
}

function namesOf(title: string): readonly string[] {
  const file = path.basename(title);
  return [title, file, file.replace(/(?:\.identity)?\.sql$/i, '')];
}

export function hadParameters(run: KeptRun, parameters: EnteredParameters): boolean {
  return run.parameters === digestOf(parameters, saltOf(run));
}

const saltOf = ({ parameters }: KeptRun): string => parameters.split(':')[0] ?? '';

/** Returns the salt and the digest. The values may be secret, so they are not kept. */
function digestOf(parameters: EnteredParameters, salt: string): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${salt}:${createHmac('sha256', salt).update(JSON.stringify(sorted)).digest('hex')}`;
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (isMissingPath(error)) return [];
    throw error;
  });
}

/** The IDs of a folder's runs, the oldest first. */
async function idsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder))
    .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    .filter((id) => idPattern.test(id))
    .sort();
}

/** The runs of a folder, the newest first. */
async function runsIn(folder: string): Promise<readonly KeptRun[]> {
  const runs: KeptRun[] = [];
  for (const id of (await idsIn(folder)).reverse()) {
    const run = await readHead(folder, id);
    if (run !== undefined) runs.push(run);
  }
  return runs;
}

async function forget(folder: string, id: string): Promise<void> {
  await rm(path.join(folder, `${id}.json`), { force: true });
  await rm(path.join(folder, `${id}.rows`), { force: true });
}

const isKeptRun = shapeOf<KeptRun>({
  ...{ id: isText, title: isText, connection: isText, statement: isText, parameters: isText, sha256: isText },
  ...{ at: Number.isSafeInteger, rowCount: Number.isSafeInteger, sizeBytes: Number.isSafeInteger },
  version: optional(Number.isSafeInteger),
});

/** The file may come from a different version of this class. */
async function readHead(folder: string, id: string): Promise<KeptRun | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(
      await readBoundedText(path.join(folder, `${id}.json`), { maxBytes: headBytesMax, within: folder }),
    );
  } catch {
    return undefined; // forgotten by another process, or damaged
  }
  return isKeptRun(value) && value.id === id ? value : undefined;
}
