/** The configuration of a connection: addresses, names and permissions, never a secret. */
import { createHash } from 'node:crypto';
import type { ExecutePaging } from '#api/client/execute-paging.ts';
import type { SentValues } from '#api/client/query-calls.ts';
import type { ClientAuthentication } from '#api/client/requests/token.ts';
import { isLoopback, resolveDeployment } from '#api/contract/deployment.ts';
import type { ScopeName } from '#api/contract/token.ts';
import type { AgentLevel } from './agent-level.ts';

/** Colors that identify a connection; each has a theme color (package.json, `colors`). */
export const connectionColours = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type ConnectionColour = (typeof connectionColours)[number];

/** The scopes that a connection requests, as written in its setting. */
export const connectionScopes = ['read', 'read and write'] as const;
export type ConnectionScopes = (typeof connectionScopes)[number];

export const clientAuthentications: readonly ClientAuthentication[] = ['basic', 'body'];

/** How values of parameters reach the service: beside the query's text, or in it, as quoted and typed literals. */
export const executeValues: readonly SentValues[] = ['parameters', 'literals'];

/** The source from which a client secret is read each time a token is needed, instead of secret storage. */
export type SecretSource =
  | { readonly kind: 'variable'; readonly name: string }
  /** A program and its arguments, started without a shell; the secret is the first line it prints. */
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };

/** A connection's entries that can run a program, read a variable, write data or weaken encryption. */
export interface Powers {
  /** Whether this connection may change the service's data, such as memberships and assignments. Off by default. */
  readonly allowChanges: boolean;
  /** Whether http:// addresses outside this machine are explicitly allowed. */
  readonly allowPlainHttp: boolean;
  /** Undefined if the secret is in the editor's secret storage. */
  readonly secretSource?: SecretSource | undefined;
}

/** The user's answer to a folder's permission request. */
export type FolderAnswer = 'allowed' | 'refused';

/** The origin of a connection outside the user's own settings: a folder, or a workspace file. */
export interface FolderEntry {
  /** Display name of the folder. */
  readonly folder: string;
  readonly uri: string;
  /** Digest of the folder and its whole entry. An answer applies only to this digest. */
  readonly digest: string;
  /** The permissions that the entry requests, which take effect once allowed; undefined if there are none. */
  readonly wants: Powers | undefined;
  readonly answer: FolderAnswer | undefined;
}

export interface ConnectionProfile extends Powers {
  /** The display name, unique among the configured connections. */
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly environment?: string | undefined;
  readonly clientId: string;
  /** If undefined, both scopes are requested, with a fallback to read if the token endpoint refuses write. */
  readonly scopes?: ConnectionScopes | undefined;
  /** Short text shown next to the name, for example `PROD`. */
  readonly label?: string | undefined;
  readonly colour?: ConnectionColour | undefined;
  /** Whether the status bar marks the connection, so that production is never mistaken for a test system. */
  readonly protected: boolean;
  /** The agent level as written; `policy/agent-levels` computes the effective level. Undefined means `off`. */
  readonly ai?: AgentLevel | undefined;
  /** Additional patterns for columns whose values agents never see; `!` before a pattern makes an exception. */
  readonly sensitiveColumns?: readonly string[] | undefined;
  /** Undefined means HTTP Basic. */
  readonly clientAuthentication?: ClientAuthentication | undefined;
  /** Undefined means `parameters`. */
  readonly executeValues?: SentValues | undefined;
  /** How the service pages results, settled by hand; learned if undefined. */
  readonly executePaging?: ExecutePaging | undefined;
  /**
   * `settings` connections are stored in the settings. Others last until the window closes and have their own secrets.
   */
  readonly source: 'settings' | 'environment' | 'sandbox' | 'local';
  /** Identifies the database behind a `local` connection, whose port changes. */
  readonly localKey?: string | undefined;
  /** Undefined for the user's own connections. */
  readonly folderEntry?: FolderEntry | undefined;
}

export function scopesOf({ scopes }: Pick<ConnectionProfile, 'scopes'>): readonly ScopeName[] {
  return scopes === 'read' ? ['read'] : ['read', 'write'];
}

export const sandboxKey = 'sandbox';

