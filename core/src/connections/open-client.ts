/** Opens a connection's client with its secret, permissions and network settings. */
import type { ClientOptions, ServiceClient } from '#api/client/client.ts';
import type { Carrier } from '#api/client/requests/transport.ts';
import { scopesOf, type ConnectionProfile } from './connection-profile.ts';

/** The transport for requests, usable until closed. */
export interface Network {
  readonly carrier: Carrier;
  close(): Promise<void>;
}

export type OpenClientOptions = Pick<
  ClientOptions,
  | 'clientSecret'
  | 'clientAuthentication'
  | 'timeoutMs'
  | 'totalTimeoutMs'
  | 'logger'
  | 'userAgent'
  | 'onAuthFailure'
  | 'onFewerScopes'
  | 'onReach'
> & {
  readonly network: Network;
};

/** Loads the client library on first use. The caller closes the client, which also closes the network. */
export async function openClient(
  profile: ConnectionProfile,
  { network, ...options }: OpenClientOptions,
): Promise<ServiceClient> {
  const { createClient } = await import('#api/client/client.ts');
  const { baseUrl, authUrl, environment, clientId } = profile;
  const client = createClient({
    baseUrl,
    authUrl,
    environment,
    clientId,
    scopes: scopesOf(profile),
    ...options,
    ...network.carrier,
  });
  return {
    ...client,
    async close() {
      await client.close();
      await network.close();
    },
  };
}
