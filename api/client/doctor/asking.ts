/**
 * Queries a service without changing anything: sends only GET, OPTIONS (both safe, RFC 9110 section 9.2.1) and execute.
 */
import { randomUUID } from 'node:crypto';
import { parsedJson } from '#base/values/parsed-json.ts';
import { pause } from '../abort.ts';
import { NotOfferedError, RateLimitError, UserAbort, type ServerFaultError } from '../errors.ts';
import { errorOfResponse } from '../requests/error-of-response.ts';
import { LimitedCall, type RateLimitRule } from '../requests/limited-call.ts';
import { defaultRetryPolicy, retryDelay } from '../requests/retry.ts';
import { sentIn, withoutSent } from '../requests/sent-texts.ts';
import type { Answer, Exchange } from '../requests/transport.ts';

export interface AskingOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** What no error may repeat, besides the token. */
  readonly secrets: readonly string[];
  /** Signs in again: a token may end before its time. */
  readonly renew: () => Promise<string>;
  readonly userAgent: string;
  readonly exchange: (request: Exchange) => Promise<Answer>;
  readonly signal: AbortSignal;
  readonly rateLimit: RateLimitRule | undefined;
}

/** The parts of a response that probes examine. */
export interface Told {
  /** Method and path, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Answer['headers'];
  /** The body, if it is JSON. */
  readonly body: unknown;
  /** The error envelope's code. */
  readonly code: string | undefined;
  /** Methods from the Allow header; undefined if absent. */
  readonly allow: ReadonlySet<string> | undefined;
  /** Creates the error that the client would throw. */
  readonly toError: () => Error;
  /** Returns whether this is the answer of a service without this operation, which the specification does not describe. */
  readonly isMissing: () => boolean;
}

/** An ID that matches no record. */
export const nobody = randomUUID();

const vainMax = 2;

/** Every method throws ApiError, ContractError or UserAbort if there is no response. */
export class Asking {
  readonly #options: AskingOptions;
  #token: string;
  /** Whether the token was taken since it was issued. */
  #isAccepted = false;
  /** How often another token changed nothing, as at a gateway that refuses so what the client may not use. */
  #vainRenewals = 0;
  /** A service that does not answer within the time is not waited for again. */
  #rule: RateLimitRule | undefined;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#rule = options.rateLimit;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  async get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Told> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return await this.#send('GET', search.size === 0 ? path : `${path}?${search.toString()}`);
  }

  async options(path: string): Promise<Told> {
    return await this.#send('OPTIONS', path);
  }

  async execute(body: Readonly<Record<string, unknown>>): Promise<Told> {
    return await this.#send('POST', '/v1/query/execute', body);
  }

  /**
   * A limit or a fault that passes is not an answer: the request is sent again, as the client does.
   * @throws RateLimitError if the limit does not pass in time, which says nothing about what was asked.
   */
  async #send(method: 'GET' | 'OPTIONS' | 'POST', pathAndQuery: string, body?: object): Promise<Told> {
    const { signal } = this.#options;
    const [policy, random] = [defaultRetryPolicy, Math.random];
    const limited = new LimitedCall({ rule: this.#rule, policy, random });
    let isRenewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const told = await this.#sendOnce(method, pathAndQuery, body);
      if (told.status !== 401) this.#isAccepted = true;
      else if (isRenewed) this.#vainRenewals += 1;
      else if (await this.#renew()) {
        isRenewed = true;
        attempt -= 1;
        continue;
      }
      if (told.status < 400) return told;
      const error = told.toError();
      if (limited.covers(error, true)) {
        await this.#waitOut(limited, error);
        attempt -= 1;
        continue;
      }
      const isLookup = method !== 'POST';
      const delayMs = retryDelay(error, attempt, { policy, isSafe: true, isLookup, random });
      if (delayMs === undefined && error instanceof RateLimitError) throw error;
      if (delayMs === undefined) return told;
      await pause(delayMs, signal);
    }
  }

  /**
   * Returns whether there is another token. Without one, the answer to the old one stands. One that was never taken is
   * renewed once: a service may keep only the token that it issued last.
   */
  async #renew(): Promise<boolean> {
    if (this.#vainRenewals >= (this.#isAccepted ? vainMax : 1)) return false;
    try {
      this.#token = await this.#options.renew();
      this.#isAccepted = false;
      return true;
    } catch (error) {
      if (error instanceof UserAbort) throw error;
      this.#vainRenewals += 1;
      return false;
    }
  }

  async #waitOut(limited: LimitedCall, error: RateLimitError | ServerFaultError): Promise<void> {
    try {
      await limited.waitOut(error, this.#options);
    } catch (failure) {
      if (this.#rule !== undefined) this.#rule = { ...this.#rule, maxMs: 0 };
      throw failure;
    }
  }

  async #sendOnce(method: 'GET' | 'OPTIONS' | 'POST', pathAndQuery: string, body?: object): Promise<Told> {
    const { baseUrl, secrets, userAgent, exchange, signal } = this.#options;
    const token = this.#token;
    const url = new URL(`${baseUrl}${pathAndQuery}`);
    const answer = await exchange({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    const parsed = parsedJson(answer.body);
    const code = memberOf(parsed, 'code');
    const { allow } = answer.headers;
    const request = `${method} ${pathAndQuery.replace(/\?.*/, '').replaceAll(nobody, '{id}')}`;
    const sent = sentIn(body, [token, ...secrets]);
    const response = { ...answer, request, origin: url.origin, scope: 'read', sent } as const;
    const optional = { name: request, isOfOne: pathAndQuery.includes(nobody) };
    return {
      request,
      toError: () => errorOfResponse(response),
      // A 403 depends on the client.
      isMissing: () =>
        answer.status >= 400 &&
        answer.status !== 403 &&
        errorOfResponse({ ...response, optional }) instanceof NotOfferedError,
      status: answer.status,
      headers: answer.headers,
      body: parsed,
      code:
        typeof code === 'string' && answer.status >= 400
          ? withoutSent({ code, message: '' }, sent).code
          : undefined,
      allow: allow === undefined ? undefined : new Set(allow.split(',').map((method) => method.trim())),
    };
  }
}

export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? Reflect.get(inner, name)
        : undefined,
    value,
  );
}
