/**
 * Takes sensitive values out of rows. A value that is a column's as it is becomes a token, the same for the same value
 * as long as the masker lives, so that rows can be told apart and grouped; every other one becomes a constant. The key
 * is made here and never leaves, so tokens are no dictionary, and those of another session mean nothing.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { jsonText } from '../../../../api/client/json.ts';
import { unknownOrigin, type Origin } from './origin.ts';
import type { OriginColumns } from './relations.ts';

const tokenLength = 8;

export class Masker {
  readonly #key = randomBytes(32);

  /** Nothing that is absent is masked: that a value is missing is no value. */
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
 * What each column of an answer comes from. Where the service's columns are not those that the text promises, nobody
 * knows which is which, and all are masked.
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
  return names.map((_, index) => (isAsExpected ? list[index]?.origin : unknownOrigin));
}

/** PostgreSQL keeps 63 bytes of a name. */
const isCut = (name: string, found = ''): boolean => Buffer.byteLength(name) > 63 && name.startsWith(found);
