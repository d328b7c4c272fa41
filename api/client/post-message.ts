/**
 * Posts a message to a receiver that a person named: over https, without following a redirect, and not into a private
 * network unless that is named, too. Tries again while that may help, with an end.
 */
import type { Dispatcher } from 'undici';
import { countedText } from '#base/words/counted-text.ts';
import { isLoopback } from '../contract/deployment.ts';
import { pause, reasonOf as abortReasonOf, unlessAborted } from './abort.ts';
import { isPrivateAddress, leadsInside, PrivateAddressError } from './network/private-address.ts';
import { proxyBefore } from './network/proxies.ts';
import { parseRetryAfter } from './requests/retry.ts';
import { saidError, type SaidError } from './said-error.ts';

export type PostProblem =
  | { readonly kind: 'not-https' | 'private' | 'no-address' }
  | { readonly kind: 'redirect' | 'refused' | 'failing'; readonly status: number }
  /** A success by its status, but not by what it says. */
  | { readonly kind: SaidError['kind']; readonly status: number; readonly code?: string }
  /** It asks to wait longer than anybody would. */
  | { readonly kind: 'later'; readonly status: number }
  /** No answer, for a reason such as `ECONNREFUSED`, or in words. */
  | { readonly kind: 'unreachable'; readonly reason: string };

export type PostOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'not-sent'; readonly problem: PostProblem };

export interface PostedMessage {
  readonly url: string;
  /** Whether the address may be private; then http:// is allowed on this machine. */
  readonly isPrivateAllowed: boolean;
  readonly body: string;
  /** Made for each attempt, since they may hold the time. */
  readonly headers: (now: Date) => Readonly<Record<string, string>>;
}

export interface PostOptions {
  readonly dispatcher: Dispatcher;
  /** Ends everything. */
  readonly signal: AbortSignal;
  readonly attemptsMax?: number;
  readonly attemptMs?: number;
  /** Pause before the second attempt, which doubles from then on. */
  readonly pauseMs?: number;
  readonly pauseMaxMs?: number;
  /** Whether a name is one of a private network, as far as it is known here. */
  readonly isInside?: (hostname: string) => Promise<boolean>;
}

const attemptMsDefault = 10_000;

/** @throws UserAbort if the signal aborts. */
export async function postMessage(message: PostedMessage, options: PostOptions): Promise<PostOutcome> {
  const { attemptsMax = 5, pauseMs = 1_000, pauseMaxMs = 30_000, signal } = options;
  const refused = refusalOf(message);
  if (refused !== undefined) return { kind: 'not-sent', problem: refused };
  if (!message.isPrivateAllowed && (await isInsideOfProxy(message, options)))
    return { kind: 'not-sent', problem: { kind: 'private' } };
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, retryAfterMs, mayRepeat } = await post(message, { ...options, pauseMaxMs });
    signal.throwIfAborted();
    if (outcome.kind === 'sent' || !mayRepeat || attempt >= attemptsMax) return outcome;
    await pause(Math.min(pauseMaxMs, Math.max(retryAfterMs, pauseMs * 2 ** (attempt - 1))), signal);
  }
}

/** Returns why an address is not even tried. */
export function refusalOf({
  url,
  isPrivateAllowed,
}: Pick<PostedMessage, 'url' | 'isPrivateAllowed'>): PostProblem | undefined {
  if (!URL.canParse(url)) return { kind: 'no-address' };
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return { kind: 'no-address' };
  const isPrivate = isPrivateAddress(hostname) || /(?:^|\.)localhost\.?$/.test(hostname);
  if (isPrivate && !isPrivateAllowed) return { kind: 'private' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
    ? undefined
    : { kind: 'not-https' };
}

/** A proxy makes the connection itself, so its address cannot be checked when it is made. */
async function isInsideOfProxy(
  { url }: PostedMessage,
  { dispatcher, signal, attemptMs = attemptMsDefault, isInside = leadsInside }: PostOptions,
): Promise<boolean> {
  const target = new URL(url);
  if (proxyBefore(dispatcher, target) === undefined) return false;
  const limit = AbortSignal.timeout(attemptMs);
  try {
    return await unlessAborted(isInside(target.hostname), AbortSignal.any([signal, limit]), abortReasonOf);
  } catch {
    signal.throwIfAborted();
    return false; // a resolver that does not answer knows no name
  }
}

interface Attempt {
  readonly outcome: PostOutcome;
  readonly retryAfterMs: number;
  readonly mayRepeat: boolean;
}

async function post(
  { url, body, headers }: PostedMessage,
  {
    dispatcher,
    signal,
    attemptMs = attemptMsDefault,
    pauseMaxMs,
  }: PostOptions & { readonly pauseMaxMs: number },
): Promise<Attempt> {
  const { origin, pathname, search } = new URL(url);
  const problem = (one: PostProblem, mayRepeat: boolean, retryAfterMs = 0): Attempt => ({
    outcome: { kind: 'not-sent', problem: one },
    retryAfterMs,
    mayRepeat,
  });
  try {
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers(new Date()) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
    });
    const said = saidError(await beginningOf(response.body), url);
    const { statusCode: status } = response;
    if (status >= 200 && status < 300) {
      if (said === undefined) return { outcome: { kind: 'sent' }, retryAfterMs: 0, mayRepeat: false };
      const { mayRepeat, ...what } = said;
      return problem({ ...what, status }, mayRepeat);
    }
    if (status >= 300 && status < 400) return problem({ kind: 'redirect', status }, false);
    const mayRepeat = status === 408 || status === 429 || status >= 500;
    const retryAfterMs = parseRetryAfter(String(response.headers['retry-after'] ?? ''), Date.now()) ?? 0;
    if (mayRepeat && retryAfterMs > pauseMaxMs) return problem({ kind: 'later', status }, false);
    return problem({ kind: status >= 500 ? 'failing' : 'refused', status }, mayRepeat, retryAfterMs);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return problem(
        { kind: 'unreachable', reason: `no answer within ${countedText(attemptMs / 1_000, 'second')}` },
        true,
      );
    if (isOfPrivateAddress(error)) return problem({ kind: 'private' }, false);
    return problem({ kind: 'unreachable', reason: reasonOf(error) }, true);
  }
}

/** An answer may be endless, or be cut: what came of it counts. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > 65_536) break;
    }
  } catch {
    // cut, or too slow
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Returns a code or a name: an error's message may hold the address, which may be a secret. */
function reasonOf(error: unknown): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string') return each.code;
  return error instanceof Error ? error.name : 'Error';
}

function isOfPrivateAddress(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (each instanceof PrivateAddressError) return true;
  return false;
}
