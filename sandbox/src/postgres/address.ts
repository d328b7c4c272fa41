/** Where PostgreSQL is: a `postgres://` address, with several hosts for a cluster. What is shown of it holds no secret. */

export interface ServerAddress {
  /** One address a host, in the order given. */
  readonly urls: readonly string[];
  /** For messages: hosts and database. */
  readonly shown: string;
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/** Undefined when the text is no such address, or names its user anywhere but before the @. */
export function parseAddress(text: string): ServerAddress | undefined {
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

/** The same place for another user. */
export function asUser(url: string, user: string, password: string): string {
  const [, scheme = '', , host = '', path = '', query] = shape.exec(url) ?? [];
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `${scheme}${credentials}@${host}${path}${query === undefined ? '' : `?${query}`}`;
}
