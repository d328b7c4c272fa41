/** The sandbox's error type: a status, a stable code, and a message that is safe to display. */
import { errorCodes, type ErrorCode, type ErrorEnvelope, type ErrorReason } from '#api/contract/errors.ts';

export interface ServiceErrorOptions {
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly reasons?: readonly ErrorReason[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly reasons: readonly ErrorReason[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.statusCode = errorCodes[code].status;
    this.details = options.details;
    this.reasons = options.reasons;
    this.headers = options.headers ?? {};
  }

  toEnvelope(): ErrorEnvelope {
    return {
      code: this.code,
      message: this.message,
      ...(this.details === undefined ? {} : { details: { ...this.details } }),
      ...(this.reasons === undefined ? {} : { reasons: [...this.reasons] }),
    };
  }
}

/** Returns a 400 error for one request field. `location` is body, query or path. */
export function badField(location: string, field: string, problem: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `The ${location} field "${field}" ${problem}.`, {
    details: { location, field, problem },
  });
}

/** Returns a 503 error for what works again in a moment. */
export function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', message, { headers: { 'retry-after': '2' }, cause });
}
