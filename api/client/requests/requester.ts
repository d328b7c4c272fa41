/** Authorized requests with retries: the base of every client method. */
import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '#api/contract/endpoints.ts';
import type { ScopeName } from '#api/contract/token.ts';
import type { Logger } from '#base/logger.ts';
import { pause, unlessAborted } from '../abort.ts';
import type { DecodeContext } from '../answers/shape.ts';
import {
  ApiError,
  AuthError,
  ContractError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TransportError,
  UserAbort,
  type Asked,
} from '../errors.ts';
import { parseJson, TooDeepError, type JsonValue } from '../json.ts';
import { timedOut } from '../network/error-of-transport.ts';
import { isUnfinished } from '../query-page.ts';
import type { BodyMemory } from './body-memory.ts';
import { damagedText, errorOfResponse, requestIdOf, unreadableKindOf } from './error-of-response.ts';
import { LimitedCall, type RateLimitRule, type WaitOptions } from './limited-call.ts';
import { isPerhapsDone, retryDelay, type RetryPolicy } from './retry.ts';
import { hidingSecrets, sentIn, type SentTexts } from './sent-texts.ts';
import type { MissingScope, TokenSource } from './token.ts';
import { answerText, type Answer, type Exchange } from './transport.ts';

export interface RequesterOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly token: TokenSource;
  readonly exchange: (request: Exchange) => Promise<Answer>;
  readonly logger: Logger;
  readonly retry: RetryPolicy;
  /** Total time limit per call in milliseconds. */
  readonly totalTimeoutMs: number;
  readonly rateLimit: RateLimitRule | undefined;
  readonly onAuthFailure: (error: Error) => void;
  readonly onReach: (failure: TransportError | ServerFaultError | ContractError | undefined) => void;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

export interface RequestOptions extends WaitOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Throws a rate limit error immediately, for callers that show the wait themselves. */
  readonly throwsRateLimit?: boolean | undefined;
  /**
   * If false, the request is not retried after a lost response or a 503: it may have been carried out. Default: true.
   */
  readonly isRepeatable?: boolean | undefined;
  /** Time limit in milliseconds, overriding the client's. */
  readonly timeoutMs?: number | undefined;
  /** The ETag of what the caller has. The answer then may be a 304 without a body. */
  readonly etag?: string | undefined;
  /** Overrides the endpoint table's method if the service requires it (assumption `update`). */
  readonly method?: Endpoint['method'];
}

export interface ParsedAnswer {
  readonly value: JsonValue;
  readonly context: DecodeContext;
  readonly headers: Answer['headers'];
  /** Whether an earlier answer to this request was lost, although it was perhaps carried out. */
  readonly isAfterLoss: boolean;
}

export interface BytesReader<Read> {
  /** Owns the bytes while they are read. */
  readonly memory: BodyMemory;
  /** Returns undefined to leave the response to the JSON parser. */
  readonly read: (bytes: Uint8Array<ArrayBuffer>) => Read | undefined;
}

/** Converts a successful response. */
type Take<Taken> = (answer: TakenAnswer, context: DecodeContext) => Promise<Taken>;

/** With what its errors must not repeat. */
type OwnAnswer = Answer & { readonly sent: SentTexts };
type TakenAnswer = OwnAnswer & Pick<ParsedAnswer, 'isAfterLoss'>;

type KeptRequest = RequestOptions & Pick<Exchange, 'bytesInto'>;

export class Requester {
  readonly #options: RequesterOptions;
  /** Operations that were answered, so that a gateway's page does not say that they are not there. */
  readonly #offered = new Set<string>();

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** @throws ApiError, ContractError, UserAbort. */
  async send(endpoint: Endpoint, request: RequestOptions = {}): Promise<ParsedAnswer> {
    return await this.#send(endpoint, request, parsedAnswer);
  }

