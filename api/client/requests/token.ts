/**
 * Obtains access tokens with OAuth 2.0 client credentials (RFC 6749 section 4.4), one request at a time, and renews
 * them before they expire. Tokens and the secret stay in this module and in the Authorization header; others only hide
 * them.
 */
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Value } from 'typebox/value';
import {
  defaultTokenLifetimeSeconds,
  scopeOf,
  TokenError,
  TokenResponse,
  type ScopeName,
} from '#api/contract/token.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import { AuthError, ContractError, isAboutScope, RejectedError, ServerFaultError } from '../errors.ts';
import {
  errorOfResponse,
  kindOf,
  requestIdOf,
  retryAfterOf,
  unreadableKindOf,
  whenWords,
} from './error-of-response.ts';
import { formEncoded, sentIn, withoutSent, type SentTexts } from './sent-texts.ts';
import type { Answer, Exchange } from './transport.ts';

/** RFC 6749 section 2.3.1: HTTP Basic, or in the form body. */
export type ClientAuthentication = 'basic' | 'body';

export interface TokenRequestOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly scopes: readonly ScopeName[];
  readonly clientAuthentication: ClientAuthentication;
  readonly userAgent: string;
  readonly exchange: (request: Exchange) => Promise<Answer>;
}

export interface TokenOptions extends TokenRequestOptions {
  readonly clientSecret: string | (() => Promise<string>);
  /** Called when the token endpoint grants fewer scopes than requested, and when it grants other ones later. */
  readonly onGrantedScopes?: ((scopes: readonly ScopeName[]) => void) | undefined;
  /** Returns a monotonic time in milliseconds. */
  readonly now: () => number;
}

/** Why a scope is missing: refused, or never requested. */
export type MissingScope = 'refused' | 'not-asked';

interface HeldToken {
  readonly value: string;
  /** When to request a new token, as measured by `now`. */
  readonly renewAt: number;
  /** The time until which the token may still be used if renewal fails. */
  readonly usableUntil: number;
}

/**
 * Share of its lifetime after which a token is renewed, so that no request uses an expiring one. Lifetimes start on the
 * local clock, before the request, so the service's clock does not matter.
 */
const renewShare = 0.8;
/** If renewal fails, the old token is used up to this share of its lifetime; the rest allows for slow requests. */
const usableShare = 0.95;
/** Minimum interval in milliseconds between renewal attempts of a usable token. */
const renewPauseMs = 5_000;
/** How long a wrong secret is not sent again, nor a scope that was refused, in milliseconds: both may be corrected. */
const refusedMs = 60_000;

export class TokenSource {
  readonly #options: TokenOptions;
  #held: HeldToken | undefined;
  #pending: Promise<HeldToken> | undefined;
  /** Digest of a secret that the token endpoint called wrong; that secret is not sent again until then. */
  #refused: { readonly digest: string; readonly error: AuthError; readonly until: number } | undefined;

  /** The last error from `clientSecret`. */
  #secretFailure: unknown;
  #sent: readonly string[] = [];
  #scopes: readonly ScopeName[];
  /** When scopes that were refused may be asked for again; a doubtful refusal was perhaps about something else. */
  #scopeRefusal = { askAgainAt: 0, isDoubtful: false };

  constructor(options: TokenOptions) {
    this.#options = options;
    this.#scopes = options.scopes;
  }

