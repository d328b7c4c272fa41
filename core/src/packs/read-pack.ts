/**
 * Reads a pack from its files, or returns the reason that it is refused. Only files listed in `saved-queries.json` are
 * read and installed. A pack that contains a link or an oversized file is refused as a whole.
 */
import { createHash } from 'node:crypto';
import {
  attributesFile,
  attributesText,
  indexFile,
  metadataEnding,
  queriesFolder,
  queryFileOf,
} from '../sync/format/layout.ts';
import {
  parseIndex,
  parseMetadata,
  twiceIn,
  type IndexEntry,
  type IndexProblem,
} from '../sync/format/query-index.ts';
import type { PathProblem } from '../sync/format/safe-path.ts';
import { textOfBytes, type TextProblem } from '../sync/format/text-bytes.ts';
import { fileBytesMax, PackFilesError, type PackEntry, type PackFiles } from './pack-files.ts';
import {
  isDeceiving,
  manifestFile,
  parseManifest,
  type ManifestProblem,
  type PackManifest,
} from './pack-manifest.ts';
import { packPathProblem } from './pack-path.ts';

export interface PackQuery extends IndexEntry {
  readonly text: string;
}

export interface Pack {
  readonly manifest: PackManifest;
  readonly queries: readonly PackQuery[];
  /** The contents of exactly the files to install, by path relative to the pack's folder. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The reason that a pack is refused. `file` comes from the pack's author, so it is displayed only through `shown-text`.
 */
export type PackProblem =
  | { readonly kind: 'files'; readonly problem: PackFilesError['problem'] }
  | { readonly kind: 'missing'; readonly file: string }
  | { readonly kind: 'link' | 'submodule' | 'device' | 'tooLong'; readonly file: string }
  | { readonly kind: 'manifest'; readonly problem: ManifestProblem }
  | { readonly kind: 'index'; readonly problem: IndexProblem }
  | { readonly kind: 'path'; readonly file: string; readonly problem: PathProblem }
  | { readonly kind: 'text'; readonly file: string; readonly problem: TextProblem }
  /** A query's name or description could render as a command link. */
  | { readonly kind: 'deceiving'; readonly file: string }
  /** The query is not provably read-only. */
  | { readonly kind: 'notReadOnly'; readonly file: string; readonly because: string }
  | { readonly kind: 'noQueries' };

export type ReadPack = { readonly pack: Pack } | { readonly problem: PackProblem };

export const indexPath = `${queriesFolder}/${indexFile}`;

export async function readPack(files: PackFiles): Promise<ReadPack> {
  let entries: readonly PackEntry[];
  try {
    entries = await files.list();
  } catch (error) {
    if (error instanceof PackFilesError) return { problem: { kind: 'files', problem: error.problem } };
    throw error;
  }
  const odd = entries.map(problemOf).find((problem) => problem !== undefined);
  if (odd !== undefined) return { problem: odd };
  const there = new Set(entries.map((entry) => entry.path));
  const read = async (file: string) => (there.has(file) ? await readText(files, file) : missing(file));

  const manifestText = await read(manifestFile);
  if ('problem' in manifestText) return manifestText;
  const manifest = parseManifest(manifestText.text);
  if ('problem' in manifest) return { problem: { kind: 'manifest', problem: manifest.problem } };
  const index = await readEntries([...there], read);
  if ('problem' in index) return index;
  if (index.entries.length === 0) return { problem: { kind: 'noQueries' } };

  const queries: PackQuery[] = [];
  for (const entry of index.entries) {
    if (isDeceiving(entry.name) || isDeceiving(entry.description) || isDeceiving(entry.model))
      return { problem: { kind: 'deceiving', file: entry.file } };
    const text = await read(`${queriesFolder}/${entry.file}`);
    if ('problem' in text) return text;
    queries.push({ ...entry, text: text.text });
  }
  const installed = new Map([
    // Never use the pack's own file, since attributes can name filters and merge drivers.
    [attributesFile, attributesText],
    [manifestFile, manifestText.text],
    ...index.files,
    ...queries.map(({ file, text }) => [`${queriesFolder}/${file}`, text] as const),
  ]);
  return { pack: { manifest: manifest.manifest, queries, files: installed } };
}

interface PackIndex {
  readonly entries: readonly IndexEntry[];
  /** The files with the entries, to install. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reads the metadata of a pack's queries: an index, or a file beside each query, as in a folder that was pulled. */
async function readEntries(
  there: readonly string[],
  read: (file: string) => Promise<{ readonly text: string } | { readonly problem: PackProblem }>,
): Promise<PackIndex | { readonly problem: PackProblem }> {
  const beside = there.filter(
    (file) => file.startsWith(`${queriesFolder}/`) && file.endsWith(metadataEnding),
  );
  if (beside.length === 0 || there.includes(indexPath)) {
    const text = await read(indexPath);
    if ('problem' in text) return text;
    const index = parseIndex(text.text);
    if ('problem' in index) return { problem: { kind: 'index', problem: index.problem } };
    const [held] = index.held;
    if (held !== undefined) return { problem: { kind: 'index', problem: held.problem } };
    return { entries: index.entries, files: new Map([[indexPath, text.text]]) };
  }
  const files = new Map<string, string>();
  const entries: IndexEntry[] = [];
  for (const file of beside.sort()) {
    const text = await read(file);
    if ('problem' in text) return text;
    const parsed = parseMetadata(text.text, queryFileOf(file.slice(queriesFolder.length + 1)));
    if ('problem' in parsed) return { problem: { kind: 'index', problem: parsed.problem } };
    files.set(file, text.text);
    entries.push(parsed.entry);
  }
  const [problem] = twiceIn(entries).values();
  return problem === undefined ? { entries, files } : { problem: { kind: 'index', problem } };
}

/** Returns the SHA-256 of a file's text, in hexadecimal. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function problemOf({ path, kind, bytes }: PackEntry): PackProblem | undefined {
  if (kind === 'link' || kind === 'submodule') return { kind, file: path };
  if (kind === 'other') return { kind: 'device', file: path };
  if ((bytes ?? 0) > fileBytesMax) return { kind: 'tooLong', file: path };
  const problem = packPathProblem(path);
  return problem === undefined ? undefined : { kind: 'path', file: path, problem };
}

async function readText(
  files: PackFiles,
  file: string,
): Promise<{ readonly text: string } | { readonly problem: PackProblem }> {
  const bytes = await files.read(file);
  if (bytes === undefined) return { problem: { kind: 'tooLong', file } };
  const read = textOfBytes(bytes);
  return 'problem' in read ? { problem: { kind: 'text', file, problem: read.problem } } : read;
}

function missing(file: string): { readonly problem: PackProblem } {
  return { problem: { kind: 'missing', file } };
}
