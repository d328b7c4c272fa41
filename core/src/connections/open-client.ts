/** Opens a connection's client with its secret, permissions and network settings. */
import type { ClientOptions, ServiceClient } from '#api/client/client.ts';
import type { Carrier } from '#api/client/requests/transport.ts';
import { isLoopback } from '#api/contract/deployment.ts';
import type { Memory } from '../memory/memory.ts';
import { connectionKeyOf, scopesOf, type ConnectionProfile } from './connection-profile.ts';

/** The transport for requests, usable until closed. */
export interface Network {
  readonly carrier: Carrier;
  close(): Promise<void>;
}

export type OpenClientOptions = Pick<
  ClientOptions,
  | 'clientSecret'
  | 'timeoutMs'
  | 'totalTimeoutMs'
  | 'rateLimit'
  | 'logger'
  | 'userAgent'
  | 'onAuthFailure'
  | 'onGrantedScopes'
  | 'onReach'
> & {
  readonly network: Network;
  /** Where what was learned of the service is kept. */
  readonly memory: Memory;
};

/** Loads the client library on first use. The caller closes the client, which also closes the network. */
export async function openClient(
  profile: ConnectionProfile,
  { network, memory, ...options }: OpenClientOptions,
): Promise<ServiceClient> {
  const [{ createClient }, { KeptPaging }] = await Promise.all([
    import('#api/client/client.ts'),
    import('./kept-paging.ts'),
  ]);
  const { baseUrl, authUrl, environment, clientId } = profile;
  const key = connectionKeyOf(profile);
  const kept = isLastingService(profile) ? new KeptPaging(memory) : undefined;
  let keeping: Promise<void> | undefined;
  const client = createClient({
    baseUrl,
    authUrl,
    environment,
    clientId,
    clientAuthentication: profile.clientAuthentication,
    scopes: scopesOf(profile),
    executePaging: profile.executePaging,
    executeValues: profile.executeValues,
    keptExecutePaging: await kept?.load(key),
    onExecutePaging: (paging) => {
      keeping = kept?.save(key, paging);
    },
    ...options,
    ...network.carrier,
  });
  return {
    ...client,
    async close() {
      await keeping;
      await client.close();
      await network.close();
    },
  };
}

/** A service on this machine is started and stopped at will: at its address, the next one may be another. */
function isLastingService({ source, baseUrl }: ConnectionProfile): boolean {
  const isStarted = source === 'sandbox' || source === 'local';
  return !isStarted && URL.canParse(baseUrl) && !isLoopback(new URL(baseUrl).hostname);
}
