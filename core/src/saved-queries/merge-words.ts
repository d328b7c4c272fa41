/** Three-way merge by words of lines that both sides changed: edits in different parts of one line do not conflict. */
import { diff3Merge } from 'node-diff3';

/** A part of a node-diff3 merge, which its types do not cover. */
export interface MergeRegion {
  readonly ok?: readonly string[] | undefined;
  readonly conflict?: Readonly<Record<'a' | 'o' | 'b', readonly string[]>> | undefined;
}

interface ChangedLines {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** Word comparison is quadratic; longer lines stay conflicts. */
const wordsMax = 2_000;

/**
 * The lines with both changes. Undefined if both changed the same words, or next to a line that only one side changed:
 * it may depend on its neighbour.
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

/** Names, numbers and single characters, each with the preceding space, so that adjacent edits touch. */
function wordsOf(line: string): string[] {
  return line.match(/\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s])|\s+$/gu) ?? [];
}
