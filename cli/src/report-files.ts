/** How reports name files, and which files a report may replace. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './context.ts';

/** Returns the root of the repository that contains a folder; the folder itself if there is none. */
export async function repositoryOf(folder: string): Promise<string> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (await isThere(path.join(at, '.git'))) return at;
    if (path.dirname(at) === at) return path.resolve(folder);
  }
}

/**
 * Returns the name of a file in a report: relative to the repository, where code hosts look for it. A report may be
 * read on another machine, so a file outside of the repository stays as it was typed.
 */
export function fileInReport(
  file: string,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): string {
  if (file === '-') return file;
  const relative = path.relative(root, path.resolve(cwd, file));
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.split(path.sep).join('/');
}

/**
 * Refuses targets that are the same file, or a file that the command reads, before anything is sent.
 * @param inputs files that the command reads.
 * @throws CliError
 */
export function requireOwnTargets(targets: readonly string[], inputs: readonly string[], cwd: string): void {
  const keyOf = (file: string) => path.resolve(cwd, file);
  const read = new Set(inputs.map(keyOf));
  const seen = new Set<string>();
  for (const target of targets) {
    const key = keyOf(target);
    if (seen.has(key)) throw new CliError(`Two reports would be written to ${target}. Name another file.`);
    if (read.has(key) || /\.identity\.(?:sql|json)$/.test(key))
      throw new CliError(`The report would replace ${target}, which is not a report. Name another file.`);
    seen.add(key);
  }
}

async function isThere(target: string): Promise<boolean> {
  return await stat(target).then(
    () => true,
    () => false,
  );
}
