/**
 * Converts an error response to its error class. The only place that parses error bodies. Messages are shown in
 * notifications, so they do not repeat the path with its IDs; `asked` has it for the details.
 */
import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ErrorEnvelope, ErrorReason } from '#api/contract/errors.ts';
import type { ScopeName } from '#api/contract/token.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import {
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  isMissingScopeCode,
  NotOfferedError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  type ApiError,
  type ApiErrorFields,
  type SqlPosition,
} from '../errors.ts';
import { untilWords } from './format-wait.ts';
import { parseRetryAfter } from './retry.ts';
import { hasSecret, nothingSent, secretsOf, withoutSent, type SentTexts } from './sent-texts.ts';

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
  /** Set if the specification does not describe the operation, so that a service may lack it. */
  readonly optional?: OptionalOperation;
  /** False if the path contains no ID, so that a 404 is about no record. */
  readonly isOfOne?: boolean;
}

/** An operation that the specification does not describe. */
export interface OptionalOperation {
  /** Method and path pattern. */
  readonly name: string;
  /** Whether the path contains an ID, so that a 404 can mean that nothing has it. */
  readonly isOfOne: boolean;
}

export function errorOfResponse(response: FailedResponse): ApiError | ContractError {
  const { status, request, origin } = response;
  const sent = response.sent ?? nothingSent;
  const requestId = requestIdOf(response, sent);
  const told = envelopeOf(response.body, status) ?? bareErrorOf(response);
  // A credential that the service repeats is in no message, in no detail, and nothing is decided by it.
  const envelope = told && bounded(withoutSent(told, secretsOf(sent)));
  if (status >= 300 && status < 400) {
    const target = redirectTarget(response);
    const [to, advice] =
      target === origin
        ? ['', 'Check the path of the base address, or ask the operator of the service.']
        : [
            target === undefined ? '' : ` to ${target}`,
            'Set the base address to the real address of the service.',
          ];
    return new ContractError(
      `${origin} responded with a redirect (${status})${to}, which is not followed, to protect the token. ${advice}`,
      { status, requestId, request },
    );
  }
  const said = told && bounded(withoutSent(told, sent));
  // A code is passed on, into logs and records, so it may not be what was sent either.
  const code = said?.code ?? httpCode(status);
  // Another body, such as a gateway's, has no code of the service.
  const isOfService = envelope !== undefined && envelope.code !== httpCode(status);
  const serviceMessage =
    envelope === undefined || envelope.message.trim() === '' ? undefined : sentence(envelope.message);
  const words = serviceMessage === undefined ? '' : ` ${serviceMessage}`;
  const { reasons, details } = envelope ?? {};
  const fields = { code, status, requestId, reasons, details, said, asked: { request, origin } };
  const retryAfterMs = retryAfterOf(response);
  // The code takes precedence over the status (assumption `parse-error`).
  const meaning = meaningOf(code, envelope) ?? status;
  const notOffered = notOfferedOf(response, { code, meaning, isOfService, words, fields });
  if (notOffered !== undefined) return notOffered;
  const isRefusal = isOtherRejection(meaning) && (isOfService || !isTimeLimit(status));
  if (envelope !== undefined && isRefusal) return rejected(envelope, response, fields);
  switch (meaning) {
    case 401:
      return new AuthError(
        `${origin} did not accept the access token (401).${words} Update the client secret, or check the client ID and token address.`,
        'unauthorized',
        fields,
      );
    case 403:
      return new AuthError(
        isOfService
          ? `${forbiddenWords(response, code)} (403).${words}${adviceFor403(response, code)}`
          : `${origin} refused this with ${kindOf(response)} (403).${words} A gateway may have sent it: ask the operator of the service.`,
        'forbidden',
        fields,
      );
    case 404:
      return new NotFoundError(
        notFoundWords(response, { isOfService, isPlain: plainNotFound.test(code), words }),
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
      return new RateLimitError(
        `${origin} limits requests (${status}).${words} Try again ${whenWords(retryAfterMs, 'in a minute')}.`,
        {
          ...fields,
          retryable: true,
          retryAfterMs,
          serviceMessage,
        },
      );
    default:
      break;
  }
  if (meaning >= 500) {
    return new ServerFaultError(
      `${origin} failed (${status}).${words} Nothing is wrong with your request: try again ${whenWords(retryAfterMs, 'later')}${requestId === undefined ? '' : `, and give the operator the request ID ${requestId}`}.`,
      { ...fields, retryable: true, retryAfterMs },
    );
  }
  return new ContractError(
    `${origin} responded with ${status} and a body that is not an error of the service (${kindOf(response)}).${words} ` +
      'Check the base address: a proxy or another site may be responding there.',
    { status, requestId, request, allow: harmlessHeader(response, 'allow') },
  );
}

/** Returns the origin that a redirect leads to, without its path, which may name a record or hold a token. */
function redirectTarget(response: FailedResponse): string | undefined {
  const location = harmlessHeader(response, 'location');
  if (location === undefined || !URL.canParse(location, response.origin)) return undefined;
  const { origin } = new URL(location, response.origin);
  return origin === 'null' ? undefined : origin;
}

/** An operation that need not be there is perhaps refused because it is not. */
function forbiddenWords({ optional }: FailedResponse, code: string): string {
  return optional === undefined || isMissingScopeCode(code)
    ? 'This client may not do this'
    : `This client may not do this, or this service does not offer ${optional.name}`;
}

/** Only a record can have been deleted; a path without an ID is found wherever the service is. */
function notFoundWords(
  { origin, status, isOfOne }: FailedResponse,
  {
    isOfService,
    isPlain,
    words,
  }: { readonly isOfService: boolean; readonly isPlain: boolean; readonly words: string },
): string {
  if (!isOfService || (isOfOne === false && isPlain))
    return `${origin} has nothing at this address (${status}).${words} Check the base address.`;
  return isOfOne === false
    ? `${origin} did not find what this is about (${status}).${words}`
    : `${origin} has no such record (${status}).${words} It may have been deleted.`;
}

function httpCode(status: number): string {
  return `HTTP_${status}`;
}

/** Returns the status that the code stands for; a reason can be more specific than the code. */
function meaningOf(code: string, envelope: ErrorEnvelope | undefined): number | undefined {
  const codes = [code, ...(envelope?.reasons ?? []).map((reason) => reason.code)];
  return codes.map((each) => statusByCode.get(each)).find((each) => each !== undefined);
}

/** Codes of the service for 404 that do not say that something else is missing, such as a model. */
const plainNotFound = /^(?:NOT_?FOUND|ROUTE_?NOT_?FOUND|NO_?ROUTE|HTTP_404)$/i;

/** Recognizes the answer of a service that lacks an operation which the specification does not describe. */
function notOfferedOf(
  response: FailedResponse,
  {
    code,
    meaning,
    isOfService,
    words,
    fields,
  }: {
    readonly code: string;
    readonly meaning: number;
    readonly isOfService: boolean;
    readonly words: string;
    readonly fields: Omit<ApiErrorFields, 'retryable' | 'cause'>;
  },
): NotOfferedError | undefined {
  const { optional, status } = response;
  if (optional === undefined) return undefined;
  const allow = harmlessHeader(response, 'allow');
  const isMissing =
    meaning === 405 ||
    meaning === 501 ||
    (meaning === 404 && plainNotFound.test(code) && !(optional.isOfOne && isOfService)) ||
    (meaning === 403 && !isOfService);
  if (!isMissing) return undefined;
  const what = `This service does not offer ${optional.name}${meaning === 403 ? ', or not to this client' : ''} (${status}).`;
  return new NotOfferedError(`${what}${words}`, { ...fields, allow });
}

/** The equivalent status for each code whose own status is unspecified or less specific. */
const statusByCode: ReadonlyMap<string, number> = new Map([
  ['QUERY_PARSE_ERROR', 400],
  ['MUTATION_NOT_ALLOWED', 400],
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

/** A date is one of the service's clock, which may differ from this machine's. */
export function retryAfterOf(response: Pick<FailedResponse, 'headers'>): number | undefined {
  const serviceMs = Date.parse(headerOf(response, 'date') ?? '');
  return parseRetryAfter(headerOf(response, 'retry-after'), Number.isNaN(serviceMs) ? Date.now() : serviceMs);
}

/** Returns the ID that a service gives a request, for its operator; it goes into logs, so it may be no credential. */
export const requestIdOf = (response: Pick<FailedResponse, 'headers'>, sent: SentTexts): string | undefined =>
  harmlessHeader({ ...response, sent }, 'x-request-id');

function harmlessHeader(
  { headers, sent }: Pick<FailedResponse, 'headers' | 'sent'>,
  name: string,
): string | undefined {
  const value = headerOf({ headers }, name);
  return value !== undefined && hasSecret(value, sent) ? undefined : value;
}

/** Describes a response for messages, without its content. Its type, too, may be a credential that is repeated. */
export function kindOf(response: Pick<FailedResponse, 'headers' | 'body' | 'sent'>): string {
  const type = harmlessHeader(response, 'content-type')?.split(';')[0]?.trim();
  if (response.body === '') return 'an empty body';
  if (type === 'text/html' || /^\s*<(!doctype|html)/i.test(response.body)) return 'an HTML page';
  return type === undefined ? 'a body without a type' : `a body of type ${type}`;
}

/** Like `kindOf`, for a response that should be JSON but could not be parsed. */
export function unreadableKindOf(response: Parameters<typeof kindOf>[0]): string {
  const kind = kindOf(response);
  return kind.endsWith('json') ? damagedText : kind;
}

export const damagedText = 'text that is cut off or damaged';

function isOtherRejection(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 409, 429].includes(status);
}

/** After a time limit, the request was perhaps carried out, unless the service itself says that it was refused. */
function isTimeLimit(status: number): boolean {
  return status === 408 || status === 499;
}

function rejected(
  envelope: ErrorEnvelope,
  response: FailedResponse,
  fields: Omit<ApiErrorFields, 'retryable' | 'cause'>,
): RejectedError {
  const hint = envelope.details?.['hint'];
  const reasons = (envelope.reasons ?? []).slice(0, reasonsMax);
  // A service may give its message as the reason, too.
  const said = new Set([envelope, ...reasons].map(({ message }) => sentence(message)));
  return new RejectedError(`The service refused this (${fields.code}): ${[...said].join(' ')}`, {
    ...fields,
    retryable: false,
    serviceMessage: cut(envelope.message, sentenceMax),
    position: positionOf(envelope),
    hint: typeof hint === 'string' && hint !== '' ? hint : undefined,
    allow: harmlessHeader(response, 'allow'),
  });
}

/** Maximum number of reasons in a message. */
const reasonsMax = 10;

/** A zero shows that the service counts from 0; what does not show is learned (error-positions.ts). */
function positionOf(envelope: ErrorEnvelope): SqlPosition | undefined {
  const line = countOf(envelope.details?.['line']);
  const column = countOf(envelope.details?.['column']);
  if (line === undefined || column === undefined) return undefined;
  if (line === 0) return { line: 1, column: column + 1 };
  return { line, column: Math.max(1, column) };
}

export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function currentVersionOf(envelope: ErrorEnvelope | undefined): number | undefined {
  return countOf(envelope?.details?.['current_version']);
}

function envelopeOf(body: string, status: number): ErrorEnvelope | undefined {
  const value = parsedJson(body);
  if (value === undefined) return undefined; // not JSON: only the status counts
  if (Value.Check(ErrorEnvelope, value)) return value;
  if (!Value.Check(EnvelopeCore, value)) return otherErrorOf(value, status);
  // Details are optional: null or another shape must not invalidate the code.
  const { code, message, details, reasons } = value;
  return {
    code,
    message,
    ...(Value.Check(Details, details) ? { details } : {}),
    ...(Array.isArray(reasons) ? { reasons: reasons.flatMap(reasonOf) } : {}),
  };
}

/**
 * Reads an error without an envelope of the service, of a request that needs a token: text, or a refusal without words.
 * A page is not its answer.
 */
function bareErrorOf(response: FailedResponse): ErrorEnvelope | undefined {
  const { status, body, scope, isOfOne } = response;
  const kind = kindOf(response);
  if (scope === undefined) return undefined;
  const code = httpCode(status);
  if (kind === 'a body of type text/plain' && body.trim() !== '')
    return { code, message: body.replaceAll(/\s+/g, ' ').trim() };
  const isBare = kind === 'an empty body' || kind.endsWith('json') || body.trim() === '';
  if (!isBare || !isOtherRejection(status) || isTimeLimit(status)) return undefined;
  const words = STATUS_CODES[status] ?? `status ${status}`;
  const address = isOfOne === true ? '' : ' and the base address';
  return {
    code,
    message: `${words}, which the service does not explain. Check what was sent${address}, or ask its operator.`,
  };
}

/** A reason without a message is told by its code. */
function reasonOf(value: unknown): readonly ErrorReason[] {
  if (Value.Check(ErrorReason, value)) return [value];
  return Value.Check(ReasonCode, value) ? [{ code: value.code, message: value.code }] : [];
}

/** Names of members with the words of an error, such as those of problem details (RFC 9457). */
const errorTexts = [
  ...['title', 'detail', 'message', 'error', 'error_description', 'msg'],
  ...['errorMessage', 'error_message', 'errorSummary', 'faultstring'],
];

/** Maximum number of errors of a list among which words are looked for. */
const errorsMax = 100;

/** Reads the error of a gateway, which may be in a member or a list: only what has a code of its own is the service's. */
function otherErrorOf(value: unknown, status: number): ErrorEnvelope | undefined {
  const body = Value.Check(Details, value) ? value : { message: value };
  const listed: readonly unknown[] = [body['fault'], Array.isArray(value) ? value : body['errors']].flat();
  const places: readonly unknown[] = [body['error'], body, ...listed.slice(0, errorsMax)];
  for (const [at, each] of places.entries()) {
    const isListed = at > 1;
    const inner = Value.Check(Details, each) ? each : { message: isListed ? each : undefined };
    const textIn = (name: string) => {
      const member = inner[name];
      return typeof member === 'string' && member.trim() !== '' ? member.trim() : undefined;
    };
    const texts = errorTexts.map(textIn).filter((text) => text !== undefined);
    const message = [...new Set(texts)].map(ended).join(' ');
    if (message === '') continue;
    const code = isListed ? undefined : textIn('code');
    return { code: code ?? httpCode(status), message };
  }
  return undefined;
}

/** Envelopes are shown and stored, so strings are truncated, after what was sent is left out: a part of it is not found. */
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
const ReasonCode = Type.Object({ code: Type.String({ minLength: 1 }) });
const Details = Type.Record(Type.String(), Type.Unknown());

/** Another code than the specification's says something else than that a scope is missing. */
function adviceFor403({ scope }: FailedResponse, code: string): string {
  if (!isMissingScopeCode(code)) return '';
  return ` ${scope === undefined ? 'Use' : `Ask for the ${scope} scope, or use`} another client.`;
}

export function whenWords(retryAfterMs: number | undefined, otherwise: string): string {
  return retryAfterMs === undefined ? otherwise : untilWords(retryAfterMs, 'en');
}

/** Maximum length of service text in a message, in characters. */
const sentenceMax = 1_000;

const sentence = (text: string): string => ended(cut(text.trim(), sentenceMax));

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}
