/** One HTTP exchange: bounded in time and size, cancellable, with every failure as a class of ours. */
import type { IncomingHttpHeaders } from 'node:http';
import { request as undiciRequest, type Dispatcher } from 'undici';
import { throwIfAborted, userAbortOf } from './abort.ts';
import { errorOfTransport, timedOut } from './error-of-transport.ts';
import { ContractError, TransportError } from './errors.ts';
import { proxyFor } from './proxies.ts';

export interface Exchange {
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In place of the limit that holds for all. */
  readonly timeoutMs?: number | undefined;
}

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  /** Bytes of an answer that are read at the most. */
  readonly maxBodyBytes: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** @throws TransportError, TimeoutError, UserAbort. Any status is an answer; redirects are not followed. */
export async function exchange(request: Exchange, options: ExchangeOptions): Promise<Answer> {
  throwIfAborted(request.signal);
  const timeoutMs = request.timeoutMs ?? options.timeoutMs;
  const at = {
    request: `${request.method} ${request.url.pathname}`,
    origin: request.url.origin,
    timeoutMs,
    proxy: proxyFor(options.dispatcher, request.url.origin),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]);
  let hasAnswer = false;
  try {
    const response = await undiciRequest(request.url, {
      dispatcher: options.dispatcher,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    hasAnswer = true;
    const body = await readBody(response.body, options.maxBodyBytes, at.origin);
    return { status: response.statusCode, headers: response.headers, body };
  } catch (error) {
    if (request.signal?.aborted === true) throw userAbortOf(request.signal);
    if (limit.aborted) throw timedOut(at, error);
    if (error instanceof TransportError) throw error;
    const failure = errorOfTransport(error, at);
    // The connection ended after the headers: part of an answer is no answer.
    const isCut = hasAnswer && failure instanceof TransportError && failure.reason === 'reset';
    throw isCut
      ? errorOfTransport(
          Object.assign(new Error('truncated', { cause: error }), { code: 'IDENTITY_QUERIES_TRUNCATED' }),
          at,
        )
      : failure;
  }
}

/** The bytes of a file as they come: bounded by nothing but the caller's patience. @throws as `exchange`; ContractError when there is no file. */
export async function* readFile(
  url: URL,
  options: Pick<ExchangeOptions, 'dispatcher' | 'timeoutMs'> & {
    readonly userAgent: string;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<Uint8Array, void, undefined> {
  throwIfAborted(options.signal);
  const at = {
    request: `GET ${url.pathname}`,
    origin: url.origin,
    timeoutMs: options.timeoutMs,
    proxy: proxyFor(options.dispatcher, url.origin),
  };
  try {
    const response = await undiciRequest(url, {
      dispatcher: options.dispatcher,
      headers: { 'user-agent': options.userAgent },
      signal: options.signal ?? null,
      headersTimeout: options.timeoutMs,
      // A pause between two pieces, not the whole file, is what may not take too long.
      bodyTimeout: options.timeoutMs,
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new ContractError(
        `${url.origin} answered the link of an export with ${response.statusCode}. It may have expired: look the export up again.`,
        { status: response.statusCode },
      );
    }
    yield* response.body as AsyncIterable<Uint8Array>; // a body without an encoding yields bytes
  } catch (error) {
    if (options.signal?.aborted === true) throw userAbortOf(options.signal);
    throw error instanceof ContractError ? error : errorOfTransport(error, at);
  }
}

async function readBody(
  stream: Dispatcher.ResponseData['body'],
  maxBytes: number,
  origin: string,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    // a body without an encoding yields bytes
    size += chunk.length;
    if (size > maxBytes) {
      throw new TransportError(
        `${origin} sent more than ${Math.round(maxBytes / 1_048_576)} MiB in one answer, which is not read: ask for a smaller page.`,
        'too-large',
        undefined,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
