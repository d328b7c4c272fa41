/** Reads a connection from the process environment: for `npm start`, tests, and editors started by a script. */
import { isAgentLevel, type AgentLevel } from './agent-level.ts';
import type { ConnectionProfile, ConnectionScopes } from './connection-profile.ts';

/** If set to 1, allows changes to data over the connection. */
export const allowChangesVariable = 'IDENTITY_QUERIES_ALLOW_CHANGES';

export interface ConnectionWithSecret {
  readonly profile: ConnectionProfile;
  readonly secret: string;
}

/**
 * Reads IDENTITY_QUERIES_BASE_URL, _AUTH_URL, _CLIENT_ID and _CLIENT_SECRET; the optional _CONNECTION_NAME, _SCOPES and
 * _AI (the agent level); and _PROTECTED, _ALLOW_CHANGES and _ALLOW_PLAIN_HTTP, which are on if set to 1.
 */
export function environmentConnection(environment: NodeJS.ProcessEnv): ConnectionWithSecret | undefined {
  const baseUrl = environment['IDENTITY_QUERIES_BASE_URL'];
  const authUrl = environment['IDENTITY_QUERIES_AUTH_URL'];
  const clientId = environment['IDENTITY_QUERIES_CLIENT_ID'];
  const secret = environment['IDENTITY_QUERIES_CLIENT_SECRET'];
  if (!baseUrl || !authUrl || !clientId || !secret) return undefined;
  const isSet = (variable: string) => ['1', 'true'].includes(environment[variable] ?? '');
  const profile: ConnectionProfile = {
    name: environment['IDENTITY_QUERIES_CONNECTION_NAME'] ?? 'Environment',
    baseUrl,
    authUrl,
    clientId,
    scopes: scopesIn(environment['IDENTITY_QUERIES_SCOPES']),
    protected: isSet('IDENTITY_QUERIES_PROTECTED'),
    allowChanges: isSet(allowChangesVariable),
    allowPlainHttp: isSet('IDENTITY_QUERIES_ALLOW_PLAIN_HTTP'),
    ai: levelIn(environment['IDENTITY_QUERIES_AI']),
    source: 'environment',
  };
  return { profile, secret };
}

/** Parses the agent level. An invalid value allows nothing. */
function levelIn(text: string | undefined): AgentLevel | undefined {
  const level = text?.trim();
  return isAgentLevel(level) ? level : undefined;
}

/** Parses the scopes. An invalid value requests less, never more. */
function scopesIn(text: string | undefined): ConnectionScopes | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return text.trim() === 'read and write' ? 'read and write' : 'read';
}