  /**
   * @param scope what the token is needed for: if it was refused some time ago, it is asked for again.
   * @throws AuthError if the token endpoint refuses; TransportError, TimeoutError, ContractError.
   */
  async get(scope?: ScopeName): Promise<string> {
    const held = this.#held;
    const { now } = this.#options;
    const { askAgainAt, isDoubtful } = this.#scopeRefusal;
    const isLate = now() >= askAgainAt;
    const isScopeWanted = scope !== undefined && this.lacks(scope) === 'refused' && isLate;
    if (held !== undefined && now() < held.renewAt && !isScopeWanted) return held.value;
    const scopes = isScopeWanted || (isDoubtful && isLate) ? this.#options.scopes : this.#scopes;
    // Independent of any one caller's signal: other requests wait for the same token.
    this.#pending ??= this.#request(scopes).finally(() => (this.#pending = undefined));
    try {
      this.#held = await this.#pending;
      return this.#held.value;
    } catch (error) {
      // Renewal failed, but the old token is still valid and there is time for another attempt.
      if (held === undefined || this.#held !== held || now() >= held.usableUntil) throw error;
      this.#held = { ...held, renewAt: Math.min(now() + renewPauseMs, held.usableUntil) };
      return held.value;
    }
  }

  /** Returns why tokens lack this scope; undefined if it was requested and not refused. */
  lacks(scope: ScopeName): MissingScope | undefined {
    if (this.#scopes.includes(scope)) return undefined;
    return this.#options.scopes.includes(scope) ? 'refused' : 'not-asked';
  }

  get secretFailure(): unknown {
    return this.#secretFailure;
  }

  /** The client secret as it was sent to the token address, whose operator may be the service's: no error repeats it. */
  get sentSecrets(): readonly string[] {
    return this.#sent;
  }

  /** Reports that the service rejected this token; the next `get` requests a new one unless there already is one. */
  invalidate(token: string): void {
    if (this.#held?.value === token) this.#held = undefined;
  }

  async #secret(): Promise<string> {
    const { clientSecret } = this.#options;
    if (typeof clientSecret === 'string') return clientSecret;
    try {
      return await clientSecret();
    } catch (error) {
      this.#secretFailure = error;
      throw error;
    }
  }

  async #request(wanted: readonly ScopeName[]): Promise<HeldToken> {
    const options = this.#options;
    const secret = await this.#secret();
    const digest = createHash('sha256').update(secret).digest('base64');
    this.#sent = sentSecrets(options.clientId, secret);
    const asked = options.now();
    if (this.#refused?.digest === digest && asked < this.#refused.until) throw this.#refused.error;
    try {
      const { token, scopes, isDoubtful } = await requestUsableToken({ ...options, scopes: wanted }, secret);
      // A scope that was refused is left out of token requests for a while.
      if (scopes.length < wanted.length)
        this.#scopeRefusal = { askAgainAt: options.now() + refusedMs, isDoubtful };
      if (scopes.length !== this.#scopes.length) {
        this.#scopes = scopes;
        options.onGrantedScopes?.(scopes);
      }
      const lifetimeMs = Math.max(0, token.expires_in ?? defaultTokenLifetimeSeconds) * 1000;
      return {
        value: token.access_token,
        renewAt: asked + lifetimeMs * renewShare,
        usableUntil: asked + lifetimeMs * usableShare,
      };
    } catch (error) {
      // Sending a wrong secret again may lock the client; other refusals say nothing about the secret.
      if (error instanceof AuthError && isAboutSecret(error))
        this.#refused = { digest, error, until: options.now() + refusedMs };
      throw error;
    }
  }
}

/** A token response is at most a few kilobytes. */
const tokenAnswerMaxBytes = 65_536;

/**
 * Requests a token, once more with the read scope alone if the refusal can be about the scopes.
 * @throws the same errors as `TokenSource.get`
 */
export async function requestUsableToken(
  options: TokenRequestOptions,
  secret: string,
): Promise<{
  readonly token: TokenResponse;
  readonly scopes: readonly ScopeName[];
  /** Whether the refusal was perhaps not about the scopes. */
  readonly isDoubtful: boolean;
}> {
  const request = async (scopes: readonly ScopeName[]) => {
    const token = await requestToken({ ...options, scopes }, secret);
    return { token, scopes: grantedScopes(token, { ...options, scopes }) };
  };
  try {
    return { ...(await request(options.scopes)), isDoubtful: false };
  } catch (error) {
    if (!isAboutScope(error) || options.scopes.length < 2) throw error;
    // The first refusal names the reason, also where the second request is refused for another one.
    const granted = await request(['read']).catch((second: unknown) => {
      throw second instanceof AuthError ? error : second;
    });
    return { ...granted, isDoubtful: !(error instanceof AuthError && /_SCOPE$/.test(error.code)) };
  }
}

/** Returns whether a refusal is about the client or its secret (RFC 6749 section 5.2). */
function isAboutSecret({ code }: AuthError): boolean {
  return code === 'INVALID_CLIENT' || code === 'HTTP_401';
}

/**
 * Returns the requested scopes that were granted: all of them unless the response names others (RFC 6749 section 5.1).
 * Names that are not understood tell nothing.
 */
function grantedScopes(
  { scope }: TokenResponse,
  { baseUrl, scopes }: Pick<TokenRequestOptions, 'baseUrl' | 'scopes'>,
): readonly ScopeName[] {
  if (scope === undefined) return scopes;
  const told = scope.split(/[\s,]+/);
  const granted = scopes.filter((name) =>
    told.some((each) => each === scopeOf(baseUrl, name) || each === name || each.endsWith(`/${name}`)),
  );
  return granted.length > 0 ? granted : scopes;
}

/**
 * Sends a single token request.
 * @throws the same errors as `TokenSource.get`
 */
export async function requestToken(options: TokenRequestOptions, secret: string): Promise<TokenResponse> {
  const url = new URL(options.authUrl);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: options.scopes.map((scope) => scopeOf(options.baseUrl, scope)).join(' '),
  });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': options.userAgent,
  };
  if (options.clientAuthentication === 'basic') {
    headers['authorization'] = `Basic ${basic(options.clientId, secret)}`;
  } else {
    form.set('client_id', options.clientId);
    form.set('client_secret', secret);
  }
  const request = {
    method: 'POST',
    url,
    headers,
    body: form.toString(),
    maxBodyBytes: tokenAnswerMaxBytes,
  } as const;
  const sent = sentIn(undefined, sentSecrets(options.clientId, secret));
  return read(await options.exchange(request), url, sent);
}

