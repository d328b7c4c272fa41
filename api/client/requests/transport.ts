/**
 * One HTTP exchange: limited in time and size, cancellable, with every failure converted to one of the client's error
 * classes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { errors, request as undiciRequest, type Dispatcher } from 'undici';
import { throwIfAborted, userAbortOf } from '../abort.ts';
import { ContractError, TransportError, UserAbort } from '../errors.ts';
import { codingsOf, decompressed } from '../network/content-encoding.ts';
import { errorOfTransport, timedOut } from '../network/error-of-transport.ts';
import { proxyBefore } from '../network/proxies.ts';
import type { BodyMemory } from './body-memory.ts';

export interface Exchange {
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps a successful body as bytes in this memory. */
  readonly bytesInto?: BodyMemory | undefined;
  /** Overrides the general limits. */
  readonly timeoutMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
}

/**
 * Sends requests: over the client's own connections, or with a `fetch` such as the editor's, which supports PAC files.
 */
export type Carrier = { readonly dispatcher: Dispatcher } | { readonly fetch: typeof globalThis.fetch };

export interface ExchangeOptions {
  readonly carrier: Carrier;
  readonly timeoutMs: number;
  /** Maximum number of bytes read from a response. */
  readonly maxBodyBytes: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty if bytes were requested. */
  readonly body: string;
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Sends a request and reads the response, whatever its status. Redirects are not followed: they would send the token to
 * an address that nobody agreed to.
 * @throws TransportError, TimeoutError, UserAbort.
 */
export async function exchange(request: Exchange, options: ExchangeOptions): Promise<Answer> {
  throwIfAborted(request.signal);
  const timeoutMs = request.timeoutMs ?? options.timeoutMs;
  const at = {
    request: `${request.method} ${request.url.pathname}`,
    origin: request.url.origin,
    timeoutMs,
    proxy: proxyOf(options.carrier, request.url),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]);
  let hasAnswer = false;
  try {
    const response = await send({ ...request, signal }, options.carrier);
    hasAnswer = true;
    const bytes = response.isDecoded
      ? response.body
      : decompressed(response.body, codingsOf(response.headers['content-encoding']));
    const { status, headers } = response;
    const limited = upTo(bytes, request.maxBodyBytes ?? options.maxBodyBytes, at.origin);
    const isAnswer = status >= 200 && status < 300;
    if (request.bytesInto !== undefined && isAnswer)
      return { status, headers, body: '', bytes: await readBytes(limited, request.bytesInto) };
    // Of an error, only some words are read.
    return { status, headers, body: await readText(limited, isAnswer) };
  } catch (error) {
    if (request.signal?.aborted === true) throw userAbortOf(request.signal);
    if (limit.aborted) throw timedOut(at, error);
    if (isClosed(error)) throw new UserAbort('the connection was left', { cause: error });
    if (error instanceof TransportError || error instanceof ContractError) throw error;
    if (isNotUtf8(error)) throw notUtf8(at.request);
    const failure = errorOfTransport(error, at);
    // The connection ended after the headers: an incomplete response counts as no response.
    const isCut = hasAnswer && failure instanceof TransportError && failure.reason === 'reset';
    throw isCut
      ? errorOfTransport(
          Object.assign(new Error('truncated', { cause: error }), { code: 'IDENTITY_QUERIES_TRUNCATED' }),
          at,
        )
      : failure;
  }
}

/** The file behind a link. */
export interface OpenedFile {
  /** True if the bytes start at the requested offset; false if they start at the beginning of the file. */
  readonly isPart: boolean;
  /** Size of the complete file in bytes, if reported. */
  readonly totalBytes: number | undefined;
  /** The file's ETag, if any; sending it back ensures that the rest matches the start. */
  readonly etag: string | undefined;
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

export interface FileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Number of bytes already received (RFC 9110 section 14.2). */
  readonly offset?: number | undefined;
  readonly etag?: string | undefined;
}

/**
 * Opens the file behind a link. The link itself is the credential: no token is sent, and no message contains it.
 * @throws ContractError if the server sends anything but the file; TransportError, TimeoutError, UserAbort.
 */
