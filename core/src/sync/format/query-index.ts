/**
 * The metadata of a saved query, a file beside its text: two branches that each add a query touch different files, so
 * that Git merges them. It contains no version, time or author, so a pull without changes leaves it unchanged. Packs,
 * and folders that were pulled by earlier versions, have one index of all queries instead.
 */
import { jsonText, parseJson } from '#api/client/json.ts';
import { limits } from '#api/contract/limits.ts';
import { lineOfConflict, lineOfSyntaxError, repeatedMember } from '#base/json-places.ts';
import { isObject } from '#base/values/is-object.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { indexFile, metadataFileOf } from './layout.ts';
import { pathProblem, type PathProblem } from './safe-path.ts';
import { pathKey } from './slugs.ts';
import type { TextProblem } from './text-bytes.ts';

export interface IndexEntry {
  /** Relative to the query folder, with slashes. */
  readonly file: string;
  readonly name: string;
  readonly model: string;
  /** Empty if there is none. */
  readonly description: string;
  /** Query IDs by service (`serviceKeyOf`), since the same query may exist on several services. */
  readonly ids: Readonly<Record<string, string>>;
}

/** The reason that the file of a query cannot be used. */
export type QueryFileProblem = TextProblem | 'missing' | 'link' | 'notFile' | 'unreadable';

/** If the damage was committed, the last commit before it. */
interface Committed {
  readonly soundIn?: string | undefined;
}

export type IndexProblem =
  /** `line` is 1-based. */
  | ({ readonly kind: 'notJson'; readonly line: number } & Committed)
  /** This program takes one of them, people may take the other. */
  | { readonly kind: 'repeated'; readonly line: number; readonly member: string }
  /** The file contains Git's conflict markers. */
  | ({ readonly kind: 'conflictMarkers'; readonly line: number } & Committed)
  /** A newer program wrote the file, or it is not a list of queries. */
  | { readonly kind: 'format' }
  | { readonly kind: 'tooMany' }
  | { readonly kind: 'member'; readonly member: string }
  /** `entry` is 1-based. */
  | { readonly kind: 'entry'; readonly entry: number; readonly member: string }
  | { readonly kind: 'path'; readonly file: string; readonly problem: PathProblem }
  /** Two entries have the same file, name or ID. */
  | {
      readonly kind: 'twice';
      readonly what: 'file' | 'name' | 'id';
      readonly value: string;
      readonly files: readonly [string, string];
    }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly problem: QueryFileProblem;
      /** For a missing query: one without metadata, which it may have become. */
      readonly renamed?: string | undefined;
    };

/**
 * An entry that cannot be used. Its query is neither sent, fetched nor deleted, what is written about it is kept as it
 * is, and all other entries are used.
 */
export interface HeldEntry {
  readonly problem: IndexProblem;
  /** The file with the entry: metadata, or the old index. */
  readonly source: string;
  /** The entry's line in the old index, as JSON without spaces. */
  readonly line: string | undefined;
  /** What the entry says about its query, as far as it is valid. The file is a safe path. */
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly ids: Readonly<Record<string, string>>;
}

export type ParsedIndex =
  | { readonly entries: readonly IndexEntry[]; readonly held: readonly HeldEntry[] }
  | { readonly problem: IndexProblem };

const format = 1;
const entriesMax = 100_000;
/** A hash of an address, or `sandbox`. */
const serviceKey = /^[a-z0-9-]{1,64}$/;

/** @param file the query's path, relative to the query folder. */
export function parseMetadata(
  text: string,
  file: string,
): { readonly entry: IndexEntry } | { readonly problem: IndexProblem } {
  const read = parseJsonText(text);
  if ('problem' in read) return read;
  if (!isObject(read.value) || 'file' in read.value) return { problem: { kind: 'member', member: 'file' } };
  const entry = parseEntry({ ...read.value, file });
  return 'member' in entry ? { problem: { kind: 'member', member: entry.member } } : { entry };
}

/** One member a line, so that Git merges changes to different members. */
export function writeMetadata(entry: IndexEntry): string {
  const { file: _, ...members } = ordered(entry);
  return `${JSON.stringify(members, undefined, 2)}\n`;
}

function parseJsonText(
  text: string,
): { readonly value: unknown } | { readonly problem: Extract<IndexProblem, { line: number }> } {
  const marked = lineOfConflict(text);
  if (marked !== undefined) return { problem: { kind: 'conflictMarkers', line: marked } };
  try {
    const value: unknown = parseJson(text.replace(/^\uFEFF/, '')); // what cannot be used is written back exactly
    const repeated = repeatedMember(text);
    return repeated === undefined
      ? { value }
      : { problem: { kind: 'repeated', line: repeated.line, member: repeated.name } };
  } catch (error) {
    // The caller reports the problem with the name of the file.
    return { problem: { kind: 'notJson', line: lineOfSyntaxError(error, text) } };
  }
}

/**
 * Reads the index of a pack, or of a folder that was pulled by an earlier version. A missing or additional comma at the
 * end of a line, as a merge leaves it, is no damage: each query has a line of its own.
 */
