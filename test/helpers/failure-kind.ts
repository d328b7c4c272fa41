/** What a failure means for whoever asked, by its class and code: tests compare this rather than words. */
import {
  ApiError,
  AuthError,
  ContractError,
  NotFoundError,
  NotOfferedError,
  RateLimitError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UnfinishedListError,
} from '#api/client/errors.ts';

export type FailureKind =
  | 'not-offered'
  | 'not-allowed'
  | 'not-found'
  | 'later'
  | 'wrong-address'
  | 'sign-in'
  | 'refused'
  | 'other';

export function failureKindOf(error: unknown): FailureKind {
  if (error instanceof NotOfferedError) return 'not-offered';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof AuthError) return error.at === 'forbidden' ? 'not-allowed' : 'sign-in';
  if (error instanceof RateLimitError || error instanceof TimeoutError || error instanceof ServerFaultError)
    return 'later';
  if (error instanceof TransportError)
    return error.reason === 'dns' || error.reason === 'tls'
      ? 'wrong-address'
      : error.retryable
        ? 'later'
        : 'other';
  if (error instanceof UnfinishedListError) return error.why === 'empty' ? 'later' : 'other';
  if (error instanceof ContractError) return 'wrong-address';
  return error instanceof ApiError ? 'refused' : 'other';
}
