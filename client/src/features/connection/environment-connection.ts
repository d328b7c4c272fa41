/** A connection that comes with the process: for `npm start`, tests, and editors started by a script. */
import type { ConnectionProfile } from '../../session/connection-profile.ts';

export interface ConnectionWithSecret {
  readonly profile: ConnectionProfile;
  readonly secret: string;
}

/** Reads IDENTITY_QUERIES_BASE_URL, _AUTH_URL, _CLIENT_ID, _CLIENT_SECRET and, optional, _CONNECTION_NAME. */
export function environmentConnection(environment: NodeJS.ProcessEnv): ConnectionWithSecret | undefined {
  const baseUrl = environment['IDENTITY_QUERIES_BASE_URL'];
  const authUrl = environment['IDENTITY_QUERIES_AUTH_URL'];
  const clientId = environment['IDENTITY_QUERIES_CLIENT_ID'];
  const secret = environment['IDENTITY_QUERIES_CLIENT_SECRET'];
  if (!baseUrl || !authUrl || !clientId || !secret) return undefined;
  const name = environment['IDENTITY_QUERIES_CONNECTION_NAME'] ?? 'Environment';
  return { profile: { name, baseUrl, authUrl, clientId, protected: false, source: 'environment' }, secret };
}
