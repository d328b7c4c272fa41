/** Opaque tokens: access tokens kept in memory, and sealed page tokens that only this process can create or read. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ScopeName } from '#api/contract/token.ts';
import { badField } from './errors.ts';

export interface Grant {
  readonly clientId: string;
  /** When the client was added, in milliseconds since 1970: one that gets its name afterwards is another. */
  readonly clientSince?: number;
  readonly scopes: ReadonlySet<ScopeName>;
  /** The source that the client belongs to, in a service that has several. */
  readonly source?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns what tells a client from all others, also from one that had its name before. */
export function callerOf(grant: Grant | undefined): readonly unknown[] {
  return [grant?.clientId, grant?.clientSince];
}

/** Where access tokens are kept. */
export interface TokenStore {
  /**
   * @param secret what the client signed in with
   * @returns undefined if the secret has ended since
   */
  issue(grant: Grant, secret: string): string | undefined | Promise<string | undefined>;
  /** Returns the grant of a token that is valid at `now`. */
  find(token: string, now: number): Grant | undefined | Promise<Grant | undefined>;
}

export class AccessTokens implements TokenStore {
  readonly #grants = new Map<string, Grant>();

  issue(grant: Grant): string {
    this.#dropExpired();
    const token = randomBytes(32).toString('base64url');
    this.#grants.set(digest(token), grant);
    return token;
  }

  /** Returns the grant of a token that is valid at `now`. */
  find(token: string, now: number): Grant | undefined {
    const grant = this.#grants.get(digest(token));
    return grant !== undefined && grant.expiresAt > now ? grant : undefined;
  }

  /** Invalidates all tokens issued so far, as if they had expired. */
  revokeAll(): void {
    this.#grants.clear();
  }

  #dropExpired(): void {
    const now = Date.now();
    for (const [key, grant] of this.#grants) {
      if (grant.expiresAt <= now) this.#grants.delete(key);
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Compares two secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Before the token of an instance: which start of which instance made it. */
const ownerPattern = /^([\w-]{22})~/;

/** Returns the start of the instance that a page token names, if it names one. */
export function ownerOf(token: string): string | undefined {
  return ownerPattern.exec(token)?.[1];
}

/** Returns the random name of a start of this process, as page tokens contain it. */
export function newOwner(): string {
  return randomBytes(17).toString('base64url').slice(0, 22);
}

/** Creates and reads page tokens. A token identifies its list, and other lists reject it. */
export class PageTokens {
  readonly #key: Uint8Array;
  readonly #prefix: string;
  #sealedAt = -Infinity;

  /** @param options a key that other processes have too; the owner of what the tokens lead to */
  constructor({ key = randomBytes(32), owner }: { readonly key?: Uint8Array; readonly owner?: string } = {}) {
    this.#key = key;
    this.#prefix = owner === undefined ? '' : `${owner}~`;
  }

  /** When a caller last got a token, by `performance.now`. */
  get sealedAt(): number {
    return this.#sealedAt;
  }

  seal(list: string, position: unknown): string {
    this.#sealedAt = performance.now();
    const payload = Buffer.from(JSON.stringify([list, position])).toString('base64url');
    return `${this.#prefix}${payload}.${this.#sign(payload)}`;
  }

  /**
   * Returns the position in a token that `seal` created for the same list.
   * @throws ServiceError with status 400 for any other token.
   */
  open(list: string, text: string, location: 'query' | 'body' = 'query'): unknown {
    const token = text.replace(ownerPattern, '');
    const dot = token.lastIndexOf('.');
    const payload = token.slice(0, Math.max(dot, 0));
    if (dot > 0 && sameSecret(this.#sign(payload), token.slice(dot + 1))) {
      const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
      if (Array.isArray(content) && content[0] === list) return content[1];
    }
    throw badField(location, 'pageToken', 'is not a token of this list; start again without it');
  }

  /** Returns whether a token has the form of this list's tokens, but another process sealed it. */
  isOfEarlierProcess(list: string, token: string): boolean {
    const [, payload = '', signature = ''] =
      /^([\w-]+)\.([\w-]{22})$/.exec(token.replace(ownerPattern, '')) ?? [];
    if (payload === '' || sameSecret(this.#sign(payload), signature)) return false;
    try {
      const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return Array.isArray(content) && content.length === 2 && content[0] === list;
    } catch {
      return false; // not a token
    }
  }

  #sign(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url').slice(0, 22);
  }
}
