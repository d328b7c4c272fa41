/** Sources of a folder's files: the working files on disk, or a commit. */
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { t } from '#base/texts.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { SyncError } from '../sync-error.ts';
import type { FolderSource } from './read-folder.ts';
import { textBytesMax } from '../format/text-bytes.ts';

const filesMax = 200_000;
const depthMax = 20;
const indexBytesMax = 256 * 1_048_576;
const readsAtOnce = 32;
/** Windows has no O_NOFOLLOW. */
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

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
          found.set(file, await readPlainFile(path.join(root, file)));
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

/** Refuses a link that has replaced the file in the meantime. Reads no more bytes than a valid file can have. */
async function readPlainFile(file: string): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | noFollow);
  try {
    const { size } = await handle.stat();
    const most = file.endsWith('.json') ? indexBytesMax : textBytesMax + 1;
    if (size <= most) return await handle.readFile();
    const bytes = new Uint8Array(most);
    await handle.read(bytes, 0, most, 0);
    return bytes;
  } finally {
    await handle.close();
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
