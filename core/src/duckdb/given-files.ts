/** The files that a person gives to a query: named ones, and those of named folders. */
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { unreadableWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import type { GivenFile, GivenFormat } from './duckdb-messages.ts';

/** An error whose message says which file, and why. */
export class GivenFileError extends Error {}

const givenEndings: ReadonlyMap<string, GivenFormat> = new Map([
  ['.parquet', 'parquet'],
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

const filesMax = 1_000;

/**
 * @param given files, folders, or `NAME=FILE` for another name of the table.
 * @throws GivenFileError
 */
export async function givenFiles(given: readonly string[], folder: string): Promise<readonly GivenFile[]> {
  const files: GivenFile[] = [];
  for (const each of given) for (const file of await filesOf(each, folder)) files.push(file);
  if (files.length > filesMax) throw new GivenFileError(t('There are more than {0} files.', filesMax));
  const names = new Map<string, GivenFile>();
  for (const file of files) {
    // DuckDB compares names without case.
    const key = file.name.toLowerCase();
    const other = names.get(key);
    if (other !== undefined)
      throw new GivenFileError(
        t(
          '"{0}" and "{1}" would both be the table "{2}". Name one of them: NAME=FILE',
          ...([other.path, file.path, file.name] as const),
        ),
      );
    names.set(key, file);
  }
  return files;
}

async function filesOf(given: string, folder: string): Promise<readonly GivenFile[]> {
  // A path may contain an equals sign, too.
  const isPath = (await lstat(path.resolve(folder, given)).catch(() => undefined)) !== undefined;
  const [, name, named] = isPath ? [] : (/^([\p{L}_][\p{L}\p{N}_$]*)=(.+)$/u.exec(given) ?? []);
  const shown = named ?? given;
  const place = path.resolve(folder, shown);
  const cannot = (reason: string) => new GivenFileError(t('Cannot read "{0}": {1}.', shown, reason));
  try {
    const facts = await stat(place);
    if (facts.isFile()) return [fileAt(await realpath(place), name ?? path.parse(place).name, shown)];
    if (!facts.isDirectory()) throw cannot(t('it is a pipe, a device or a socket, not a file'));
    if (name !== undefined) throw cannot(t('it is a folder'));
    // A link in a folder may lead anywhere, and was not named.
    const entries = (await readdir(place, { withFileTypes: true })).filter(
      (entry) => entry.isFile() && givenEndings.has(path.extname(entry.name).toLowerCase()),
    );
    if (entries.length === 0)
      throw cannot(t('it has no file that ends in {0}', [...givenEndings.keys()].join(', ')));
    const real = await realpath(place);
    return entries
      .map((entry) => entry.name)
      .sort()
      .map((file) => fileAt(path.join(real, file), path.parse(file).name, file));
  } catch (error) {
    if (error instanceof GivenFileError) throw error;
    throw cannot(unreadableWords(error) ?? t('it cannot be opened'));
  }
}

function fileAt(file: string, name: string, shown: string): GivenFile {
  const format =
    givenEndings.get(path.extname(shown).toLowerCase()) ?? givenEndings.get(path.extname(file).toLowerCase());
  if (format === undefined)
    throw new GivenFileError(
      t('"{0}" does not end in one of {1}.', shown, [...givenEndings.keys()].join(', ')),
    );
  return { name, path: file, format };
}
