/**
 * What can go wrong with a request, by class: callers decide by class, `code` and fields, never by the words of a
 * message. Messages say what failed, on what, why, and what to do; they hold no secret, SQL text or value.
 */
import type { ErrorEnvelope, ErrorReason } from '../contract/errors.ts';

export interface ApiErrorFields {
  /** Stable, SCREAMING_SNAKE_CASE: the service's where it sent one, else ours. */
  readonly code: string;
  /** HTTP status; undefined where there was no answer. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later without anybody changing anything. */
  readonly retryable: boolean;
  readonly requestId?: string | undefined;
  /** What the service says beside code and message. */
  readonly reasons?: readonly ErrorReason[] | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly said?: ErrorEnvelope | undefined;
  readonly asked?: Asked | undefined;
  readonly cause?: unknown;
}

/** What was asked for, and where; never with a query or a fragment. */
export interface Asked {
  /** Method and path. */
  readonly request: string;
  /** Scheme and host. */
  readonly origin: string;
}

/** The service could not be asked, or said no. */
export abstract class ApiError extends Error {
  /** For logs. Written out in each class, since a minified class has another name. */
  abstract override readonly name: string;
  readonly code: string;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly reasons: readonly ErrorReason[];
  /** Free-form, from the service: shown when a person asks for it. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The service's own words without what was sent to it (SQL, values, tokens): fit to be passed on. */
  readonly said: ErrorEnvelope | undefined;
  readonly asked: Asked | undefined;

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

/** Nothing changes by asking again. */
const permanent: ReadonlySet<TransportReason> = new Set(['tls', 'too-large', 'proxy-credentials']);

/** No answer, or not all of it. */
export class TransportError extends ApiError {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;

  constructor(message: string, reason: TransportReason, cause: unknown, asked?: Asked) {
    super(message, { code: 'TRANSPORT', retryable: !permanent.has(reason), cause, asked });
    this.reason = reason;
  }
}

/** We stopped waiting. */
export class TimeoutError extends ApiError {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, cause?: unknown, asked?: Asked) {
    super(message, { code: 'TIMEOUT', retryable: true, cause, asked });
    this.timeoutMs = timeoutMs;
  }
}

/** Who we are was not accepted (token endpoint, 401) or not enough (403). */
export class AuthError extends ApiError {
  override readonly name = 'AuthError';
  readonly at: 'token-endpoint' | 'unauthorized' | 'forbidden';

  constructor(message: string, at: AuthError['at'], fields: Omit<ApiErrorFields, 'retryable'>) {
    super(message, { ...fields, retryable: false });
    this.at = at;
  }
}

/** 404. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: a name in use (`NAME_CONFLICT`), or a version that is not the newest. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  /** The version the service holds, where it says so. */
  readonly currentVersion: number | undefined;

  constructor(message: string, fields: ApiErrorFields & { readonly currentVersion?: number | undefined }) {
    super(message, fields);
    this.currentVersion = fields.currentVersion;
  }

  get isNameConflict(): boolean {
    return this.code === 'NAME_CONFLICT';
  }
}

/** 429. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  /** How long the service asked us to wait; undefined where it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: ApiErrorFields & { readonly retryAfterMs?: number | undefined }) {
    super(message, fields);
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** Where in the sent SQL the service found the mistake. 1-based; columns count characters. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** Another 4xx, and any answer with a query's own error. */
export class RejectedError extends ApiError {
  override readonly name = 'RejectedError';
  /** The service's own words, without ours around them. */
  readonly serviceMessage: string;
  readonly position: SqlPosition | undefined;
  readonly hint: string | undefined;
  /** The Allow header of a 405: the methods that would be taken. */
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

/** 5xx. */
export class ServerFaultError extends ApiError {
  override readonly name = 'ServerFaultError';
  /** As in RateLimitError; a 503 may say it too. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: ApiErrorFields & { readonly retryAfterMs?: number | undefined }) {
    super(message, fields);
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** An answer came and is not what the contract says: something else answers at this address, or one of us is wrong. */
export class ContractError extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path of what was asked for, where that is known. */
  readonly request: string | undefined;
  /** The Allow header of a 405. */
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

/** Why reading a list or a result stopped before its end: what was read is not all. */
export type UnfinishedReason = 'repeated' | 'empty' | 'limit';

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
  'no-certificate': 'The file holds no certificate in PEM form: %s. Check the setting.',
  passphrase: 'The key of the client certificate is locked, and the passphrase is missing or wrong: %s.',
  unusable: 'The client certificate and its key do not work together: %s. Check the settings of both.',
};

/** A file of certificates or keys that cannot be used. The message names the file, never what is in it. */
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

/** The person (or the code on their behalf) said no: not a failure. */
export class UserAbort extends Error {
  constructor(message = 'cancelled', options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserAbort';
  }
}
