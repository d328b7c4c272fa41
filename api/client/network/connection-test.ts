/**
 * Tests a connection step by step to locate failures. The steps are name, TCP, proxy, TLS, token, scopes, models, saved
 * queries and execute. Results are data; the caller formats the text.
 */
import type { SecureContext } from 'node:tls';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { scopeOf, type ScopeName } from '#api/contract/token.ts';
import { reasonOf, unlessAborted } from '../abort.ts';
import { createClient, type ClientOptions, type ServiceClient } from '../client.ts';
import {
  ApiError,
  CertificateError,
  ContractError,
  isPerhapsNotOffered,
  TransportError,
  UserAbort,
} from '../errors.ts';
import { requestUsableToken, type MissingScope } from '../requests/token.ts';
import { exchange, type Carrier } from '../requests/transport.ts';
import { createDispatcher, secureContextOf, type DispatcherOptions } from './dispatcher.ts';
import { errorOfTransport, refusalOf, timedOut } from './error-of-transport.ts';
import { openTcp, openTunnel, resolveHost, shakeHands, type ProbeOptions, type TlsFacts } from './probe.ts';
import { proxyFor } from './proxy.ts';

export type StepName =
  | 'name'
  | 'tcp'
  | 'proxy'
  | 'tls'
  | 'token'
  | 'scopes'
  | 'models'
  | 'saved-queries'
  | 'execute';

export type StepOutcome =
  | { readonly kind: 'ok'; readonly facts: StepFacts }
  /** The step succeeded, with restrictions. */
  | { readonly kind: 'warning'; readonly facts: StepFacts }
  | { readonly kind: 'failed'; readonly error: unknown; readonly facts?: StepFacts }
  /** Skipped because an earlier step failed or the step does not apply. */
  | { readonly kind: 'skipped'; readonly why: 'needs-earlier' | 'plain-http' | 'editor-fetch' };

export type StepFacts =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'connected' }
  | { readonly kind: 'proxy-status'; readonly status: number }
  | { readonly kind: 'tls'; readonly tls: TlsFacts }
  | { readonly kind: 'token'; readonly lifetimeSeconds: number | undefined }
  | {
      readonly kind: 'scopes';
      readonly granted: readonly ScopeName[];
      readonly isAssumed: boolean;
      /** Why the write scope is missing, if known. */
      readonly withoutWrite?: MissingScope;
    }
  | { readonly kind: 'models'; readonly names: readonly string[] }
  | { readonly kind: 'count'; readonly count: number; readonly hasMore: boolean }
  /** The service does not list its saved queries, which it need not. */
  | { readonly kind: 'no-list' }
  | { readonly kind: 'rows'; readonly count: number };

export interface Step {
  readonly name: StepName;
  /** The target host and port, or the requested origin. */
  readonly target: string;
  readonly outcome: StepOutcome;
  readonly ms: number;
}

export interface ConnectionTestOptions extends ClientOptions {
  /** Connection options; ignored if `fetch` is set. */
  readonly network: DispatcherOptions;
  readonly signal: AbortSignal;
  /** Time limit per step in milliseconds. Default: 10,000. */
  readonly stepTimeoutMs?: number;
}

/**
 * Yields each step as soon as it ends.
 * @throws UserAbort; CertificateError if the configured files cannot be used.
 */
export async function* testConnection(options: ConnectionTestOptions): AsyncGenerator<Step, void, undefined> {
  const { baseUrl, authUrl } = resolveDeployment(options);
  const secureContext = options.fetch === undefined ? await secureContextOf(options.network) : undefined;
  const origins = [...new Set([authUrl, baseUrl].map((address) => new URL(address).origin))];
  const reached = new Set<string>();
  for (const origin of origins) {
    let isReached = true;
    for await (const step of reach(new URL(origin), options, secureContext)) {
      if (step.outcome.kind === 'failed') isReached = false;
      yield step;
    }
    if (isReached) reached.add(origin);
  }
  const dispatcher = options.fetch === undefined ? await createDispatcher(options.network) : undefined;
  const carrier: Carrier = dispatcher === undefined ? { fetch: options.fetch ?? fetch } : { dispatcher };
  const client = createClient({ ...options, ...carrier, retry: { attempts: 1 } });
  try {
    const isTokenReached = reached.has(new URL(authUrl).origin);
    let hasToken = false;
    for await (const step of tokenSteps({ ...options, baseUrl, authUrl }, carrier, isTokenReached)) {
      if (step.name === 'token') hasToken = step.outcome.kind === 'ok';
      yield step;
    }
    yield* serviceSteps(client, options, hasToken && reached.has(new URL(baseUrl).origin));
  } finally {
    await client.close();
    await dispatcher?.destroy();
  }
}

