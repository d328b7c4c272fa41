/** Reads the files of a pack from any source, with size limits. The author of a pack is not trusted. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';

/** Anything larger is neither a query nor a list of queries. */
export const fileBytesMax = 1_000_000;
const filesMax = 20_000;
const depthMax = 20;

export interface PackEntry {
  /** Relative to the pack's folder, with slashes. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule' | 'other';
  /** Undefined if the size is unknown until the file is read. */
  readonly bytes: number | undefined;
}

export interface PackFiles {
  /** Lists every file except Git's own. @throws PackFilesError if there are too many files. */
  readonly list: () => Promise<readonly PackEntry[]>;
  /** Reads at most `fileBytesMax` bytes; undefined if the file is longer. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

export class PackFilesError extends Error {
  readonly problem: 'tooMany' | 'tooDeep' | 'notThere';

  constructor(problem: PackFilesError['problem']) {
    super(`the files of a pack: ${problem}`);
    this.name = 'PackFilesError';
    this.problem = problem;
  }
}

/** Reads a pack from a local folder. Links are listed, but never followed. */
export function folderFiles(folder: string): PackFiles {
  return {
    list: async () => {
      const entries: PackEntry[] = [];
      await listInto(entries, folder, '', 0);
      return entries;
    },
    read: (file) => readAtMost(folder, file),
  };
}

async function listInto(entries: PackEntry[], folder: string, under: string, depth: number): Promise<void> {
  if (depth > depthMax) throw new PackFilesError('tooDeep');
  const names = await readdir(path.join(folder, under)).catch((error: unknown) => {
    if (depth === 0) throw new PackFilesError('notThere');
    throw error;
  });
  for (const name of names.sort()) {
    if (under === '' && name === '.git') continue;
    if (entries.length >= filesMax) throw new PackFilesError('tooMany');
    const relative = under === '' ? name : `${under}/${name}`;
    const stat = await lstat(path.join(folder, relative));
    if (stat.isDirectory()) await listInto(entries, folder, relative, depth + 1);
    else {
      const kind = stat.isSymbolicLink() ? 'link' : stat.isFile() ? 'file' : 'other';
      entries.push({ path: relative, kind, bytes: stat.size });
    }
  }
}

/** Since it was listed, the file may have been replaced by a link, a device or a longer file. */
async function readAtMost(folder: string, file: string): Promise<Uint8Array | undefined> {
  try {
    return await readBounded(path.join(folder, ...file.split('/')), {
      maxBytes: fileBytesMax,
      within: folder,
    });
  } catch (error) {
    if (error instanceof FileRefusal) return undefined;
    throw error;
  }
}