/** Returns the secret, by itself and as in HTTP Basic. */
export const sentSecrets = (clientId: string, secret: string): readonly string[] => [
  secret,
  basic(clientId, secret),
];

/** Encodes the credentials for HTTP Basic: both parts are form-encoded first (RFC 6749 section 2.3.1). */
function basic(clientId: string, secret: string): string {
  return Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64');
}

function read(answer: Answer, url: URL, sent: SentTexts): TokenResponse {
  const asked = { request: `POST ${url.pathname}`, origin: url.origin };
  const value = settled(parsedJson(answer.body));
  const requestId = requestIdOf(answer, sent);
  // Frameworks name the status there, which is no word of a token endpoint.
  const isError =
    Value.Check(TokenError, value) &&
    value.error.toLowerCase() !== STATUS_CODES[answer.status]?.toLowerCase();
  if (answer.status >= 200 && answer.status < 300 && !isError) {
    if (hasOtherType(value)) {
      throw new ContractError(
        `The token address ${url.origin}${url.pathname} issued a token of a type other than Bearer, which would be of no use to the service. It was not sent. Ask the operator for bearer tokens.`,
        { status: answer.status, requestId, request: asked.request },
      );
    }
    if (Value.Check(TokenResponse, value)) return value;
    throw new ContractError(
      `The token address ${url.origin}${url.pathname} responded with ${value === undefined ? unreadableKindOf({ ...answer, sent }) : kindOf({ ...answer, sent })} instead of a token. Check the token address.`,
      { status: answer.status, requestId, request: asked.request },
    );
  }
  // Some token endpoints tell an error with status 200.
  if (answer.status !== 429 && isError) {
    const { code: error, message } = withoutSent(
      { code: value.error, message: value.error_description?.trim() ?? '' },
      sent,
    );
    const fields = { code: error.toUpperCase(), status: answer.status, requestId, asked };
    const described = sentenceOf(message);
    if (isPassing(error)) {
      const retryAfterMs = retryAfterOf(answer);
      throw new ServerFaultError(
        `${url.origin} cannot issue tokens now ("${error}").${described} Try again ${whenWords(retryAfterMs, 'later')}.`,
        { ...fields, retryable: true, retryAfterMs },
      );
    }
    if (answer.status < 500)
      throw new AuthError(
        `Sign-in failed: ${url.origin} responded "${error}".${described} ${adviceFor(error)}`,
        'token-endpoint',
        fields,
      );
  }
  if (answer.status === 401) {
    throw new AuthError(
      `Sign-in failed: ${url.origin} responded with status 401. ${adviceFor('invalid_client')}`,
      'token-endpoint',
      { code: 'HTTP_401', status: 401, requestId, asked },
    );
  }
  // Nobody deleted anything, and later it is no better: this is not where tokens are issued.
  if ([404, 405, 410, 501].includes(answer.status)) {
    throw new ContractError(
      `There is no token address at ${url.origin}${url.pathname} (${answer.status}). Check the token address.`,
      { status: answer.status, requestId, request: asked.request },
    );
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw new ContractError(
      `${url.origin} responded with a redirect (${answer.status}), which is not followed, to protect the credentials. Set the token address to the real address where tokens are issued.`,
      { status: answer.status, requestId, request: asked.request },
    );
  }
  const failure = errorOfResponse({ ...answer, ...asked, sent });
  if (answer.status === 403 || failure instanceof ContractError) {
    const ofSecret = answer.status === 403 ? ' The client secret is not in question.' : '';
    throw new ContractError(
      `${url.origin} responded to the token request with ${kindOf({ ...answer, sent })} (${answer.status}), which is not the answer of a token endpoint: a gateway or firewall may have sent it.${ofSecret} Try again, or check the token address.`,
      { status: answer.status, requestId, request: asked.request },
    );
  }
  throw failure instanceof RejectedError
    ? new AuthError(
        `Sign-in failed: ${url.origin} refused the token request (${answer.status}).${sentenceOf(failure.serviceMessage)} ${adviceFor(failure.code)}`,
        'token-endpoint',
        { code: failure.code.toUpperCase(), status: answer.status, requestId, asked },
      )
    : failure;
}

