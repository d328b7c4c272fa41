/**
 * Replays what a person typed while one document became another one, onto the text of the other. Pure: positions and
 * texts only. Texts have LF line endings.
 */

export interface Place {
  readonly line: number;
  readonly character: number;
}

/** One change of a document, in the positions it had before the change. */
export interface Edit {
  readonly start: Place;
  readonly end: Place;
  readonly text: string;
}

/** Applies the edits, each to the text that the one before it left. */
export function replayed(text: string, edits: readonly Edit[]): string {
  return edits.reduce((now, { start, end, text: typed }) => {
    const [from, to] = [offsetOf(now, start), offsetOf(now, end)];
    return now.slice(0, from) + typed + now.slice(to);
  }, text);
}

/**
 * Returns the text of both documents: `late` was typed in the old document after its text was carried over, `own` in
 * the new one, later still. What was typed at the cursor continues where the old document's cursor had come to.
 * @param carried the text that both had.
 * @param cursor the new document's cursor in it, when the new document appeared.
 */
export function continued(
  carried: string,
  {
    late,
    own,
    cursor,
  }: { readonly late: readonly Edit[]; readonly own: readonly Edit[]; readonly cursor: Place },
): string {
  const start = replayed(carried, late);
  // Both cursors at the end of what the old document's keys left there.
  let before = offsetOf(carried, cursor);
  let after = late.length === 0 ? before : endOfLast(carried, late, before);
  let theirs = carried;
  let mine = start;
  for (const edit of own) {
    const [from, to] = [offsetOf(theirs, edit.start), offsetOf(theirs, edit.end)];
    const isAtCursor = from <= before && to >= before;
    const shift = mine.length - theirs.length;
    const place = (at: number) => (isAtCursor ? at - before + after : at <= before ? at : at + shift);
    const [mineFrom, mineTo] = [clamped(place(from), mine), clamped(place(to), mine)];
    mine = mine.slice(0, mineFrom) + edit.text + mine.slice(mineTo);
    theirs = theirs.slice(0, from) + edit.text + theirs.slice(to);
    // The next key continues behind this one.
    before = from + edit.text.length;
    after = mineFrom + edit.text.length;
  }
  return mine;
}

/** Returns the offset behind the last edit: that is where typing leaves the cursor. */
function endOfLast(carried: string, edits: readonly Edit[], fallback: number): number {
  const last = edits.at(-1);
  if (last === undefined) return fallback;
  const text = replayed(carried, edits.slice(0, -1));
  return offsetOf(text, last.start) + last.text.length;
}

/** A line or character beyond the end counts as the end, as in the editor. */
export function offsetOf(text: string, { line, character }: Place): number {
  let start = 0;
  for (let count = 0; count < line; count += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.min(start + character, end < 0 ? text.length : end);
}

export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: offset - start };
}

function clamped(offset: number, text: string): number {
  return Math.max(0, Math.min(offset, text.length));
}
