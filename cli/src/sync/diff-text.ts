/** Line diff of two strings, as in `diff -u`. */
import { diffIndices } from 'node-diff3';

const context = 3;

interface Block {
  readonly from: readonly [start: number, length: number];
  readonly to: readonly [start: number, length: number];
}

/** Returns the diff without a header; empty for equal strings. */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const blocks: readonly Block[] = diffIndices(a, b).map(({ buffer1, buffer2 }) => ({
    from: buffer1,
    to: buffer2,
  }));
  const hunks: Block[][] = [];
  for (const block of blocks) {
    const last = hunks.at(-1)?.at(-1);
    const gap = last === undefined ? Infinity : block.from[0] - (last.from[0] + last.from[1]);
    if (gap <= 2 * context) hunks.at(-1)?.push(block);
    else hunks.push([block]);
  }
  return hunks.flatMap((hunk) => linesOf(hunk, a, b));
}

function linesOf(hunk: readonly Block[], a: readonly string[], b: readonly string[]): readonly string[] {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = Math.max(0, first.from[0] - context);
  const end = Math.min(a.length, last.from[0] + last.from[1] + context);
  const startThere = first.to[0] - (first.from[0] - start);
  const lines: string[] = [];
  let at = start;
  for (const { from, to } of hunk) {
    for (const line of a.slice(at, from[0])) lines.push(` ${line}`);
    for (const line of a.slice(from[0], from[0] + from[1])) lines.push(`-${line}`);
    for (const line of b.slice(to[0], to[0] + to[1])) lines.push(`+${line}`);
    at = from[0] + from[1];
  }
  for (const line of a.slice(at, end)) lines.push(` ${line}`);
  const removed = lines.filter((line) => !line.startsWith('+')).length;
  const added = lines.filter((line) => !line.startsWith('-')).length;
  return [`@@ -${start + 1},${removed} +${startThere + 1},${added} @@`, ...lines];
}
