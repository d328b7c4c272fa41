/** The token endpoint: RFC 6749 section 4.4, client credentials (assumption `token`). */
import { Type, type Static } from 'typebox';
import { withoutSlashes } from './deployment.ts';

/**
 * The request's form body. The client ID and secret are sent via HTTP Basic or in the body (RFC 6749 section 2.3.1).
 */
const TokenRequest = Type.Object({
  grant_type: Type.Literal('client_credentials'),
  scope: Type.Optional(Type.String({ description: 'Scopes, separated by one space.' })),
  client_id: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.String()),
});
export type TokenRequest = Static<typeof TokenRequest>;

/** A token response (RFC 6749 section 5.1). */
export const TokenResponse = Type.Object({
  access_token: Type.String({
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Characters that a header can carry.',
  }),
  token_type: Type.Optional(Type.String({ description: 'If absent or null, Bearer is assumed.' })),
  expires_in: Type.Optional(
    Type.Number({ description: 'Lifetime in seconds. If absent, five minutes are assumed.' }),
  ),
  scope: Type.Optional(Type.String()),
});
export type TokenResponse = Static<typeof TokenResponse>;

/** A token error (RFC 6749 section 5.2). */
export const TokenError = Type.Object({
  error: Type.String({ minLength: 1 }),
  error_description: Type.Optional(Type.String()),
});
export type TokenError = Static<typeof TokenError>;

/** Token lifetime in seconds if `expires_in` is absent. */
export const defaultTokenLifetimeSeconds = 300;

export const scopeNames = ['read', 'write'] as const;
export type ScopeName = (typeof scopeNames)[number];

/**
 * Returns a scope's name: the deployment's base address followed by /read or /write (specification, "Authentication").
 */
export function scopeOf(baseUrl: string, scope: ScopeName): string {
  return `${withoutSlashes(baseUrl)}/${scope}`;
}
