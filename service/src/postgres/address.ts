/**
 * The address of a PostgreSQL server: a `postgres://` URL, with several hosts for a cluster. The displayed form
 * contains no secret.
 */
import { mayShowPassword } from '#base/postgres-address.ts';

export interface ServerAddress {
  /** One URL per host, in the given order. */
  readonly urls: readonly string[];
  /** Hosts and database, for messages. */
  readonly shown: string;
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/** Parses an address. Returns undefined if it is invalid, names the user anywhere but before the @, or may show a password. */
export function parseAddress(text: string): ServerAddress | undefined {
  if (mayShowPassword(text)) return undefined;
  const [, scheme, user, hosts = '', path = '', query] = shape.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const parameters = new URLSearchParams(query ?? '');
  if (parameters.has('user') || parameters.has('password')) return undefined;
  const members = hosts.split(',').map((host) => host.trim());
  const urls = members.map(
    (host) =>
      `${scheme}${user === undefined ? '' : `${user}@`}${host}${path}${query === undefined ? '' : `?${query}`}`,
  );
  if (members.length > 1 && members.includes('')) return undefined;
  return { urls, shown: `${hosts === '' ? (parameters.get('host') ?? 'localhost') : hosts}${path}` };
}

/** Returns the address with a different user. */
export function asUser(url: string, user: string, password: string): string {
  const [, scheme = '', , host = '', path = '', query] = shape.exec(url) ?? [];
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `${scheme}${credentials}@${host}${path}${query === undefined ? '' : `?${query}`}`;
}
