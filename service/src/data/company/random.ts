/**
 * Stateless randomness: each draw is a function of the seed, a topic and an index. Record n is always the same and can
 * be created without its predecessors.
 */
export class Chance {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = mix(seed ^ 0x9e3779b9);
  }

  /** Returns 32 random bits as an integer. */
  bits(topic: string, index: number, salt = 0): number {
    return mix(mix(this.#seed ^ topicBits(topic)) ^ mix(index + 0x632be5ab) ^ mix(salt * 0x85157af5 + 1));
  }

  /** Returns a number in [0, 1). */
  unit(topic: string, index: number, salt = 0): number {
    return this.bits(topic, index, salt) / 2 ** 32;
  }

  isTrue(probability: number, topic: string, index: number, salt = 0): boolean {
    return this.unit(topic, index, salt) < probability;
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number, topic: string, index: number, salt = 0): number {
    return Math.floor(this.unit(topic, index, salt) * count);
  }

  pick<Items extends readonly [unknown, ...unknown[]]>(
    items: Items,
    topic: string,
    index: number,
    salt = 0,
  ): Items[number] {
    return items[this.below(items.length, topic, index, salt)] ?? items[0];
  }

  /** Like `pick`, with a weight for each item. */
  pickWeighted<Item>(
    items: readonly [readonly [Item, number], ...(readonly [Item, number])[]],
    topic: string,
    index: number,
  ): Item {
    const total = items.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.unit(topic, index) * total;
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return items[0][0];
  }
}

/** The finalizer of MurmurHash3 (public domain): every input bit affects every output bit. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const topics = new Map<string, number>();

/** Returns the FNV-1a hash of the topic's name. */
function topicBits(topic: string): number {
  const known = topics.get(topic);
  if (known !== undefined) return known;
  let bits = 0x811c9dc5;
  for (let index = 0; index < topic.length; index += 1)
    bits = Math.imul(bits ^ topic.charCodeAt(index), 0x01000193);
  topics.set(topic, bits >>> 0);
  return bits >>> 0;
}

/** A permutation of 0 to count - 1, computed in both directions without a table. */
export class Permutation {
  readonly #count: number;
  readonly #factor: number;
  readonly #inverse: number;
  readonly #shift: number;

  constructor(count: number, chance: Chance, topic: string, index: number) {
    this.#count = count;
    let factor = 1 + chance.below(count, topic, index, 1);
    while (greatestCommonDivisor(factor, count) !== 1) factor += 1;
    this.#factor = factor % count;
    this.#inverse = count === 1 ? 0 : inverseModulo(this.#factor, count);
    this.#shift = chance.below(count, topic, index, 2);
  }

  forward(value: number): number {
    return multiplyModulo(value, this.#factor, this.#count, this.#shift);
  }

  backward(value: number): number {
    const shifted = (value - this.#shift + this.#count) % this.#count;
    return multiplyModulo(shifted, this.#inverse, this.#count, 0);
  }
}

/** The product stays below 2^53 for counts of up to several million. */
function multiplyModulo(a: number, b: number, modulus: number, add: number): number {
  return (a * b + add) % modulus;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function inverseModulo(value: number, modulus: number): number {
  let [previous, current] = [0, 1];
  let [remainder, divisor] = [modulus, value];
  while (divisor !== 0) {
    const quotient = Math.floor(remainder / divisor);
    [previous, current] = [current, previous - quotient * current];
    [remainder, divisor] = [divisor, remainder - quotient * divisor];
  }
  return ((previous % modulus) + modulus) % modulus;
}

const byteHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(byte: number): string {
  return byteHex[byte] ?? '';
}

/** Encodes record numbers as global IDs (UUIDs, version 8) and decodes them. */
export class GlobalIds {
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  of(kind: string, index: number): string {
    const words = [
      scramble((index ^ this.#chance.bits('id', 0, topicBits(kind))) >>> 0),
      this.#chance.bits(`${kind}-id`, index, 1),
      this.#chance.bits(`${kind}-id`, index, 2),
      this.#chance.bits(`${kind}-id`, index, 3),
    ];
    let hex = '';
    for (const word of words)
      hex += hexOf(word >>> 24) + hexOf((word >>> 16) & 255) + hexOf((word >>> 8) & 255) + hexOf(word & 255);
    const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Returns the number of the record with this ID, or undefined if no number below `count` matches. */
  indexOf(kind: string, id: string, count: number): number | undefined {
    if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id)) return undefined;
    const mask = this.#chance.bits('id', 0, topicBits(kind));
    const index = (unscramble(parseInt(id.slice(0, 8), 16)) ^ mask) >>> 0;
    return index < count && this.of(kind, index) === id ? index : undefined;
  }
}

const odd = 0x2c1b3c6d;
/** The inverse of `odd` modulo 2^32, by Newton's method. */
const oddInverse = [0, 1, 2, 3, 4].reduce((x) => Math.imul(x, 2 - Math.imul(odd, x)), odd);

/** A reversible 32-bit mix. */
function scramble(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), odd);
  return (once ^ (once >>> 16)) >>> 0;
}

function unscramble(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), oddInverse);
  return (once ^ (once >>> 16)) >>> 0;
}
