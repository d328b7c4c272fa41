/** Recognizes failures caused by a deleted saved query. */
import { NotFoundError } from '#api/client/errors.ts';

/** Returns whether the service itself reported that the query does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'SAVED_QUERY_NOT_FOUND';
}
