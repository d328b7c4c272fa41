/** Sources of a folder's files: the working files on disk, or a commit. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { SyncError } from '../sync-error.ts';
import type { FolderSource } from './read-folder.ts';
import { textBytesMax } from '../format/text-bytes.ts';

const filesMax = 200_000;
const depthMax = 20;
export const indexBytesMax = 256 * 1_048_576;
const readsAtOnce = 32;

/** @param root the query folder; a missing folder has no files. */
export async function diskSource(root: string): Promise<FolderSource> {
  const files = new Map<string, 'file' | 'link'>();
  await walk(root, '', files, 0);
  return {
    files,
    read: async (paths) => {
      const found = new Map<string, Uint8Array>();
      const waiting = [...paths];
      const work = async () => {
        for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
          found.set(file, await readPlainFile(root, file));
      };
      await Promise.all(Array.from({ length: readsAtOnce }, work));
      return found;
    },
  };
}

async function walk(
  root: string,
  below: string,
  files: Map<string, 'file' | 'link'>,
  depth: number,
): Promise<void> {
  if (depth > depthMax || files.size > filesMax)
    throw new SyncError('folder', t('"{0}" has too many files or folders for saved queries.', root));
  const folder = path.join(root, below);
  if (depth === 0 && (await isLink(folder)))
    throw new SyncError(
      'folder',
      t('"{0}" is a symbolic link that points outside the repository, so it is refused.', root),
    );
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (depth === 0 && isMissingFile(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isSymbolicLink()) files.set(file, 'link');
    else if (entry.isDirectory()) await walk(root, file, files, depth + 1);
    else if (entry.isFile()) files.set(file, 'file');
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

/** Refuses what has replaced the file in the meantime. A text that is too long is reported by whoever parses it. */
async function readPlainFile(root: string, file: string): Promise<Uint8Array> {
  const maxBytes = file.endsWith('.json') ? indexBytesMax : textBytesMax + 1;
  try {
    return await readBounded(path.join(root, file), { maxBytes, within: root });
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'too-large') return new Uint8Array(maxBytes);
    throw error;
  }
}

/** @param folder path of the query folder, relative to the repository root, with slashes. */
export async function commitSource(
  repository: GitRepository,
  commit: string,
  folder: string,
): Promise<FolderSource> {
  const tree = await repository.tree(commit, folder);
  const byPath = new Map(tree.map((entry) => [entry.path.slice(folder.length + 1), entry]));
  return {
    files: new Map(
      [...byPath].map(([file, { mode }]) => [file, mode.startsWith('100') ? 'file' : 'link'] as const),
    ),
    read: async (paths) => {
      const ids = new Map(paths.map((file) => [file, byPath.get(file)?.id ?? '']));
      const blobs = await repository.blobs([...ids.values()].filter((id) => id !== ''));
      return new Map([...ids].map(([file, id]) => [file, blobs.get(id) ?? new Uint8Array()] as const));
    },
  };
}
