/** Like make-folders.ts, for code that cannot wait. The launcher of the command line needs it, so it is small. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** An existing folder is left unchanged. @throws a file system error */
export function makeFoldersSync(folder: string, mode = 0o777, isLast = false): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(resolve(folder));
    if (isLast || above === folder || !isMissing(error)) throw error;
    makeFoldersSync(above, mode);
    makeFoldersSync(folder, mode, true);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
