/** Reads a connection from the process environment: for `npm start`, tests, and editors started by a script. */
import { isAgentLevel, type AgentLevel } from './agent-level.ts';
import type { ConnectionProfile, ConnectionScopes } from './connection-profile.ts';

/** If set to 1, allows changes to data over the connection. */
export const allowChangesVariable = 'IDENTITY_QUERIES_ALLOW_CHANGES';
/** If set to 1, allows `http://` outside this machine. */
export const allowPlainHttpVariable = 'IDENTITY_QUERIES_ALLOW_PLAIN_HTTP';

export interface ConnectionWithSecret {
  readonly profile: ConnectionProfile;
  readonly secret: string;
}

/**
 * Reads IDENTITY_QUERIES_BASE_URL, _AUTH_URL, _CLIENT_ID and _CLIENT_SECRET; the optional _CONNECTION_NAME, _SCOPES and
 * _AI (the agent level); _ALLOW_CHANGES and _ALLOW_PLAIN_HTTP, which are on if set to 1; and _PROTECTED, which is off
 * only if empty, 0, false, no or off.
 */
export function environmentConnection(environment: NodeJS.ProcessEnv): ConnectionWithSecret | undefined {
  // A value that was pasted or read from a file often ends in a blank or a newline.
  const valueOf = (variable: string) => environment[variable]?.trim() ?? '';
  const baseUrl = valueOf(addressVariables.baseUrl);
  const authUrl = valueOf(addressVariables.authUrl);
  const clientId = valueOf('IDENTITY_QUERIES_CLIENT_ID');
  const secret = secretText(environment['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '');
  if (baseUrl === '' || authUrl === '' || clientId === '' || secret.trim() === '') return undefined;
  const isSet = (variable: string) => ['1', 'true'].includes(valueOf(variable));
  const profile: ConnectionProfile = {
    name: valueOf('IDENTITY_QUERIES_CONNECTION_NAME') || 'Environment',
    baseUrl,
    authUrl,
    clientId,
    scopes: scopesIn(environment['IDENTITY_QUERIES_SCOPES']),
    // An unknown value must not take the protection away.
    protected: !['', '0', 'false', 'no', 'off'].includes(valueOf('IDENTITY_QUERIES_PROTECTED').toLowerCase()),
    allowChanges: isSet(allowChangesVariable),
    allowPlainHttp: isSet(allowPlainHttpVariable),
    ai: levelIn(environment['IDENTITY_QUERIES_AI']),
    source: 'environment',
  };
  return { profile, secret };
}

/** The variables with the addresses of the environment's connection. */
export const addressVariables = {
  baseUrl: 'IDENTITY_QUERIES_BASE_URL',
  authUrl: 'IDENTITY_QUERIES_AUTH_URL',
} as const;

/** The variables without which the environment holds no connection. */
const requiredVariables = [
  addressVariables.baseUrl,
  addressVariables.authUrl,
  'IDENTITY_QUERIES_CLIENT_ID',
  'IDENTITY_QUERIES_CLIENT_SECRET',
] as const;

/** Returns the variables that are missing if the environment names a service, but not how to reach it. */
export function missingVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const missing = absentVariables(environment);
  return missing.includes(addressVariables.baseUrl) ? [] : missing;
}

/** Returns the variables that are missing if some are set; where there is no other connection, they were meant. */
export function absentVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const absent = requiredVariables.filter((variable) => (environment[variable] ?? '').trim() === '');
  return absent.length === requiredVariables.length ? [] : absent;
}

/**
 * Returns a secret without what files and CI settings add: a newline at its end, and a byte order mark. It may begin and
 * end with blanks.
 */
export function secretText(value: string): string {
  const start = value.startsWith('\uFEFF') ? 1 : 0;
  let end = value.length;
  while (value[end - 1] === '\n' || value[end - 1] === '\r') end -= 1;
  return value.slice(start, end);
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
