/** A text edit, with UTF-16 offsets. */

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Applies edits, which must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (changed, { start, end, newText }) => changed.slice(0, start) + newText + changed.slice(end),
      text,
    );
}
