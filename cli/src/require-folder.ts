/** Checks before any request whether the target file can be written. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { diskWords } from '#base/files/disk-words.ts';
import { isMissingFile } from '#base/errors.ts';
import { CliError } from './context.ts';

/** @throws CliError */
export async function requireFolder(target: string): Promise<void> {
  const refused = (why: string, cause?: unknown) =>
    new CliError(`"${target}" cannot be written: ${why}.`, [], { cause });
  try {
    await access(path.dirname(target), constants.W_OK);
    if ((await stat(target)).isDirectory()) throw refused('a folder has this name');
  } catch (error) {
    if (error instanceof CliError) throw error;
    const isNewFile = isMissingFile(error) && (error as NodeJS.ErrnoException).syscall === 'stat'; // the `stat` above failed
    if (!isNewFile) throw refused(diskWords(error) ?? String(error), error);
  }
}
