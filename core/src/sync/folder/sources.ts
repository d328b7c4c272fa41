/** Sources of a folder's files: the working files on disk, or a commit. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import {
  attributesFile,
  foldersMax,
  indexFile,
  metadataEnding,
  modelsFile,
  queryEnding,
} from '../format/layout.ts';
import { textBytesMax } from '../format/text-bytes.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { SyncError } from '../sync-error.ts';
import type { FileKind, FolderSource } from './read-folder.ts';

const filesMax = 200_000;
export const indexBytesMax = 256 * 1_048_576;
const readsAtOnce = 32;

/** @param root the query folder; a missing folder has no files. */
export async function diskSource(root: string): Promise<FolderSource> {
  const files = new Map<string, FileKind>();
  await walk(root, '', files, 0);
  return {
    files,
    read: async (paths) => {
      const found = new Map<string, Uint8Array>();
      const waiting = [...paths];
      const work = async () => {
        for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
          const bytes = await readPlainFile(root, file);
          if (bytes !== undefined) found.set(file, bytes);
        }
      };
      await Promise.all(Array.from({ length: readsAtOnce }, work));
      return found;
    },
  };
}

async function walk(root: string, below: string, files: Map<string, FileKind>, depth: number): Promise<void> {
  if (files.size > filesMax)
    throw new SyncError('folder', t('"{0}" has too many files or folders for saved queries.', root));
  const folder = path.join(root, below);
  if (depth === 0 && (await isLink(folder)))
    throw new SyncError(
      'folder',
      t('"{0}" is a symbolic link that points outside the repository, so it is refused.', root),
    );
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (depth === 0 && isMissingFile(error)) return [];
    if (depth === 0) throw error;
    files.set(below, 'other'); // unreadable, like every file in it
    return [];
  });
  for (const entry of entries) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isSymbolicLink()) files.set(file, 'link');
    else if (entry.isDirectory() && depth < foldersMax && !isQueryName(entry.name))
      await walk(root, file, files, depth + 1);
    else files.set(file, entry.isFile() ? 'file' : 'other');
  }
}

function isQueryName(name: string): boolean {
  return (
    name.endsWith(queryEnding) ||
    name.endsWith(metadataEnding) ||
    [indexFile, modelsFile, attributesFile].includes(name)
  );
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

/** Returns undefined if the file cannot be read. The parser reports a text that is too long, but not metadata. */
async function readPlainFile(root: string, file: string): Promise<Uint8Array | undefined> {
  const maxBytes = isJson(file) ? indexBytesMax : textBytesMax;
  try {
    return await readBounded(path.join(root, file), { maxBytes, within: root });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return error.code === 'too-large' && !isJson(file) ? new Uint8Array(maxBytes + 1) : undefined;
  }
}

function isJson(file: string): boolean {
  return file.endsWith('.json');
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
    files: new Map([...byPath].map(([file, { mode }]) => [file, kindOf(mode)] as const)),
    read: async (paths) => {
      const ids = new Map(
        paths.flatMap((file) => {
          const { id, size } = byPath.get(file) ?? {};
          const maxBytes = isJson(file) ? indexBytesMax : textBytesMax;
          return id !== undefined && size !== undefined && size <= maxBytes ? [[file, id] as const] : [];
        }),
      );
      const blobs = await repository.blobs(ids.values(), indexBytesMax);
      return new Map(
        [...ids].flatMap(([file, id]) => {
          const bytes = blobs.get(id);
          return bytes === undefined ? [] : [[file, bytes] as const];
        }),
      );
    },
  };
}

function kindOf(mode: string): FileKind {
  if (mode.startsWith('100')) return 'file';
  return mode.startsWith('120') ? 'link' : 'other';
}
