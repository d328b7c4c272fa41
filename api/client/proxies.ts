/** Which proxy a dispatcher uses, so that a failure can name it; never with the credentials its address may hold. */
import type { Dispatcher } from 'undici';

interface Proxies {
  readonly http: string | undefined;
  readonly https: string | undefined;
}

const known = new WeakMap<Dispatcher, Proxies>();

export function rememberProxies(dispatcher: Dispatcher, proxies: Proxies): void {
  known.set(dispatcher, proxies);
}

/** Host and port of the proxy that `dispatcher` would use for the origin. */
export function proxyFor(dispatcher: Dispatcher, origin: string): string | undefined {
  const proxies = known.get(dispatcher);
  const address = origin.startsWith('https:') ? proxies?.https : proxies?.http;
  return address === undefined ? undefined : shownProxy(address);
}

/** No connection to the proxy itself. */
export class ProxyUnreachable extends Error {
  readonly code = 'IDENTITY_QUERIES_PROXY';
  readonly proxy: string;

  constructor(address: string, cause: Error) {
    super('no connection to the proxy', { cause });
    this.proxy = shownProxy(address);
  }
}

function shownProxy(address: string): string {
  if (!URL.canParse(address)) return 'with an address that cannot be read';
  const url = new URL(address);
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}
