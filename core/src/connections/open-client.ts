/** A client of a connection: its secret, its rights and the network's ways, put together in one place. */
import type { ClientOptions, ServiceClient } from '../../../api/client/client.ts';
import type { Carrier } from '../../../api/client/requests/transport.ts';
import { scopesOf, type ConnectionProfile } from './connection-profile.ts';

/** What carries requests, until it is closed. */
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

/** The client is loaded when it is first needed. Whoever opens it closes it, and its network with it. */
export async function openClient(
  profile: ConnectionProfile,
  { network, ...options }: OpenClientOptions,
): Promise<ServiceClient> {
  const { createClient } = await import('../../../api/client/client.ts');
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