export async function openFile(
  url: URL,
  options: Pick<ExchangeOptions, 'carrier' | 'timeoutMs'> & FileOptions & { readonly userAgent: string },
): Promise<OpenedFile> {
  throwIfAborted(options.signal);
  const { offset = 0, etag } = options;
  const at = {
    request: 'GET of the file',
    origin: url.origin,
    timeoutMs: options.timeoutMs,
    proxy: proxyOf(options.carrier, url),
  };
  // The time limit applies between chunks, not to the whole file.
  const idle = new IdleLimit(options.timeoutMs);
  const signal = options.signal === undefined ? idle.signal : AbortSignal.any([options.signal, idle.signal]);
  const explain = (error: unknown) => {
    if (options.signal?.aborted === true) return userAbortOf(options.signal);
    if (idle.signal.aborted) return timedOut(at, error);
    return error instanceof ContractError ? error : errorOfTransport(error, at);
  };
  try {
    const headers = {
      'user-agent': options.userAgent,
      // Offsets and length refer to the uncompressed file.
      'accept-encoding': 'identity',
      ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
      ...(offset > 0 && etag !== undefined ? { 'if-range': etag } : {}),
    };
    const response = await idle.watch(sendToFile({ method: 'GET', url, headers, signal }, options.carrier));
    const codings = codingsOf(response.headers['content-encoding']);
    const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(response.headers['content-range'] ?? '');
    const isPart = response.status === 206 && codings.length === 0 && Number(range?.[1]) === offset;
    // The server confirms that the whole file was already received.
    const isSame = response.headers.etag === undefined || response.headers.etag === etag;
    if (response.status === 416 && offset > 0 && Number(range?.[2]) === offset && isSame) {
      await idle.watch(response.dump());
      return { isPart: true, totalBytes: offset, etag, bytes: noBytes() };
    }
    if (response.status !== 200 && !isPart) {
      await idle.watch(response.dump());
      throw new ContractError(
        `${url.origin} responded to the link of an export with ${response.status}. ${adviceForFile(response.status)}`,
        { status: response.status },
      );
    }
    const length = Number(isPart ? range?.[2] : response.headers['content-length']);
    const isPlain = codings.length === 0;
    const body = response.isDecoded ? response.body : decompressed(response.body, codings);
    const bytes = watched(body, idle, explain);
    return {
      isPart,
      totalBytes: isPlain && Number.isSafeInteger(length) ? length : undefined,
      // A decoded body is a different representation, so the ETag does not apply.
      etag: isPlain && typeof response.headers.etag === 'string' ? response.headers.etag : undefined,
      bytes: isPart ? bytes : await noPage(bytes, url.origin),
    };
  } catch (error) {
    throw explain(error);
  }
}

/** Storage that fails, or leads elsewhere, says nothing about the link. */
function adviceForFile(status: number): string {
  if (status === 429 || status >= 500) return 'Try again later.';
  return isRedirect(status)
    ? 'A redirect that goes in a circle, or to another server without encryption, is not followed. Ask the operator of the service.'
    : 'It may have expired: look the export up again.';
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Maximum number of redirects from a link to its file. */
const redirectsMax = 5;

/** Follows redirects, since no token is sent there: from https to https, or on the same server. */
async function sendToFile(request: Exchange, carrier: Carrier): Promise<Response> {
  let at = request.url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send({ ...request, url: at }, carrier);
    const next = redirectOf(response, at);
    if (next === undefined || redirects === redirectsMax) return response;
    await response.dump();
    at = next;
  }
}

function redirectOf({ status, headers: { location } }: Response, from: URL): URL | undefined {
  if (!isRedirect(status) || location === undefined) return undefined;
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isSafe = from.protocol === 'https:' ? to?.protocol === 'https:' : to?.origin === from.origin;
  return isSafe ? to : undefined;
}

/**
 * Passes on the bytes of the file.
 * @throws ContractError if they are a web page or a storage error instead.
 */
async function noPage(
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
  origin: string,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const first = await bytes.next();
  if (first.done !== true && isPage(first.value)) {
    await bytes.return();
    throw new ContractError(
      `${origin} responded to the link of an export with a page (HTML or XML) instead of the file. It may have expired: look the export up again.`,
      { status: 200 },
    );
  }
  return (async function* whole() {
    try {
      if (first.done !== true) yield first.value;
      yield* bytes;
    } finally {
      await bytes.return();
    }
  })();
}

