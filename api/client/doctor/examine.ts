/**
 * Tests which assumptions hold for a live service. Only reads (GET, OPTIONS and SELECT), with a read-only token; the
 * write scope is requested only if the connection includes it.
 */
import { assumptions, type AssumptionId } from '#api/contract/assumptions.ts';
import { resolveDeployment } from '#api/contract/deployment.ts';
import type { ScopeName, TokenResponse } from '#api/contract/token.ts';
import type { ClientOptions } from '../client.ts';
import { AuthError, isAboutScope, UserAbort } from '../errors.ts';
import { createAgent } from '../network/unasked-continue.ts';
import { LimitedCall } from '../requests/limited-call.ts';
import { defaultRetryPolicy } from '../requests/retry.ts';
import { requestToken, sentSecrets, type TokenRequestOptions } from '../requests/token.ts';
import { exchange, type Exchange } from '../requests/transport.ts';
import { Asking, memberOf } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Finding, type Found } from './finding.ts';
import { probes, tellsMethods } from './probes.ts';

export interface ExamineOptions extends Pick<
  ClientOptions,
  | 'baseUrl'
  | 'authUrl'
  | 'environment'
  | 'clientId'
  | 'clientSecret'
  | 'clientAuthentication'
  | 'scopes'
  | 'dispatcher'
  | 'fetch'
  | 'rateLimit'
  | 'userAgent'
> {
  readonly signal: AbortSignal;
  /** Timeout per request in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
}

const maxBodyBytes = 4_194_304;

/**
 * Yields a finding for every assumption, in table order.
 * @throws ApiError, ContractError or UserAbort if there is no token or no response to the first request; errors of
 * `clientSecret`.
 */
export async function* examine(options: ExamineOptions): AsyncGenerator<Finding, void, undefined> {
  const { baseUrl, authUrl } = resolveDeployment(options);
  const { signal, rateLimit, userAgent = 'identity-queries', timeoutMs = 15_000 } = options;
  const ownAgent =
    options.dispatcher === undefined && options.fetch === undefined ? createAgent() : undefined;
  const dispatcher = options.dispatcher ?? ownAgent;
  const carrier = dispatcher === undefined ? { fetch: options.fetch ?? fetch } : { dispatcher };
  const send = (request: Exchange) => exchange({ ...request, signal }, { carrier, timeoutMs, maxBodyBytes });
  try {
    const { clientSecret } = options;
    const secret = typeof clientSecret === 'string' ? clientSecret : await clientSecret();
    const tokenOptions = { baseUrl, authUrl, clientId: options.clientId, userAgent, exchange: send };
    const { token, renew, found } = await askForTokens(
      {
        ...tokenOptions,
        clientAuthentication: options.clientAuthentication ?? 'basic',
        wanted: options.scopes ?? ['read', 'write'],
        rateLimit,
        signal,
      },
      secret,
    );
    const secrets = sentSecrets(options.clientId, secret);
    const ask = new Asking({
      ...{ baseUrl, token, renew, secrets, userAgent, signal, rateLimit },
      exchange: send,
    });
    const context: ProbeContext = {
      ask,
      ...(await modelsOf(ask)),
      token: found,
      tellsMethods: await tellsMethods(ask),
    };
    for (const id of Object.keys(assumptions) as AssumptionId[]) yield await look(id, context); // the table's own keys
  } finally {
    await ownAgent?.destroy();
  }
}

async function look(id: AssumptionId, context: ProbeContext): Promise<Finding> {
  try {
    return { id, ...(await probes[id](context)) };
  } catch (error) {
    if (error instanceof UserAbort) throw error;
    // One failed request must not stop the others.
    return { id, ...unknown({ kind: 'no-answer', request: id, error }) };
  }
}

/** @throws ApiError, ContractError if the service violates the specification. */
async function modelsOf(ask: Asking): Promise<Pick<ProbeContext, 'model' | 'listingModels'>> {
  const { status, body, toError } = await ask.get('/v1/schema/models');
  if (status !== 200) throw toError();
  const models = memberOf(body, 'models');
  const named = (Array.isArray(models) ? models : []).flatMap((model: unknown) => {
    const name = memberOf(model, 'name');
    return typeof name === 'string' ? [{ name, listsTables: memberOf(model, 'listsTables') === true }] : [];
  });
  return {
    model: named[0]?.name,
    listingModels: named.filter(({ listsTables }) => listsTables).map(({ name }) => name),
  };
}

/** Requests a token and records what the responses reveal. */
async function askForTokens(
  {
    wanted,
    rateLimit,
    signal,
    ...options
  }: Omit<TokenRequestOptions, 'scopes'> &
    Pick<ExamineOptions, 'rateLimit' | 'signal'> & { readonly wanted: readonly ScopeName[] },
  secret: string,
): Promise<{ readonly token: string; readonly renew: () => Promise<string>; readonly found: Found }> {
  const request = async (scopes: readonly ScopeName[], more: Partial<TokenRequestOptions> = {}) =>
    await waitedOut(() => requestToken({ ...options, scopes, ...more }, secret), { rateLimit, signal });
  try {
    const { access_token, expires_in } = await request(['read']);
    return {
      token: access_token,
      renew: async () => (await request(['read'])).access_token,
      found:
        expires_in === undefined
          ? differs({ kind: 'member', request: tokenRequest, member: 'expires_in' })
          : wanted.includes('write')
            ? await bothScopes(() => request(['read', 'write']))
            : holds,
    };
  } catch (error) {
    const isRefused = error instanceof AuthError && error.code === 'INVALID_CLIENT';
    if (!isRefused || options.clientAuthentication === 'body') throw error;
    // Retries with the secret in the body; a wrong secret is refused there too.
    const askInBody = () => request(['read'], { clientAuthentication: 'body' });
    const token = await inBody(askInBody);
    if (token === undefined) throw error;
    return {
      token,
      renew: async () => (await askInBody()).access_token,
      found: differs({ kind: 'secret-in-body' }),
    };
  }
}

/** Makes the request again while a limit passes. */
async function waitedOut<Answer>(
  request: () => Promise<Answer>,
  { rateLimit, signal }: Pick<ExamineOptions, 'rateLimit' | 'signal'>,
): Promise<Answer> {
  const limited = new LimitedCall({ rule: rateLimit, policy: defaultRetryPolicy, random: Math.random });
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!limited.covers(error, true)) throw error;
      await limited.waitOut(error, { signal });
    }
  }
}

const tokenRequest = 'POST token';

async function bothScopes(request: () => Promise<TokenResponse>): Promise<Found> {
  try {
    const { scope } = await request();
    // A token endpoint may grant less than was requested, and say so.
    const isLess = scope !== undefined && /\bread\b/.test(scope) && !/\bwrite\b/.test(scope);
    return isLess ? differs({ kind: 'write-scope-refused' }) : holds;
  } catch (error) {
    if (isAboutScope(error)) return differs({ kind: 'write-scope-refused' });
    return unknown({ kind: 'no-answer', request: tokenRequest, error });
  }
}

async function inBody(
  request: () => Promise<{ readonly access_token: string }>,
): Promise<string | undefined> {
  try {
    return (await request()).access_token;
  } catch (error) {
    if (error instanceof AuthError) return undefined;
    throw error;
  }
}
