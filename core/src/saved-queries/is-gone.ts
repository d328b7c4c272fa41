/** Recognizes failures caused by a deleted saved query. */
import { NotFoundError } from '#api/client/errors.ts';

/** A 404 without a code of the service does not come from it, so it says nothing about the query. */
export function isAnsweredMissing(error: unknown): boolean {
  return error instanceof NotFoundError && !error.code.startsWith('HTTP_');
}

/** Returns whether the service itself reported that the query does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'SAVED_QUERY_NOT_FOUND';
}
