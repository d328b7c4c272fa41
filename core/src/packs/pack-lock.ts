/** `.identity-queries/packs.json`: which packs are in a folder, from where, at which commit, with the digest of every file. */
import { isPackName } from './pack-manifest.ts';

export interface PackSource {
  readonly kind: 'git' | 'folder' | 'shipped';
  /** A Git address without its tag, or a folder; empty for what ships with this program. */
  readonly address: string;
  readonly tag?: string | undefined;
}

export interface LockedPack {
  readonly name: string;
  readonly version: string;
  readonly source: PackSource;
  /** Of Git. */
  readonly commit?: string | undefined;
  /** SHA-256 by path from the pack's folder, as it was installed. */
  readonly files: Readonly<Record<string, string>>;
}

/** From the folder that is open. */
export const lockFile = '.identity-queries/packs.json';
/** Where packs are, a folder each. */
export const packsFolder = 'packs';

/** The texts of a pack as they were installed: what an update compares with. */
export function basePath(name: string): string {
  return `.identity-queries/packs/${name}.json`;
}

const format = 1;
const digestShape = /^[0-9a-f]{64}$/;

/** Undefined: it is no lock file of this format. */
export function parseLock(text: string): readonly LockedPack[] | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['format'] !== format || !Array.isArray(value['packs'])) return undefined;
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

/** The texts as they were installed; undefined where the file is not what this program wrote. */
export function parseBase(text: string): ReadonlyMap<string, string> | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['format'] !== format || !isObject(value['files'])) return undefined;
  const files = Object.entries(value['files']);
  return files.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? new Map(files)
    : undefined;
}

export function writeBase(files: ReadonlyMap<string, string>): string {
  return `${JSON.stringify({ format, files: Object.fromEntries(files) }, undefined, 1)}\n`;
}

function parseLocked(value: unknown): LockedPack | undefined {
  if (!isObject(value)) return undefined;
  const { name, version, source, commit, files } = value;
  if (typeof name !== 'string' || !isPackName(name) || typeof version !== 'string') return undefined;
  if (!isObject(source) || !isObject(files)) return undefined;
  const { kind, address, tag } = source;
  if ((kind !== 'git' && kind !== 'folder' && kind !== 'shipped') || typeof address !== 'string')
    return undefined;
  if (tag !== undefined && typeof tag !== 'string') return undefined;
  if (commit !== undefined && typeof commit !== 'string') return undefined;
  const digests = Object.entries(files);
  if (!digests.every((entry): entry is [string, string] => digestShape.test(String(entry[1]))))
    return undefined;
  return {
    name,
    version,
    source: { kind, address, ...(tag === undefined ? {} : { tag }) },
    ...(commit === undefined ? {} : { commit }),
    files: Object.fromEntries(digests),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what the caller says of any file that is not one of ours
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
