/** How reports name files, and which files a report may replace. */
import path from 'node:path';
import { findTarget } from '#base/files/target-file.ts';
import { connectionsName } from '#core/connections/connection-files.ts';
import { trustName } from '#core/connections/connection-trust.ts';
import { baselineName } from '#core/controls/files/baseline.ts';
import { benchmarksName } from '#core/controls/files/benchmarks.ts';
import { controlFolder } from '#core/controls/files/control-file.ts';
import { waiversName } from '#core/controls/files/waivers.ts';
import { historyEnding, isRunId } from '#core/controls/history/history-format.ts';
import { receiversName } from '#core/controls/notify/folder-receivers.ts';
import { lockFile } from '#core/packs/pack-lock.ts';
import { manifestFile } from '#core/packs/pack-manifest.ts';
import { attributesFile, indexFile, modelsFile, queriesFolder, scopeFile } from '#core/sync/format/layout.ts';
import { CliError } from './context.ts';

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
 * Refuses targets that are the same file, a file that the command reads, or one of the files that belong to queries,
 * controls, packs and connections, before anything is sent. Files are compared as what they are, not by their names.
 * @param targets undefined where none is named.
 * @param inputs files that the command reads.
 * @throws CliError
 */
export async function requireOwnTargets(
  targets: readonly (string | undefined)[],
  inputs: readonly string[],
  cwd: string,
): Promise<void> {
  const identify = async (file: string) => await identityOf(path.resolve(cwd, file));
  const read = new Set((await Promise.all(inputs.map(identify))).map(({ key }) => key));
  const seen = new Set<string>();
  for (const target of targets.filter((one) => one !== undefined)) {
    // Elsewhere it is standard input or output, so nobody means a file of this name.
    if (target === '-')
      throw new CliError('"-" is not the name of a file. Write ./- if a file of this name is meant.');
    const { key, place } = await identify(target);
    if (seen.has(key)) throw new CliError(`Two reports would be written to ${target}. Name another file.`);
    if (read.has(key) || isProductFile(place) || isProductFile(path.resolve(cwd, target)))
      throw new CliError(
        `"${target}" would be replaced, but is a file that is read: a query, or what belongs to it. Name another file.`,
      );
    seen.add(key);
  }
}

/** Returns the files that an argument names: none for standard input. */
export function namedFiles(file: string | undefined): readonly string[] {
  return file === undefined || file === '-' ? [] : [file];
}

/** Returns where bytes for a target go, and a key that all names of an existing file share. */
async function identityOf(file: string): Promise<{ readonly key: string; readonly place: string }> {
  // A target that cannot be written is told when it is opened.
  const found = await findTarget(file).catch(() => undefined);
  const place = found?.path ?? file;
  const isFile = found?.kind === 'file' && found.existing !== undefined;
  return { key: isFile ? `${found.existing.dev} ${found.existing.ino}` : place, place };
}

/** Whether a file belongs to queries, controls, packs or connections, whatever the command reads this time. */
function isProductFile(place: string): boolean {
  const [folder, name] = [path.basename(path.dirname(place)), path.basename(place)];
  if (/\.identity\.(?:sql|json)$/.test(name) || namesAnywhere.has(name)) return true;
  if (folder === queriesFolder && (name === scopeFile || name === attributesFile)) return true;
  const isRun = name.endsWith(historyEnding) && isRunId(name.slice(0, -historyEnding.length));
  return isRun || (ownFolders.has(folder) && ownNames.has(name));
}

/** Names that are read wherever they are. */
const namesAnywhere: ReadonlySet<string> = new Set([manifestFile, indexFile, modelsFile]);

/** Of a project, and of a person. */
const ownFolders: ReadonlySet<string> = new Set([controlFolder, 'identity-queries']);
const ownNames: ReadonlySet<string> = new Set([
  connectionsName,
  waiversName,
  baselineName,
  benchmarksName,
  receiversName,
  trustName,
  path.posix.basename(lockFile),
]);
