/**
 * Request failures. Callers distinguish them by class, `code` and fields, never by the message. A message states what
 * failed, on what, why, and what to do; it contains no secret, SQL text or value.
 */
import type { ErrorEnvelope, ErrorReason } from '../contract/errors.ts';

export interface ApiErrorFields {
  /** Stable code in SCREAMING_SNAKE_CASE: the service's if it sent one, otherwise the client's. */
  readonly code: string;
  /** HTTP status; undefined if there was no response. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later without human intervention. */
  readonly retryable: boolean;
  readonly requestId?: string | undefined;
  /** Additional details from the service. */
  readonly reasons?: readonly ErrorReason[] | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly said?: ErrorEnvelope | undefined;
  readonly asked?: Asked | undefined;
  readonly cause?: unknown;
}

/** The requested resource, without the query and fragment of its URL. */
export interface Asked {
  /** Method and path. */
  readonly request: string;
  /** Scheme and host. */
  readonly origin: string;
}

/** The service could not be reached, or refused the request. */
export abstract class ApiError extends Error {
  /** For logs. Set explicitly in each class, since minification renames classes. */
  abstract override readonly name: string;
  readonly code: string;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly reasons: readonly ErrorReason[];
  /** Free-form details from the service, shown on request. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The service's own message without sent data (SQL, values, tokens): safe to pass on. */
  readonly said: ErrorEnvelope | undefined;
  readonly asked: Asked | undefined;
  /** Whether the request was perhaps carried out, this time or before. */
  isAfterLoss = false;

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.retryable = fields.retryable;
    this.requestId = fields.requestId;
    this.reasons = fields.reasons ?? [];
    this.details = fields.details;
    this.said = fields.said;
    this.asked = fields.asked && { request: fields.asked.request, origin: fields.asked.origin };
  }
}

export type TransportReason =
  | 'refused'
  | 'dns'
  | 'reset'
  | 'truncated'
  | 'tls'
  | 'proxy'
  | 'proxy-credentials'
  | 'unreachable'
  | 'too-large'
  | 'unknown';

/** Reasons that a retry cannot fix. */
const permanent: ReadonlySet<TransportReason> = new Set(['tls', 'too-large', 'proxy-credentials']);

/** No response, or an incomplete one. */
export class TransportError extends ApiError {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;

  constructor(message: string, reason: TransportReason, cause: unknown, asked?: Asked) {
    super(message, { code: 'TRANSPORT', retryable: !permanent.has(reason), cause, asked });
    this.reason = reason;
  }
}

/** The client's time limit expired. */
export class TimeoutError extends ApiError {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, cause?: unknown, asked?: Asked) {
    super(message, { code: 'TIMEOUT', retryable: true, cause, asked });
    this.timeoutMs = timeoutMs;
  }
}

/** Authentication failed (token endpoint, 401) or permissions are insufficient (403). */
export class AuthError extends ApiError {
  override readonly name = 'AuthError';
  readonly at: 'token-endpoint' | 'unauthorized' | 'forbidden';

  constructor(message: string, at: AuthError['at'], fields: Omit<ApiErrorFields, 'retryable'>) {
    super(message, { ...fields, retryable: false });
    this.at = at;
  }
}

/** HTTP 404. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/**
 * The service has no such operation, which the specification does not describe: 404, 405, 501, or a 403 that is not about
 * a scope.
 */
export class NotOfferedError extends ApiError {
  override readonly name = 'NotOfferedError';
  /** The Allow header of a 405 response. */
  readonly allow: string | undefined;

  constructor(
    message: string,
    fields: Omit<ApiErrorFields, 'retryable'> & { readonly allow?: string | undefined },
  ) {
    super(message, { ...fields, retryable: false });
    this.allow = fields.allow;
  }
}

/** HTTP 409: the name is in use (`NAME_CONFLICT`), or the version is not the latest. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  /** The service's current version, if reported. */
  readonly currentVersion: number | undefined;

  constructor(message: string, fields: ApiErrorFields & { readonly currentVersion?: number | undefined }) {
    super(message, fields);
    this.currentVersion = fields.currentVersion;
  }

  get isNameConflict(): boolean {
    return this.code === 'NAME_CONFLICT';
  }
}

/** HTTP 429. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  /** The delay that the service requested; undefined if it requested none. */
  readonly retryAfterMs: number | undefined;
  /** The service's own message as a sentence; undefined if it sent none. */
  readonly serviceMessage: string | undefined;
  /** Whether the client waited as long as it may (`ClientOptions.rateLimit`), so that no caller waits again. */
  isWaitedOut = false;

  constructor(
    message: string,
    fields: ApiErrorFields & {
      readonly retryAfterMs?: number | undefined;
      readonly serviceMessage?: string | undefined;
    },
  ) {
    super(message, fields);
    this.retryAfterMs = fields.retryAfterMs;
    this.serviceMessage = fields.serviceMessage;
  }
}

