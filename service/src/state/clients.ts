/**
 * Clients that may sign in, and their access tokens. Secrets and tokens are random, and only their digests are kept. A
 * token is read from the state, so that a removed client has none a moment later, on every instance.
 */
import { createHash, randomBytes } from 'node:crypto';
import { scopeNames, type ScopeName } from '#api/contract/token.ts';
import type { Client } from '../clients.ts';
import { UsageError } from '../process.ts';
import { sameSecret, type Grant, type TokenStore } from '../tokens.ts';
import { numberOf, optionalText, textOf, type StateDatabase, type StateRow } from './state-database.ts';

export interface KeptClient extends Client {
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Until when the secret before the last change is valid, in milliseconds since 1970. */
  readonly oldSecretUntil: number | undefined;
}

/** Seconds that a token is valid. */
export const tokenSeconds = 600;
/** How long a token that was read is not read again. A removed client may be answered this long. */
const cacheMs = 5_000;
const mostCached = 10_000;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const newSecret = (): string => randomBytes(32).toString('base64url');

const namePattern = /^[\w.@+-]{1,100}$/;

export function requireClientName(name: string | undefined): string {
  if (name !== undefined && namePattern.test(name)) return name;
  throw new UsageError(
    'Name the client: 1 to 100 letters, digits or . _ @ + -, for example ada@example.com. One client a person, so that each version has its author.',
  );
}

/** @throws UsageError */
export function scopesIn(text: string): ReadonlySet<ScopeName> {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  const known = names.map((name) => scopeNames.find((each) => each === name));
  const scopes = known.filter((name) => name !== undefined);
  if (names.length === 0 || scopes.length < names.length)
    throw new UsageError(`--scopes must be read, write, or both with a comma between.`);
  return new Set(scopes);
}

function storedScopes(row: StateRow): ReadonlySet<ScopeName> {
  const text = textOf(row, 'scopes').split(' ');
  return new Set(scopeNames.filter((name) => text.includes(name)));
}

/** Returns the new client's secret, which is kept nowhere. @throws UsageError if the name is taken. */
export async function addClient(
  state: StateDatabase,
  {
    name,
    source,
    scopes,
  }: { readonly name: string; readonly source: string; readonly scopes: ReadonlySet<ScopeName> },
): Promise<string> {
  const secret = newSecret();
  const [row] = await state.write((run) =>
    run(
      `INSERT INTO state.clients (name, source, scopes, secret_digest, created_at) VALUES ($1, $2, $3, $4, {now})
       ON CONFLICT DO NOTHING RETURNING name`,
      [name, source, [...scopes].join(' '), digestOf(secret)],
    ),
  );
  if (row === undefined)
    throw new UsageError(
      `There is a client ${name} already. "serve clients rotate ${name}" gives it a new secret.`,
    );
  return secret;
}

export async function listClients(state: StateDatabase): Promise<readonly KeptClient[]> {
  const rows = await state.read(
    'SELECT name, source, scopes, created_at, CASE WHEN old_secret_until > {now} THEN old_secret_until END AS until FROM state.clients ORDER BY name',
  );
  return rows.map((row) => ({
    id: textOf(row, 'name'),
    source: textOf(row, 'source'),
    scopes: storedScopes(row),
    createdAt: numberOf(row, 'created_at'),
    oldSecretUntil: row['until'] === null ? undefined : numberOf(row, 'until'),
  }));
}

/**
 * Gives a client a new secret. The old one stays valid for `keepMs`; with 0, it and the client's tokens end at once.
 * @returns the secret, and whether one from before the old one was still valid, which ends
 * @throws UsageError if there is no such client.
 */
export async function rotateClient(
  state: StateDatabase,
  name: string,
  keepMs: number,
): Promise<{ readonly secret: string; readonly hasEnded: boolean }> {
  const secret = newSecret();
  return await state.write(async (run) => {
    const [older] = await run('SELECT name FROM state.clients WHERE name = $1 AND old_secret_until > {now}', [
      name,
    ]);
    const [row] = await run(
      `UPDATE state.clients SET old_secret_digest = secret_digest, old_secret_until = {now} + $3, secret_digest = $2
       WHERE name = $1 RETURNING name`,
      [name, digestOf(secret), keepMs],
    );
    if (row === undefined) throw noClient(name);
    if (keepMs === 0) await run('DELETE FROM state.access_tokens WHERE client = $1', [name]);
    return { secret, hasEnded: older !== undefined };
  });
}

