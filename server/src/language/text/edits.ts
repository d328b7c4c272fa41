/** A text edit, with UTF-16 offsets. */
import type { StatementSpan } from './statements.ts';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Applies edits, which must not overlap. Of two at the same place, the later one comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of edits.toReversed().toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

/** Removes the statements that no edit touches, but not the comments around them. */
export function withoutOthers(
  text: string,
  spans: readonly StatementSpan[],
  edits: readonly Edit[],
): { readonly text: string; readonly edits: readonly Edit[] } {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const kept: string[] = [];
  const moved: Edit[] = [];
  let at = 0;
  let removed = 0;
  const move = (until: number): void => {
    for (let edit = sorted[moved.length]; edit !== undefined; edit = sorted[moved.length]) {
      if (edit.end >= until) return;
      moved.push({ ...edit, start: edit.start - removed, end: edit.end - removed });
    }
  };
  for (const { start, end } of spans) {
    move(start);
    const next = sorted[moved.length];
    if (next !== undefined && next.start <= end) continue;
    kept.push(text.slice(at, start));
    at = end;
    removed += end - start;
  }
  move(Infinity);
  return { text: [...kept, text.slice(at)].join(''), edits: moved };
}
