/**
 * Probes an address layer by layer, as a connection would: name, TCP, proxy, TLS. Sends no
 * request, and no secret except the proxy's own.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import { proxyAuthorizationOf } from './proxy.ts';

export interface ProbeOptions {
  readonly secureContext: SecureContext | undefined;
  readonly verifyProxy: boolean;
  readonly proxyAuthorization: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Resolves a host to its addresses, as the system does.
 * @throws Error with a Node code (ENOTFOUND, EAI_AGAIN).
 */
export async function resolveHost(hostname: string): Promise<readonly string[]> {
  const host = bare(hostname);
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Opens a TCP connection; the caller ends it.
 * @throws Error with a Node code, or the signal's reason.
 */
export async function openTcp(target: URL, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: bare(target.hostname), port: portOf(target), autoSelectFamily: true });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** A proxy's response to CONNECT. */
export interface Tunnel {
  readonly status: number;
  readonly socket: Socket;
}

/**
 * Opens a proxy tunnel to a target; the caller ends the socket.
 * @throws Error with a Node code.
 */
export async function openTunnel(proxy: URL, target: URL, options: ProbeOptions): Promise<Tunnel> {
  const { secureContext, signal, verifyProxy } = options;
  const authorization = options.proxyAuthorization ?? proxyAuthorizationOf(proxy);
  const place = `${target.hostname}:${portOf(target)}`;
  const send = proxy.protocol === 'https:' ? requestSecure : requestPlain;
  const request = send({
    host: bare(proxy.hostname),
    port: portOf(proxy),
    method: 'CONNECT',
    path: place,
    headers: {
      host: place,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
    agent: false,
    signal,
    rejectUnauthorized: verifyProxy,
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  request.end();
  const [response, socket] = (await Promise.race([
    once(request, 'connect', { signal }),
    once(request, 'response', { signal }).then(([answer]: unknown[]) => [answer, request.socket]),
  ])) as [{ statusCode?: number }, Socket]; // both Node events have this payload
  return { status: response.statusCode ?? 0, socket };
}

export interface TlsFacts {
  readonly protocol: string;
  readonly issuer: string;
  readonly subject: string;
  /** Expiry time, in the certificate's own format. */
  readonly validTo: string;
}

/**
 * Performs a TLS handshake over a socket.
 * @throws Error with a Node code if the certificate is not trusted.
 */
export async function shakeHands(
  socket: Socket,
  target: URL,
  {
    secureContext,
    signal,
    isTrusting = false,
  }: Pick<ProbeOptions, 'secureContext' | 'signal'> & {
    /** Whether to accept any certificate, to inspect an untrusted one. Send nothing over such a connection. */
    readonly isTrusting?: boolean;
  },
): Promise<TlsFacts> {
  const host = bare(target.hostname);
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: !isTrusting,
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  try {
    await once(secure, 'secureConnect', { signal });
    return factsOf(secure);
  } finally {
    secure.destroy();
  }
}

function factsOf(secure: TLSSocket): TlsFacts {
  const certificate = secure.getPeerCertificate();
  return {
    protocol: secure.getProtocol() ?? '',
    issuer: nameOf(certificate.issuer), // empty if there is no certificate
    subject: nameOf(certificate.subject),
    validTo: certificate.valid_to,
  };
}

function nameOf(name: PeerCertificate['issuer'] | undefined): string {
  const parts = [name?.CN, name?.O].flat().filter((part) => part !== undefined && part !== '');
  return [...new Set(parts)].join(', ');
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.+)\]$/, '$1');
}