/** Removes a client with its tokens. @throws UsageError if there is none. */
export async function removeClient(state: StateDatabase, name: string): Promise<void> {
  const [row] = await state.write((run) =>
    run('DELETE FROM state.clients WHERE name = $1 RETURNING name', [name]),
  );
  if (row === undefined) throw noClient(name);
}

function noClient(name: string): UsageError {
  return new UsageError(`There is no client ${name}. "serve clients list" shows them.`);
}

/** Removes tokens that have expired. */
export async function purgeTokens(state: StateDatabase): Promise<void> {
  await state.write((run) => run('DELETE FROM state.access_tokens WHERE expires_at <= {now}'));
}

/** Compared with the secret of a client that is not there, so that it takes as long. */
const nothing = digestOf(newSecret());

/** Returns the client if the secret is its own. */
export async function signedIn(
  state: StateDatabase,
  name: string,
  secret: string,
): Promise<(Client & { readonly source: string }) | undefined> {
  const [row] = await state.read(
    `SELECT name, source, scopes, secret_digest, CASE WHEN old_secret_until > {now} THEN old_secret_digest END AS old_digest
     FROM state.clients WHERE name = $1`,
    [name],
  );
  const given = digestOf(secret);
  const isCurrent = sameSecret(given, row === undefined ? nothing : textOf(row, 'secret_digest'));
  const isOld = sameSecret(given, (row && optionalText(row, 'old_digest')) ?? nothing);
  if (row === undefined || (!isCurrent && !isOld)) return undefined;
  return { id: textOf(row, 'name'), source: textOf(row, 'source'), scopes: storedScopes(row) };
}

/** The access tokens of kept clients. */
export class StateTokens implements TokenStore {
  readonly #state: StateDatabase;
  /** Oldest first. */
  readonly #read = new Map<
    string,
    { readonly grant: Grant; readonly at: number; readonly validMs: number }
  >();

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** The client may be changed or removed while it signs in. */
  async issue(
    { clientId, scopes }: Pick<Grant, 'clientId' | 'scopes'>,
    secret: string,
  ): Promise<string | undefined> {
    const token = newSecret();
    const [row] = await this.#state.write((run) =>
      run(
        `INSERT INTO state.access_tokens (digest, client, scopes, expires_at)
         SELECT $1, name, $3, {now} + $4 FROM state.clients WHERE name = $2
           AND (secret_digest = $5 OR (old_secret_digest = $5 AND old_secret_until > {now})) {held} RETURNING digest`,
        [digestOf(token), clientId, [...scopes].join(' '), tokenSeconds * 1_000, digestOf(secret)],
      ),
    );
    return row === undefined ? undefined : token;
  }

  async find(token: string): Promise<Grant | undefined> {
    const digest = digestOf(token);
    const asked = performance.now();
    const known = this.#read.get(digest);
    if (known !== undefined && asked - known.at < known.validMs) return known.grant;
    this.#read.delete(digest);
    const [row] = await this.#state.read(
      `SELECT t.client, t.scopes, c.source, c.created_at, t.expires_at - {now} AS left_ms FROM state.access_tokens t
       JOIN state.clients c ON c.name = t.client WHERE t.digest = $1 AND t.expires_at > {now}`,
      [digest],
    );
    if (row === undefined) return undefined;
    // The clock of the state decides how long.
    const leftMs = numberOf(row, 'left_ms');
    const grant: Grant = {
      clientId: textOf(row, 'client'),
      clientSince: numberOf(row, 'created_at'),
      source: textOf(row, 'source'),
      scopes: storedScopes(row),
      expiresAt: Date.now() + leftMs,
    };
    this.#read.set(digest, { grant, at: asked, validMs: Math.min(cacheMs, leftMs) });
    const oldest = this.#read.keys().next();
    if (this.#read.size > mostCached && oldest.done === false) this.#read.delete(oldest.value);
    return grant;
  }
}