/**
 * Returns a key that identifies the target of a profile across restarts and renames, for data that is stored locally
 * per connection. The key is a hash of the addresses, environment and client ID, so it reveals nothing. The sandbox and
 * the services over own databases have their own keys, since their ports change.
 */
export function connectionKeyOf(profile: ConnectionProfile): string {
  if (profile.source === 'sandbox') return sandboxKey;
  return profile.localKey ?? digestOf(profile);
}

/** Returns a key that identifies the profile's service, regardless of its name or client. */
export function serviceKeyOf(profile: ConnectionProfile): string {
  if (profile.source === 'sandbox') return sandboxKey;
  if (profile.localKey !== undefined) return profile.localKey;
  return createHash('sha256').update(resolveDeployment(profile).baseUrl).digest('hex').slice(0, 16);
}

/**
 * Returns the key of a profile's secret, derived from the addresses so that a secret is sent only to the addresses it
 * was entered for. A workspace with a connection of that name but a different address does not get the secret. Only
 * the settings' connections share a secret: those of the environment and the sandbox have their own.
 */
export function secretKeyOf(profile: ConnectionProfile): string {
  const owner = profile.source === 'settings' ? '' : `${profile.source}.`;
  return `identityQueries.secret.${owner}${digestOf(profile)}`;
}

function digestOf(profile: ConnectionProfile): string {
  const { baseUrl, authUrl } = resolveDeployment(profile);
  return createHash('sha256').update([baseUrl, authUrl, profile.clientId].join('\n')).digest('hex');
}

/** Returns the addresses as requests use them, to show them: with the environment, and hosts in their own letters. */
export function usedAddresses(
  profile: Pick<ConnectionProfile, 'baseUrl' | 'authUrl' | 'environment'>,
): ReturnType<typeof resolveDeployment> {
  const { baseUrl, authUrl } = resolveDeployment(profile);
  return { baseUrl: asUsed(baseUrl), authUrl: asUsed(authUrl) };
}

/** Returns an address as it is used: without letters that look like others, in a host that is another one then. */
export function asUsed(address: string): string {
  if (!URL.canParse(address)) return address;
  const { href } = new URL(address);
  return address.endsWith('/') ? href : href.replace(/^(\w+:\/\/[^/]+)\/$/, '$1');
}

/** The problem with an address. `plain-http` means that a token would cross the network unencrypted. */
export type AddressProblem =
  | 'invalid'
  | 'not-http'
  | 'plain-http'
  | 'credentials'
  | 'secret-in-query'
  | 'placeholder'
  | 'more-than-path'
  | 'version';

/** A path that ends in /v1, or in a route of the service, as copied from a request. A prefix of a gateway may have /v1, too. */
const endsInRoute =
  /\/v1(?:\/*|\/(?:accounts|account-roles|action-jobs|activities|assigned-applications|authenticators|authenticator-enrollments|downloads|enrollment-via-authenticator|entity-assigned-access-to-object|groups|person-is-employee|query|roles|schema)(?:\/.*)?)$/i;

const secretName =
  /secret|passw|pwd|credential|(?:token|key|signature)$|^(?:assertion|auth|code|jwt|sas|sig)$/i;

/** @param use the base address, to which paths are added, or the address of the token endpoint, used as it is. */
export function addressProblem(
  address: string,
  use: 'baseUrl' | 'authUrl' = 'authUrl',
): AddressProblem | undefined {
  const probe = address.replaceAll('{environment}', 'prod');
  if (/[{}<>]|%7[bd]/i.test(probe)) return 'placeholder';
  if (!URL.canParse(probe)) return 'invalid';
  const url = new URL(probe);
  if (url.username !== '' || url.password !== '') return 'credentials';
  // A tenant or a policy may be in the query of a token address, but no secret, which would be shown with it.
  if ([...url.searchParams.keys()].some((name) => secretName.test(name))) return 'secret-in-query';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not-http';
  if (probe.includes('#') || (use === 'baseUrl' && probe.includes('?'))) return 'more-than-path';
  if (use === 'baseUrl' && endsInRoute.test(url.pathname)) return 'version';
  return url.protocol === 'https:' || isLoopback(url.hostname) ? undefined : 'plain-http';
}

/**
 * Returns whether a string is a valid environment name. The name becomes part of host names and paths, so it must not
 * contain characters that separate their parts.
 */
export function isEnvironmentName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/.test(text);
}
