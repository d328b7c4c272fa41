/** Reads the queries of a folder from the working files or a commit. A malformed folder is refused as a whole. */
import { t } from '#base/texts.ts';
import {
  indexFile,
  metadataEnding,
  metadataFileOf,
  queriesFolder,
  queryEnding,
  queryFileOf,
} from '../format/layout.ts';
import { sayIndexProblem, sayTextProblem } from '../format/problem-words.ts';
import { parseIndex, parseMetadata, twiceIn, type IndexEntry } from '../format/query-index.ts';
import { pathProblem } from '../format/safe-path.ts';
import { pathKey } from '../format/slugs.ts';
import { textOfBytes } from '../format/text-bytes.ts';
import type { QueryHere } from '../plan/pair.ts';
import { SyncError } from '../sync-error.ts';
import { gitAdvice } from '../git/git-advice.ts';
import { typedLine } from '#base/advice.ts';

/** The files of a folder. Paths are relative to the query folder, with slashes. */
export interface FolderSource {
  /** All files. Symbolic links are refused, because they may lead out of the repository. */
  readonly files: ReadonlyMap<string, 'file' | 'link'>;
  /** Reads the bytes of listed files, by path. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface QueryFolder {
  /** The text of the index that an earlier version wrote. The next pull replaces it by a file for each query. */
  readonly oldIndex?: string | undefined;
  readonly queries: readonly QueryHere[];
  /** Query files without metadata. */
  readonly unlisted: readonly string[];
}

/** @throws SyncError if the folder is malformed. */
export async function readQueryFolder(source: FolderSource): Promise<QueryFolder> {
  refuseLinks(source);
  const { entries, oldIndex } = await readEntries(source);
  const names = new Map([...source.files.keys()].map((file) => [file.normalize('NFC'), file]));
  const placeOf = ({ file }: IndexEntry) => names.get(file.normalize('NFC'));
  const listed = new Set(entries.map(placeOf));
  const unlisted = [...source.files.keys()].filter((file) => file.endsWith(queryEnding) && !listed.has(file));
  const missing = entries.filter((entry) => placeOf(entry) === undefined);
  if (missing.length > 0) throw missingFiles(missing, unlisted, source);
  const texts = await source.read([...listed].filter((file) => file !== undefined));
  const queries = entries.map((entry): QueryHere => {
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
  return { oldIndex, queries, unlisted };
}

/** Reads the metadata of all queries. A file beside a query's text wins over a line of the old index. */
async function readEntries(
  source: FolderSource,
): Promise<{ readonly entries: readonly IndexEntry[]; readonly oldIndex: string | undefined }> {
  const files = [...source.files.keys()].filter((file) => file.endsWith(metadataEnding)).sort();
  const hasIndex = source.files.has(indexFile);
  const bytes = await source.read([...files, ...(hasIndex ? [indexFile] : [])]);
  const entries = files.map((file): IndexEntry => {
    const queryFile = queryFileOf(file);
    const problem = pathProblem(queryFile);
    const read =
      problem === undefined
        ? parseMetadata(decoded(bytes.get(file) ?? new Uint8Array()), queryFile)
        : { problem: { kind: 'path', file, problem } as const };
    if ('entry' in read) return read.entry;
    throw new SyncError('folder', sayIndexProblem(read.problem, shown(file)));
  });
  const own = new Set(entries.map(({ file }) => pathKey(file)));
  const index = bytes.get(indexFile);
  const oldIndex = index === undefined ? undefined : decoded(index);
  const parsed = oldIndex === undefined ? { entries: [] } : parseIndex(oldIndex);
  if ('problem' in parsed) throw new SyncError('folder', sayIndexProblem(parsed.problem, shown(indexFile)));
  const all = [...entries, ...parsed.entries.filter(({ file }) => !own.has(pathKey(file)))];
  const twice = twiceIn(all);
  if (twice !== undefined) throw new SyncError('folder', sayIndexProblem(twice, queriesFolder));
  return { entries: all, oldIndex };
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

/** Reports metadata without a query. If other queries have no metadata, the message suggests that files were renamed. */
function missingFiles(
  missing: readonly IndexEntry[],
  unlisted: readonly string[],
  { files }: FolderSource,
): SyncError {
  const [first] = missing;
  const file = first?.file ?? '';
  if (!files.has(metadataFileOf(file)))
    return new SyncError(
      'folder',
      t('{0} lists files that do not exist. Restore them from Git, or remove their lines.', shown(indexFile)),
      missing.slice(0, 5).map((each) => `  ${shown(each.file)}`),
    );
  const message = t('{0} has no query beside it: {1} is missing.', shown(metadataFileOf(file)), shown(file));
  const [renamed] = unlisted;
  return new SyncError(
    'folder',
    message,
    renamed === undefined
      ? [
          t('Restore the query, or delete this file, too:'),
          ...gitAdvice.restoreFile(shown(file)).map(typedLine),
          ...gitAdvice.removeFile(shown(metadataFileOf(file))).map(typedLine),
        ]
      : [
          t('If you renamed the query, rename this file, too:'),
          ...gitAdvice.renameFile(shown(metadataFileOf(file)), shown(metadataFileOf(renamed))).map(typedLine),
        ],
  );
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
