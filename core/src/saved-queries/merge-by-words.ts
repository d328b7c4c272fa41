/**
 * Three-way word merge of lines that both sides changed, so that edits in different parts of a line do not conflict.
 */
import { diff3Merge } from 'node-diff3';

/** A region of a node-diff3 merge, for which the library has no type. */
export interface MergeRegion {
  readonly ok?: readonly string[] | undefined;
  readonly conflict?: Readonly<Record<'a' | 'o' | 'b', readonly string[]>> | undefined;
}

interface ChangedLines {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** Comparing words takes quadratic time, so longer lines stay in conflict. */
const wordsMax = 2_000;

/**
 * Returns the lines with both changes. Undefined if both sides changed the same words, or only one side changed a line,
 * since it may depend on its neighbors.
 */
export function mergeByWords({ base, mine, theirs }: ChangedLines): readonly string[] | undefined {
  if (mine.length !== base.length || theirs.length !== base.length) return undefined;
  const merged: string[] = [];
  for (const [index, line] of base.entries()) {
    const words = mergeLine(line, mine[index] ?? '', theirs[index] ?? '');
    if (words === undefined) return undefined;
    merged.push(words);
  }
  return merged;
}

function mergeLine(base: string, mine: string, theirs: string): string | undefined {
  if (mine === theirs) return mine;
  if (mine === base || theirs === base) return undefined;
  const [o, a, b] = [wordsOf(base), wordsOf(mine), wordsOf(theirs)];
  if (Math.max(o.length, a.length, b.length) > wordsMax) return undefined;
  const regions: readonly MergeRegion[] = diff3Merge(a, o, b, { excludeFalseConflicts: true });
  if (regions.some(({ conflict }) => conflict !== undefined)) return undefined;
  return regions.flatMap(({ ok = [] }) => ok).join('');
}

/**
 * Splits a line into names, numbers and single characters. Each includes the preceding whitespace, so that adjacent
 * edits conflict.
 */
function wordsOf(line: string): string[] {
  return line.match(/\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s])|\s+$/gu) ?? [];
}
