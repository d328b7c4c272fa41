/** Access tokens obtained with client credentials (specification, "Authentication"; RFC 6749 section 4.4). */
import { randomUUID } from 'node:crypto';
import { json, Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import type { SwitchBoard } from './switches.ts';

export const clientId = 'second-client';
export const clientSecret = 'second secret: %&+';

export class Tokens {
  readonly #switches: SwitchBoard;
  readonly #address: () => string;
  readonly #granted = new Map<string, readonly string[]>();

  constructor(switches: SwitchBoard, address: () => string) {
    this.#switches = switches;
    this.#address = address;
  }

  get routes(): readonly Route[] {
    return [{ method: 'POST', path: '/oauth/token', scope: undefined, answer: (asked) => this.#give(asked) }];
  }

  forgetAll(): void {
    this.#granted.clear();
  }

  /** @throws Refusal */
  require(asked: Asked, scope: 'read' | 'write'): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
    const granted = this.#granted.get(token);
    if (granted === undefined) throw new Refusal(401, 'UNAUTHORIZED', 'The token is missing or invalid.');
    if (!granted.includes(scope))
      throw new Refusal(403, 'FORBIDDEN', `The token does not have the ${scope} scope.`);
  }

  #give(asked: Asked): Reply {
    const form = new URLSearchParams(asked.body);
    const refused = (error: string, status = 400) =>
      json(status, { error, error_description: 'No token.' }, { 'cache-control': 'no-store' });
    if (!this.#isClient(asked, form)) return refused('invalid_client', 401);
    if (form.get('grant_type') !== 'client_credentials') return refused('unsupported_grant_type');
    const scopes = (form.get('scope') ?? '').split(' ').filter((name) => name !== '');
    const known = ['read', 'write'].filter((name) => scopes.includes(`${this.#address()}/${name}`));
    if (known.length !== scopes.length) return refused('invalid_scope');
    if (known.includes('write') && this.#switches.has('write-scope-refused')) return refused('invalid_scope');
    const token = randomUUID();
    this.#granted.set(token, known);
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      ...(this.#switches.is('token', 'no-lifetime') ? {} : { expires_in: this.#lifetime() }),
    });
  }

  #lifetime(): number | string {
    return this.#switches.is('token', 'lifetime-as-text') ? '3600' : 3600;
  }

  #isClient(asked: Asked, form: URLSearchParams): boolean {
    const [, encoded] = /^Basic (.+)$/i.exec(asked.headers.authorization ?? '') ?? [];
    if (encoded === undefined)
      return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    if (this.#switches.is('token', 'body-only')) return false;
    const parts = Buffer.from(encoded, 'base64').toString().split(':');
    // RFC 6749 section 2.3.1: Basic joins form-encoded parts.
    const decoded = parts.map((part) => new URLSearchParams(`x=${part}`).get('x'));
    return decoded.length === 2 && decoded[0] === clientId && decoded[1] === clientSecret;
  }
}
