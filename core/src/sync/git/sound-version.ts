/** Finds the last commit in which a file was sound that was damaged and then committed, so that it can be taken from there. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { textBytesMax } from '../format/text-bytes.ts';
import { SyncError } from '../sync-error.ts';
import { findGit } from './git-program.ts';
import { GitRepository } from './git-repository.ts';

/** How many versions of a file are read. */
const versionsMax = 100;

/**
 * Returns the commit; undefined if the last commit has the file as it should be, or if no commit has.
 * @param file relative to the repository root. @param isSound judges the text of a version.
 */
export async function soundCommitOf(
  repository: GitRepository,
  { commit, file }: { readonly commit: string; readonly file: string },
  isSound: (text: string) => boolean,
): Promise<string | undefined> {
  const changes = await repository.changes(commit, path.posix.dirname(file));
  const versions = changes.filter((change) => change.path === file).slice(0, versionsMax);
  const texts = await repository.blobs(
    versions.map(({ id }) => id),
    textBytesMax,
  );
  const place = versions.findIndex(({ id }) => isSound(texts.get(id)?.toString('utf8') ?? ''));
  return place < 1 ? undefined : versions[place]?.commit.slice(0, 12);
}

/** The same for a file of any folder. Undefined without Git or a repository, too. */
export async function soundCommitOfFile(
  file: string,
  isSound: (text: string) => boolean,
): Promise<string | undefined> {
  try {
    const folder = await realpath(path.dirname(file));
    const repository = await GitRepository.open(await findGit(process.env, folder), folder);
    const head = await repository.headIfAny();
    if (head === undefined) return undefined;
    const place = path.relative(repository.top, path.join(folder, path.basename(file)));
    return await soundCommitOf(
      repository,
      { commit: head.commit, file: place.split(path.sep).join('/') },
      isSound,
    );
  } catch (error) {
    if (error instanceof SyncError || isMissingFile(error)) return undefined;
    throw error;
  }
}