export function parseIndex(text: string): ParsedIndex {
  const lines = text.split('\n').map((line) => line.trim().replace(/,$/, ''));
  const own = lines.filter((line) => line.startsWith('{"'));
  const isByLine = own.length > 0 && /^\{ ?"format": ?1, ?"queries": ?\[$/.test(lines[0] ?? '');
  const mended = isByLine ? `{"format":1,"queries":[\n${own.join(',\n')}\n]}` : text;
  const whole = parseJsonText(text);
  const read = 'problem' in whole && whole.problem.kind === 'notJson' ? parseJsonText(mended) : whole;
  if ('problem' in read) return 'problem' in whole ? whole : read;
  const { value } = read;
  if (!isObject(value) || value['format'] !== format || !Array.isArray(value['queries']))
    return { problem: { kind: 'format' } };
  const list: readonly unknown[] = value['queries'];
  if (list.length > entriesMax) return { problem: { kind: 'tooMany' } };
  const good: IndexEntry[] = [];
  const held: HeldEntry[] = [];
  const hold = (each: unknown, problem: IndexProblem) =>
    held.push(heldEntry(each, problem, { source: indexFile, line: jsonText(each) }));
  for (const [index, each] of list.entries()) {
    const entry = parseEntry(each);
    const problem = 'member' in entry ? undefined : pathProblem(entry.file);
    if ('member' in entry) hold(each, { kind: 'entry', entry: index + 1, member: entry.member });
    else if (problem !== undefined) hold(each, { kind: 'path', file: entry.file, problem });
    else good.push(entry);
  }
  const twice = twiceIn(good);
  for (const entry of good) {
    const problem = twice.get(entry);
    if (problem !== undefined) held.push(heldInIndex(entry, problem));
  }
  return { entries: good.filter((entry) => !twice.has(entry)), held };
}

/** Holds back an entry of the old index. */
export function heldInIndex(entry: IndexEntry, problem: IndexProblem): HeldEntry {
  return heldEntry(entry, problem, { source: indexFile, line: indexLine(entry) });
}

/** Holds back the query of a metadata file. Its text may be anything. */
export function heldMetadata(text: string, file: string, problem: IndexProblem): HeldEntry {
  const read = parseJsonText(text);
  const members = 'value' in read && isObject(read.value) ? read.value : {};
  return heldEntry({ ...members, file }, problem, { source: metadataFileOf(file), line: undefined });
}

function heldEntry(
  value: unknown,
  problem: IndexProblem,
  place: Pick<HeldEntry, 'source' | 'line'>,
): HeldEntry {
  const { file, name, ids } = isObject(value) ? value : {};
  return {
    problem,
    ...place,
    file: typeof file === 'string' && pathProblem(file) === undefined ? file : undefined,
    name: typeof name === 'string' && isName(name) ? name : undefined,
    ids: isObject(ids) ? Object.fromEntries(Object.entries(ids).filter(isId)) : {},
  };
}

/** @param held entries whose lines are kept. */
export function writeIndex(entries: readonly IndexEntry[], held: readonly HeldEntry[] = []): string {
  const lines = [
    ...entries
      .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
      .map((entry) => JSON.stringify(ordered(entry))),
    ...held.flatMap(({ line }) => line ?? []),
  ];
  return `{ "format": ${format}, "queries": [\n${lines.join(',\n')}${lines.length === 0 ? '' : '\n'}] }\n`;
}

/** Returns one line of the file, for adding a query manually. */
export function indexLine(entry: IndexEntry): string {
  return JSON.stringify(ordered(entry));
}

/** Orders the members and omits empty ones. */
function ordered({ file, name, model, description, ids }: IndexEntry): Record<string, unknown> {
  const keys = Object.keys(ids).sort();
  return {
    file,
    name,
    model,
    ...(description === '' ? {} : { description }),
    ...(keys.length === 0 ? {} : { ids: Object.fromEntries(keys.map((key) => [key, ids[key]])) }),
  };
}

/** Returns whether the index could still be parsed with this entry. Paths are checked elsewhere. */
export function isEntry(entry: IndexEntry): boolean {
  return !('member' in parseEntry(entry));
}

function parseEntry(value: unknown): IndexEntry | { readonly member: string } {
  if (!isObject(value)) return { member: 'file' };
  const { file, name, model, description = '', ids = {}, ...unknown } = value;
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined) return { member: stranger };
  if (typeof file !== 'string') return { member: 'file' };
  if (typeof name !== 'string' || !isName(name)) return { member: 'name' };
  if (typeof model !== 'string' || model === '') return { member: 'model' };
  if (typeof description !== 'string' || [...description].length > limits.descriptionMax)
    return { member: 'description' };
  if (!model.isWellFormed()) return { member: 'model' };
  if (!description.isWellFormed()) return { member: 'description' };
  const known = parseIds(ids);
  return known === undefined ? { member: 'ids' } : { file, name, model, description, ids: known };
}

function isName(name: string): boolean {
  return name.trim() !== '' && [...name].length <= limits.savedQueryNameMax && name.isWellFormed();
}

function parseIds(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const pairs = Object.entries(value);
  return pairs.every(isId) ? Object.fromEntries(pairs) : undefined;
}

function isId(pair: [string, unknown]): pair is [string, string] {
  const [key, id] = pair;
  return serviceKey.test(key) && typeof id === 'string' && id !== '' && id.length <= 200;
}

/** Finds entries that share a file, a name or an ID. Which of them is right is unknown, so all of them are returned. */
export function twiceIn(entries: readonly IndexEntry[]): ReadonlyMap<IndexEntry, IndexProblem> {
  const found = new Map<IndexEntry, IndexProblem>();
  const seen = new Map<string, IndexEntry>();
  for (const entry of entries) {
    const { file, name, ids } = entry;
    const checks = [
      ['file', pathKey(file), file],
      ['name', nameKeyOf(name), name],
      ...Object.entries(ids).map(([key, id]) => ['id', `${key}\n${id}`, id] as const),
    ] as const;
    for (const [what, key, value] of checks) {
      const other = seen.get(`${what}\n${key}`);
      if (other === undefined) {
        seen.set(`${what}\n${key}`, entry);
        continue;
      }
      const problem = { kind: 'twice', what, value, files: [other.file, file] } as const;
      for (const each of [other, entry]) if (!found.has(each)) found.set(each, problem);
    }
  }
  return found;
}
