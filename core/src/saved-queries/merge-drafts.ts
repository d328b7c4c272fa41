/**
 * Three-way merge of two edits of the same version. The text is merged by line (diff3), overlapping lines by word, and
 * all other fields as a whole. Pure.
 */
import { diff3Merge } from 'node-diff3';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { mergeByWords, type MergeRegion } from './merge-by-words.ts';
import { isSameText } from './same-text.ts';

/** The editable fields of a saved query; an empty description means none. */
export interface Draft {
  readonly name: string;
  readonly query_string: string;
  readonly model: string;
  readonly description: string;
}

export type FieldName = 'name' | 'model' | 'description';
export const fieldNames: readonly FieldName[] = ['name', 'model', 'description'];

export type TextMerge =
  /** No words overlap; the text contains both changes. */
  | { readonly kind: 'clean'; readonly text: string }
  /** Both sides changed the same words; both variants are between conflict markers. */
  | { readonly kind: 'overlap'; readonly marked: string };

export interface FieldConflict {
  readonly field: FieldName;
  readonly mine: string;
  readonly theirs: string;
}

export interface DraftMerge {
  readonly text: TextMerge;
  /** Each field from the side that changed it, or mine if both did. */
  readonly fields: Pick<Draft, FieldName>;
  readonly fieldConflicts: readonly FieldConflict[];
}

export interface MergeLabels {
  readonly mine: string;
  readonly theirs: string;
}

export function draftOf(record: SavedQuery): Draft {
  const { name, query_string, model, description } = record;
  return { name, query_string, model, description: description ?? '' };
}

/** Returns whether all fields are equal. Differences caused by the editor's normalization of text are ignored. */
export function isSameDraft(a: Draft, b: Draft): boolean {
  return isSameText(a.query_string, b.query_string) && isSameFields(a, b);
}

export function isSameFields(a: Draft, b: Draft): boolean {
  return fieldNames.every((field) => a[field] === b[field]);
}

export function mergeDrafts(drafts: {
  readonly base: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly labels: MergeLabels;
}): DraftMerge {
  const { base, mine, theirs, labels } = drafts;
  const isConflict = (field: FieldName) =>
    mine[field] !== theirs[field] && mine[field] !== base[field] && theirs[field] !== base[field];
  const merged = (field: FieldName) => (mine[field] === base[field] ? theirs[field] : mine[field]);
  return {
    text: mergeTexts({
      base: base.query_string,
      mine: mine.query_string,
      theirs: theirs.query_string,
      labels,
    }),
    fields: { name: merged('name'), model: merged('model'), description: merged('description') },
    fieldConflicts: fieldNames
      .filter(isConflict)
      .map((field) => ({ field, mine: mine[field], theirs: theirs[field] })),
  };
}

/**
 * Maximum number of comparison steps: the product of the two line counts, without the shared start and end. Larger
 * merges would take seconds, so everything in between becomes one conflict.
 */
const comparisonsMax = 30_000_000;

/** Merges two edits by line, ignoring line endings. The result has the line endings of `mine`. */
export function mergeTexts(texts: {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  readonly labels: MergeLabels;
}): TextMerge {
  const [base, mine, theirs] = [linesOf(texts.base), linesOf(texts.mine), linesOf(texts.theirs)];
  const eol = eolOf(texts.mine) ?? eolOf(texts.theirs) ?? '\n';
  if (isSameText(texts.mine, texts.theirs)) return { kind: 'clean', text: texts.mine };
  if (isSameText(texts.theirs, texts.base)) return { kind: 'clean', text: texts.mine };
  if (isSameText(texts.mine, texts.base)) return { kind: 'clean', text: theirs.join(eol) };
  const all = [base, mine, theirs];
  const before = sharedLength(all, (lines, index) => lines[index]);
  const rest = all.map((lines) => lines.slice(before));
  const after = sharedLength(rest, (lines, index) => lines[lines.length - 1 - index]);
  const [o = [], a = [], b = []] = rest.map((lines) => lines.slice(0, lines.length - after));
  const isLong = o.length * Math.max(a.length, b.length) > comparisonsMax;
  const regions: readonly MergeRegion[] = isLong
    ? [{ conflict: { a, o, b } }]
    : diff3Merge(a, o, b, { excludeFalseConflicts: true }).map(withoutWords);
  const result: string[] = base.slice(0, before);
  for (const { ok = [], conflict } of regions) {
    for (const line of ok) result.push(line);
    if (conflict === undefined) continue;
    result.push(`${markers.mine} ${texts.labels.mine}`);
    for (const line of conflict.a) result.push(line);
    result.push(markers.middle);
    for (const line of conflict.b) result.push(line);
    result.push(`${markers.theirs} ${texts.labels.theirs}`);
  }
  const isClean = regions.every(({ conflict }) => conflict === undefined);
  const text = [...result, ...base.slice(base.length - after)].join(eol);
  return isClean ? { kind: 'clean', text } : { kind: 'overlap', marked: text };
}

/** Resolves a conflict between lines if their words can be merged. */
function withoutWords(region: MergeRegion): MergeRegion {
  const { conflict } = region;
  if (conflict === undefined) return region;
  const ok = mergeByWords({ base: conflict.o, mine: conflict.a, theirs: conflict.b });
  return ok === undefined ? region : { ok };
}

const markers = { mine: '<<<<<<<', middle: '=======', theirs: '>>>>>>>' } as const;

export interface MarkedRegion {
  /** 0-based lines of the conflict markers. */
  readonly mine: number;
  readonly middle: number;
  readonly theirs: number;
}

/** Finds conflicts between markers in the text. */
export function markedRegions(text: string): readonly MarkedRegion[] {
  const regions: MarkedRegion[] = [];
  let mine: number | undefined;
  let middle: number | undefined;
  for (const [index, line] of linesOf(text).entries()) {
    if (line.startsWith(`${markers.mine} `)) [mine, middle] = [index, undefined];
    else if (line === markers.middle && mine !== undefined) middle ??= index;
    else if (line.startsWith(`${markers.theirs} `) && mine !== undefined && middle !== undefined) {
      regions.push({ mine, middle, theirs: index });
      [mine, middle] = [undefined, undefined];
    }
  }
  return regions;
}

function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}

function eolOf(text: string): string | undefined {
  return /\r\n|\r|\n/.exec(text)?.[0];
}

/** Returns the number of lines that all versions share at one end; `at` selects the end. */
function sharedLength(
  texts: readonly (readonly string[])[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const shortest = texts.reduce((least, { length }) => Math.min(least, length), Infinity);
  const [first = []] = texts;
  let count = 0;
  while (count < shortest && texts.every((lines) => at(lines, count) === at(first, count))) count += 1;
  return count;
}
