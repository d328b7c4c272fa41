/**
 * Stable radix sort by integer keys. Keys move along with their positions, so every pass reads memory sequentially.
 * Digits that are the same in all keys are skipped.
 */

type Words = Uint32Array<ArrayBuffer>;

interface Pass {
  /** 0 for the low word, 1 for the high word. */
  readonly word: 0 | 1;
  readonly shift: number;
  readonly mask: number;
  /** Per digit: its count before the pass, and its next target index during the pass. */
  readonly places: Words;
}

interface Items {
  readonly order: Words;
  readonly words: readonly [Words, Words];
}

/** Digits of 11, 11 and 10 bits, so that the buckets fit in the L1 cache. */
const digits = [
  { shift: 0, mask: 0x7ff },
  { shift: 11, mask: 0x7ff },
  { shift: 22, mask: 0x3ff },
] as const;

/** Returns positions in ascending key order, with `high` more significant than `low`. Does not modify the keys. */
export function radixOrder(low: Words, high?: Words): Words {
  const passes = [...passesOf(low, 0), ...(high === undefined ? [] : passesOf(high, 1))];
  let from: Items = { order: identity(low.length), words: [low, high ?? low] };
  const spare: Items[] = [];
  for (const [index, pass] of passes.entries()) {
    const later = passes.slice(index + 1);
    const needed = ([0, 1] as const).filter((word) => later.some((one) => one.word === word));
    const to = (spare[index % 2] ??= emptyItems(low.length, needed));
    carry(from, to, pass, needed);
    from = to;
  }
  return from.order;
}

export function identity(count: number): Words {
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  return order;
}

/**
 * Allocates arrays for the words that later passes need. Every pass needs at most as many as the one before, so the
 * first arrays suffice.
 */
function emptyItems(count: number, needed: readonly number[]): Items {
  const none = new Uint32Array(0);
  const wordOf = (word: number) => (needed.includes(word) ? new Uint32Array(count) : none);
  return { order: new Uint32Array(count), words: [wordOf(0), wordOf(1)] };
}

function passesOf(keys: Words, word: 0 | 1): Pass[] {
  const counts = [new Uint32Array(2_048), new Uint32Array(2_048), new Uint32Array(1_024)] as const;
  const [first, second, third] = counts;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? 0;
    first[key & 0x7ff] = (first[key & 0x7ff] ?? 0) + 1;
    second[(key >>> 11) & 0x7ff] = (second[(key >>> 11) & 0x7ff] ?? 0) + 1;
    third[key >>> 22] = (third[key >>> 22] ?? 0) + 1;
  }
  return digits
    .map(({ shift, mask }, index): Pass => ({ word, shift, mask, places: counts[index] ?? third }))
    .filter(({ shift, mask, places }) => places[((keys[0] ?? 0) >>> shift) & mask] !== keys.length);
}

/** Runs one pass: sorts the items by one digit, along with the words that later passes need. */
function carry(from: Items, to: Items, pass: Pass, needed: readonly (0 | 1)[]): void {
  const { shift, mask, places } = pass;
  let sum = 0;
  for (let digit = 0; digit < places.length; digit += 1) {
    const count = places[digit] ?? 0;
    places[digit] = sum;
    sum += count;
  }
  const own = from.words[pass.word];
  const { order } = from;
  const target = to.order;
  const [first, second] = needed;
  if (first === undefined) {
    for (let index = 0; index < own.length; index += 1) {
      const digit = ((own[index] ?? 0) >>> shift) & mask;
      const place = places[digit] ?? 0;
      places[digit] = place + 1;
      target[place] = order[index] ?? 0;
    }
    return;
  }
  const source = from.words[first];
  const moved = to.words[first];
  if (second === undefined) {
    for (let index = 0; index < own.length; index += 1) {
      const digit = ((own[index] ?? 0) >>> shift) & mask;
      const place = places[digit] ?? 0;
      places[digit] = place + 1;
      target[place] = order[index] ?? 0;
      moved[place] = source[index] ?? 0;
    }
    return;
  }
  const otherSource = from.words[second];
  const otherMoved = to.words[second];
  for (let index = 0; index < own.length; index += 1) {
    const digit = ((own[index] ?? 0) >>> shift) & mask;
    const place = places[digit] ?? 0;
    places[digit] = place + 1;
    target[place] = order[index] ?? 0;
    moved[place] = source[index] ?? 0;
    otherMoved[place] = otherSource[index] ?? 0;
  }
}