/** A client must not use a token whose type it does not know (RFC 6749 section 7.1). Apigee says "BearerToken". */
function hasOtherType(value: unknown): boolean {
  const type =
    typeof value === 'object' && value !== null && 'token_type' in value ? value.token_type : undefined;
  return type !== undefined && !(typeof type === 'string' && /^bearer(?:token)?$/i.test(type.trim()));
}

function isPassing(error: string): boolean {
  return error === 'temporarily_unavailable' || error === 'server_error';
}

/** Longer descriptions explain nothing more. */
const descriptionMax = 500;

/** Returns the service's own description as a sentence with a leading space. */
function sentenceOf(message: string): string {
  if (message === '') return '';
  const cut =
    message.length <= descriptionMax ? message : `${message.slice(0, descriptionMax).toWellFormed()}…`;
  return /[.!?…]$/.test(cut) ? ` ${cut}` : ` ${cut}.`;
}

/** Returns advice for an error code of RFC 6749 section 5.2. */
function adviceFor(error: string): string {
  switch (error.toLowerCase()) {
    case 'invalid_client':
      return 'The client ID or secret is wrong or has expired: update the client secret.';
    case 'invalid_scope':
      return 'The token endpoint did not accept the scopes: check the base address and environment that they are made from.';
    case 'unauthorized_client':
      return 'This client may not use client credentials: ask the operator for one that may.';
    case 'access_denied':
      return 'Ask the operator what this client may do.';
    default:
      return 'Check the client ID, the secret and the token address.';
  }
}

/**
 * Some token endpoints send the seconds as text, or null for what they leave out; other invalid members count as absent,
 * except for the token and its type.
 */
function settled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      if (name !== 'expires_in')
        return isOfToken(name, member) || typeof member === 'string' ? [[name, member]] : [];
      const seconds = typeof member === 'string' && /^\d+$/.test(member) ? Number(member) : member;
      return typeof seconds === 'number' && Number.isFinite(seconds) ? [[name, seconds]] : [];
    }),
  );
}

const isOfToken = (name: string, member: unknown): boolean =>
  name === 'access_token' || (name === 'token_type' && member !== null);
