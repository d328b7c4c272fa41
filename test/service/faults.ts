/** Network faults on request, with the same names as the sandbox's, so that the same tests can use them. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { json, page, type Asked, type Reply } from './exchange.ts';

export type Fault =
  | { readonly kind: 'not-taken' | 'reshape' }
  | {
      readonly kind:
        | 'pass'
        | 'hold'
        | 'drop'
        | 'drop-after'
        | 'truncate'
        | 'invalid-json'
        | 'html'
        | 'expire-tokens';
    }
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'redirect'; readonly location: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string | undefined;
      readonly message?: string | undefined;
      readonly details?: Readonly<Record<string, unknown>> | undefined;
      readonly retryAfter?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

export interface FaultRule {
  readonly method?: string | undefined;
  /** The whole path, or a prefix followed by an asterisk. */
  readonly path?: string | undefined;
  readonly script?: readonly Fault[] | undefined;
  readonly always?: Fault | undefined;
}

export class Faults {
  #rules: readonly { readonly rule: FaultRule; readonly left: Fault[] }[] = [];
  #replaced = Promise.withResolvers<undefined>();

  /** Resolves when the rules are next replaced. */
  get replaced(): Promise<undefined> {
    return this.#replaced.promise;
  }

  set(rules: readonly FaultRule[]): void {
    this.#replaced.resolve(undefined);
    this.#replaced = Promise.withResolvers();
    this.#rules = rules.map((rule) => ({ rule, left: [...(rule.script ?? [])] }));
  }

  next(method: string, path: string): Fault | undefined {
    for (const { rule, left } of this.#rules) {
      if (rule.method !== undefined && rule.method !== method) continue;
      if (rule.path !== undefined && !isOf(rule.path, path)) continue;
      const fault = left.shift() ?? rule.always;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

function isOf(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}

/** Returns the response that replaces the real one, or undefined if the real one is to be sent. */
export function insteadOf(
  fault: Fault | undefined,
  { hasRetryAfter }: { readonly hasRetryAfter: boolean },
): Reply | undefined {
  switch (fault?.kind) {
    case 'status': {
      const { status, code, message = 'As asked.', details, retryAfter, headers } = fault;
      return json(
        status,
        { code: code ?? codeOf(status), message, details },
        { ...headers, ...(retryAfter === undefined || !hasRetryAfter ? {} : { 'retry-after': retryAfter }) },
      );
    }
    case 'body':
      return json(200, fault.body);
    case 'html':
      return page(200);
    case 'invalid-json':
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        bytes: Buffer.from('{"models": ['),
      };
    case 'redirect':
      return { status: 302, headers: { location: fault.location }, bytes: Buffer.alloc(0) };
    default:
      return undefined;
  }
}

function codeOf(status: number): string {
  const codes: Readonly<Record<number, string>> = {
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    429: 'TOO_MANY_REQUESTS',
  };
  return codes[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
}

/** Returns the request as changed by the fault: as a read, or with its text trimmed and its accents composed. */
export function asFaulty(asked: Asked, fault: Fault | undefined): Asked {
  if (fault?.kind === 'not-taken') return { ...asked, method: 'GET', body: '' };
  if (fault?.kind !== 'reshape') return asked;
  const body = JSON.parse(asked.body) as Readonly<Record<string, unknown>>; // the client sends an object
  const lines = String(body['query_string']).normalize('NFC').split('\n');
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return { ...asked, body: JSON.stringify({ ...body, query_string: text.trimEnd() }) };
}

/** @returns false if the connection was cut before a response */
export async function send(
  response: ServerResponse,
  reply: Reply,
  { fault, isGzip }: { readonly fault: Fault | undefined; readonly isGzip: boolean },
): Promise<boolean> {
  if (fault?.kind === 'drop-after') {
    response.destroy();
    return false;
  }
  const bytes = isGzip ? gzipSync(reply.bytes) : reply.bytes;
  const { pieceBytes } = reply;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    ...(reply.status === 204 || pieceBytes !== undefined ? {} : { 'content-length': bytes.length }),
  });
  if (fault?.kind === 'truncate') {
    // The first half arrives, then the connection ends early.
    response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.end());
    return true;
  }
  if (fault?.kind === 'trickle') {
    for (let at = 0; at < bytes.length && !response.destroyed; at += fault.bytes) {
      response.write(bytes.subarray(at, at + fault.bytes));
      await wait(fault.everyMs);
    }
    response.end();
    return true;
  }
  if (pieceBytes !== undefined) {
    for (let at = 0; at < bytes.length && !response.destroyed; at += pieceBytes) {
      const isTaken = response.write(bytes.subarray(at, at + pieceBytes));
      // Write one chunk per turn of the event loop, so that chunks are not merged before they are sent.
      if (isTaken) await nextTurn();
      else await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
    return true;
  }
  response.end(bytes);
  return true;
}
