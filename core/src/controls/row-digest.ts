/**
 * Names rows without saying what is in them: HMAC-SHA256 over the control and the values of its key columns. The key is
 * a secret of the team, never in the repository, since an account's name is soon guessed back from a plain digest.
 */
import { createHmac } from 'node:crypto';
import { jsonText } from '../../../api/client/json.ts';
import { canonicalJson } from '../util/canonical-json.ts';

export interface RowDigests {
  /** Which key made a digest, without giving it away: files of another key are told from damaged ones. */
  readonly keyId: string;
  /** Of a row by the values of its key columns; undefined where all are NULL, since they name no row. */
  digest(control: DigestedControl, values: readonly unknown[]): string | undefined;
  /** Tells whether a list of digests is the one that was written for this control. */
  seal(control: DigestedControl, digests: readonly string[]): string;
}

/** What a digest counts for: another control, or another key of it, makes other digests. */
export interface DigestedControl {
  readonly id: string;
  readonly key: readonly string[];
}

/** Shorter ones are guessed. */
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

/** A number and its text are the same value: a service may change which of the two it sends. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : canonicalJson(value);
}
