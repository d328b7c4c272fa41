/**
 * Identifies rows without revealing their content: HMAC-SHA256 of the control and its key values. The digest key is a
 * team secret kept out of the repository, since a plain digest of an account name is easy to guess.
 */
import { createHmac } from 'node:crypto';
import { jsonText } from '#api/client/json.ts';
import { canonicalJson } from '../rows/canonical-json.ts';

export interface RowDigests {
  /** Identifies the digest key without revealing it, so that files with a different key do not look damaged. */
  readonly keyId: string;
  /** Returns the digest of a row's key values; undefined if all are NULL, since they identify no row. */
  digest(control: DigestedControl, values: readonly unknown[]): string | undefined;
  /** Returns a digest that proves that the list of digests was written for this control. */
  seal(control: DigestedControl, digests: readonly string[]): string;
}

/** The scope of a digest. Digests differ between controls, and between keys of the same control. */
export interface DigestedControl {
  readonly id: string;
  readonly key: readonly string[];
}

/** Minimum length of a digest key. Shorter keys can be guessed. */
export const digestKeyLengthMin = 16;

export function rowDigests(secret: string): RowDigests {
  const hmac = (purpose: string, content: unknown) =>
    createHmac('sha256', secret)
      .update(`identity-queries ${purpose}\n${jsonText(content)}`)
      .digest('hex');
  return {
    keyId: hmac('key', '').slice(0, 16),
    digest: ({ id, key }, values) =>
      values.every((value) => value === null || value === undefined)
        ? undefined
        : hmac('row', [id, key, values.map(textOf)]),
    seal: ({ id, key }, digests) => hmac('baseline', [id, key, digests]),
  };
}

/**
 * Converts a key value to text. A number and its text are treated as equal, since a service may switch between the two.
 */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : canonicalJson(value);
}
