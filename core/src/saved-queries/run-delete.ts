/**
 * Deletes a saved query, for the editor and for pushes alike. A 404 can mean the query or the operation, which the
 * specification does not describe, and without a response the outcome is unknown: both are looked up.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { isGone } from './is-gone.ts';
import { readAnswerOf, writeAnswerOf } from './write-answers.ts';

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The service does not delete saved queries. */
  | { readonly kind: 'unsupported'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Never rejects when a request fails. */
export async function runDelete(
  { savedQueries }: Pick<ServiceClient, 'savedQueries'>,
  queryId: string,
): Promise<DeleteOutcome> {
  try {
    await savedQueries.delete(queryId);
    return { kind: 'deleted' };
  } catch (error) {
    if (isGone(error)) return { kind: 'deleted' };
    const { kind } = writeAnswerOf(error);
    if (kind === 'unsupported') return { kind, error };
    if (kind !== 'missing' && kind !== 'unanswered') return { kind: 'failed', error };
    const found = await savedQueries.get(queryId).then(
      () => 'found' as const,
      (lookUpError: unknown) => readAnswerOf(lookUpError).kind,
    );
    if (found === 'absent') return { kind: 'deleted' };
    if (kind === 'missing') return { kind: found === 'found' ? 'unsupported' : 'failed', error };
    return { kind: found === 'found' ? 'failed' : 'unknown', error };
  }
}
