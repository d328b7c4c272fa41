/**
 * The address of a person's own PostgreSQL database: `postgres://user@host:5432/database`, with the parameters that
 * libpq gives the same meaning. The password is cut out before anything else sees the address.
 */
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { t } from './texts.ts';

const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

export interface Target {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: TlsMode;
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** For messages; contains no secret. */
  readonly shown: string;
  /** Identifies host, port, database and user; reveals none of them. */
  readonly digest: string;
}

export type ParsedTarget =
  | {
      readonly kind: 'target';
      readonly target: Target;
      readonly password: string | undefined;
      /** The address without its password. */
      readonly address: string;
    }
  /** A sentence that quotes nothing of the address but names of parameters. */
  | { readonly kind: 'problem'; readonly problem: string };

/** Accepted, but without meaning here: the service decides them. */
const ignored = new Set([
  'application_name',
  'connect_timeout',
  'channel_binding',
  'gssencmode',
  'keepalives',
]);
const understood = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'port', 'user', 'dbname']);

export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text);

export function parseTarget(text: string): ParsedTarget {
  const trimmed = text.trim();
  const problem = (words: string): ParsedTarget => ({ kind: 'problem', problem: words });
  const isUrl = isPostgresUrl(trimmed) && !/[\s\p{Cc}]/u.test(trimmed);
  if (mayShowPassword(trimmed))
    return problem(
      t(
        'Part of the address after the server has an @ in it. In a name or a password, write @ as %40, / as %2F, ? as %3F and # as %23.',
      ),
    );
  if (hostsOf(trimmed).includes(',')) return problem(t('Name one host: a service reads one server.'));
  const url = isUrl ? urlOf(trimmed) : null;
  if (url === null) return problem(t('The address must look like postgres://user@host:5432/database.'));
  if (url.hash !== '')
    return problem(t('The address has a # in it. In a name or a password, write it as %23.'));
  const parameters = url.searchParams;
  if (parameters.has('password'))
    return problem(t('Leave the password out of the parameters of the address.'));
  const unknown = [...parameters.keys()].find((name) => !understood.has(name) && !ignored.has(name));
  if (unknown !== undefined)
    return problem(t('The address has the parameter "{0}", which is not known here.', unknown.slice(0, 40)));
  let user: string, password: string, host: string, database: string;
  try {
    user = parameters.get('user') ?? decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
    host = parameters.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, '$1'));
    database = parameters.get('dbname') ?? decodeURIComponent(url.pathname.slice(1));
  } catch {
    return problem(t('The address has a % that encodes nothing. A % itself is written as %25.'));
  }
  if ([user, host, database].some((part) => part.includes('\0')))
    return problem(t('The address has a NUL character in it.'));
  if (user === '') user = userInfo().username;
  if (host === '') host = 'localhost';
  if (database === '') database = user;
  const port = Number(parameters.get('port') ?? (url.port === '' ? '5432' : url.port));
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return problem(t('The port must be from 1 to 65535.'));
  const asked = parameters.get('sslmode');
  const rootCertificate = parameters.get('sslrootcert') ?? undefined;
  const tls = asked === null ? defaultMode(host, rootCertificate) : tlsModes.find((mode) => mode === asked);
  if (tls === undefined) return problem(t('sslmode must be one of {0}.', tlsModes.join(', ')));
  return {
    kind: 'target',
    password: password === '' ? undefined : password,
    address: trimmed.replace(
      /^(\w+:\/\/)([^/?#]*)@/,
      (_, scheme: string, who: string) => `${scheme}${who.replace(/:.*$/, '')}@`,
    ),
    target: {
      host,
      port,
      database,
      user,
      tls,
      rootCertificate,
      certificate: parameters.get('sslcert') ?? undefined,
      key: parameters.get('sslkey') ?? undefined,
      shown: `${user}@${host.includes(':') ? `[${host}]` : host}:${port}/${database}`,
      digest: createHash('sha256')
        .update(JSON.stringify([host, port, database, user]))
        .digest('hex'),
    },
  };
}

/** Returns the address with another user, for the same database. @param address one that `parseTarget` accepts */
export function withUser(address: string, { database }: Target, user: string): string {
  const url = urlOf(address);
  if (url === null) throw new TypeError('not an address');
  url.username = encodeURIComponent(user);
  url.password = '';
  url.searchParams.delete('user'); // it would win
  // The database of an address without one has the name of its user.
  if ((url.searchParams.get('dbname') ?? url.pathname.slice(1)) === '')
    url.searchParams.set('dbname', database);
  return url.toString();
}

/**
 * Returns whether a password may be in a part that is shown: after a / ? or # that is not encoded, the password up to
 * its @ would be read as port, database or parameters.
 */
export function mayShowPassword(address: string): boolean {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(address) ?? [];
  const beforeAt = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  // The colons of an IPv6 address are no password's.
  return rest.includes('@') && `${authority.replace(/(^|@)\[[\da-f:.]*\]$/i, '')}${beforeAt}`.includes(':');
}

/** The host may be empty if a parameter names it, which a URL's parser does not accept. */
function urlOf(address: string): URL | null {
  const isWithout = hostsOf(address) === '';
  return URL.parse(isWithout ? address.replace(/^(\w+:\/\/[^/?#]*)/, '$1localhost') : address);
}

function hostsOf(address: string): string {
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(address) ?? [];
  return authority.slice(authority.lastIndexOf('@') + 1);
}

/**
 * Servers elsewhere must prove who they are, unless the address says otherwise. So must all if the system's authorities
 * are to be asked, as in libpq.
 */
function defaultMode(host: string, rootCertificate: string | undefined): TlsMode {
  if (rootCertificate === 'system') return 'verify-full';
  const isHere = host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host);
  return isHere ? 'prefer' : 'verify-full';
}
