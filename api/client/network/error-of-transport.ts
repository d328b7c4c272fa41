/** Converts undici's and Node's transport errors to TransportError or TimeoutError, by code. */
import { errors } from 'undici';
import { countedText } from '#base/words/counted-text.ts';
import { TimeoutError, TransportError, type TransportReason } from '../errors.ts';
import { ProxyUnreachable } from './proxies.ts';

export interface FailedAt {
  /** Method and path. */
  readonly request: string;
  /** Scheme and host. */
  readonly origin: string;
  /** The time limit that applied. */
  readonly timeoutMs: number;
  /** Host and port of the proxy for the origin. */
  readonly proxy?: string | undefined;
}

export function errorOfTransport(error: unknown, at: FailedAt): TransportError | TimeoutError {
  const proxy = proxyProblem(error, at);
  if (proxy !== undefined) {
    return new TransportError(
      `The proxy ${proxy.words}, so ${at.origin} was not reached.`,
      proxy.reason,
      error,
      at,
    );
  }
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  ) {
    return timedOut(at, error);
  }
  const reason = reasonOf(error);
  const said = (reason === 'tls' ? certificateWordsOf(error) : undefined) ?? words[reason];
  const place = said.replace('%s', at.origin).replace('%h', hostOf(at.origin));
  return new TransportError(`${place}.`, reason, error, at);
}

/** @param origin scheme and host, or host and port of a connection test's step. */
function hostOf(origin: string): string {
  return origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '');
}

export function timedOut(at: FailedAt, cause?: unknown): TimeoutError {
  return new TimeoutError(
    `${at.origin} did not respond within ${countedText(at.timeoutMs / 1_000, 'second')}. Try again, or raise the time limit in the settings.`,
    at.timeoutMs,
    cause,
    at,
  );
}

const words: Readonly<Record<TransportReason, string>> = {
  refused: '%s refuses connections: check the address and its port, and that the service is running',
  dns: 'No host named "%h" is known: check the address, and that this network can resolve it',
  reset:
    '%s closed the connection before it responded: try again; if this repeats, a proxy or firewall may be the cause',
  truncated: '%s closed the connection in the middle of its response, so the response is not used: try again',
  tls: 'The certificate of %s is not trusted: add its authority to the system, or check the address',
  proxy:
    'The proxy refused the connection to %s: check the proxy settings (http.proxy, HTTPS_PROXY), and that the proxy is up',
  'proxy-credentials':
    'The proxy on the way to %s requires a user name and password: put them into http.proxyAuthorization or the address of the proxy',
  unreachable: '%s cannot be reached from this network: check the network or VPN',
  'too-large': '%s sent more than this client accepts in one response: request a smaller page',
  unknown: 'The connection to %s failed: check the network, then try again',
};

/** Distinguishes an expired certificate, or one for another host, from an untrusted one. */
function certificateWordsOf(error: unknown): string | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    switch (codeOf(each)) {
      case 'CERT_HAS_EXPIRED':
      case 'CERT_NOT_YET_VALID':
      case 'ERR_CERT_DATE_INVALID':
        return 'The certificate of %s has expired or is not valid yet: ask its operator for a new one, and check the clock of this machine';
      case 'ERR_TLS_CERT_ALTNAME_INVALID':
      case 'ERR_CERT_COMMON_NAME_INVALID':
        return 'The certificate of %s is for another host: check the address, or ask its operator for one with this name';
      default:
        break;
    }
  }
  return undefined;
}

/** Describes the proxy's problem, starting with its address; undefined if the proxy is not at fault. */
function proxyProblem(
  error: unknown,
  at: FailedAt,
): { readonly words: string; readonly reason: 'proxy' | 'proxy-credentials' } | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof ProxyUnreachable) {
      const words = unreachableWords[reasonOf(each.cause)] ?? 'cannot be reached: check the proxy settings';
      return { words: `${each.proxy} ${words}`, reason: 'proxy' };
    }
    if (at.proxy === undefined || !proxyCodes.has(codeOf(each))) continue;
    // undici reports the status of a proxy's response only in its message.
    return refusalOf(at.proxy, /\b([1-5]\d\d)\b/.exec(each.message)?.[1]);
  }
  return undefined;
}

const proxyCodes: ReadonlySet<string> = new Set([
  'UND_ERR_ABORTED',
  'UND_ERR_PRX_TLS',
  'UND_ERR_PRX_CONN',
  'UND_ERR_INVALID_ARG',
]);

/**
 * Explains a proxy's response.
 * @param proxy host and port.
 * @param status undefined if the proxy closed the connection.
 */
export function refusalOf(
  proxy: string,
  status: string | undefined,
): { readonly words: string; readonly reason: 'proxy' | 'proxy-credentials' } {
  if (status === undefined)
    return { words: `${proxy} closed the connection: check the proxy settings`, reason: 'proxy' };
  // Some proxies respond to a wrong password with 401.
  if (status === '407' || status === '401')
    return {
      words: `${proxy} requires a user name and password (${status}): add them to the proxy settings (http.proxyAuthorization, or the address of the proxy)`,
      reason: 'proxy-credentials',
    };
  return {
    words: `${proxy} refused to connect (${status}): ask its operator whether the host is allowed`,
    reason: 'proxy',
  };
}

const unreachableWords: Partial<Record<TransportReason, string>> = {
  refused: 'refuses connections: check its address and port in the proxy settings',
  dns: 'has an unknown host: check the proxy settings',
  tls: 'has a certificate that is not trusted: add its authority to the system, or use an http address for the proxy',
};

function reasonOf(error: unknown): TransportReason {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const reason = reasonOfCode(codeOf(each));
    // The network was lost while a connection was open; the request may have been carried out.
    if (reason === 'unreachable' && hadConnection(each)) return 'reset';
    if (reason !== undefined) return reason;
    if (each instanceof AggregateError) {
      for (const inner of each.errors) {
        const innerReason = reasonOfCode(codeOf(inner));
        if (innerReason !== undefined) return innerReason;
      }
    }
  }
  return 'unknown';
}

function hadConnection(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write');
}

/** Returns the error code. Chromium's network stack, used by the editor's fetch, puts its code in the message. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /\bnet::(ERR_[A-Z_]+)/.exec(error.message)?.[1] ?? '';
}

const codesOfReasons: readonly (readonly [TransportReason, RegExp])[] = [
  ['refused', /^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/],
  ['dns', /^(?:ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/],
  ['reset', /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE)$/],
  ['truncated', /^(?:HPE_INVALID_EOF_STATE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|IDENTITY_QUERIES_TRUNCATED)$/],
  ['unreachable', /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/],
  ['unreachable', /^(?:ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE)$/],
  ['too-large', /^UND_ERR_RES_EXCEEDED_MAX_SIZE$/],
  ['proxy-credentials', /^ERR_PROXY_AUTH_REQUESTED$/],
  ['proxy', /^(?:ERR_(?:PROXY|TUNNEL)_CONNECTION_FAILED|UND_ERR_PRX_TLS|UND_ERR_ABORTED)$/],
  ['tls', /^(?:CERT_|ERR_CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/],
];

function reasonOfCode(code: string): TransportReason | undefined {
  return codesOfReasons.find(([, codes]) => codes.test(code))?.[0];
}
