/** Remembers each dispatcher's proxy so that failures can name it, without the credentials in its address. */
import type { Dispatcher } from 'undici';

const known = new WeakMap<Dispatcher, (origin: URL) => URL | undefined>();

/** @param find returns the proxy for an origin, if any. */
export function rememberProxies(dispatcher: Dispatcher, find: (origin: URL) => URL | undefined): void {
  known.set(dispatcher, find);
}

/** Returns the host and port of the proxy that `dispatcher` would use for the origin. */
export function proxyBefore(dispatcher: Dispatcher, origin: URL): string | undefined {
  const address = known.get(dispatcher)?.(origin);
  return address && shownProxy(address);
}

/** The proxy itself could not be reached. */
export class ProxyUnreachable extends Error {
  readonly code = 'IDENTITY_QUERIES_PROXY';
  readonly proxy: string;

  constructor(address: URL, cause: Error) {
    super('no connection to the proxy', { cause });
    this.proxy = shownProxy(address);
  }
}

function shownProxy(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}
