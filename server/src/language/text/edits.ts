/** Changes of a text, by UTF-16 offsets. */
import type { Edit } from '../checks/finding.ts';

/** The text after all edits, which do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (changed, { start, end, newText }) => changed.slice(0, start) + newText + changed.slice(end),
      text,
    );
}
