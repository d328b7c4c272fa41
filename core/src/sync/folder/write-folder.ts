/**
 * Writes the files of a query folder atomically, and never through a link. Nothing is written unless all folders are
 * writable.
 */
import { constants } from 'node:fs';
import { access, lstat, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { FileRefusal, refusedWords, removeWithin, writeWithin } from '#base/files/bounded-file.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import { SyncError } from '../sync-error.ts';

export interface FolderChange {
  /** Content by path, with slashes; in writing order. */
  readonly writes: ReadonlyMap<string, string>;
  readonly removes: readonly string[];
}

/** @throws SyncError before anything is written if a folder is not writable. */
export async function writeFolder(root: string, { writes, removes }: FolderChange): Promise<void> {
  const folders = new Set([...writes.keys(), ...removes].map((file) => path.posix.dirname(file)));
  for (const folder of folders) await requireWritable(root, folder);
  const at = (file: string): string => path.join(root, file);
  for (const [file, text] of writes)
    await told(at(file), writeWithin(root, at(file), text, { isDurable: false }));
  for (const file of removes) {
    await told(at(file), removeWithin(root, at(file)));
    await removeEmpty(root, path.posix.dirname(file));
  }
}

async function told(target: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw notWritable(target, error);
  }
}

/** Checks that no existing folder on the path is a link, and that the last one is writable. */
async function requireWritable(root: string, folder: string): Promise<void> {
  const parts = folder === '.' ? [] : folder.split('/');
  let last = path.dirname(root);
  for (let count = 0; count <= parts.length; count += 1) {
    const each = path.join(root, ...parts.slice(0, count));
    try {
      const found = await lstat(each);
      if (!found.isDirectory())
        throw new SyncError(
          'folder',
          t('"{0}" is not a folder, so nothing can be written into it. Rename it.', each),
        );
      last = each;
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      break;
    }
  }
  try {
    await access(last, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(last, error);
  }
}

function notWritable(place: string, cause: unknown): SyncError {
  if (cause instanceof SyncError) return cause;
  const words = cause instanceof FileRefusal ? refusedWords(cause) : (diskWords(cause) ?? String(cause));
  return new SyncError(
    'notWritable',
    t('"{0}" cannot be written: {1}. Check its permissions and the disk, then try again.', place, words),
    [],
    { cause },
  );
}

/** Removes empty folders, which Git does not store. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== '.' && at !== ''; at = path.posix.dirname(at)) {
    try {
      await rmdir(path.join(root, at));
    } catch {
      return; // not empty
    }
  }
}
