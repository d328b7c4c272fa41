/** Certificates: trusted authorities and the client's own. */
import { createSecureContext, getCACertificates, rootCertificates } from 'node:tls';
import { readNamed } from '#base/files/bounded-file.ts';
import { CertificateError } from '../errors.ts';

export interface CertificateOptions {
  /** PEM file of certificates to trust in addition to the system's and Node's own. */
  readonly caFile?: string | undefined;
  /** Whether to trust the system's certificates. Default: true. */
  readonly useSystemCertificates?: boolean | undefined;
  /**
   * The client's own certificate: a PEM file with its key next to it in `keyFile` (or in the same file), or a PKCS #12
   * file.
   */
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Passphrase for the key or PKCS #12 file. */
  readonly passphrase?: string | undefined;
}

/**
 * Returns the trusted authorities; undefined if Node's defaults suffice.
 * @throws CertificateError
 */
export async function authorities(options: CertificateOptions): Promise<string[] | undefined> {
  const extra = isEmpty(options.caFile) ? [] : await readCertificates(options.caFile);
  const system = options.useSystemCertificates === false ? [] : certificatesOf('system', []);
  if (extra.length + system.length === 0) return undefined;
  // `default` covers Node's own certificates and those in NODE_EXTRA_CA_CERTS.
  return [...certificatesOf('default', rootCertificates), ...system, ...extra];
}

/**
 * Returns the client certificate for a secure context; undefined if none is set.
 * @throws CertificateError
 */
export async function clientIdentity(
  options: CertificateOptions,
): Promise<
  { pfx: Buffer; passphrase?: string } | { cert: string; key: string; passphrase?: string } | undefined
> {
  const { certificateFile, keyFile } = options;
  if (isEmpty(certificateFile)) return undefined;
  const passphrase = isEmpty(options.passphrase) ? {} : { passphrase: options.passphrase };
  const content = await read(certificateFile);
  const isPem = content.includes('-----BEGIN ');
  const identity = isPem
    ? {
        cert: content.toString('utf8'),
        key: isEmpty(keyFile) ? content.toString('utf8') : (await read(keyFile)).toString('utf8'),
        ...passphrase,
      }
    : { pfx: content, ...passphrase };
  try {
    createSecureContext(identity);
  } catch (error) {
    throw new CertificateError(isLocked(error) ? 'passphrase' : 'unusable', certificateFile, error);
  }
  return identity;
}

/** Returns whether OpenSSL reports a wrong passphrase for a key or PKCS #12 file. */
function isLocked(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/BAD_PASS|BAD_DECRYPT|INTERRUPTED_OR_CANCELLED|NEED_PASSPHRASE/.test(code)) return true;
  // Node sets no code for a PKCS #12 file.
  return error instanceof Error && /mac verify failure|bad decrypt|bad password/i.test(error.message);
}

function isEmpty(text: string | undefined): text is undefined | '' {
  return text === undefined || text === '';
}

/** Far more than any bundle of certificates has. */
const bytesMax = 16 * 1_048_576;

async function read(file: string): Promise<Buffer> {
  try {
    return await readNamed(file, bytesMax);
  } catch (error) {
    throw new CertificateError('unreadable', file, error);
  }
}

async function readCertificates(file: string): Promise<string[]> {
  const text = (await read(file)).toString('utf8');
  const found = [...certificatesIn(text)];
  if (found.length === 0) throw new CertificateError('no-certificate', file);
  return found;
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** Yields the certificates in PEM text. A regular expression would take quadratic time. */
function* certificatesIn(text: string): Generator<string, undefined> {
  for (let from = text.indexOf(begin); from >= 0;) {
    const to = text.indexOf(end, from);
    if (to < 0) return;
    yield text.slice(from, to + end.length);
    from = text.indexOf(begin, to);
  }
}

/** Returns the certificates of one kind. Runtimes older than Node 22.15 cannot list them and use `otherwise`. */
function certificatesOf(kind: 'system' | 'default', otherwise: readonly string[]): readonly string[] {
  const get = getCACertificates as typeof getCACertificates | undefined; // absent in older runtimes
  try {
    return get?.(kind) ?? otherwise;
  } catch {
    return otherwise; // the runtime was built without access to the system's store
  }
}
