/**
 * Determines which side changed a value since both last had the same one: the repository, the service, or both. Git's
 * history contains the repository's values; the last pull or push in this clone provides the shared ones. A service
 * value that is in neither of them was edited there and is never overwritten.
 */
import { mergeTexts, type MergeLabels } from '#core/saved-queries/merge-drafts.ts';
import { isOnlyReshaped } from '#core/saved-queries/stored-text.ts';

export interface Sides {
  readonly mine: string;
  /** The service's value, as it was written: see `asWritten`. */
  readonly theirs: string;
  /** The repository's values, newest first. */
  readonly history: readonly string[];
  /** The shared value of the last pull or push in this clone; undefined if unknown. */
  readonly agreed: string | undefined;
  /** Whether the repository has no value before the shared one, so all later values are based on it. */
  readonly isFirst?: boolean;
}

export type Relation =
  | { readonly kind: 'same' }
  /** Only the repository changed. */
  | { readonly kind: 'mine' }
  /** Only the service changed. */
  | { readonly kind: 'theirs' }
  /** Both changed different lines. */
  | { readonly kind: 'merged'; readonly text: string }
  /** Both changed the same part; `marked` contains both versions between conflict markers. */
  | { readonly kind: 'conflict'; readonly marked: string; readonly base: string | undefined };

/**
 * Returns the text that the service stores in a form of its own, for example without the last newline; or its own text,
 * if nobody here wrote one that it could be. Such a form is no change, and never comes into the files.
 */
export function asWritten(
  stored: string,
  {
    mine,
    history,
    agreed,
  }: {
    readonly mine: string;
    readonly history: readonly string[];
    /** Both forms that were shared last. */
    readonly agreed: { readonly here: string; readonly there: string } | undefined;
  },
): string {
  if (stored === mine) return stored;
  if (agreed?.there === stored) return agreed.here;
  if (history.includes(stored)) return stored;
  // What both sides had in the same form was not changed by storing it.
  const isVerbatim = (text: string) => agreed?.here === text && agreed.there === text;
  return [mine, ...history].find((text) => !isVerbatim(text) && isOnlyReshaped(text, stored)) ?? stored;
}

/** Compares a name, a model or a description, which are never merged. */
export function relateField(sides: Sides): Relation {
  const { mine, theirs, history, agreed } = sides;
  const origin = originOf(sides, (part) => part === mine);
  if (origin.kind !== 'base') return origin;
  // If the base is ambiguous, the oldest value is used: asking too often is better than asking too rarely.
  const base = agreed !== undefined && origin.base === agreed ? agreed : (history.at(-1) ?? origin.base);
  if (base === mine) return { kind: 'theirs' };
  return { kind: 'conflict', marked: theirs, base };
}

export function relateText(sides: Sides, labels: MergeLabels): Relation {
  const { mine, theirs } = sides;
  const origin = originOf(sides, (part) => contains(mine, part, sides.history));
  if (origin.kind !== 'base') return origin;
  const { base } = origin;
  if (base === mine) return { kind: 'theirs' };
  const merge = mergeTexts({ base: base ?? '', mine, theirs, labels });
  if (merge.kind === 'overlap') return { kind: 'conflict', marked: merge.marked, base };
  if (merge.text === mine) return { kind: 'mine' };
  return merge.text === theirs ? { kind: 'theirs' } : { kind: 'merged', text: merge.text };
}

type Origin =
  | Exclude<Relation, { kind: 'merged' | 'conflict' }>
  | { readonly kind: 'base'; readonly base: string | undefined };

/** @param isPartOfMine whether the repository's value includes another value. */
function originOf(
  { mine, theirs, history, agreed, isFirst = false }: Sides,
  isPartOfMine: (part: string) => boolean,
): Origin {
  if (mine === theirs) return { kind: 'same' };
  const theirPlace = history.indexOf(theirs);
  const agreedPlace = agreed === undefined ? -1 : history.indexOf(agreed);
  // On another branch, or after a discarded pull, the files do not include the shared value.
  if (agreed !== undefined && (agreed === mine || agreedPlace >= 0 || isFirst || isPartOfMine(agreed))) {
    const isLaterPush = theirPlace >= 0 && theirPlace < agreedPlace;
    if (theirs === agreed || isLaterPush) return { kind: 'mine' };
    return agreed === mine ? { kind: 'theirs' } : { kind: 'base', base: agreed };
  }
  if (theirPlace >= 0) return { kind: 'mine' };
  return { kind: 'base', base: nearest(history, theirs) };
}

/** Returns whether `whole` already includes `part`, so merging them changes nothing. */
function contains(whole: string, part: string, history: readonly string[]): boolean {
  const base = nearest(
    history.filter((text) => text !== whole),
    part,
  );
  if (base === undefined) return false;
  const merge = mergeTexts({ base, mine: whole, theirs: part, labels: { mine: '', theirs: '' } });
  return merge.kind === 'clean' && merge.text === whole;
}

/** Returns the text with the fewest different lines; the older one if two are equally close. */
export function nearest(texts: readonly string[], to: string): string | undefined {
  const wanted = countsOf(to);
  let best: string | undefined;
  let least = Infinity;
  for (const text of texts) {
    const distance = distanceOf(wanted, countsOf(text));
    if (distance > least) continue;
    [best, least] = [text, distance];
  }
  return best;
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r\n|\r|\n/)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function distanceOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let distance = 0;
  for (const [line, count] of a) distance += Math.max(0, count - (b.get(line) ?? 0));
  for (const [line, count] of b) distance += Math.max(0, count - (a.get(line) ?? 0));
  return distance;
}
