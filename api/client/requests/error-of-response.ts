/**
 * Converts an error response to its error class. The only place that parses error bodies. Messages are shown in
 * notifications, so they do not repeat the path with its IDs; `asked` has it for the details.
 */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ErrorEnvelope, ErrorReason } from '#api/contract/errors.ts';
import type { ScopeName } from '#api/contract/token.ts';
import {
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  type ApiError,
  type ApiErrorFields,
  type SqlPosition,
} from '../errors.ts';
import { parseRetryAfter } from './retry.ts';
import { untilWords } from './until-words.ts';
import { nothingSent, withoutSent, type SentTexts } from './sent-texts.ts';

export interface FailedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Method and path, for the details. */
  readonly request: string;
  /** Scheme and host of the request. */
  readonly origin: string;
  /** The required scope; undefined if the endpoint needs no token. */
  readonly scope?: ScopeName;
  /** Strings the error must not repeat. */
  readonly sent?: SentTexts;
}

export function errorOfResponse(response: FailedResponse): ApiError | ContractError {
  const { status, request, origin } = response;
  const requestId = headerOf(response, 'x-request-id');
  const envelope = envelopeOf(response.body);
  if (status >= 300 && status < 400) {
    return new ContractError(
      `${origin} responded with a redirect (${status}), which is not followed, to protect the token. ` +
        'Set the base address to the real address of the service.',
      { status, requestId, request },
    );
  }
  const code = envelope?.code ?? `HTTP_${status}`;
  const serviceMessage =
    envelope === undefined || envelope.message.trim() === '' ? undefined : sentence(envelope.message);
  const words = serviceMessage === undefined ? '' : ` ${serviceMessage}`;
  const said = envelope && withoutSent(envelope, response.sent ?? nothingSent);
  const { reasons, details } = envelope ?? {};
  const fields = { code, status, requestId, reasons, details, said, asked: { request, origin } };
  const retryAfterMs = parseRetryAfter(headerOf(response, 'retry-after'), Date.now());
  // The code takes precedence over the status (assumption `parse-error`).
  const meaning = statusByCode.get(code) ?? status;
  if (envelope !== undefined && isOtherRejection(meaning)) return rejected(envelope, response, fields);
  switch (meaning) {
    case 401:
      return new AuthError(
        `${origin} did not accept the access token (401).${words} Update the client secret, or check the client ID and token address.`,
        'unauthorized',
        fields,
      );
    case 403:
      return new AuthError(
        `This client may not do this (403).${words} ${response.scope === undefined ? 'Use' : `Ask for the ${response.scope} scope, or use`} another client.`,
        'forbidden',
        fields,
      );
    case 404:
      return new NotFoundError(
        `${origin} has ${envelope === undefined ? 'nothing at this address' : 'no such record'} (${status}).${words} ${hintFor404(envelope)}`,
        {
          ...fields,
          retryable: false,
        },
      );
    case 409:
      return new ConflictError(`This conflicts with the current state of the service (${status}).${words}`, {
        ...fields,
        retryable: false,
        currentVersion: currentVersionOf(envelope),
      });
    case 429:
      return new RateLimitError(`${origin} limits requests (${status}).${words} ${waitWords(retryAfterMs)}`, {
        ...fields,
        retryable: true,
        retryAfterMs,
        serviceMessage,
      });
    default:
      break;
  }
  if (meaning >= 500) {
    return new ServerFaultError(
      `${origin} failed (${status}).${words} Nothing is wrong with your request: try again later${requestId === undefined ? '' : `, and give the operator the request ID ${requestId}`}.`,
      { ...fields, retryable: true, retryAfterMs },
    );
  }
  return new ContractError(
    `${origin} responded with ${status} and a body that is not an error of the service (${kindOf(response)}). ` +
      'Check the base address: a proxy or another site may be responding there.',
    { status, requestId, request, allow: headerOf(response, 'allow') },
  );
}

/** The equivalent status for each code whose own status is unspecified or less specific. */
const statusByCode: ReadonlyMap<string, number> = new Map([
  ['QUERY_PARSE_ERROR', 400],
  ['QUERY_FAILED', 400],
  ['QUERY_TIMEOUT', 400],
  ['SAVED_QUERY_NOT_FOUND', 404],
  ['NAME_CONFLICT', 409],
  ['VERSION_CONFLICT', 409],
  ['TOO_MANY_REQUESTS', 429],
]);

