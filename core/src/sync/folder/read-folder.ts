/**
 * Reads the queries of a folder from the working files or a commit. A query that cannot be used is held back, and the
 * rest is read; only a malformed index of an earlier version is refused as a whole.
 */
import { t } from '#base/texts.ts';
import {
  attributesFile,
  indexFile,
  metadataEnding,
  modelsFile,
  queriesFolder,
  queryEnding,
  queryFileOf,
} from '../format/layout.ts';
import { sayIndexProblem } from '../format/problem-messages.ts';
import {
  heldInIndex,
  heldMetadata,
  parseIndex,
  parseMetadata,
  twiceIn,
  writeMetadata,
  type HeldEntry,
  type IndexEntry,
  type IndexProblem,
  type QueryFileProblem,
} from '../format/query-index.ts';
import { pathProblem } from '../format/safe-path.ts';
import { pathKey } from '../format/slugs.ts';
import { textOfBytes } from '../format/text-bytes.ts';
import type { QueryHere } from '../plan/pair.ts';
import { SyncError } from '../sync-error.ts';

/** `other`: a pipe, a device, a folder where a file should be, or one that cannot be read. */
export type FileKind = 'file' | 'link' | 'other';

/** The files of a folder. Paths are relative to the query folder, with slashes. */
export interface FolderSource {
  /** All files. Symbolic links are never followed, because they may lead out of the repository. */
  readonly files: ReadonlyMap<string, FileKind>;
  /** Reads the bytes of listed files, by path. Files that cannot be read are omitted. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface QueryFolder {
  /** The text of the index that an earlier version wrote. The next pull replaces it by a file for each query. */
  readonly oldIndex?: string | undefined;
  readonly queries: readonly QueryHere[];
  /** Queries that cannot be used. */
  readonly held: readonly HeldEntry[];
  /** Query files without metadata. */
  readonly unlisted: readonly string[];
  readonly files: FolderSource['files'];
}

/** @throws SyncError if the index of an earlier version is malformed. */
export async function readQueryFolder(source: FolderSource): Promise<QueryFolder> {
  const { files } = source;
  refuseLinks(source);
  const { entries, hold, held: heldEntries, oldIndex } = await readEntries(source);
  const names = new Map([...files.keys()].map((file) => [file.normalize('NFC'), file]));
  const placeOf = (file: string) => names.get(file.normalize('NFC'));
  const listed = new Set([...entries, ...heldEntries].map(({ file }) => file && placeOf(file)));
  const unlisted = [...files].flatMap(([file, kind]) =>
    kind === 'file' && file.endsWith(queryEnding) && !listed.has(file) ? [file] : [],
  );
  const texts = await source.read(
    [...listed].flatMap((file) => (file && files.get(file) === 'file' ? file : [])),
  );
  const held = [...heldEntries];
  const queries: QueryHere[] = [];
  const missing: IndexEntry[] = [];
  for (const entry of entries) {
    const { file, name, model, description, ids } = entry;
    const read = textOf(placeOf(file), { files, texts });
    if ('text' in read)
      queries.push({ file, ids, draft: { name, model, description, query_string: read.text } });
    else if (read.problem === 'missing') missing.push(entry);
    else held.push(hold(entry, { kind: 'file', file, problem: read.problem }));
  }
  const renames = renamesOf(
    missing.map(({ file }) => file),
    unlisted,
  );
  for (const entry of missing) {
    const { file } = entry;
    held.push(hold(entry, { kind: 'file', file, problem: 'missing', renamed: renames.get(file) }));
  }
  return { oldIndex, queries, held, unlisted, files };
}

/**
 * Guesses which query without metadata a missing one has become: the only one with its name, in another folder, or the
 * only one that is left on both sides. Two never become the same, since following the advice would lose one.
 */
function renamesOf(missing: readonly string[], unlisted: readonly string[]): ReadonlyMap<string, string> {
  const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1);
  const renames = new Map<string, string>();
  for (const file of missing) {
    const isAlone = missing.filter((other) => nameOf(other) === nameOf(file)).length === 1;
    const [found, ...others] = unlisted.filter((other) => nameOf(other) === nameOf(file));
    if (isAlone && found !== undefined && others.length === 0) renames.set(file, found);
  }
  const taken = new Set(renames.values());
  const [lost, ...moreLost] = missing.filter((file) => !renames.has(file));
  const [left, ...moreLeft] = unlisted.filter((file) => !taken.has(file));
  if (lost !== undefined && left !== undefined && moreLost.length + moreLeft.length === 0)
    renames.set(lost, left);
  return renames;
}

