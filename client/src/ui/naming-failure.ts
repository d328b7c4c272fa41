/** Adds what failed to a failure of the service, whose own message says only why. */
import { ApiError, AuthError, CertificateError, ContractError } from '../../../api/client/errors.ts';
import { ExpectedError, failureOf } from '../../../core/src/util/failure.ts';

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
    const isOfSession = error instanceof AuthError && error.at !== 'forbidden';
    const isOfService =
      error instanceof ApiError || error instanceof ContractError || error instanceof CertificateError;
    if (!isOfService || isOfSession) throw error;
    throw new ExpectedError(failed(failureOf(error).message), [], { cause: error });
  }
}
