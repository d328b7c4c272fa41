/** Whether a failure says that a saved query is deleted. */
import { NotFoundError } from '../../../../../api/client/errors.ts';

/** The service's own statement that there is no such query. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'SAVED_QUERY_NOT_FOUND';
}
