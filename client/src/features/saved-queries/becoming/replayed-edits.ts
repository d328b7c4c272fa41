/**
 * Replays what a person does in one document on the text that is meant for it, which may be further: keys that went to
 * the document before it are not in it yet. Pure: positions and texts only. Texts have LF line endings.
 *
 * What does not change anything there cannot be replayed, since the editor does not report it: End, with the cursor at
 * the end of a text whose last key is still to come.
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

export interface Cursor<P = number> {
  readonly anchor: P;
  readonly active: P;
}

/** A text and its cursors, as offsets. */
export interface Typed {
  readonly text: string;
  readonly cursors: readonly Cursor[];
}

/** What the editor reports of a document. `isOurs`: not done by the person, so it changes only this document. */
export type Action = { isOurs?: boolean } & (
  | {
      readonly kind: 'edit';
      /** All in the positions before the action, the last one first. */
      readonly edits: readonly Edit[];
      /** The text that they lead to. */
      readonly text: string;
    }
  | {
      readonly kind: 'move';
      /** `edit`: a cursor that an edit moved. `command`: set by a program. */
      readonly by: 'key' | 'mouse' | 'command' | 'edit';
      readonly cursors: readonly Cursor<Place>[];
    }
);

interface Both {
  /** The document in which it happens. */
  readonly theirs: Typed;
  /** What the person means. */
  readonly mine: Typed;
}

export function replay(action: Action, both: Both): Both {
  if (action.kind === 'move') return moved(action, both);
  if (action.isOurs !== true) return action.edits.reduce((now, edit) => edited(edit, now), both);
  const { text, cursors } = both.theirs;
  const keep = (at: number) => offsetOf(action.text, placeOf(text, at));
  return { ...both, theirs: { text: action.text, cursors: cursors.map((each) => mapped(each, keep)) } };
}

function edited({ start, end, text }: Edit, { theirs, mine }: Both): Both {
  const [from, to] = [offsetOf(theirs.text, start), offsetOf(theirs.text, end)];
  const at = theirs.cursors.findIndex((each) => first(each) <= to && last(each) >= from);
  const [here, there] = [theirs.cursors[at], mine.cursors[at]];
  // What touches a cursor was typed there; the rest is at the same text as here.
  const place =
    here !== undefined && there !== undefined
      ? (offset: number) => clamped(offset - here.active + there.active, mine.text)
      : placeIn(mine.text, theirs.text);
  return {
    theirs: spliced(theirs, { from, to, text, typedAt: at }),
    mine: spliced(mine, { from: place(from), to: place(to), text, typedAt: at }),
  };
}

/** Replaces a part; a cursor that types stands behind what it typed. */
function spliced(
  { text, cursors }: Typed,
  edit: { readonly from: number; readonly to: number; readonly text: string; readonly typedAt: number },
): Typed {
  const { from, to } = edit;
  const end = from + edit.text.length;
  const shift = (at: number) => (at <= from ? at : at >= to ? at - to + end : end);
  return {
    text: text.slice(0, from) + edit.text + text.slice(to),
    cursors: cursors.map((each, index) =>
      index === edit.typedAt ? { anchor: end, active: end } : mapped(each, shift),
    ),
  };
}

function moved(action: Action & { readonly kind: 'move' }, { theirs, mine }: Both): Both {
  const cursors = action.cursors.map((each) => mapped(each, (at) => offsetOf(theirs.text, at)));
  const now = { text: theirs.text, cursors };
  if (action.isOurs === true) return { theirs: now, mine };
  const sameText = placeIn(mine.text, theirs.text);
  const isByKey = action.by === 'key' || action.by === 'edit';
  const follow = (to: Cursor, index: number): Cursor => {
    const [here, there] = [theirs.cursors[index], mine.cursors[index]];
    if (!isByKey || here === undefined || there === undefined || cursors.length !== mine.cursors.length)
      return mapped(to, sameText);
    const step = (end: keyof Cursor) =>
      stepped({ text: theirs.text, from: here[end], to: to[end] }, mine.text, there[end]);
    const active = step('active');
    return { anchor: to.anchor === to.active ? active : step('anchor'), active };
  };
  return { theirs: now, mine: { text: mine.text, cursors: cursors.map(follow) } };
}

/** Returns where the same key moves a cursor in another text: by as many characters or lines, or to the same end. */
function stepped(
  { text, from, to }: { readonly text: string; readonly from: number; readonly to: number },
  other: string,
  at: number,
): number {
  const by = to - from;
  if (Math.abs(by) <= 1) return clamped(at + by, other);
  if (to === text.length) return other.length;
  if (to === 0) return 0;
  const [was, is, here] = [placeOf(text, from), placeOf(text, to), placeOf(other, at)];
  const line = here.line + is.line - was.line;
  if (line < 0) return 0;
  const isLineEnd = text[to] === '\n';
  const isHome = is.character === 0;
  const character = isHome ? 0 : isLineEnd ? Infinity : here.character + is.character - was.character;
  return offsetOf(other, { line, character: Math.max(0, character) });
}

/** Returns a function from offsets of one text to those of another that is the same before and after one part. */
function placeIn(text: string, from: string): (offset: number) => number {
  const shortest = Math.min(text.length, from.length);
  let before = 0;
  while (before < shortest && text[before] === from[before]) before += 1;
  let after = 0;
  while (after < shortest - before && text.at(-1 - after) === from.at(-1 - after)) after += 1;
  const [end, fromEnd] = [text.length - after, from.length - after];
  return (at) => (at <= before ? at : at >= fromEnd ? at - fromEnd + end : Math.min(at, end));
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

export function mapped<A, B>({ anchor, active }: Cursor<A>, at: (place: A) => B): Cursor<B> {
  return { anchor: at(anchor), active: at(active) };
}

function first({ anchor, active }: Cursor): number {
  return Math.min(anchor, active);
}

function last({ anchor, active }: Cursor): number {
  return Math.max(anchor, active);
}

function clamped(offset: number, text: string): number {
  return Math.max(0, Math.min(offset, text.length));
}
