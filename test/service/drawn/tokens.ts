/** The token endpoint of a drawn service. */
import { randomUUID } from 'node:crypto';
import type { Asked, Reply } from '../exchange.ts';
import { jsonReply, pageReply, Refused } from './answers.ts';
import { mayWrite, type Service } from './space.ts';

export const clientId = 'drawn-client';
export const clientSecret = 'drawn secret: %&+';

export class TokenDesk {
  readonly #service: Service;
  readonly #address: () => string;
  readonly #granted = new Map<string, readonly string[]>();
  /** Number of requests with each token. */
  readonly #uses = new Map<string, number>();
  #isMoody = true;
  #isAllowed = false;

  constructor(service: Service, address: () => string) {
    this.#service = service;
    this.#address = address;
  }

  /** @throws Refused */
  require(asked: Asked, scope: 'read' | 'write'): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
    const granted = this.#granted.get(token);
    const uses = (this.#uses.get(token) ?? 0) + 1;
    this.#uses.set(token, uses);
    const isOver = this.#service.tokenLifetime === 'early' && uses > 5;
    if (granted === undefined || isOver)
      throw new Refused({ status: 401, code: 'UNAUTHORIZED', message: 'The token is missing or invalid.' });
    if (!granted.includes(scope))
      throw new Refused({ status: 403, code: 'FORBIDDEN', message: `The token lacks the scope ${scope}.` });
  }

  give(asked: Asked): Reply {
    const mood = this.#mood();
    if (mood !== undefined) return mood;
    const form = new URLSearchParams(asked.body);
    const [, encoded = ''] = /^Basic (.+)$/i.exec(asked.headers.authorization ?? '') ?? [];
    const parts = Buffer.from(encoded, 'base64').toString().split(':');
    const [id, secret] = parts.map((part) => new URLSearchParams(`x=${part}`).get('x'));
    if (id !== clientId || secret !== clientSecret)
      return jsonReply(401, { error: 'invalid_client', error_description: 'The client is not known.' });
    const { writeScope, tokenType, tokenLifetime, tokenScope } = this.#service;
    const asks = (form.get('scope') ?? '').split(' ').map((name) => name.slice(this.#address().length + 1));
    const isDenied = !['granted', 'left-out'].includes(writeScope) && !this.#isAllowed;
    if (asks.includes('write') && isDenied) {
      this.#isAllowed = writeScope === 'denied-once';
      return jsonReply(400, {
        error: writeScope === 'denied-once' ? 'access_denied' : writeScope.replace('-', '_'),
        error_description: 'This client may not write.',
      });
    }
    const granted = asks.filter((name) => name === 'read' || (name === 'write' && mayWrite(this.#service)));
    const token = randomUUID();
    this.#granted.set(token, granted);
    // RFC 6749 section 5.1: the scope must be told if it differs from what was asked for.
    const isTold = tokenScope === 'told' || granted.length < asks.length;
    return jsonReply(200, {
      access_token: token,
      ...(tokenType === 'absent' ? {} : { token_type: tokenType === 'bearer' ? 'Bearer' : 'bearer' }),
      ...(tokenLifetime === 'absent'
        ? {}
        : { expires_in: tokenLifetime === 'text' ? '3600' : tokenLifetime === 'short' ? 60 : 3_600 }),
      ...(isTold ? { scope: granted.map((name) => `${this.#address()}/${name}`).join(' ') } : {}),
    });
  }

  /** A disturbance of the first request. */
  #mood(): Reply | undefined {
    if (!this.#isMoody) return undefined;
    this.#isMoody = false;
    switch (this.#service.tokenMood) {
      case 'page-403-once':
        return pageReply(403);
      case 'unavailable-once':
        return jsonReply(400, { error: 'temporarily_unavailable' });
      case 'busy-once':
        return { status: 503, headers: { 'retry-after': '1' }, bytes: Buffer.alloc(0) };
      case 'well':
        return undefined;
      default:
        return this.#service.tokenMood satisfies never;
    }
  }
}
