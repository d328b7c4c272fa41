/** POST /oauth/token: client credentials per RFC 6749. Errors follow the RFC rather than the service's envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scopeOf, type ScopeName, type TokenError, type TokenResponse } from '#api/contract/token.ts';
import type { Client } from '../clients.ts';
import { isSecretOfLease } from '../leases.ts';
import type { SandboxOptions } from '../options.ts';
import { sameSecret, type TokenStore } from '../tokens.ts';

export const tokenPath = '/oauth/token';

const wrongClient = 'Client authentication failed.';
const formType = 'application/x-www-form-urlencoded';

export interface TokenRouteOptions {
  /** Read at each request, since the base URL is set once the port is known. */
  readonly service: Pick<SandboxOptions, 'baseUrl' | 'tokenLifetimeSeconds'>;
  readonly signIn: SignIn;
}

/** Returns the client whose secret this is; or why it may not sign in here, as a sentence. */
export type SignIn = (
  id: string,
  secret: string,
) => Client | string | undefined | Promise<Client | string | undefined>;

/** Signs in clients that share one secret. The secrets of the editor's windows are accepted, too. */
export function sharedSecret(
  clients: readonly Client[],
  { clientSecret, leases }: Pick<SandboxOptions, 'clientSecret' | 'leases'>,
): SignIn {
  return (id, secret) => {
    // Always compare both, so that the timing does not reveal which of them was wrong.
    const matching = clients.filter((client) => sameSecret(id, client.id));
    const secretMatches =
      sameSecret(secret, clientSecret) || (leases !== undefined && isSecretOfLease(leases, secret));
    return secretMatches ? matching[0] : undefined;
  };
}

export function registerTokenRoute(
  app: FastifyInstance,
  options: TokenRouteOptions,
  tokens: TokenStore,
): void {
  // Only this route accepts forms. Elsewhere, a form is an unsupported media type.
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)));
    });
    // Also for what is no form: nobody has signed in yet.
    const bodyLimit = 16_384;
    scope.post(tokenPath, { bodyLimit }, (request, reply) => answer(request, reply, options, tokens));
    done();
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { service: options, signIn }: TokenRouteOptions,
  tokens: TokenStore,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  const form = request.body;
  if (!(form instanceof URLSearchParams))
    return refuse(reply, 400, 'invalid_request', `The request must be a form (${formType}).`);
  const repeated = [...new Set(form.keys())].find((key) => form.getAll(key).length > 1);
  if (repeated !== undefined)
    return refuse(reply, 400, 'invalid_request', 'A parameter was sent more than once.');
  const basic = basicCredentials(request);
  if (basic === 'malformed')
    return refuse(reply, 401, 'invalid_client', 'The Authorization header is not HTTP Basic.');
  if (basic !== undefined && form.has('client_secret'))
    return refuse(reply, 400, 'invalid_request', 'The client authenticated in two ways at once.');
  const clientId = basic?.id ?? form.get('client_id') ?? '';
  const clientSecret = basic?.secret ?? form.get('client_secret') ?? '';
  const client = await signIn(clientId, clientSecret);
  if (typeof client === 'string') return refuse(reply, 400, 'unauthorized_client', client);
  if (client === undefined) return refuse(reply, 401, 'invalid_client', wrongClient);
  const grantType = form.get('grant_type');
  if (grantType === null || grantType === '')
    return refuse(reply, 400, 'invalid_request', 'grant_type is missing.');
  if (grantType !== 'client_credentials')
    return refuse(reply, 400, 'unsupported_grant_type', 'Only client_credentials is supported.');
  const bases = [options.baseUrl, `${request.protocol}://${request.host}`];
  const scopes = grantedScopes(form.get('scope'), bases, client);
  if (scopes === undefined) {
    const known = [...client.scopes].map((scope) => scopeOf(options.baseUrl, scope)).join(' ');
    return refuse(reply, 400, 'invalid_scope', `The scopes of this client are: ${known}`);
  }
  const expiresAt = Date.now() + options.tokenLifetimeSeconds * 1_000;
  const grant = { clientId: client.id, scopes: new Set(scopes.keys()), expiresAt };
  const token = await tokens.issue(grant, clientSecret);
  if (token === undefined) return refuse(reply, 401, 'invalid_client', wrongClient);
  const granted: TokenResponse = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: options.tokenLifetimeSeconds,
    scope: [...scopes.values()].join(' '),
  };
  return reply.send(granted);
}

/**
 * Returns the granted scopes, each with its requested name. Without requested names, all of the client's scopes are
 * granted. Returns undefined if the client lacks a requested scope. The token of a client without scopes permits
 * nothing.
 */
function grantedScopes(
  asked: string | null,
  bases: readonly string[],
  client: Client,
): Map<ScopeName, string> | undefined {
  if (client.scopes.size === 0) return new Map();
  const names = (asked ?? '').split(' ').filter((name) => name !== '');
  const own = bases[0] ?? '';
  if (names.length === 0) return new Map([...client.scopes].map((scope) => [scope, scopeOf(own, scope)]));
  const granted = new Map<ScopeName, string>();
  for (const name of names) {
    const scope = [...client.scopes].find((each) => bases.some((base) => scopeOf(base, each) === name));
    if (scope === undefined) return undefined;
    granted.set(scope, name);
  }
  return granted;
}

/** RFC 6749 section 2.3.1: ID and secret are form-encoded, then joined and base64-encoded. */
function basicCredentials(request: FastifyRequest): { id: string; secret: string } | 'malformed' | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return 'malformed';
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return 'malformed';
  try {
    return { id: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) };
  } catch {
    return 'malformed'; // a stray % is not valid form encoding
  }
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Basic realm="sandbox", charset="UTF-8"');
  const answer: TokenError = { error, error_description: description };
  return reply.code(status).send(answer);
}
