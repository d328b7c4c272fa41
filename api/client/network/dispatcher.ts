/** Connections for the client: keep-alive, through a proxy if configured, with additional trusted authorities. */
import type { LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector, Client, Dispatcher, Pool, ProxyAgent } from 'undici';
import { authorities, clientIdentity, type CertificateOptions } from './certificates.ts';
import { ProxyUnreachable, rememberProxies } from './proxies.ts';
import { proxyAuthorizationOf, proxyFor, requireProxies, type ProxyOptions } from './proxy.ts';
import { withoutContinue } from './unasked-continue.ts';

export interface DispatcherOptions extends CertificateOptions, ProxyOptions {
  /** Whether to verify an HTTPS proxy's certificate; the service's is always verified. Default: true. */
  readonly verifyProxy?: boolean | undefined;
  /** Connection timeout in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Resolves names in place of the system's resolver, except through a proxy. */
  readonly lookup?: LookupFunction | undefined;
}

/**
 * Creates a dispatcher; the caller ends it with `destroy`.
 * @throws CertificateError if a certificate or key file cannot be used; ProxyAddressError.
 */
export async function createDispatcher(options: DispatcherOptions = {}): Promise<Dispatcher> {
  requireProxies(options);
  const secureContext = await secureContextOf(options);
  const tls = {
    // NODE_TLS_REJECT_UNAUTHORIZED=0 would turn this off without a word.
    rejectUnauthorized: true,
    ...(secureContext === undefined ? {} : { secureContext }),
    timeout: options.connectTimeoutMs ?? 10_000,
  };
  const direct = options.lookup === undefined ? tls : { ...tls, lookup: options.lookup };
  const keepAlive = { keepAliveTimeout: 30_000, keepAliveMaxTimeout: 600_000 };
  const proxyTls = options.verifyProxy === false ? { ...tls, rejectUnauthorized: false } : tls;
  const throughProxy = (proxy: URL) => {
    const authorization = options.proxyAuthorization ?? proxyAuthorizationOf(proxy);
    const address = new URL('/', proxy);
    address.username = address.password = '';
    return new ProxyAgent({
      ...keepAlive,
      uri: address.href,
      ...(authorization === undefined ? {} : { token: authorization }),
      requestTls: tls,
      proxyTls,
      // Also used for plain requests, so failures to reach the proxy are attributed to it.
      clientFactory: (origin, options) => new Pool(origin, toProxy(address, options)),
      factory: (origin, options: Pool.Options & { readonly connections?: number }) => {
        const connected = String(origin) === address.href ? toProxy(address, options) : options;
        const read = tolerant(connected);
        return options.connections === 1 ? new Client(origin, read) : new Pool(origin, read);
      },
    });
  };
  const router = new Router(
    new Agent({ ...keepAlive, connect: withoutContinue(buildConnector(direct)) }),
    options,
    throughProxy,
  );
  rememberProxies(router, (origin) => proxyFor(origin, options));
  return router;
}

const contextsWithoutFiles = new Map<boolean, Promise<SecureContext | undefined>>();

/**
 * Returns one context for all connections: parsing a few hundred certificates takes longer than a handshake. Without
 * files, it is the same for all clients of this process.
 */
export async function secureContextOf(options: CertificateOptions): Promise<SecureContext | undefined> {
  const { caFile = '', certificateFile = '', useSystemCertificates = true } = options;
  if (caFile !== '' || certificateFile !== '') return await createContext(options);
  const context = contextsWithoutFiles.get(useSystemCertificates) ?? createContext({ useSystemCertificates });
  contextsWithoutFiles.set(useSystemCertificates, context);
  return await context;
}

async function createContext(options: CertificateOptions): Promise<SecureContext | undefined> {
  const [ca, identity] = await Promise.all([authorities(options), clientIdentity(options)]);
  if (ca === undefined && identity === undefined) return undefined;
  return createSecureContext({ ...(ca === undefined ? {} : { ca }), ...identity });
}

/** Sends each request directly or through the proxy for its address. */
class Router extends Dispatcher {
  readonly #direct: Agent;
  readonly #options: ProxyOptions;
  readonly #create: (proxy: URL) => ProxyAgent;
  readonly #proxies = new Map<string, ProxyAgent>();

  constructor(direct: Agent, options: ProxyOptions, create: (proxy: URL) => ProxyAgent) {
    super();
    this.#direct = direct;
    this.#options = options;
    this.#create = create;
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#way(new URL(String(options.origin))).dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all(this.#all().map((dispatcher) => dispatcher.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all(this.#all().map((dispatcher) => dispatcher.destroy()));
  }

  #way(target: URL): Agent | ProxyAgent {
    const proxy = proxyFor(target, this.#options);
    if (proxy === undefined) return this.#direct;
    const known = this.#proxies.get(proxy.href);
    if (known !== undefined) return known;
    const created = this.#create(proxy);
    this.#proxies.set(proxy.href, created);
    return created;
  }

  #all(): readonly (Agent | ProxyAgent)[] {
    return [this.#direct, ...this.#proxies.values()];
  }
}

/** Filters `100 Continue` from responses to proxied requests, but not from the tunnel's own responses. */
function tolerant(options: Pool.Options): Pool.Options {
  return typeof options.connect === 'function'
    ? { ...options, connect: withoutContinue(options.connect) }
    : options;
}

function toProxy(address: URL, options: Pool.Options | object): Pool.Options {
  const connect = 'connect' in options ? options.connect : undefined;
  if (typeof connect !== 'function') return options;
  const connector: buildConnector.connector = (to, done) =>
    connect(to, (error, socket) =>
      error === null ? done(null, socket) : done(new ProxyUnreachable(address, error), null),
    );
  return { ...options, connect: connector };
}