interface Entries {
  readonly entries: readonly IndexEntry[];
  readonly held: readonly HeldEntry[];
  /** Holds back one of the entries. */
  readonly hold: (entry: IndexEntry, problem: IndexProblem) => HeldEntry;
  readonly oldIndex: string | undefined;
}

/** Reads the metadata of all queries. A file beside a query's text wins over a line of the old index. */
async function readEntries(source: FolderSource): Promise<Entries> {
  const files = [...source.files.keys()].filter((file) => file.endsWith(metadataEnding)).sort();
  const hasIndex = source.files.has(indexFile);
  const bytes = await source.read([
    ...files.filter((file) => source.files.get(file) === 'file'),
    ...(hasIndex ? [indexFile] : []),
  ]);
  const entries: IndexEntry[] = [];
  const held: HeldEntry[] = [];
  for (const file of files) {
    const text = bytes.get(file);
    const read = metadataOf(file, text, source);
    if ('entry' in read) entries.push(read.entry);
    else held.push(heldMetadata(text === undefined ? '' : decoded(text), queryFileOf(file), read.problem));
  }
  const beside = new Set([...entries, ...held].map(({ file }) => file && pathKey(file)));
  const index = bytes.get(indexFile);
  if (hasIndex && index === undefined)
    throw new SyncError(
      'folder',
      t('{0} cannot be read, or is too large. Correct it, or restore it from Git.', shown(indexFile)),
    );
  const oldIndex = index === undefined ? undefined : decoded(index);
  const parsed = oldIndex === undefined ? { entries: [], held: [] } : parseIndex(oldIndex);
  if ('problem' in parsed) throw new SyncError('folder', sayIndexProblem(parsed.problem, shown(indexFile)));
  const ofIndex = new Set(parsed.entries.filter(({ file }) => !beside.has(pathKey(file))));
  const all = [...entries, ...ofIndex];
  const hold = (entry: IndexEntry, problem: IndexProblem) =>
    ofIndex.has(entry)
      ? heldInIndex(entry, problem)
      : heldMetadata(writeMetadata(entry), entry.file, problem);
  const twice = twiceIn(all);
  return {
    entries: all.filter((entry) => !twice.has(entry)),
    held: [...held, ...parsed.held, ...[...twice].map(([entry, problem]) => hold(entry, problem))],
    hold,
    oldIndex,
  };
}

function metadataOf(
  file: string,
  bytes: Uint8Array | undefined,
  { files }: FolderSource,
): { readonly entry: IndexEntry } | { readonly problem: IndexProblem } {
  const queryFile = queryFileOf(file);
  const path = pathProblem(queryFile);
  if (path !== undefined) return { problem: { kind: 'path', file, problem: path } };
  if (bytes !== undefined) return parseMetadata(decoded(bytes), queryFile);
  const kind = files.get(file);
  const problem = kind === 'link' ? 'link' : kind === 'other' ? 'notFile' : 'unreadable';
  return { problem: { kind: 'file', file, problem } };
}

function textOf(
  place: string | undefined,
  {
    files,
    texts,
  }: { readonly files: FolderSource['files']; readonly texts: ReadonlyMap<string, Uint8Array> },
): { readonly text: string } | { readonly problem: QueryFileProblem } {
  const kind = place === undefined ? undefined : files.get(place);
  if (place === undefined || kind === undefined) return { problem: 'missing' };
  if (kind !== 'file') return { problem: kind === 'link' ? 'link' : 'notFile' };
  const bytes = texts.get(place);
  return bytes === undefined ? { problem: 'unreadable' } : textOfBytes(bytes);
}

/** Returns the path to show, starting with the query folder. */
export function shown(file: string): string {
  return `${queriesFolder}/${file}`;
}

/** Without these files, a folder would be read differently, so they are never skipped. */
function refuseLinks({ files }: FolderSource): void {
  const first = [indexFile, attributesFile, modelsFile].find(
    (file) => (files.get(file) ?? 'file') !== 'file',
  );
  if (first === undefined) return;
  throw new SyncError(
    'folder',
    files.get(first) === 'link'
      ? t(
          '{0} is a symbolic link that points outside the repository, so it is refused. Replace it with a file.',
          shown(first),
        )
      : t('{0} is not a file, so it is refused. Replace it with a file.', shown(first)),
  );
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
