/**
 * Reads the history of queries in a repository: names, models and descriptions from every version of their metadata,
 * and query text from every version of each file.
 */
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { indexBytesMax } from '../folder/sources.ts';
import { indexFile, metadataEnding, metadataFileOf, queryFileOf } from '../format/layout.ts';
import { parseIndex, parseMetadata, type IndexEntry } from '../format/query-index.ts';
import { textBytesMax, textOfBytes } from '../format/text-bytes.ts';
import type { Earlier } from '../plan/pair.ts';
import type { History } from '../plan/plan.ts';
import type { GitRepository } from './git-repository.ts';

/** A query whose history is requested. */
export interface Wanted {
  /** The ID on the compared service. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly file: string | undefined;
}

export const noHistory: History = { name: [], model: [], description: [], query_string: [] };

export interface Histories {
  /** One history per requested query, in the same order. */
  readonly histories: readonly History[];
  /** Every file that ever existed, relative to the query folder. */
  readonly files: ReadonlySet<string>;
}

/** @param folder path of the query folder, relative to the repository root. */
export async function readHistories(
  repository: GitRepository,
  { commit, folder, service }: { readonly commit: string; readonly folder: string; readonly service: string },
  wanted: readonly Wanted[],
): Promise<Histories> {
  if (wanted.length === 0) return { histories: [], files: new Set() };
  const changes = await repository.changes(commit, folder);
  const index = `${folder}/${indexFile}`;
  const versions = [...new Set(changes.filter((change) => change.path === index).map(({ id }) => id))];
  const found = wanted.map(() => new Set<IndexEntry>());
  const finder = new Finder(wanted, service);
  const ownVersions = changes.flatMap(({ path, id }) =>
    path.endsWith(metadataEnding) ? [{ file: queryFileOf(path.slice(folder.length + 1)), id }] : [],
  );
  const entries = [
    ...(await metadataOf(repository, ownVersions)),
    ...(await entriesOf(repository, versions)),
  ];
  for (const entry of entries) for (const place of finder.find(entry)) found[place]?.add(entry);
  const idsByFile = new Map<string, string[]>();
  for (const { path, id } of changes) {
    const file = path.slice(folder.length + 1);
    const ids = idsByFile.get(file);
    if (ids === undefined) idsByFile.set(file, [id]);
    else ids.push(id);
  }
  const order = new Map(
    changes.map(({ path, id }, place) => [`${path}\0${id}`, place]).reverse() as [string, number][],
  );
  const blobsOf = (place: number): readonly string[] => {
    const own = wanted[place]?.file;
    const files = new Set([...(found[place] ?? [])].map(({ file }) => file));
    if (own !== undefined) files.add(own);
    return [...files]
      .flatMap((file) =>
        (idsByFile.get(file) ?? []).map((id) => ({ id, at: order.get(`${folder}/${file}\0${id}`) ?? 0 })),
      )
      .sort((a, b) => a.at - b.at)
      .map(({ id }) => id);
  };
  const blobs = wanted.map((_each, place) => [...new Set(blobsOf(place))]);
  const bytes = await repository.blobs(blobs.flat(), textBytesMax);
  const madeHere = await repository.madeHere();
  const firstCommits = new Map(
    changes.map(({ path, commit: first }) => [path.slice(folder.length + 1), first]),
  );
  const isBornHere = (first: string | undefined) => first === undefined || madeHere.has(first);
  const histories = wanted.map(({ file }, place): History => {
    const entries = [...(found[place] ?? [])];
    const texts = (blobs[place] ?? []).flatMap((id) => {
      const read = textOfBytes(bytes.get(id) ?? new Uint8Array());
      return 'text' in read ? [read.text] : [];
    });
    return {
      name: distinct(entries.map(({ name }) => name)),
      model: distinct(entries.map(({ model }) => model)),
      description: distinct(entries.map(({ description }) => description)),
      query_string: distinct(texts),
      isBornHere: isBornHere(file === undefined ? undefined : firstCommits.get(file)),
    };
  });
  return { histories, files: new Set(firstCommits.keys()) };
}

/**
 * Returns earlier entries by file, newest first, back to the commit that added the file. Only first parents count,
 * since pushes send those.
 *
 * @param folder path of the query folder, relative to the repository root.
 */
