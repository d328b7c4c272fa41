/** Turns what undici and Node throw when no answer came into TransportError or TimeoutError, by code. */
import { errors } from 'undici';
import { TimeoutError, TransportError, type TransportReason } from './errors.ts';
import { ProxyUnreachable } from './proxies.ts';

export interface FailedAt {
  /** Method and path. */
  readonly request: string;
  /** Scheme and host. */
  readonly origin: string;
  /** The limit that was set. */
  readonly timeoutMs: number;
  /** Host and port of the proxy that is used for the origin. */
  readonly proxy?: string | undefined;
}

export function errorOfTransport(error: unknown, at: FailedAt): TransportError | TimeoutError {
  const proxy = proxyProblem(error, at);
  if (proxy !== undefined) {
    return new TransportError(
      `The proxy ${proxy}, so ${at.origin} was not reached (${at.request}).`,
      'proxy',
      error,
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
  return new TransportError(`${words[reason].replace('%s', at.origin)} (${at.request}).`, reason, error);
}

export function timedOut(at: FailedAt, cause?: unknown): TimeoutError {
  return new TimeoutError(
    `${at.origin} did not answer ${at.request} within ${at.timeoutMs / 1000} seconds. Try again, or raise the time limit in the settings.`,
    at.timeoutMs,
    cause,
  );
}

const words: Readonly<Record<TransportReason, string>> = {
  refused: '%s refuses connections: check the address and its port, and that the service is running',
  dns: 'The host of %s is not known: check the address, and that this network can resolve it',
  reset:
    '%s closed the connection before it answered: try again; if it stays so, a proxy or firewall may cut it',
  truncated: '%s closed the connection in the middle of its answer, so the answer is not used: try again',
  tls: 'The certificate of %s is not trusted: add its authority to the system, or check the address',
  proxy: 'The proxy did not let us reach %s: check the proxy settings',
  unreachable: '%s cannot be reached from this network: check the network or VPN',
  'too-large': '%s sent more than this client takes in one answer: ask for a smaller page',
  unknown: 'The connection to %s failed: check the network, then try again',
};

/** What is wrong with the proxy, in words that start with its address; undefined: it is not the proxy. */
function proxyProblem(error: unknown, at: FailedAt): string | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof ProxyUnreachable) {
      return `${each.proxy} ${unreachableWords[reasonOf(each.cause)] ?? 'cannot be reached: check the proxy settings'}`;
    }
    if (!['UND_ERR_ABORTED', 'UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN', 'UND_ERR_INVALID_ARG'].includes(codeOf(each)))
      continue;
    if (at.proxy === undefined) continue;
    const status = /\b([1-5]\d\d)\b/.exec(each.message)?.[1];
    if (status === '407') return `${at.proxy} wants a user name and password (407): add them to the proxy settings`;
    if (status !== undefined) return `${at.proxy} refused to connect (${status}): ask those who run it whether the host is allowed`;
    return `${at.proxy} closed the connection: check the proxy settings`;
  }
  return undefined;
} // prettier-ignore

const unreachableWords: Partial<Record<TransportReason, string>> = {
  refused: 'refuses connections: check its address and port in the proxy settings',
  dns: 'has a host that is not known: check the proxy settings',
  tls: 'has a certificate that is not trusted: add its authority to the system, or use an http address for the proxy',
};

function reasonOf(error: unknown): TransportReason {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const reason = reasonOfCode(codeOf(each));
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function reasonOfCode(code: string): TransportReason | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'dns';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'reset';
    case 'HPE_INVALID_EOF_STATE':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'IDENTITY_QUERIES_TRUNCATED':
      return 'truncated';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return 'unreachable';
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return 'too-large';
    case 'UND_ERR_PRX_TLS':
    case 'UND_ERR_ABORTED':
      return 'proxy';
    default:
      return /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code)
        ? 'tls'
        : undefined;
  }
}
