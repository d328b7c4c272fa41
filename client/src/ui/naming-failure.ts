/** Adds what failed to a failure of the service, whose own message says only why. */
import { ApiError, AuthError, CertificateError, ContractError } from '#api/client/errors.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';

/**
 * @param failed says what failed, with the reason.
 * @throws ExpectedError that says both. All other errors stay: they say what failed, or the session reports them.
 */
export async function namingFailure<Result>(
  failed: (reason: string) => string,
  work: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withName(error, failed);
  }
}

/** Returns whether the session also failed because of this error, and reports it (session.ts). */
export function isToldBySession(error: unknown): boolean {
  return error instanceof AuthError && error.at !== 'forbidden';
}

/** Returns the error to throw instead, as for `namingFailure`. */
export function withName(error: unknown, failed: (reason: string) => string): unknown {
  const isOfService =
    error instanceof ApiError || error instanceof ContractError || error instanceof CertificateError;
  const failure = failureOf(error);
  if (!isOfService || isToldBySession(error) || failure.kind !== 'expected') return error;
  return new ExpectedError(failed(failure.message), [], { cause: error });
}
