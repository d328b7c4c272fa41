/** Selects the proxy for an address; connections and the connection test share this rule. */
import { isLoopback } from '#api/contract/deployment.ts';

export interface ProxyOptions {
  /**
   * Address of an HTTP or HTTPS proxy, for HTTP and HTTPS targets, or `environment` to use HTTP_PROXY, HTTPS_PROXY and
   * NO_PROXY. Default: none.
   */
  readonly proxy?: string | undefined;
  /** Comma-separated hosts to reach directly: `localhost,.example.com,*`. Default: NO_PROXY. */
  readonly noProxy?: string | undefined;
  /**
   * Value of the Proxy-Authorization header, for example `Basic ...`. Default: user and password in the proxy's
   * address.
   */
  readonly proxyAuthorization?: string | undefined;
  /** Whether to use the proxy for this machine, too. Default: false. */
  readonly proxyLoopback?: boolean | undefined;
}

/**
 * Returns the address of the proxy for a target; undefined to connect directly.
 * @throws TypeError if the proxy's address is invalid.
 */
export function proxyFor(
  target: URL,
  { proxy, noProxy, proxyLoopback }: ProxyOptions,
  environment: NodeJS.ProcessEnv = process.env,
): URL | undefined {
  const address = proxy === 'environment' ? proxyOfEnvironment(target, environment) : proxy;
  if (address === undefined || address === '') return undefined;
  if (proxyLoopback !== true && isLoopback(target.hostname)) return undefined;
  const exceptions = noProxy ?? environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  if (isException(target, exceptions)) return undefined;
  // Environment variables often hold an address without a scheme.
  return new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
}

/** Returns the user and password in a proxy's address as a Proxy-Authorization value. */
export function proxyAuthorizationOf(proxy: URL): string | undefined {
  if (proxy.username === '') return undefined;
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

function proxyOfEnvironment(target: URL, environment: NodeJS.ProcessEnv): string | undefined {
  const names =
    target.protocol === 'https:'
      ? ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']
      : ['http_proxy', 'HTTP_PROXY'];
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

function isException(target: URL, exceptions: string): boolean {
  const host = bare(target.hostname);
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return exceptions
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, onPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
      if (onPort !== undefined && onPort !== port) return false;
      const domain = bare(name);
      if (domain === '*') return true;
      const suffix = domain.replace(/^\*?\./, '');
      const isSubdomain = host.endsWith(`.${suffix}`);
      return domain.startsWith('*.') ? isSubdomain : isSubdomain || host === suffix;
    });
}

/** Strips the brackets of an IPv6 address and a trailing dot. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
}
