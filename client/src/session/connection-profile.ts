/** A connection as it is configured: addresses and names, never a secret. */
import { createHash } from 'node:crypto';
import { resolveDeployment } from '../../../api/contract/deployment.ts';

export interface ConnectionProfile {
  /** Shown to people; unique among the configured connections. */
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly environment?: string | undefined;
  readonly clientId: string;
  /** Marked in the status bar so that nobody takes production for a playground. */
  readonly protected: boolean;
  /** `settings` lives in the settings; the others last as long as the window and bring their secret along. */
  readonly source: 'settings' | 'environment' | 'sandbox';
}

/**
 * The key of a profile's secret. It is made from the addresses, so a secret goes only where it was entered for: a
 * workspace that brings a connection of the same name with another address does not get it.
 */
export function secretKeyOf(profile: ConnectionProfile): string {
  const { baseUrl, authUrl } = resolveDeployment(profile);
  const digest = createHash('sha256').update([baseUrl, authUrl, profile.clientId].join('\n')).digest('hex');
  return `identityQueries.secret.${digest}`;
}

/** What is wrong with an address, or undefined. Plain HTTP is for this machine only: a token would cross the network in clear. */
export function addressProblem(address: string): 'invalid' | 'not-http' | 'plain-http' | undefined {
  const probe = address.replaceAll('{environment}', 'prod');
  if (!URL.canParse(probe)) return 'invalid';
  const url = new URL(probe);
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'not-http';
  return isLoopback(url.hostname) ? undefined : 'plain-http';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
