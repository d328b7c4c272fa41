/**
 * Makes a folder and those above it. Node's own `recursive` never ends below a folder that denies its children by
 * "there is no such file", such as /proc, and a path comes from a variable or an option.
 */
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '../errors.ts';

interface FolderOptions {
  /** For the new folders; the system's default if undefined. */
  readonly mode?: number;
}

/** An existing folder is left unchanged. @throws a file system error */
export async function makeFolders(folder: string, options: FolderOptions = {}): Promise<void> {
  const missing: string[] = [];
  for (const at of upwards(folder)) {
    const made = await mkdir(at, options).catch((error: unknown) => problemOf(error));
    if (made === undefined) break;
    if (made === 'missing') missing.push(at);
    else if (await isFolder(at)) break;
    else throw made;
  }
  for (const at of missing.reverse())
    await mkdir(at, options).catch((error: unknown) => {
      if (!isThere(error)) throw error; // another process may have made it
    });
}

/** Like makeFolders, for code that cannot wait. */
export function makeFoldersSync(folder: string, options: FolderOptions = {}): void {
  const missing: string[] = [];
  for (const at of upwards(folder)) {
    const made = attempt(() => mkdirSync(at, options));
    if (made === undefined) break;
    if (made === 'missing') missing.push(at);
    else if (statSync(at, { throwIfNoEntry: false })?.isDirectory() === true) break;
    else throw made;
  }
  for (const at of missing.reverse()) {
    const made = attempt(() => mkdirSync(at, options));
    if (made === 'missing') throw new MissingAbove(at);
    if (made !== undefined && !isThere(made)) throw made;
  }
}

/** The folder and those above it. */
function upwards(folder: string): readonly string[] {
  const found = [path.resolve(folder)];
  for (let at = path.resolve(folder); path.dirname(at) !== at; at = path.dirname(at))
    found.push(path.dirname(at));
  return found;
}

/** Tells that a folder above is missing from any other problem. */
function problemOf(error: unknown): 'missing' | Error {
  if (isMissingFile(error)) return 'missing';
  return error instanceof Error ? error : new Error(String(error));
}

function attempt(make: () => unknown): 'missing' | Error | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** As the system says it for a folder that cannot have others. */
class MissingAbove extends Error {
  readonly code = 'ENOENT';
  readonly syscall = 'mkdir';

  constructor(folder: string) {
    super(`ENOENT: no such file or directory, mkdir '${folder}'`);
  }
}

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

async function isFolder(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