export function headerOf(response: Pick<FailedResponse, 'headers'>, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Describes a response for messages, without its content. */
export function kindOf(response: Pick<FailedResponse, 'headers' | 'body'>): string {
  const type = headerOf(response, 'content-type')?.split(';')[0]?.trim();
  if (response.body === '') return 'an empty body';
  if (type === 'text/html' || /^\s*<(!doctype|html)/i.test(response.body)) return 'an HTML page';
  return type === undefined ? 'a body without a type' : `a body of type ${type}`;
}

/** Like `kindOf`, for a response that should be JSON but could not be parsed. */
export function unreadableKindOf(response: Pick<FailedResponse, 'headers' | 'body'>): string {
  const kind = kindOf(response);
  return kind.endsWith('json') ? 'text that is cut off or damaged' : kind;
}

function isOtherRejection(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 409, 429].includes(status);
}

function rejected(
  envelope: ErrorEnvelope,
  response: FailedResponse,
  fields: Omit<ApiErrorFields, 'retryable' | 'cause'>,
): RejectedError {
  const hint = envelope.details?.['hint'];
  const because = (envelope.reasons ?? [])
    .slice(0, reasonsMax)
    .map((reason) => ` ${sentence(reason.message)}`)
    .join('');
  return new RejectedError(
    `The service refused this (${envelope.code}): ${sentence(envelope.message)}${because}`,
    {
      ...fields,
      retryable: false,
      serviceMessage: cut(envelope.message, sentenceMax),
      position: positionOf(envelope),
      hint: typeof hint === 'string' && hint !== '' ? hint : undefined,
      allow: headerOf(response, 'allow'),
    },
  );
}

/** Maximum number of reasons in a message. */
const reasonsMax = 10;

function positionOf(envelope: ErrorEnvelope): SqlPosition | undefined {
  const line = envelope.details?.['line'];
  const column = envelope.details?.['column'];
  return typeof line === 'number' && typeof column === 'number' && line >= 1 && column >= 1
    ? { line, column }
    : undefined;
}

function currentVersionOf(envelope: ErrorEnvelope | undefined): number | undefined {
  const version = envelope?.details?.['current_version'];
  return typeof version === 'number' ? version : undefined;
}

function envelopeOf(body: string): ErrorEnvelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined; // not JSON: only the status counts
  }
  if (Value.Check(ErrorEnvelope, value)) return bounded(value);
  if (!Value.Check(EnvelopeCore, value)) return undefined;
  // Details are optional: null or another shape must not invalidate the code.
  const { code, message, details, reasons } = value;
  return bounded({
    code,
    message,
    ...(Value.Check(Details, details) ? { details } : {}),
    ...(Array.isArray(reasons) ? { reasons: reasons.filter((each) => Value.Check(ErrorReason, each)) } : {}),
  });
}

/** Envelopes are shown and stored, so strings are truncated. */
function bounded({ code, reasons, ...rest }: ErrorEnvelope): ErrorEnvelope {
  return {
    ...rest,
    code: cut(code, 100),
    ...(reasons === undefined
      ? {}
      : {
          reasons: reasons
            .slice(0, 100)
            .map((reason) => ({ code: cut(reason.code, 100), message: cut(reason.message, sentenceMax) })),
        }),
  };
}

const EnvelopeCore = Type.Object({
  code: Type.String({ minLength: 1 }),
  message: Type.String(),
  details: Type.Optional(Type.Unknown()),
  reasons: Type.Optional(Type.Unknown()),
});
const Details = Type.Record(Type.String(), Type.Unknown());

function hintFor404(envelope: ErrorEnvelope | undefined): string {
  return envelope === undefined ? 'Check the base address.' : 'It may have been deleted.';
}

function waitWords(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined
    ? 'Try again in a minute.'
    : `Try again ${untilWords(retryAfterMs, 'en')}.`;
}

/** Maximum length of service text in a message, in characters. */
const sentenceMax = 1_000;

function sentence(text: string): string {
  const trimmed = cut(text.trim(), sentenceMax);
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}
