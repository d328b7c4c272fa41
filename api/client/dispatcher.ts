/** Connections for the client: keep-alive, through a proxy where there is one, trusting further authorities where asked. */
import { readFile } from 'node:fs/promises';
import { getCACertificates, rootCertificates } from 'node:tls';
import { Agent, Client, EnvHttpProxyAgent, Pool, type buildConnector, type Dispatcher } from 'undici';
import { ProxyUnreachable, rememberProxies } from './proxies.ts';

export interface DispatcherOptions {
  /**
   * Address of an HTTP or HTTPS proxy, for both kinds of targets; `environment`: HTTP_PROXY, HTTPS_PROXY and NO_PROXY
   * as they are set. Default: none.
   */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, separated by commas: `localhost,.example.com,*`. */
  readonly noProxy?: string | undefined;
  /** Value of the Proxy-Authorization header, for example `Basic ...`. */
  readonly proxyAuthorization?: string | undefined;
  /** File with further certificates to trust, in PEM form. The system's and Node's own are trusted besides. */
  readonly caFile?: string | undefined;
  /** False: the certificates of the system are left out. Default: true. */
  readonly useSystemCertificates?: boolean | undefined;
}

/**
 * Whoever creates it ends it with `destroy`.
 * @throws Error in plain words when the file with certificates cannot be read or holds none.
 */
export async function createDispatcher(options: DispatcherOptions = {}): Promise<Dispatcher> {
  const ca = await authorities(options);
  const tls = ca === undefined ? {} : { ca };
  const keepAlive = { keepAliveTimeout: 30_000, keepAliveMaxTimeout: 600_000 };
  const { proxy, noProxy, proxyAuthorization } = options;
  if (proxy === undefined || proxy === '') return new Agent({ ...keepAlive, connect: tls });
  const addresses =
    proxy === 'environment'
      ? noProxy === undefined || noProxy === ''
        ? {}
        : { noProxy }
      : { httpProxy: proxy, httpsProxy: proxy, noProxy: noProxy ?? '' };
  const used = proxy === 'environment' ? environmentProxies() : { http: proxy, https: proxy };
  const dispatcher = new EnvHttpProxyAgent({
    ...keepAlive,
    ...addresses,
    ...(proxyAuthorization === undefined ? {} : { token: proxyAuthorization }),
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    // Connections to the proxy itself, for tunnels and for plain requests: what fails there is named after the proxy.
    clientFactory: (origin, options) => new Pool(origin, toProxy(origin.href, options)),
    factory: (origin, options: Pool.Options & { readonly connections?: number }) => {
      const isProxy = Object.values(used).some(
        (each) => each !== undefined && hrefOf(each) === String(origin),
      );
      const connected = isProxy ? toProxy(String(origin), options) : options;
      return options.connections === 1 ? new Client(origin, connected) : new Pool(origin, connected);
    },
  });
  rememberProxies(dispatcher, used);
  return dispatcher;
}

/** As undici reads them. */
function environmentProxies(): { readonly http: string | undefined; readonly https: string | undefined } {
  const { env } = process;
  const http = env['http_proxy'] ?? env['HTTP_PROXY'];
  return { http, https: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? http };
}

function hrefOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).href : undefined;
}

function toProxy(address: string, options: Pool.Options | object): Pool.Options {
  const connect = 'connect' in options ? options.connect : undefined;
  if (typeof connect !== 'function') return options;
  const connector: buildConnector.connector = (to, done) =>
    connect(to, (error, socket) =>
      error === null ? done(null, socket) : done(new ProxyUnreachable(address, error), null),
    ); // made by undici's own ProxyAgent
  return { ...options, connect: connector };
}

/** Undefined: what Node trusts by itself is enough. */
async function authorities(options: DispatcherOptions): Promise<string[] | undefined> {
  const extra =
    options.caFile === undefined || options.caFile === '' ? [] : await readCertificates(options.caFile);
  const system = options.useSystemCertificates === false ? [] : systemCertificates();
  return extra.length + system.length === 0 ? undefined : [...rootCertificates, ...system, ...extra];
}

async function readCertificates(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`The file with certificates cannot be read: ${file}. Check the setting.`, {
      cause: error,
    });
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  if (found === null)
    throw new Error(`The file holds no certificate in PEM form: ${file}. Check the setting.`);
  return found;
}

/** Node has them since 22.15; a runtime without goes by its own list. */
function systemCertificates(): string[] {
  const get = getCACertificates as typeof getCACertificates | undefined; // absent in older runtimes
  try {
    return get?.('system') ?? [];
  } catch {
    return []; // a runtime built without access to the system's store
  }
}