export async function readEarlierLines(
  repository: GitRepository,
  { commit, folder, service }: { readonly commit: string; readonly folder: string; readonly service: string },
  files: readonly string[],
): Promise<ReadonlyMap<string, Earlier>> {
  const found = new Map(files.map((file) => [file, { names: new Set<string>(), ids: new Set<string>() }]));
  const note = (file: string, { name, ids }: IndexEntry) => {
    const id = ids[service];
    found.get(file)?.names.add(name);
    if (id !== undefined) found.get(file)?.ids.add(id);
  };
  const versions = await repository.versions(commit, folder);
  const lives = files.flatMap((file) => {
    const own = versions.get(`${folder}/${metadataFileOf(file)}`) ?? [];
    const end = own.indexOf(undefined);
    return own.slice(0, end < 0 ? own.length : end).flatMap((id) => (id === undefined ? [] : [{ file, id }]));
  });
  for (const entry of await metadataOf(repository, lives)) note(entry.file, entry);
  // Before its metadata became a file, a query had a line in the index, which ended then.
  const waiting = new Set(files);
  const ofIndex = versions.get(`${folder}/${indexFile}`) ?? [];
  for (const version of ofIndex[0] === undefined ? ofIndex.slice(1) : ofIndex) {
    if (waiting.size === 0 || version === undefined) break;
    const parsed = parseIndex(await indexOf(repository, version));
    if ('problem' in parsed) continue; // unreadable old versions of the index are ignored
    const entries = new Map(parsed.entries.map((entry) => [entry.file, entry]));
    for (const file of waiting) {
      const entry = entries.get(file);
      if (entry === undefined) waiting.delete(file);
      else note(file, entry);
    }
  }
  return new Map([...found].map(([file, { names, ids }]) => [file, { names: [...names], ids: [...ids] }]));
}

/** Returns the metadata in all versions of the files beside queries. Unreadable old versions are ignored. */
async function metadataOf(
  repository: GitRepository,
  versions: readonly { readonly file: string; readonly id: string }[],
): Promise<readonly IndexEntry[]> {
  const bytes = await repository.blobs(
    versions.map(({ id }) => id),
    textBytesMax,
  );
  const seen = new Set<string>();
  return versions.flatMap(({ file, id }): readonly IndexEntry[] => {
    if (seen.has(`${file}\n${id}`)) return [];
    seen.add(`${file}\n${id}`);
    const parsed = parseMetadata(bytes.get(id)?.toString('utf8') ?? '', file);
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

/** Returns the entries of all versions of the index, newest first. Most lines repeat, so duplicates are skipped. */
async function entriesOf(
  repository: GitRepository,
  versions: readonly string[],
): Promise<readonly IndexEntry[]> {
  const entries: IndexEntry[] = [];
  const seen = new Set<string>();
  // Versions are read one at a time, so that a long history of large indexes is never fully in memory.
  for (const version of versions) {
    const text = await indexOf(repository, version);
    const lines = text.split('\n').filter((line) => line.startsWith('{"'));
    const isByLine = lines.length > 0 || text.length < 64;
    const fresh = lines.map((line) => line.replace(/,\r?$/, '')).filter((line) => !seen.has(line));
    for (const line of fresh) seen.add(line);
    const parsed = parseIndex(isByLine ? `{"format":1,"queries":[${fresh.join(',')}]}` : text);
    // Unreadable old versions of the index are ignored.
    if ('entries' in parsed) for (const entry of parsed.entries) entries.push(entry);
  }
  return entries;
}

async function indexOf(repository: GitRepository, version: string): Promise<string> {
  return (await repository.blobs([version], indexBytesMax)).get(version)?.toString('utf8') ?? '';
}

class Finder {
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #files = new Map<string, number>();
  readonly #wanted: readonly Wanted[];
  readonly #service: string;

  constructor(wanted: readonly Wanted[], service: string) {
    this.#wanted = wanted;
    this.#service = service;
    for (const [place, { id, name, file }] of wanted.entries()) {
      if (id !== undefined) this.#ids.set(id, place);
      if (name !== undefined) this.#names.set(nameKeyOf(name), place);
      if (file !== undefined) this.#files.set(file, place);
    }
  }

  /**
   * Returns the positions of the requested queries that match an entry. An entry with a different ID is a different
   * query.
   */
  find({ ids, name, file }: IndexEntry): readonly number[] {
    const id = ids[this.#service];
    const places = [
      id === undefined ? undefined : this.#ids.get(id),
      this.#names.get(nameKeyOf(name)),
      this.#files.get(file),
    ];
    return [...new Set(places)].filter((place) => {
      const own = place === undefined ? undefined : this.#wanted[place]?.id;
      return place !== undefined && (id === undefined || own === undefined || own === id);
    }) as number[]; // the filter excludes undefined
  }
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
