/** Reads the queries of a folder from the working files or a commit. A malformed folder is refused as a whole. */
import { t } from '#base/texts.ts';
import { indexFile, queriesFolder, queryEnding } from '../format/layout.ts';
import { sayIndexProblem, sayTextProblem } from '../format/problem-words.ts';
import { parseIndex, type IndexEntry } from '../format/query-index.ts';
import { textOfBytes } from '../format/text-bytes.ts';
import type { QueryHere } from '../plan/pair.ts';
import { SyncError } from '../sync-error.ts';

/** The files of a folder. Paths are relative to the query folder, with slashes. */
export interface FolderSource {
  /** All files. Symbolic links are refused, because they may lead out of the repository. */
  readonly files: ReadonlyMap<string, 'file' | 'link'>;
  /** Reads the bytes of listed files, by path. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface QueryFolder {
  readonly hasIndex: boolean;
  readonly queries: readonly QueryHere[];
  /** Query files missing from the index. */
  readonly unlisted: readonly string[];
}

/** @throws SyncError if the folder is malformed. */
export async function readQueryFolder(source: FolderSource): Promise<QueryFolder> {
  const index = shown(indexFile);
  refuseLinks(source);
  const own = await source.read(source.files.has(indexFile) ? [indexFile] : []);
  const indexBytes = own.get(indexFile);
  const parsed = indexBytes === undefined ? { entries: [] } : parseIndex(decoded(indexBytes));
  if ('problem' in parsed) throw new SyncError('folder', sayIndexProblem(parsed.problem, index));
  const names = new Map([...source.files.keys()].map((file) => [file.normalize('NFC'), file]));
  const placeOf = ({ file }: IndexEntry) => names.get(file.normalize('NFC'));
  const listed = new Set(parsed.entries.map(placeOf));
  const unlisted = [...source.files.keys()].filter((file) => file.endsWith(queryEnding) && !listed.has(file));
  const missing = parsed.entries.filter((entry) => placeOf(entry) === undefined);
  if (missing.length > 0) throw missingFiles(missing, unlisted);
  const texts = await source.read([...listed].filter((file) => file !== undefined));
  const queries = parsed.entries.map((entry): QueryHere => {
    const read = textOfBytes(texts.get(placeOf(entry) ?? '') ?? new Uint8Array());
    if ('problem' in read)
      throw new SyncError(
        'folder',
        t(
          '{0} cannot be used: {1}. Correct it, or restore it from Git.',
          shown(entry.file),
          sayTextProblem(read.problem),
        ),
      );
    const { file, name, model, description, ids } = entry;
    return { file, ids, draft: { name, model, description, query_string: read.text } };
  });
  return {
    hasIndex: indexBytes !== undefined,
    queries,
    unlisted,
  };
}

/** Returns the path to show, starting with the query folder. */
export function shown(file: string): string {
  return `${queriesFolder}/${file}`;
}

function refuseLinks({ files }: FolderSource): void {
  const links = [...files].filter(([, kind]) => kind === 'link').map(([file]) => file);
  const [first] = links;
  if (first !== undefined)
    throw new SyncError(
      'folder',
      t(
        '{0} is a symbolic link that points outside the repository, so it is refused. Replace it with a file.',
        shown(first),
      ),
    );
}

/** Reports missing files. If other files are not listed, the message suggests that files were renamed. */
function missingFiles(missing: readonly IndexEntry[], unlisted: readonly string[]): SyncError {
  const lines = missing.slice(0, 5).map(({ file }) => `  ${shown(file)}`);
  if (unlisted.length > 0)
    return new SyncError(
      'folder',
      t(
        '{0} lists files that do not exist, and other files are not listed. If you renamed a file, change its "file" in {0}.',
        shown(indexFile),
      ),
      [...lines, ...unlisted.slice(0, 5).map((file) => `  ${shown(file)} ${t('(not listed)')}`)],
    );
  return new SyncError(
    'folder',
    t('{0} lists files that do not exist. Restore them from Git, or remove their lines.', shown(indexFile)),
    lines,
  );
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
