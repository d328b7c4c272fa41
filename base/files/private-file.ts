/** Local files with the user's work, which only the user can read and which survive a power failure. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { draftEnding } from './draft-ending.ts';
import { makeFolders } from './make-folders.ts';

/** Creates a folder that only the user can read. An existing folder is left unchanged. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await makeFolders(folder, { mode: 0o700 });
}

/**
 * Writes or replaces a file that only the user can read. Resolves once it is on disk; if that fails, nothing is changed
 * or left beside it.
 * @param isStillWanted throws to leave the file as it is. Called once the content is on disk.
 */
export async function writePrivateFile(
  file: string,
  content: string | Uint8Array,
  isStillWanted?: () => void,
): Promise<void> {
  const draft = path.join(path.dirname(file), `.${draftEnding()}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    isStillWanted?.();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Replaces a file by what is written beside it, which is removed if that fails.
 * @param ending of the name of the file beside it
 * @returns the size of the new file in bytes.
 */
export async function rewriteFile(
  file: string,
  ending: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<number> {
  const beside = `${file}.${ending}`;
  const handle = await open(beside, 'wx', 0o600);
  try {
    await write(handle);
    await handle.sync();
    const { size } = await handle.stat();
    await handle.close();
    await rename(beside, file);
    return size;
  } catch (error) {
    await handle.close();
    await rm(beside, { force: true });
    throw error;
  }
}

/**
 * Renames a complete file once its bytes are on disk, so that a crash never leaves an empty file under the final name.
 */
export async function putInPlace(draft: string, target: string): Promise<void> {
  const handle = await open(draft, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, target);
  await syncFolder(path.dirname(target));
}

/**
 * Syncs the folder, so that a new name is on disk too. Some systems cannot do this; the bytes are safe either way.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
