/** Selects the proxy for an address; connections and the connection test share this rule. */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '#api/contract/deployment.ts';
import { ProxyAddressError } from '../errors.ts';

export interface ProxyOptions {
  /**
   * Address of an HTTP or HTTPS proxy, for HTTP and HTTPS targets, or `environment` to use HTTP_PROXY, HTTPS_PROXY and
   * NO_PROXY. Default: none.
   */
  readonly proxy?: string | undefined;
  /** Comma-separated hosts to reach directly: `localhost,.example.com,10.0.0.0/8,*`. Default: NO_PROXY. */
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
 * @throws ProxyAddressError
 */
export function proxyFor(
  target: URL,
  { proxy, noProxy, proxyLoopback }: ProxyOptions,
  environment: NodeJS.ProcessEnv = process.env,
): URL | undefined {
  const named =
    proxy === 'environment'
      ? proxyOfEnvironment(target, environment)
      : { variable: 'the settings', address: proxy };
  const address = named?.address?.trim() ?? '';
  if (address === '') return undefined;
  if (proxyLoopback !== true && isLoopback(target.hostname)) return undefined;
  if (isException(target, exceptionsOf(noProxy, environment))) return undefined;
  return parseProxy(address, named?.variable ?? '');
}

/**
 * Checks every address that may be used, so that a wrong one is reported before anything is sent.
 * @throws ProxyAddressError
 */
export function requireProxies({ proxy }: ProxyOptions, environment: NodeJS.ProcessEnv = process.env): void {
  if (proxy === undefined) return;
  const given =
    proxy === 'environment'
      ? proxyVariables.map((variable) => [variable, environment[variable]] as const)
      : [['the settings', proxy] as const];
  for (const [source, address = ''] of given) if (address.trim() !== '') parseProxy(address.trim(), source);
}

/** @throws ProxyAddressError */
function parseProxy(address: string, source: string): URL {
  // Environment variables often hold an address without a scheme.
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  // In `user:p@ss#1@host`, a part of the password would be taken for the host, and be shown and looked up.
  const isCut = /^[^/]*\/\/[^/?#\\]*[/?#\\].*@/s.test(full);
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol);
  if (!isHttp || url.hostname === '' || isCut) throw new ProxyAddressError(source);
  return url;
}

/** Returns the user and password in a proxy's address as a Proxy-Authorization value. */
export function proxyAuthorizationOf(proxy: URL): string | undefined {
  if (proxy.username === '') return undefined;
  const user = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

/** A percent sign that was not escaped stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

function proxyOfEnvironment(
  target: URL,
  environment: NodeJS.ProcessEnv,
): { readonly variable: string; readonly address: string | undefined } | undefined {
  const names = target.protocol === 'https:' ? proxyVariables : proxyVariables.slice(2);
  const variable = names.find((name) => (environment[name] ?? '').trim() !== '');
  return variable === undefined ? undefined : { variable, address: environment[variable] };
}

/** @returns the entries that can match no host, such as `10.*` or an address with `https://`. */
export function uselessExceptions(
  { noProxy }: ProxyOptions,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  return entriesOf(exceptionsOf(noProxy, environment)).filter((entry) => parseException(entry) === undefined);
}

function exceptionsOf(noProxy: string | undefined, environment: NodeJS.ProcessEnv): string {
  return noProxy ?? environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
}

function entriesOf(exceptions: string): readonly string[] {
  return exceptions.split(/[,\s]+/).filter((entry) => entry !== '');
}

type Exception =
  | { readonly kind: 'all' }
  | { readonly kind: 'network'; readonly base: string; readonly bits: number }
  | {
      readonly kind: 'host';
      readonly name: string;
      readonly port: string | undefined;
      /** `*.example.com`, which is not `example.com`. */
      readonly isBelow: boolean;
    };

/** Reads an entry as curl does; undefined if it can match no host. */
function parseException(entry: string): Exception | undefined {
  const [, network, bits] = /^(.+)\/(\d{1,3})$/.exec(bare(entry)) ?? [];
  if (network !== undefined) {
    const base = bare(network);
    const version = isIP(base);
    const isNetwork = version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
    return isNetwork ? { kind: 'network', base, bits: Number(bits) } : undefined;
  }
  const [, onPort, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  const domain = bare(onPort ?? entry);
  if (domain === '*') return { kind: 'all' };
  const name = domain.replace(/^\*?\./, '');
  // No domain ends in digits alone, so that is no address either.
  const isDomain = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(name) && !/(?:^|\.)[\d-]+$/.test(name);
  if (isIP(name) === 0 && !isDomain) return undefined;
  return { kind: 'host', name, port, isBelow: domain.startsWith('*.') };
}

function isException(target: URL, exceptions: string): boolean {
  const host = bare(target.hostname);
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return entriesOf(exceptions).some((entry) => {
    const exception = parseException(entry);
    switch (exception?.kind) {
      case undefined:
        return false;
      case 'all':
        return true;
      case 'network':
        return isInNetwork(host, exception);
      case 'host': {
        if (exception.port !== undefined && exception.port !== port) return false;
        return host.endsWith(`.${exception.name}`) || (!exception.isBelow && host === exception.name);
      }
    }
  });
}

/** Whether an address is in a network such as `10.0.0.0/8`. */
function isInNetwork(
  host: string,
  { base, bits }: { readonly base: string; readonly bits: number },
): boolean {
  if (isIP(host) === 0) return false;
  const list = new BlockList();
  list.addSubnet(base, bits, isIP(base) === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

/** Strips the brackets of an IPv6 address and a trailing dot. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
}
