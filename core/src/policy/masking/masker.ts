/**
 * Masks sensitive values in rows. The value of an unchanged column becomes a token, which is stable for the masker's
 * lifetime, so that rows can be told apart and grouped. Every derived value becomes a constant. The key is generated
 * here and never exposed, so tokens can be neither reversed nor compared across sessions.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { jsonText } from '#api/client/json.ts';
import { oneOf, unknownOrigin, type Origin } from './origin.ts';
import type { OriginColumns } from './relations.ts';

const tokenLength = 8;

export class Masker {
  readonly #key = randomBytes(32);

  /** Masks one value. NULL in an unchanged column stays NULL. */
  mask(value: unknown, origin: Origin): unknown {
    if (origin === undefined) return value;
    if (!origin.isExact) return `${origin.kind}:****`;
    if (value === null || value === undefined) return null;
    return `${origin.kind}:${this.#token(origin.kind, value)}`;
  }

  #token(kind: string, value: unknown): string {
    const text = typeof value === 'string' ? value : jsonText(value);
    return createHmac('sha256', this.#key).update(`${kind}\0${text}`).digest('hex').slice(0, tokenLength);
  }
}

/**
 * Returns the origin of each column in a response. If the columns differ from those expected for the query, their
 * mapping is unknown, so all columns are masked.
 */
export function originsOfResult(expected: OriginColumns, names: readonly string[]): readonly Origin[] {
  const { list, others } = expected;
  if (others !== undefined) {
    const isAllOpen = others.origin === undefined && list.every(({ origin }) => origin === undefined);
    return names.map(() => (isAllOpen ? undefined : unknownOrigin));
  }
  const isAsExpected =
    list.length === names.length &&
    list.every(({ name }, index) => name === '' || name === names[index] || isCut(name, names[index]));
  if (!isAsExpected) return names.map(() => unknownOrigin);
  // Columns of one name may have one value: that of the last, if the rows are objects.
  const byName = new Map<string, Origin>();
  for (const [index, name] of names.entries()) {
    const origin = list[index]?.origin;
    byName.set(name, byName.has(name) ? oneOf([byName.get(name), origin]) : origin);
  }
  return names.map((name) => byName.get(name));
}

/** Returns whether `found` may be the name after truncation: PostgreSQL truncates names to 63 bytes. */
const isCut = (name: string, found = ''): boolean => Buffer.byteLength(name) > 63 && name.startsWith(found);