  /** @throws the same errors as `send`. */
  async sendForBytes<Read>(
    endpoint: Endpoint,
    request: RequestOptions,
    { memory, read }: BytesReader<Read>,
  ): Promise<({ readonly read: Read } & Pick<ParsedAnswer, 'headers' | 'isAfterLoss'>) | ParsedAnswer> {
    return await this.#send(endpoint, { ...request, bytesInto: memory }, async (answer, context) => {
      const { bytes } = answer;
      if (bytes === undefined) return await parsedAnswer(answer, context);
      const taken = isUnfinished(answer.status) ? undefined : read(bytes);
      const body = taken === undefined ? answerText(bytes, context.request) : '';
      memory.give(bytes);
      return taken === undefined
        ? await parsedAnswer({ ...answer, body }, context)
        : { read: taken, headers: answer.headers, isAfterLoss: answer.isAfterLoss };
    });
  }

  async #send<Taken>(endpoint: Endpoint, request: KeptRequest, take: Take<Taken>): Promise<Taken> {
    const { onAuthFailure, onReach } = this.#options;
    // A longer request limit extends the call limit.
    const totalTimeoutMs =
      Math.max(this.#options.totalTimeoutMs, request.timeoutMs ?? 0) + (this.#options.rateLimit?.maxMs ?? 0);
    const limit = AbortSignal.timeout(totalTimeoutMs);
    const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]);
    try {
      const taken = await this.#sendRepeatedly(endpoint, { ...request, signal }, take);
      onReach(undefined);
      return taken;
    } catch (error) {
      if (
        error instanceof TransportError ||
        error instanceof ServerFaultError ||
        error instanceof ContractError
      )
        onReach(error);
      else if (error instanceof ApiError && error.status !== undefined) onReach(undefined);
      if (error instanceof UserAbort && limit.aborted && request.signal?.aborted !== true) {
        throw timedOut(
          {
            request: `${request.method ?? endpoint.method} ${endpoint.path}`,
            origin: new URL(this.#options.baseUrl).origin,
            timeoutMs: totalTimeoutMs,
          },
          error,
        );
      }
      const isRefused = error instanceof AuthError && error.at !== 'forbidden';
      const hasNoSecret = error instanceof Error && error === this.#options.token.secretFailure;
      if (isRefused || hasNoSecret) onAuthFailure(error);
      throw error;
    }
  }

  /** @throws AuthError if the token endpoint refused the scope, or it is not asked for. */
  async requireScope(scope: ScopeName, signal?: AbortSignal): Promise<void> {
    await this.#tokenWith(scope, { signal });
  }

  async #tokenWith(
    scope: ScopeName,
    { signal, request }: { readonly signal: AbortSignal | undefined; readonly request?: string },
  ): Promise<string> {
    // Callers share the token request, so only this caller stops waiting.
    const token = await unlessAborted(this.#options.token.get(scope), signal);
    const missing = this.#options.token.lacks(scope);
    if (missing === undefined) return token;
    const asked =
      request === undefined ? undefined : { request, origin: new URL(this.#options.baseUrl).origin };
    throw missingScope(asked, scope, missing);
  }

  async #sendRepeatedly<Taken>(endpoint: Endpoint, request: KeptRequest, take: Take<Taken>): Promise<Taken> {
    const { retry, random, logger } = this.#options;
    const method = request.method ?? endpoint.method;
    // Reads and proven queries change nothing, so retrying them is safe. Anything else is retried only if the service
    // rejected it (429).
    const isSafe =
      endpoint.scope === 'read' && endpoint.repeatable !== false && request.isRepeatable !== false;
    const started = performance.now();
    let isTokenRenewed = false;
    let isAfterLoss = false;
    const limited = new LimitedCall({ rule: this.#options.rateLimit, policy: retry, random });
    for (let attempt = 1; ; attempt += 1) {
      let token: string | undefined;
      try {
        token = await this.#tokenWith(endpoint.scope, {
          signal: request.signal,
          request: `${method} ${endpoint.path}`,
        });
        const { answer, context } = await this.#sendOnce(endpoint, method, request, token);
        return await take({ ...answer, isAfterLoss }, context);
      } catch (error) {
        isAfterLoss ||= token !== undefined && isPerhapsDone(error);
        if (error instanceof ApiError || error instanceof ContractError) error.isAfterLoss = isAfterLoss;
        if (
          error instanceof AuthError &&
          error.at === 'unauthorized' &&
          !isTokenRenewed &&
          token !== undefined
        ) {
          isTokenRenewed = true;
          this.#options.token.invalidate(token);
          continue;
        }
        if (limited.covers(error, isSafe || token === undefined)) {
          await limited.waitOut(error, request);
          attempt -= 1;
          continue;
        }
        const isLeft = error instanceof RateLimitError && request.throwsRateLimit === true;
        const delayMs =
          error instanceof ApiError && !isLeft
            ? retryDelay(error, attempt, {
                policy: retry,
                // Without a token, the request was not sent.
                isSafe: isSafe || token === undefined,
                isLookup: method === 'GET' || token === undefined,
                random,
              })
            : undefined;
        if (delayMs === undefined || performance.now() - started + delayMs > retry.totalMs) throw error;
        logger.debug(
          `${method} ${endpoint.path} is sent again in ${Math.round(delayMs)} ms (attempt ${attempt + 1})`,
        );
        request.onWait?.(delayMs, error);
        await pause(delayMs, request.signal);
        request.onRetry?.(error);
      }
    }
  }

  async #sendOnce(
    endpoint: Endpoint,
    method: Endpoint['method'],
    request: KeptRequest,
    token: string,
  ): Promise<{ readonly answer: OwnAnswer; readonly context: DecodeContext }> {
    const { baseUrl, userAgent, logger } = this.#options;
    const url = urlOf(baseUrl, endpoint, request);
    const named = `${method} ${url.pathname}`;
    const name = `${method} ${endpoint.path}`;
    const started = performance.now();
    const answer = await this.#options.exchange({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': userAgent,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.etag === undefined ? {} : { 'if-none-match': request.etag }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: request.signal,
      timeoutMs: request.timeoutMs,
      bytesInto: request.bytesInto,
    });
    const sent = sentIn(request.body, [token, ...this.#options.token.sentSecrets]);
    const requestId = requestIdOf(answer, sent);
    const ms = Math.round(performance.now() - started);
    logger.debug(
      `${method} ${endpoint.path} ${answer.status} ${ms} ms${requestId === undefined ? '' : ` ${requestId}`}`,
    );
    const isKnown = answer.status === 304 && request.etag !== undefined;
    if (!isKnown && (answer.status < 200 || answer.status >= 300)) {
      const isOfOne = endpoint.path.includes('{');
      const isOptional =
        endpoint.source !== 'specification' && !(answer.status === 403 && this.#offered.has(name));
      throw errorOfResponse({
        ...answer,
        request: named,
        origin: url.origin,
        scope: endpoint.scope,
        sent,
        isOfOne,
        ...(isOptional && { optional: { name, isOfOne } }),
      });
    }
    this.#offered.add(name);
    const context = { status: answer.status, requestId, request: named, hide: hidingSecrets(sent) };
    return { answer: { ...answer, sent }, context };
  }
}

async function parsedAnswer(answer: TakenAnswer, context: DecodeContext): Promise<ParsedAnswer> {
  const { headers, isAfterLoss } = answer;
  return { value: await valueOf(answer, context), context, headers, isAfterLoss };
}

/** Larger responses are parsed in a separate turn of the event loop. */
const largeBodyChars = 1_000_000;

async function valueOf(answer: OwnAnswer, context: DecodeContext): Promise<JsonValue> {
  if (answer.body === '') return null;
  if (answer.body.length > largeBodyChars) await setImmediate();
  try {
    return parseJson(answer.body);
  } catch (error) {
    if (error instanceof TooDeepError)
      throw new ContractError(`The response of the service is ${error.message}.`, context);
    const kind = unreadableKindOf(answer);
    const advice =
      kind === damagedText
        ? 'Try again. If it repeats, ask the operator of the service.'
        : 'Check the base address: a proxy or another site may be responding there.';
    throw new ContractError(`The response of the service is ${kind} instead of JSON. ${advice}`, {
      ...context,
      cause: error instanceof Error ? new Error(error.name) : undefined,
    });
  }
}

function urlOf(baseUrl: string, endpoint: Endpoint, request: RequestOptions): URL {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path?.[name];
    if (value === undefined) throw new TypeError(`${endpoint.path} needs ${name}`);
    if (!isSegment(value)) throw unusableId();
    return encodeURIComponent(value);
  });
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/**
 * Returns whether a value can be a path segment: URLs resolve dot segments even if encoded, and cannot encode lone
 * surrogates. Some proxies decode slashes, so each part between them must be one, too.
 */
function isSegment(value: string): boolean {
  return value.isWellFormed() && value.split(/[/\\]/).every((part) => !/^\.{0,2}$/.test(part.trim()));
}

function unusableId(): RejectedError {
  const problem = 'an ID or a part of it is empty or consists of dots, or it contains half of a character';
  return new RejectedError(`The request was not sent: ${problem}. Check the ID.`, {
    code: 'INVALID_ID',
    retryable: false,
    serviceMessage: problem,
  });
}

/** Fails before sending, since the service would only return 403. */
function missingScope(asked: Asked | undefined, scope: ScopeName, missing: MissingScope): AuthError {
  const message =
    missing === 'refused'
      ? `This needs the ${scope} scope, which the token endpoint refused. Nothing was sent. Ask for the ${scope} scope, or use another client.`
      : `This needs the ${scope} scope, which this connection does not ask for. Nothing was sent. Change "scopes" of the connection to "read and write".`;
  return new AuthError(message, 'forbidden', { code: 'INSUFFICIENT_SCOPE', asked });
}
