/** Requires a valid access token that grants the route's scope. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ScopeName } from '#api/contract/token.ts';
import { ServiceError } from '../errors.ts';
import type { Grant, TokenStore } from '../tokens.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes without a scope need no token: the token endpoint and the sandbox's own routes. */
    scope?: ScopeName;
  }
  interface FastifyRequest {
    grant: Grant | undefined;
  }
}

export function useBearerTokens(app: FastifyInstance, tokens: TokenStore): void {
  app.decorateRequest('grant', undefined);
  app.addHook('onRequest', async (request) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    const header = request.headers.authorization;
    const token = bearerIn(header);
    if (token === undefined) {
      throw unauthorized(
        header === undefined
          ? 'The access token is missing.'
          : 'The Authorization header carries no bearer token.',
        'Bearer realm="sandbox"',
      );
    }
    const grant = await tokens.find(token, Date.now());
    if (grant === undefined) {
      throw unauthorized(
        'The access token is invalid or has expired.',
        'Bearer realm="sandbox", error="invalid_token"',
      );
    }
    if (!grant.scopes.has(scope)) {
      throw new ServiceError('FORBIDDEN', `The access token lacks the ${scope} scope.`, {
        details: { required: scope },
        headers: { 'www-authenticate': 'Bearer realm="sandbox", error="insufficient_scope"' },
      });
    }
    request.grant = grant;
  });
}

/** Returns the access token of an Authorization header. */
export function bearerIn(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '')?.[1];
}

function unauthorized(message: string, challenge: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', message, { headers: { 'www-authenticate': challenge } });
}

export function hasScope({ grant }: FastifyRequest, scope: ScopeName): boolean {
  return grant?.scopes.has(scope) === true;
}