const needsEarlier: StepOutcome = { kind: 'skipped', why: 'needs-earlier' };

async function* reach(
  target: URL,
  options: ConnectionTestOptions,
  secureContext: SecureContext | undefined,
): AsyncGenerator<Step, void, undefined> {
  const skip = (name: StepName, outcome: StepOutcome): Step => ({
    name,
    target: target.host,
    outcome,
    ms: 0,
  });
  if (options.fetch !== undefined) {
    yield skip('tcp', { kind: 'skipped', why: 'editor-fetch' });
    return;
  }
  const { network } = options;
  const proxy = proxyFor(target, network);
  const first = proxy ?? target;
  const named = await timed('name', first.host, options, async () => ({
    kind: 'addresses',
    addresses: await resolveHost(first.hostname),
  }));
  yield named;
  let isOpen = named.outcome.kind === 'ok';
  if (isOpen) {
    const tcp = await timed('tcp', first.host, options, async (signal) => {
      (await openTcp(first, signal)).destroy();
      return { kind: 'connected' };
    });
    isOpen = tcp.outcome.kind === 'ok';
    yield tcp;
  } else yield skip('tcp', needsEarlier);
  const probe = (signal: AbortSignal): ProbeOptions => ({
    secureContext,
    signal,
    verifyProxy: network.verifyProxy !== false,
    proxyAuthorization: network.proxyAuthorization,
  });
  const isSecure = target.protocol === 'https:';
  if (proxy !== undefined && isSecure) {
    const step = isOpen
      ? await timed('proxy', proxy.host, options, async (signal) => {
          const { status, socket } = await openTunnel(proxy, target, probe(signal));
          socket.destroy();
          if (status < 200 || status >= 300) throw refusedByProxy(proxy, status, target);
          return { kind: 'proxy-status', status };
        })
      : skip('proxy', needsEarlier);
    isOpen &&= step.outcome.kind === 'ok';
    yield step;
  }
  if (!isSecure) {
    yield skip('tls', { kind: 'skipped', why: 'plain-http' });
    return;
  }
  if (!isOpen) {
    yield skip('tls', needsEarlier);
    return;
  }
  const open = async (signal: AbortSignal) =>
    proxy === undefined
      ? await openTcp(target, signal)
      : (await openTunnel(proxy, target, probe(signal))).socket;
  const tls = await timed('tls', target.host, options, async (signal) => ({
    kind: 'tls',
    tls: await shakeHands(await open(signal), target, { secureContext, signal }),
  }));
  yield tls.outcome.kind === 'failed' ? await withIssuer(tls, tls.outcome.error) : tls;

  /** Adds the issuer to the error for an untrusted certificate, so that the user can establish trust. */
  async function withIssuer(step: Step, error: unknown): Promise<Step> {
    const looked = await timed('tls', target.host, options, async (signal) => ({
      kind: 'tls',
      tls: await shakeHands(await open(signal), target, { secureContext, signal, isTrusting: true }),
    }));
    return looked.outcome.kind === 'ok'
      ? { ...step, outcome: { kind: 'failed', error, facts: looked.outcome.facts } }
      : step;
  }
}

async function* tokenSteps(
  options: ConnectionTestOptions,
  carrier: Carrier,
  isReached: boolean,
): AsyncGenerator<Step, void, undefined> {
  const target = new URL(options.authUrl).host;
  if (!isReached) {
    yield { name: 'token', target, outcome: needsEarlier, ms: 0 };
    yield { name: 'scopes', target, outcome: needsEarlier, ms: 0 };
    return;
  }
  const wanted = options.scopes ?? (['read', 'write'] as const);
  let asked: readonly ScopeName[] = wanted;
  let scope: string | undefined;
  const token = await timed('token', target, options, async (signal) => {
    const { token: answer, scopes } = await requestUsableToken(
      {
        baseUrl: options.baseUrl,
        authUrl: options.authUrl,
        clientId: options.clientId,
        scopes: wanted,
        clientAuthentication: options.clientAuthentication ?? 'basic',
        userAgent: options.userAgent ?? 'identity-queries',
        exchange: (request) =>
          exchange({ ...request, signal }, { carrier, timeoutMs: stepLimit(options), maxBodyBytes: 65_536 }),
      },
      typeof options.clientSecret === 'string' ? options.clientSecret : await options.clientSecret(),
    );
    // RFC 6749 allows the second response to omit `scope`, so record what was requested: a refused scope is not
    // granted.
    asked = scopes;
    scope = answer.scope;
    return { kind: 'token', lifetimeSeconds: answer.expires_in };
  });
  yield token;
  if (token.outcome.kind !== 'ok') {
    yield { name: 'scopes', target, outcome: needsEarlier, ms: 0 };
    return;
  }
  const names = scope?.split(' ') ?? [];
  // RFC 6749 section 5.1: omitted if all requested scopes were granted.
  const isAssumed = scope === undefined;
  const granted = asked.filter(
    (name) =>
      isAssumed ||
      names.includes(scopeOf(options.baseUrl, name)) ||
      names.some((each) => each.endsWith(`/${name}`)),
  );
  const withoutWrite = !wanted.includes('write')
    ? 'not-asked'
    : asked.includes('write')
      ? undefined
      : 'refused';
  const facts: StepFacts = {
    kind: 'scopes',
    granted,
    isAssumed,
    ...(withoutWrite === undefined ? {} : { withoutWrite }),
  };
  const kind = granted.length === wanted.length ? 'ok' : 'warning';
  yield { name: 'scopes', target, outcome: { kind, facts }, ms: 0 };
}

