/**
 * The manifest `pack.json` contains a pack's name, license and description, and the columns that each query reads
 * (docs/guide/library.md).
 */
import { repeatedMember } from '#base/json-places.ts';
import { hasHiddenCharacters } from '#base/shown-text/hidden-characters.ts';
import { isObject } from '#base/values/is-object.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import { parseTag } from '#server/language/text/control-directives.ts';

export interface PackManifest {
  /** The name of the pack's folder: lowercase letters, digits and hyphens. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  /** The columns that each listed file reads, as `model.table.column`. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  readonly benchmarks: readonly PackBenchmark[];
}

/** A group of controls, as in `.identity-queries/benchmarks.json`. */
export interface PackBenchmark {
  readonly title: string;
  readonly description?: string;
  readonly tag?: string;
  readonly children?: readonly PackBenchmark[];
}

export const manifestFile = 'pack.json';

export type ManifestProblem =
  | { readonly kind: 'notJson' }
  /** A newer program wrote the file, or it is not a manifest. */
  | { readonly kind: 'format' }
  | { readonly kind: 'member'; readonly member: string }
  /** The member looks like a command link or contains hidden characters. */
  | { readonly kind: 'link'; readonly member: string };

export type ParsedManifest = { readonly manifest: PackManifest } | { readonly problem: ManifestProblem };

const format = 1;
const textMax = 2_000;
const listMax = 100_000;
const benchmarkDepthMax = 20;
const nameShape = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const device = /^(?:con|prn|aux|nul|(?:com|lpt)\d)$/;
const versionShape = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]{1,60})?$/;
const columnShape = /^[^\s.]+\.[^\s.]+\.[^\s.]+$/;

export function isPackName(name: string): boolean {
  return nameShape.test(name) && !device.test(name);
}

/** Returns problems instead of throwing, since packs are untrusted. */
export function parseManifest(text: string): ParsedManifest {
  const value = parsedJson(text);
  if (value === undefined) return { problem: { kind: 'notJson' } };
  if (!isObject(value) || value['format'] !== format) return { problem: { kind: 'format' } };
  const { name, version } = value;
  const wrong = (member: string): ParsedManifest => ({ problem: { kind: 'member', member } });
  const repeated = repeatedMember(text);
  if (repeated !== undefined) return wrong(repeated.name);
  if (typeof name !== 'string' || !isPackName(name)) return wrong('name');
  if (typeof version !== 'string' || !versionShape.test(version)) return wrong('version');
  const texts = readTexts(value, ['title', 'license', 'description']);
  if ('problem' in texts) return texts;
  const requires = readRequires(value['requires']);
  if (requires === undefined) return wrong('requires');
  const benchmarks = readBenchmarks(value['benchmarks']);
  if (benchmarks === undefined) return wrong('benchmarks');
  if ('problem' in benchmarks) return benchmarks;
  const { title, license, description } = texts.values;
  return { manifest: { name, title, version, license, description, requires, benchmarks: benchmarks.list } };
}

export function writeManifest(manifest: PackManifest): string {
  return `${JSON.stringify({ format, ...manifest }, undefined, 2)}\n`;
}

/** Returns whether the text could render as a link, or look different from its actual content. */
export function isDeceiving(text: string): boolean {
  return /\]\s*\(|\bcommand:/i.test(text) || hasHiddenCharacters(text);
}

function readTexts<Member extends string>(
  value: Record<string, unknown>,
  members: readonly Member[],
): { readonly values: Record<Member, string> } | { readonly problem: ManifestProblem } {
  const values: Partial<Record<Member, string>> = {};
  for (const member of members) {
    const text = value[member];
    if (typeof text !== 'string' || text.trim() === '' || text.length > textMax || !text.isWellFormed())
      return { problem: { kind: 'member', member } };
    if (isDeceiving(text)) return { problem: { kind: 'link', member } };
    values[member] = text;
  }
  return { values: values as Record<Member, string> }; // each member was assigned
}

function readRequires(value: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (value === undefined) return {};
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > listMax) return undefined;
  const read: [string, readonly string[]][] = [];
  for (const [file, columns] of entries) {
    if (!Array.isArray(columns) || columns.length > listMax) return undefined;
    const names = (columns as readonly unknown[]).filter((each) => typeof each === 'string');
    if (names.length < columns.length || names.some((each) => !columnShape.test(each) || isDeceiving(each)))
      return undefined;
    read.push([file, names]);
  }
  return Object.fromEntries(read);
}

function readBenchmarks(
  value: unknown,
  depth = 0,
): { readonly list: readonly PackBenchmark[] } | { readonly problem: ManifestProblem } | undefined {
  if (value === undefined) return { list: [] };
  if (!Array.isArray(value) || value.length > 1_000 || depth > benchmarkDepthMax) return undefined;
  const list: PackBenchmark[] = [];
  for (const each of value as readonly unknown[]) {
    if (!isObject(each)) return undefined;
    const { description, tag } = each;
    const texts = readTexts(each, ['title', ...(description === undefined ? [] : ['description' as const])]);
    if ('problem' in texts) return texts;
    if (tag !== undefined && (typeof tag !== 'string' || parseTag(tag) === undefined)) return undefined;
    const children = readBenchmarks(each['children'], depth + 1);
    if (children === undefined || 'problem' in children) return children;
    list.push({
      ...texts.values,
      ...(tag === undefined ? {} : { tag }),
      ...(children.list.length === 0 ? {} : { children: children.list }),
    });
  }
  return { list };
}
