/** How to encrypt the connection to a person's own database, as libpq means the address. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext, type ConnectionOptions, type SecureContextOptions } from 'node:tls';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import type { Target } from '#base/postgres-address.ts';

/** A certificate or key that cannot be used, or that is missing. The message says which. */
export class TlsFileError extends Error {
  /** The file that is wrong; undefined if the address is. */
  readonly file: string | undefined;
  constructor(message: string, { file, cause }: { readonly file?: string; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.file = file;
  }
}

/**
 * Returns the ways to connect, to be tried in order: TLS options, or false for a connection that is not encrypted.
 * @throws TlsFileError
 */
export async function tlsAttempts(target: Target): Promise<readonly (ConnectionOptions | false)[]> {
  if (target.host.startsWith('/')) return [false];
  // Such an authority certifies any name to whoever owns it.
  if (target.rootCertificate === 'system' && target.tls !== 'verify-full')
    throw new TlsFileError(`sslrootcert=system needs sslmode=verify-full, and sslmode is ${target.tls}`);
  if (target.tls === 'disable') return [false];
  const { certificate, key } = target;
  const cert = certificate === undefined ? {} : { cert: await certificateIn(certificate) };
  const files: ConnectionOptions = { host: target.host, ...cert };
  if (key !== undefined) {
    files.key = await contentOf(key);
    requireUsable(key, 'key', { key: files.key });
    requireUsable(key, 'key', { ...cert, key: files.key });
  }
  const unchecked: ConnectionOptions = { ...files, rejectUnauthorized: false };
  if (target.tls === 'allow') return [false, unchecked];
  if (target.tls === 'prefer') return [unchecked, false];
  const root = await rootOf(target);
  const chain: ConnectionOptions = { ...files, ...root, rejectUnauthorized: true };
  const chainOnly: ConnectionOptions = { ...chain, checkServerIdentity: () => undefined };
  switch (target.tls) {
    case 'require':
      // As in libpq, a root certificate is used if there is one.
      return [root.ca === undefined ? unchecked : chainOnly];
    case 'verify-ca':
      if (root.ca === undefined)
        throw new TlsFileError(
          'sslmode=verify-ca accepts any name, so it needs sslrootcert=FILE, the certificate of an authority of your own',
        );
      return [chainOnly];
    case 'verify-full':
      return [chain];
  }
}

async function rootOf({ rootCertificate }: Target): Promise<ConnectionOptions> {
  if (rootCertificate === 'system') return {};
  if (rootCertificate !== undefined) return { ca: await certificateIn(rootCertificate) };
  const usual = path.join(homeFolder(), '.postgresql/root.crt');
  return existsSync(usual) ? { ca: await certificateIn(usual) } : {};
}

async function certificateIn(file: string): Promise<Buffer> {
  const cert = await contentOf(file);
  requireUsable(file, 'certificate', { cert });
  return cert;
}

/** @throws TlsFileError */
function requireUsable(file: string, ...given: Parameters<typeof pemProblem>): void {
  const problem = pemProblem(...given);
  if (problem === undefined) return;
  const { words, cause } = problem;
  throw new TlsFileError(`the file ${file} ${words}`, { file, cause });
}

/** Says what is wrong with the content of a file, after its name, and why; undefined if it can be used. */
export function pemProblem(
  name: 'certificate' | 'key',
  given: SecureContextOptions,
): { readonly words: string; readonly cause: unknown } | undefined {
  try {
    createSecureContext(given);
    return undefined;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const words = /^ERR_OSSL_X509_KEY_(?:VALUES|TYPE)_MISMATCH$/.test(code)
      ? 'is not the key of the certificate'
      : `has no ${name} in PEM that can be read without a password`;
    return { words, cause };
  }
}

const mostCertificateBytes = 1_048_576;

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readBounded(file, { maxBytes: mostCertificateBytes });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    throw new TlsFileError(`the file ${file} cannot be used: ${error.message}`, { file, cause: error });
  }
}
