/** Classifies request outcomes for the save machines by the error's class and code, never by its message. */
import {
  ApiError,
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  isPerhapsNotOffered,
  NotOfferedError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TransportError,
  type TransportReason,
} from '#api/client/errors.ts';
import type { ReadAnswer, WriteAnswer } from './save-machine.ts';

/** Reasons that occur before a connection is made, so nothing was sent. */
const notSentReasons: ReadonlySet<TransportReason> = new Set([
  'refused',
  'dns',
  'tls',
  'proxy',
  'unreachable',
]);

/** Codes from the specification, with any status (assumption `update`). */
const kindOfCode: ReadonlyMap<string, 'nameTaken' | 'conflict'> = new Map([
  ['NAME_CONFLICT', 'nameTaken'],
  ['VERSION_CONFLICT', 'conflict'],
]);

export function writeAnswerOf(error: unknown): Exclude<WriteAnswer, { kind: 'saved' }> {
  const kind = error instanceof ApiError ? kindOfCode.get(error.code) : undefined;
  if (kind !== undefined) return { kind };
  if (error instanceof ConflictError) return { kind: 'conflict' };
  if (error instanceof NotFoundError) return { kind: 'missing' };
  if (isMissingOperation(error)) return { kind: 'unsupported' };
  if (error instanceof TransportError && notSentReasons.has(error.reason)) return { kind: 'notSent' };
  if (error instanceof AuthError || error instanceof RateLimitError) return { kind: 'refused' };
  // Other responses to a stale version, such as 400, 412 or 428.
  if (error instanceof RejectedError || isRefusedByGateway(error)) return { kind: 'rejected' };
  // After an interruption, a timeout, a server error, an invalid response or an abort, the write may have succeeded.
  if (error instanceof ApiError || error instanceof ContractError || isAbort(error))
    return { kind: 'unanswered' };
  return { kind: 'refused' };
}

export function readAnswerOf(error: unknown): Exclude<ReadAnswer, { kind: 'found' }> {
  return { kind: error instanceof NotFoundError ? 'absent' : 'unreadable' };
}

/**
 * Returns whether the service has no list of saved queries, or not for this client (assumption `saved-query-list`). A
 * client without the read scope may not do anything else either.
 */
export function isListMissing(error: unknown): boolean {
  return error instanceof NotFoundError || isPerhapsNotOffered(error) || isMissingOperation(error);
}

/** Returns whether the service does not support the operation (assumption `update`). */
function isMissingOperation(error: unknown): boolean {
  if (error instanceof NotOfferedError) return true;
  const hasStatus =
    error instanceof RejectedError || error instanceof ServerFaultError || error instanceof ContractError;
  return hasStatus && (error.status === 405 || error.status === 501);
}

/** Whether the request did not reach the service, unless the time for it was over. */
function isRefusedByGateway(error: unknown): boolean {
  const status = error instanceof ContractError ? error.status : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 499;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'UserAbort');
}