async function* serviceSteps(
  client: ServiceClient,
  options: ConnectionTestOptions,
  isReady: boolean,
): AsyncGenerator<Step, void, undefined> {
  const target = new URL(resolveDeployment(options).baseUrl).host;
  if (!isReady) {
    for (const name of ['models', 'saved-queries', 'execute'] as const)
      yield { name, target, outcome: needsEarlier, ms: 0 };
    return;
  }
  let model: string | undefined;
  const models = await timed('models', target, options, async (signal) => {
    const names = (await client.models.list({ signal })).map(({ name }) => name);
    model = names[0];
    return { kind: 'models', names };
  });
  const { outcome } = models;
  yield outcome.kind === 'ok' && model === undefined
    ? { ...models, outcome: { ...outcome, kind: 'warning' } }
    : models;
  const saved = await timed('saved-queries', target, options, async (signal) => {
    const page = await client.savedQueries.list({ pageSize: 100, signal });
    return { kind: 'count', count: page.items.length, hasMore: page.nextPageToken !== undefined };
  });
  yield saved.outcome.kind === 'failed' && isPerhapsNotOffered(saved.outcome.error)
    ? { ...saved, outcome: { kind: 'warning', facts: { kind: 'no-list' } } }
    : saved;
  if (model === undefined) {
    yield { name: 'execute', target, outcome: needsEarlier, ms: 0 };
    return;
  }
  const known = model;
  yield await timed('execute', target, options, async (signal) => {
    const page = await client.queries.execute({ query_string: 'SELECT 1 AS one', model: known }, { signal });
    return { kind: 'rows', count: page.rows.length };
  });
}

function stepLimit({ stepTimeoutMs = 10_000 }: ConnectionTestOptions): number {
  return stepTimeoutMs;
}

/** Describes each step at the end of a message. */
const activities: Readonly<Record<StepName, string>> = {
  name: 'looking up the name',
  tcp: 'connecting',
  proxy: 'asking the proxy',
  tls: 'TLS handshake',
  token: 'token request',
  scopes: 'scopes',
  models: 'models',
  'saved-queries': 'saved queries',
  execute: 'execute',
};

/** @throws UserAbort if the caller aborts. */
async function timed(
  name: StepName,
  target: string,
  options: ConnectionTestOptions,
  work: (signal: AbortSignal) => Promise<StepFacts>,
): Promise<Step> {
  const limit = AbortSignal.timeout(stepLimit(options));
  const started = performance.now();
  const at = { request: activities[name], origin: target, timeoutMs: stepLimit(options) };
  const step = (outcome: StepOutcome): Step => ({
    name,
    target,
    outcome,
    ms: Math.round(performance.now() - started),
  });
  try {
    const signal = AbortSignal.any([options.signal, limit]);
    // A DNS lookup cannot be cancelled; only waiting for it stops.
    return step({ kind: 'ok', facts: await unlessAborted(work(signal), signal, reasonOf) });
  } catch (error) {
    if (options.signal.aborted) throw new UserAbort('the test was cancelled', { cause: error });
    return step({ kind: 'failed', error: explained(error, limit, at) });
  }
}

/** Adds messages to raw Node errors from probes; all other errors already have one. */
function explained(error: unknown, limit: AbortSignal, at: Parameters<typeof timedOut>[0]): unknown {
  const isSaid =
    error instanceof ApiError || error instanceof ContractError || error instanceof CertificateError;
  if (isSaid) return error;
  if (limit.aborted) return timedOut(at, error);
  return error instanceof Error && 'code' in error ? errorOfTransport(error, at) : error;
}

function refusedByProxy(proxy: URL, status: number, target: URL): TransportError {
  const { words, reason } = refusalOf(proxy.host, String(status));
  return new TransportError(`The proxy ${words}, so ${target.host} was not reached.`, reason, undefined);
}