/** Returns whether the bytes start like HTML or XML, which no export does (CSV or JSON Lines). */
function isPage(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, 1_024)).trimStart();
  return /^<(?:!doctype\b|html\b|head\b|body\b|\?xml\b|error\b)/i.test(text);
}

async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  idle: IdleLimit,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = bytes[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const piece = await idle.watch(pieces.next());
      isOver = piece.done === true;
      if (piece.done === true) return;
      yield piece.value;
    }
  } catch (error) {
    isOver = true;
    throw explain(error);
  } finally {
    // If the caller stops early, the connection would otherwise stay open.
    if (!isOver) await pieces.return?.();
  }
}

/** Aborts if a watched step takes too long; the caller's own time between chunks does not count. */
class IdleLimit {
  readonly #controller = new AbortController();
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async watch<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#controller.abort(), this.#limitMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns whether the client was closed, so that the response is no longer wanted. */
function isClosed(error: unknown): boolean {
  return error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError;
}

function proxyOf(carrier: Carrier, url: URL): string | undefined {
  return 'fetch' in carrier ? undefined : proxyBefore(carrier.dispatcher, url);
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  /** A browser's fetch has already decoded the body, even though the headers still name the coding. */
  readonly isDecoded: boolean;
  dump(): Promise<void>;
}

/** Sends a request; only the signal limits it. */
async function send(request: Exchange, carrier: Carrier): Promise<Response> {
  if ('fetch' in carrier) return await sendByFetch(request, carrier.fetch);
  const response = await undiciRequest(request.url, {
    dispatcher: carrier.dispatcher,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal: request.signal ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body as AsyncIterable<Uint8Array>, // without a text encoding, a body yields bytes
    isDecoded: false,
    dump: () => response.body.dump(),
  };
}

const foundElsewhere = 302;

async function sendByFetch(request: Exchange, fetch: typeof globalThis.fetch): Promise<Response> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: { ...request.headers },
    body: request.body ?? null,
    signal: request.signal ?? null,
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  });
  const { body } = response;
  return {
    // A browser's fetch reveals only that there was a redirect.
    status: response.type === 'opaqueredirect' ? foundElsewhere : response.status,
    headers: Object.fromEntries(response.headers),
    body: body === null ? noBytes() : (body as AsyncIterable<Uint8Array>), // specified as a stream of bytes
    isDecoded: true,
    dump: async () => {
      await body?.cancel();
    },
  };
}

// oxlint-disable-next-line typescript/require-await -- an empty stream has nothing to wait for
async function* noBytes(): AsyncGenerator<Uint8Array, void, undefined> {
  yield* [];
}

async function* upTo(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  origin: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new TransportError(
        `${origin} sent more than ${maxBytes < 1_048_576 ? `${Math.round(maxBytes / 1_024)} KiB` : `${Math.round(maxBytes / 1_048_576)} MiB`} in one response, which was not read: request a smaller page.`,
        'too-large',
        undefined,
      );
    }
    yield chunk;
  }
}

/** A damaged character of an answer is no data; replacing it would change a value without a word. */
const strictly = { fatal: true };

function isNotUtf8(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

function notUtf8(request: string): ContractError {
  return new ContractError(
    'The response of the service contains bytes that are not UTF-8, so it was not read: it is damaged, or in another encoding. Ask its operator, or check the proxy.',
    { status: 200, request },
  );
}

/** @throws ContractError if the bytes are not UTF-8. */
export function answerText(bytes: Uint8Array, request: string): string {
  try {
    return new TextDecoder('utf-8', strictly).decode(bytes);
  } catch (error) {
    throw isNotUtf8(error) ? notUtf8(request) : error;
  }
}

async function readText(stream: AsyncIterable<Uint8Array>, isStrict: boolean): Promise<string> {
  // Decoded while streaming, so bytes and text are never both held in full.
  const decoder = new TextDecoder('utf-8', isStrict ? strictly : {});
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  memory: BodyMemory,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = memory.take();
  let size = 0;
  for await (const chunk of stream) {
    if (size + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.max(size + chunk.length, bytes.length * 2));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}
