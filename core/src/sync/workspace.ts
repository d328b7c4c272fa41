/** Finds a repository's saved queries from the current folder. Opening a workspace writes nothing. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile, isMissingPath } from '#base/errors.ts';
import { t } from '#base/texts.ts';
import { indexFile, metadataEnding, queriesFolder } from './format/layout.ts';
import { findGit } from './git/git-program.ts';
import { GitRepository } from './git/git-repository.ts';
import { parseUnder, readScope, scopeOf, type Under } from './scope.ts';
import { SyncError } from './sync-error.ts';

export interface Workspace {
  readonly repository: GitRepository;
  /** The query folder. */
  readonly root: string;
  /** Path of the query folder, relative to the repository root, with slashes. */
  readonly folder: string;
  /** The names that the folder owns, as it keeps them; undefined for all. */
  readonly kept?: Under | undefined;
  /** The names that a command is about; undefined for all. */
  readonly under?: Under | undefined;
}

export interface WorkspaceOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /**
   * The folder that contains `queries`. If undefined, the nearest one at or above the current folder is used, or the
   * repository root if there is none.
   */
  readonly folder?: string | undefined;
  /** The names that the command is about, in place of all that the folder owns. */
  readonly under?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws SyncError */
export async function openWorkspace({
  environment,
  cwd,
  folder,
  under,
  signal,
}: WorkspaceOptions): Promise<Workspace> {
  const start = await realpath(path.resolve(cwd, folder ?? '.')).catch((error: unknown) => {
    if (isMissingFile(error)) throw new SyncError('folder', t('There is no folder "{0}".', folder ?? cwd));
    throw error;
  });
  const repository = await GitRepository.open(await findGit(environment, start), start, signal);
  const { top } = repository;
  const holder = folder === undefined ? ((await nearestHolder(start, top)) ?? top) : start;
  const root = path.join(holder, queriesFolder);
  const inside = path.relative(top, root).split(path.sep).join('/');
  await repository.requireCheckedOut(inside);
  const kept = await readScope(root);
  return {
    repository,
    root,
    folder: inside,
    kept,
    under: scopeOf(under === undefined ? undefined : parseUnder(under), kept),
  };
}

/** Returns the nearest folder with saved queries, at or above `start`. @param top the last folder to search. */
export async function nearestHolder(start: string, top?: string): Promise<string | undefined> {
  for (let at = start; ; at = path.dirname(at)) {
    if (await holdsQueries(path.join(at, queriesFolder))) return at;
    if (at === top || path.dirname(at) === at) return undefined;
  }
}

/** How many files are looked at before a folder counts as one without saved queries. */
const looksMax = 10_000;

/** Returns whether a folder contains saved queries: the metadata of one, or the index of earlier versions. */
export async function holdsQueries(root: string): Promise<boolean> {
  const waiting = [root];
  let looks = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissingPath(error)) return [];
      throw error;
    });
    const isOne = (name: string) => name.endsWith(metadataEnding) || (folder === root && name === indexFile);
    if (entries.some((entry) => entry.isFile() && isOne(entry.name))) return true;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(path.join(folder, entry.name));
    looks += entries.length;
    if (looks > looksMax) return false;
  }
  return false;
}
