/**
 * Makes a folder and those above it. Node's own `recursive` never ends below a folder that denies its children by
 * "there is no such file", such as /proc, and a path comes from a variable or an option.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '../errors.ts';

/** For the new folders; the system's default if undefined. */
export interface FolderOptions {
  readonly mode?: number;
}

/** An existing folder is left unchanged. @throws a file system error */
export async function makeFolders(folder: string, options: FolderOptions = {}): Promise<void> {
  const above = path.dirname(path.resolve(folder));
  try {
    await mkdir(folder, options);
  } catch (error) {
    // Another process may have made it.
    if (await isFolder(folder)) return;
    if (!isMissingFile(error) || above === folder) throw error;
    await makeFolders(above, options);
    await mkdir(folder, options).catch(async (last: unknown) => {
      if (!(await isFolder(folder))) throw last;
    });
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
