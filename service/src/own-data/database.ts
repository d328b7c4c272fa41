/** Connections to a person's own PostgreSQL database, as the reading login, and what the database says of itself. */
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { Target } from '#base/postgres-address.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { beginSql } from '../postgres/begin.ts';
import { reasonOf, ServerConnection, type WireLimits } from '../postgres/connection.ts';
import { tlsAttempts, TlsFileError } from './encryption.ts';
import { PasswordMissingError, type PasswordSource } from './password.ts';

/** A sentence for the person who started the service: what happened, to what, and what to do. */
export class OwnDatabaseError extends Error {}

/** Returns what callers of the service are told where the database cannot be used. */
export type Told = (error: OwnDatabaseError) => string;

/** The server refused the user with this password. */
export class PasswordRefusedError extends OwnDatabaseError {}

/** The login can do more than read. */
export class UntrustedLoginError extends OwnDatabaseError {}

const limits: WireLimits = { messageBytes: 16 * 1024 * 1024, runBytes: 2 * 1024 * 1024 * 1024 };

/** With the queries that run, fewer than the connections of a login that `serve init` makes. */
const mostTasks = 2;
/** For a look at the catalogs. */
const inspectMs = 25_000;

export class OwnDatabase {
  readonly target: Target;
  readonly #password: PasswordSource;
  #attempts: Promise<readonly (ConnectionOptions | false)[]> | undefined;
  #using = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(target: Target, password: PasswordSource) {
    this.target = target;
    this.#password = password;
  }

  /** @throws OwnDatabaseError */
  async connect(): Promise<ServerConnection> {
    const { host, port, database, user, shown } = this.target;
    try {
      this.#attempts ??= tlsAttempts(this.target);
      const attempts = await this.#attempts;
      for (const [index, ssl] of attempts.entries()) {
        try {
          return await ServerConnection.open(
            {
              host,
              port,
              database,
              user,
              password: this.#password,
              ssl,
              application_name: 'identity-queries',
            },
            limits,
          );
        } catch (error) {
          if (index === attempts.length - 1 || !isAboutEncryption(error)) throw error;
        }
      }
      throw new Error('there is no way to connect');
    } catch (error) {
      const [reason, advice] = explained(error, this.target, this.#password.from);
      const Refusal = codeOf(error) === '28P01' ? PasswordRefusedError : OwnDatabaseError;
      throw new Refusal(`The database ${shown} cannot be used: ${reason}. ${advice}`, {
        cause: error,
      });
    }
  }

  /**
   * Runs a task of the service itself on a connection, which is then closed. Few run at once, since the login may have
   * few connections: a task must not start another.
   * @throws OwnDatabaseError also if the server fails the task
   */
  async use<Result>(task: (connection: ServerConnection) => Promise<Result>): Promise<Result> {
    if (this.#using >= mostTasks) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#using += 1;
    try {
      const connection = await this.connect();
      try {
        return await task(connection);
      } catch (error) {
        if (error instanceof OwnDatabaseError) throw error;
        if (!(error instanceof pg.DatabaseError) && !connection.isBroken) throw error;
        const reason = reasonOf(error).replace(/\.$/, '');
        throw new OwnDatabaseError(
          `The database ${this.target.shown} could not be read: ${reason}. Try again.`,
          {
            cause: error,
          },
        );
      } finally {
        await connection.close().catch(() => connection.destroy());
      }
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#using -= 1;
      else next(); // it has the place
    }
  }

  /** Runs the service's own queries in one transaction, where nothing but pg_catalog is found by a bare name. */
  async inspect<Result>(look: (rows: Rows) => Promise<Result>): Promise<Result> {
    return await this.use((connection) => inspectOn(connection, look));
  }
}

export type Rows = ServerConnection['rows'];

export interface InspectOptions {
  /** Schemas in which names without one are looked up, besides pg_catalog. */
  readonly schemas?: readonly string[];
  /** False to make temporary views, which are undone. */
  readonly isReadOnly?: boolean;
}

/** @throws OwnDatabaseError if a pooler does not keep a transaction on one connection. */
export async function inspectOn<Result>(
  connection: ServerConnection,
  look: (rows: Rows) => Promise<Result>,
  { schemas = [], isReadOnly = true }: InspectOptions = {},
): Promise<Result> {
  connection.countFromHere();
  try {
    const searchPath = ['pg_catalog', ...schemas];
    await connection.exec(beginSql({ searchPath, timeoutMs: inspectMs, isReadOnly }));
    return await look((sql, values) => connection.rows(sql, values));
  } catch (error) {
    if (error instanceof Error && /statement pooling/.test(error.message))
      throw new OwnDatabaseError(
        'The pooler in front of the database works in statement mode, where one query cannot be kept read-only. Connect to the server itself, or to a pool in transaction or session mode.',
        { cause: error },
      );
    throw error;
  } finally {
    if (!connection.isBroken) await connection.exec('ROLLBACK').catch(() => connection.destroy());
  }
}

function isAboutEncryption(error: unknown): boolean {
  return error instanceof Error && /does not support SSL|no encryption|SSL off|pg_hba/.test(error.message);
}

const certificateCodes = /^(?:ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;
const checkAddress = 'Check host and port, and whether the server runs.';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** TLS alerts about the certificate of a client: 41 no_certificate to 46, 48 unknown_ca, 116 certificate_required. */
const certificateAlerts: ReadonlySet<number> = new Set([41, 42, 43, 44, 45, 46, 48, 116]);
/** Before TLS 1.3, also where a client shows no certificate. */
const handshakeFailure = 40;

/** Returns the number of the TLS alert that the server sent. Where a write fails of it, the code says only EPROTO. */
function alertOf(error: unknown): number | undefined {
  const [, number] = /SSL alert number (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return number === undefined ? undefined : Number(number);
}

function explained(
  error: unknown,
  { host, tls, user, database }: Target,
  passwordFrom: string | undefined,
): readonly [reason: string, advice: string] {
  if (error instanceof TlsFileError)
    return [
      error.message,
      error.file === undefined
        ? 'Correct the address.'
        : 'Correct the file, or name another one in the address.',
    ];
  if (error instanceof PasswordMissingError) return [error.message, error.advice];
  const code = codeOf(error);
  const reason = reasonOf(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      `its certificate is for another host than ${host}`,
      'Use the name that the certificate is for. sslmode=verify-ca in the address accepts any name.',
    ];
  if (code === 'CERT_HAS_EXPIRED') return ['its certificate has expired', 'Renew it on the server.'];
  if (code === 'CERT_NOT_YET_VALID')
    return ['its certificate is not valid yet', 'Check the clocks of the server and of this machine.'];
  if (certificateCodes.test(code))
    return [
      `its certificate is not trusted (${code})`,
      'Name the certificate of its authority with sslrootcert=FILE in the address. sslmode=require encrypts without checking who answers.',
    ];
  if (/establishing an SSL connection/.test(reason))
    return ['what answers there is not PostgreSQL', checkAddress];
  const alert = alertOf(error);
  if (alert !== undefined && certificateAlerts.has(alert))
    return [
      `the server refuses the certificate of this login, or wants one (TLS alert ${alert})`,
      'Name one that the server trusts with sslcert=FILE and sslkey=FILE in the address.',
    ];
  if (alert === handshakeFailure)
    return [
      'the server breaks the encryption off (TLS alert 40): it wants a certificate of this login, or knows none of the ciphers that are offered',
      'Name a certificate that it trusts with sslcert=FILE and sslkey=FILE in the address. If it wants none, look at its TLS settings.',
    ];
  if (/^(?:EPROTO$|ERR_SSL|ERR_OSSL)/.test(code))
    return [
      `no encryption could be agreed on (${code})`,
      'Check that PostgreSQL with TLS 1.2 or later answers there.',
    ];
  if (/terminated unexpectedly|ECONNRESET|connection was closed|no answer within/.test(reason))
    return [
      reason.replace(/^Connection terminated.*/, 'the connection was closed'),
      'Check that PostgreSQL answers at this host and port.',
    ];
  if (/does not support SSL/.test(reason))
    return [
      `it does not encrypt, and sslmode is ${tls}`,
      'Turn TLS on in the server, or write sslmode=disable in the address if the network is yours.',
    ];
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
      return [reason, checkAddress];
    case '28P01':
      return [
        reason,
        `Check ${user} and its password${passwordFrom === undefined ? '' : `, which is from ${passwordFrom}`}.`,
      ];
    case '28000': {
      const words = error instanceof Error ? error.message : reason;
      return [
        `the server does not let this user in: ${words}`,
        /certificate/.test(words)
          ? 'Name the certificate and the key of this login with sslcert=FILE and sslkey=FILE in the address.'
          : 'Check the user, its password, and pg_hba.conf on the server.',
      ];
    }
    case '57P03':
      return [reason, 'Wait a moment, then try again.'];
    case '3D000':
      return [reason, 'Check the name of the database.'];
    case '42501':
      return [
        reason,
        `Allow it: GRANT CONNECT ON DATABASE ${quoteIdentifier(database)} TO ${quoteIdentifier(user)};`,
      ];
    case '53300':
      return [reason, "Raise the login's CONNECTION LIMIT, or end other sessions."];
    default:
      return [reason.replace(/\.$/, ''), 'Check the address, the user and the password.'];
  }
}
