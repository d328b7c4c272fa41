/** A connection as it is configured: addresses, names and rights, never a secret. */
import { createHash } from 'node:crypto';
import { isLoopback, resolveDeployment } from '../../../api/contract/deployment.ts';
import type { ScopeName } from '../../../api/contract/token.ts';
import type { AgentLevel } from './agent-level.ts';

/** Colours a connection can be told by; each has a theme colour of ours (package.json, `colors`). */
export const connectionColours = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type ConnectionColour = (typeof connectionColours)[number];

/** What a connection asks the token endpoint for, as its setting says it. */
export const connectionScopes = ['read', 'read and write'] as const;
export type ConnectionScopes = (typeof connectionScopes)[number];

/** Where a client secret is read from each time a token is needed, in place of the secret storage. */
export type SecretSource =
  | { readonly kind: 'variable'; readonly name: string }
  /** A program and its arguments, started without a shell; the secret is the first line it prints. */
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };

/** What of a connection can run a program, read a variable, write data or lay open what is sent. */
export interface Powers {
  /** Whether this connection may change data of the service (memberships, assignments): off unless somebody said so. */
  readonly allowChanges: boolean;
  /** The explicit yes to an address with http:// outside this machine. */
  readonly allowPlainHttp: boolean;
  /** Undefined: the secret storage of the editor. */
  readonly secretSource?: SecretSource | undefined;
}

/** What a person said to the powers that a folder wants. */
export type FolderAnswer = 'allowed' | 'refused';

/** Where a connection comes from that is not in the user's own settings: a folder, or a file of a workspace. */
export interface FolderEntry {
  /** Shown to people. */
  readonly folder: string;
  readonly uri: string;
  /** Of the folder and of all that its entry says: what an answer counts for. */
  readonly digest: string;
  /** What the entry asks for, in force only once it is allowed; undefined: nothing. */
  readonly wants: Powers | undefined;
  readonly answer: FolderAnswer | undefined;
}

export interface ConnectionProfile extends Powers {
  /** Shown to people; unique among the configured connections. */
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly environment?: string | undefined;
  readonly clientId: string;
  /** Undefined: both, and read alone where the token endpoint refuses that. */
  readonly scopes?: ConnectionScopes | undefined;
  /** Short text shown beside the name, for example `PROD`. */
  readonly label?: string | undefined;
  readonly colour?: ConnectionColour | undefined;
  /** Marked in the status bar so that nobody takes production for a playground. */
  readonly protected: boolean;
  /** What agents may do here, as it is written; what is in force says `policy/agent-levels`. Undefined: nothing. */
  readonly ai?: AgentLevel | undefined;
  /** Patterns besides the usual ones, of columns whose values agents never see; `!` before one opens it. */
  readonly sensitiveColumns?: readonly string[] | undefined;
  /** `settings` lives in the settings; the others last as long as the window and bring their secret along. */
  readonly source: 'settings' | 'environment' | 'sandbox';
  /** Undefined: the connection is the user's own. */
  readonly folderEntry?: FolderEntry | undefined;
}

export function scopesOf({ scopes }: Pick<ConnectionProfile, 'scopes'>): readonly ScopeName[] {
  return scopes === 'read' ? ['read'] : ['read', 'write'];
}

/** The key of the sandbox. */
export const sandboxKey = 'sandbox';

/**
 * Names what a profile connects to, the same after a restart and under another name: for whatever is kept locally of a
 * connection. A hash of the addresses, the environment and the client id, so it says nothing of them; the sandbox, whose
 * port changes, is always the same.
 */
export function connectionKeyOf(profile: ConnectionProfile): string {
  return profile.source === 'sandbox' ? sandboxKey : digestOf(profile);
}

/** Names a service, whatever the connection to it is called and whoever connects. */
export function serviceKeyOf(profile: ConnectionProfile): string {
  if (profile.source === 'sandbox') return sandboxKey;
  return createHash('sha256').update(resolveDeployment(profile).baseUrl).digest('hex').slice(0, 16);
}

/**
 * The key of a profile's secret. It is made from the addresses, so a secret goes only where it was entered for: a
 * workspace that brings a connection of the same name with another address does not get it.
 */
export function secretKeyOf(profile: ConnectionProfile): string {
  return `identityQueries.secret.${digestOf(profile)}`;
}

function digestOf(profile: ConnectionProfile): string {
  const { baseUrl, authUrl } = resolveDeployment(profile);
  return createHash('sha256').update([baseUrl, authUrl, profile.clientId].join('\n')).digest('hex');
}

/** What is wrong with an address, or undefined. `plain-http`: a token would cross the network in clear. */
export type AddressProblem = 'invalid' | 'not-http' | 'plain-http' | 'credentials';

export function addressProblem(address: string): AddressProblem | undefined {
  const probe = address.replaceAll('{environment}', 'prod');
  if (!URL.canParse(probe)) return 'invalid';
  const url = new URL(probe);
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'not-http';
  return isLoopback(url.hostname) ? undefined : 'plain-http';
}

/** It stands in host names and paths of addresses, so it must not be able to end one and begin another. */
export function isEnvironmentName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/.test(text);
}
