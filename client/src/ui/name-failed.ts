/** Adds what failed to an error that says only why, such as a response of the service. */
import { AuthError } from '../../../api/client/errors.ts';
import { ExpectedError, failureOf } from '../../../core/src/util/failure.ts';

/**
 * Returns the error to show: `say` gets the message of the API's error. Errors with words and remedies of their own,
 * cancellations, bugs, and a refused sign-in, which the session reports, stay as they are.
 */
export function nameFailed(error: unknown, say: (why: string) => string): unknown {
  const failure = failureOf(error);
  const isSignIn = error instanceof AuthError && error.at !== 'forbidden';
  if (failure.kind !== 'expected' || error instanceof ExpectedError || isSignIn) return error;
  return new ExpectedError(say(failure.message), failure.actions, { cause: error });
}
