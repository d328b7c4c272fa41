/** The error envelope and every stable error code (specification, "Errors"). */
import { Type, type Static } from 'typebox';

export const ErrorReason = Type.Object({ code: Type.String(), message: Type.String() });
export type ErrorReason = Static<typeof ErrorReason>;

export const ErrorEnvelope = Type.Object({
  code: Type.String({ description: 'Stable, machine-readable, SCREAMING_SNAKE_CASE.' }),
  message: Type.String({ description: 'For people.' }),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  reasons: Type.Optional(Type.Array(ErrorReason)),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** An error with only a code and a message (specification, "Errors": the download lookup). */
export const BareError = Type.Object(
  { code: ErrorEnvelope.properties.code, message: ErrorEnvelope.properties.message },
  { additionalProperties: false },
);

/** `details` of QUERY_PARSE_ERROR. Line and column are 1-based; columns count characters (assumption `parse-error`). */
const ParseErrorDetails = Type.Object({
  line: Type.Integer(),
  column: Type.Integer(),
  hint: Type.Optional(Type.String()),
});
export type ParseErrorDetails = Static<typeof ParseErrorDetails>;

/** `details` of VERSION_CONFLICT (assumption `update`). */
const VersionConflictDetails = Type.Object({ current_version: Type.Integer() });
export type VersionConflictDetails = Static<typeof VersionConflictDetails>;

/**
 * Error codes. `status` is the HTTP status that the sandbox returns. If `specified` is false, the specification names
 * no status (or no such code), and assumptions.ts records the decision.
 */
export const errorCodes = {
  BAD_REQUEST: { status: 400, specified: true },
  UNAUTHORIZED: { status: 401, specified: true },
  FORBIDDEN: { status: 403, specified: true },
  NOT_FOUND: { status: 404, specified: true },
  SAVED_QUERY_NOT_FOUND: { status: 404, specified: false },
  NAME_CONFLICT: { status: 409, specified: true },
  VERSION_CONFLICT: { status: 409, specified: false },
  QUERY_PARSE_ERROR: { status: 400, specified: false },
  QUERY_FAILED: { status: 400, specified: false },
  QUERY_TIMEOUT: { status: 400, specified: false },
  RUN_INTERRUPTED: { status: 400, specified: false },
  RESULT_GONE: { status: 410, specified: false },
  METHOD_NOT_ALLOWED: { status: 405, specified: false },
  PAYLOAD_TOO_LARGE: { status: 413, specified: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, specified: false },
  TOO_MANY_REQUESTS: { status: 429, specified: true },
  INTERNAL_ERROR: { status: 500, specified: true },
  SERVICE_UNAVAILABLE: { status: 503, specified: false },
} as const satisfies Record<string, { status: number; specified: boolean }>;

export type ErrorCode = keyof typeof errorCodes;
