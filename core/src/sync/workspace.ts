/** Finds a repository's saved queries from the current folder. Opening a workspace writes nothing. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { t } from '#base/texts.ts';
import { indexFile, queriesFolder } from './format/layout.ts';
import { findGit } from './git/git-program.ts';
import { GitRepository } from './git/git-repository.ts';
import { SyncError } from './sync-error.ts';

export interface Workspace {
  readonly repository: GitRepository;
  /** The query folder. */
  readonly root: string;
  /** Path of the query folder, relative to the repository root, with slashes. */
  readonly folder: string;
}

export interface WorkspaceOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /**
   * The folder that contains `queries`. If undefined, the nearest one at or above the current folder is used, or the
   * repository root if there is none.
   */
  readonly folder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws SyncError */
export async function openWorkspace({
  environment,
  cwd,
  folder,
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
  return { repository, root, folder: path.relative(top, root).split(path.sep).join('/') };
}

/** Returns the nearest folder with saved queries, at or above `start`. @param top the last folder to search. */
export async function nearestHolder(start: string, top?: string): Promise<string | undefined> {
  for (let at = start; ; at = path.dirname(at)) {
    if (await isFile(path.join(at, queriesFolder, indexFile))) return at;
    if (at === top || path.dirname(at) === at) return undefined;
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (isMissingFile(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
      return false;
    throw error;
  }
}