/** Position of the mistake in the SQL that was sent; 1-based, columns count characters. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** Any other HTTP 4xx, and any response with a query error. */
export class RejectedError extends ApiError {
  override readonly name = 'RejectedError';
  readonly serviceMessage: string;
  /** Settled once it is known how the service counts (error-positions.ts). */
  position: SqlPosition | undefined;
  readonly hint: string | undefined;
  /** The Allow header of a 405 response. */
  readonly allow: string | undefined;

  constructor(
    message: string,
    fields: ApiErrorFields & {
      readonly allow?: string | undefined;
      readonly serviceMessage: string;
      readonly position?: SqlPosition | undefined;
      readonly hint?: string | undefined;
    },
  ) {
    super(message, fields);
    this.serviceMessage = fields.serviceMessage;
    this.position = fields.position;
    this.hint = fields.hint;
    this.allow = fields.allow;
  }
}

/** HTTP 5xx. */
export class ServerFaultError extends ApiError {
  override readonly name = 'ServerFaultError';
  /** As in RateLimitError: a 503 may also state a delay. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: ApiErrorFields & { readonly retryAfterMs?: number | undefined }) {
    super(message, fields);
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** Returns whether the service, or a gateway before it, says that it is unavailable (502, 503, 504). */
export function isUnavailable(error: unknown): error is ServerFaultError {
  return (
    error instanceof ServerFaultError &&
    (error.status === 502 || error.status === 503 || error.status === 504)
  );
}

/** The response violates the contract: a different server is at this address, or there is a bug. */
export class ContractError extends Error {
  /** Whether an earlier attempt was perhaps carried out. */
  isAfterLoss = false;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path of the request, if known. */
  readonly request: string | undefined;
  /** The Allow header of a 405 response. */
  readonly allow: string | undefined;

  constructor(
    message: string,
    fields: {
      readonly status: number;
      readonly requestId?: string | undefined;
      readonly request?: string | undefined;
      readonly allow?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'ContractError';
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.request = fields.request;
    this.allow = fields.allow;
  }
}

/** Why reading a list or result stopped early; the items read are incomplete. */
export type UnfinishedReason = 'repeated' | 'empty' | 'limit' | 'lost';

export class UnfinishedListError extends ContractError {
  readonly why: UnfinishedReason;

  constructor(why: UnfinishedReason, message: string) {
    super(message, { status: 200 });
    this.name = 'UnfinishedListError';
    this.why = why;
  }
}

export type CertificateProblem = 'unreadable' | 'no-certificate' | 'passphrase' | 'unusable';

const certificateWords: Readonly<Record<CertificateProblem, string>> = {
  unreadable: 'The file with certificates cannot be read: %s. Check the setting.',
  'no-certificate': 'The file contains no certificate in PEM format: %s. Check the setting.',
  passphrase: 'The key of the client certificate is locked, and the passphrase is missing or wrong: %s.',
  unusable: 'The client certificate and its key do not match: %s. Check the settings of both.',
};

/** A certificate or key file is unusable. The message names the file, never its content. */
export class CertificateError extends Error {
  readonly problem: CertificateProblem;
  readonly file: string;

  constructor(problem: CertificateProblem, file: string, cause?: unknown) {
    super(certificateWords[problem].replace('%s', file), cause === undefined ? undefined : { cause });
    this.name = 'CertificateError';
    this.problem = problem;
    this.file = file;
  }
}

/** The address of a proxy cannot be used. The message names where it was set, and not the address: it may hold a password. */
export class ProxyAddressError extends Error {
  constructor(source: string) {
    super(
      `The proxy of ${source} is not an address. It looks like http://user:password@proxy.example.com:3128; write # / ? : @ % in a password as %23 %2F %3F %3A %40 %25.`,
    );
    this.name = 'ProxyAddressError';
  }
}

/** The user, or code on the user's behalf, cancelled: not a failure. */
export class UserAbort extends Error {
  constructor(message = 'cancelled', options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserAbort';
  }
}

/** Codes for a scope that a token lacks (RFC 6750 section 3.1), and those of a token endpoint that can mean it. */
const missingScopeCodes: readonly string[] = ['FORBIDDEN', 'INSUFFICIENT_SCOPE'];
const refusedScopeCodes: readonly string[] = [
  'INVALID_SCOPE',
  'INSUFFICIENT_SCOPE',
  'ACCESS_DENIED',
  'INVALID_REQUEST',
  'UNAUTHORIZED_CLIENT',
];

/** Returns whether the code of an answer with 403 says that a scope is missing. */
export function isMissingScopeCode(code: string): boolean {
  return missingScopeCodes.includes(code.toUpperCase());
}

/** Returns whether a refusal, of a token or of an operation, can mean that the client lacks a scope. */
export function isAboutScope(error: unknown): boolean {
  if (!(error instanceof AuthError)) return false;
  return error.at === 'forbidden' ? isMissingScopeCode(error.code) : refusedScopeCodes.includes(error.code);
}

/** Returns whether the service has no such operation, or perhaps hides it from this client. */
export function isPerhapsNotOffered(error: unknown): boolean {
  const isHidden = error instanceof AuthError && error.at === 'forbidden' && !isAboutScope(error);
  return error instanceof NotOfferedError || isHidden;
}
