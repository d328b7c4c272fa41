/**
 * The lock file `.identity-queries/packs.json` records the source, the commit and the file digests of each installed
 * pack.
 */
import { repeatedMember } from '#base/json-places.ts';
import { isObject } from '#base/values/is-object.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import { isText, oneOf, optional, shapeOf } from '#base/values/shapes.ts';
import { parseGitAddress } from './git-address.ts';
import { isPackName } from './pack-manifest.ts';
import { packPathProblem } from './pack-path.ts';

export interface PackSource {
  readonly kind: 'git' | 'folder' | 'shipped';
  /** A Git address without its tag, or a folder path; empty for shipped packs. */
  readonly address: string;
  readonly tag?: string | undefined;
}

export interface LockedPack {
  readonly name: string;
  readonly version: string;
  readonly source: PackSource;
  readonly commit?: string | undefined;
  /** SHA-256 of each installed file, by path relative to the pack's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Relative to the open folder. */
export const lockFile = '.identity-queries/packs.json';
/** Contains one folder per pack. */
export const packsFolder = 'packs';

/** Returns the path of the file that stores a pack as installed, the base for its next update. */
export function basePath(name: string): string {
  return `.identity-queries/packs/${name}.json`;
}

const format = 1;
const digestShape = /^[0-9a-f]{64}$/;
const commitShape = /^[0-9a-f]{4,64}$/;

/** @returns undefined if the text is not a lock file of this format, or people could read it in another way. */
export function parseLock(text: string): readonly LockedPack[] | undefined {
  const value = parsedJson(text);
  if (!isObject(value) || value['format'] !== format || !Array.isArray(value['packs'])) return undefined;
  if (repeatedMember(text) !== undefined) return undefined;
  const packs = (value['packs'] as readonly unknown[]).map(parseLocked);
  const known = packs.filter((pack) => pack !== undefined);
  const isWhole =
    known.length === packs.length && new Set(known.map(({ name }) => name)).size === known.length;
  return isWhole ? known : undefined;
}

export function writeLock(packs: readonly LockedPack[]): string {
  const sorted = packs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((pack) => ({
      ...pack,
      files: Object.fromEntries(Object.entries(pack.files).sort(([a], [b]) => (a < b ? -1 : 1))),
    }));
  return `${JSON.stringify({ format, packs: sorted }, undefined, 2)}\n`;
}

/** Parses the installed files of a pack, by path. @returns undefined if this program did not write the text. */
export function parseBase(text: string): ReadonlyMap<string, string> | undefined {
  const value = parsedJson(text);
  if (!isObject(value) || value['format'] !== format || !isObject(value['files'])) return undefined;
  const files = Object.entries(value['files']);
  return files.every(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && packPathProblem(entry[0]) === undefined,
  )
    ? new Map(files)
    : undefined;
}

export function writeBase(files: ReadonlyMap<string, string>): string {
  return `${JSON.stringify({ format, files: Object.fromEntries(files) }, undefined, 1)}\n`;
}

const isLocked = shapeOf<LockedPack>({
  name: (name) => isText(name) && isPackName(name),
  version: isText,
  source: shapeOf<PackSource>({
    ...{ kind: oneOf(['git', 'folder', 'shipped']), address: isText, tag: optional(isText) },
  }),
  commit: optional((commit) => isText(commit) && commitShape.test(commit)),
  files: (files) =>
    isObject(files) &&
    Object.entries(files).every(
      ([file, digest]) => digestShape.test(String(digest)) && packPathProblem(file) === undefined,
    ),
});

function parseLocked(value: unknown): LockedPack | undefined {
  if (!isLocked(value)) return undefined;
  const { name, version, source, commit, files } = value;
  const { kind, address, tag } = source;
  if (kind === 'git') {
    // As if it had been typed.
    const typed = parseGitAddress(`${address}@${tag ?? ''}`);
    if (typed === undefined || 'problem' in typed || typed.address.url !== address) return undefined;
  }
  if (kind === 'folder' && (address === '' || /[\p{C}]/u.test(address))) return undefined;
  return {
    name,
    version,
    source: { kind, address, ...(tag === undefined ? {} : { tag }) },
    ...(commit === undefined ? {} : { commit }),
    files: { ...files },
  };
}
