/**
 * The PostgreSQL server behind a sandbox: chooses the host and role, and ensures that only one sandbox uses a database.
 */
import { schemaNames } from '../data/tables/schema.ts';
import type { Log } from '../log.ts';
import { asUser, type ServerAddress } from './address.ts';
import { reasonOf, ServerConnection } from './connection.ts';
import {
  checkOwnership,
  ForeignObjectsError,
  makeReaders,
  readerName,
  removeAll,
  type Reader,
} from './schemas.ts';

/** A message for the operator who started the sandbox. */
export class ServerError extends Error {}

/** "IQsb" in ASCII: key of the advisory lock that a running sandbox holds in its database. */
const lockKey = 0x49_51_73_62;

export interface ServerFacts {
  /** For example `15.18`. */
  readonly version: string;
  readonly database: string;
}

export class Server {
  readonly #address: ServerAddress;
  readonly #log: Log;
  #url: string | undefined;
  #admin: Promise<ServerConnection> | undefined;
  #readers: ReadonlyMap<string, Reader> = new Map();
  #facts: ServerFacts = { version: '', database: '' };

  constructor(address: ServerAddress, log: Log) {
    this.#address = address;
    this.#log = log;
  }

  get facts(): ServerFacts {
    return this.#facts;
  }

  get shown(): string {
    return this.#address.shown;
  }

  /** URL of the host in use, with the address's user. */
  get url(): string {
    return this.#url ?? '';
  }

  readerOf(schema: string): string {
    return this.#readers.get(schema)?.name ?? '';
  }

  /**
   * Connects, checks that no other objects conflict, and creates the reader roles.
   * @throws ServerError with a plain-language message.
   */
  async open(): Promise<void> {
    await this.#inPlainWords(async () => {
      const admin = await this.admin();
      const [row] = await admin.rows<ServerFacts & { encoding: string }>(
        `SELECT current_setting('server_version') AS version, current_database() AS database,
          current_setting('server_encoding') AS encoding`,
      );
      if (row === undefined) throw new Error('it says nothing of itself');
      const { encoding, ...facts } = row;
      this.#facts = { ...facts, version: facts.version.split(' ')[0] ?? '' };
      if (encoding !== 'UTF8') {
        throw new ForeignObjectsError(
          `its encoding is ${encoding}, and the data needs UTF8. Use a database created with ENCODING 'UTF8'`,
        );
      }
      await checkOwnership(
        admin,
        schemaNames.map((schema) => readerName(schema, facts.database)),
      );
      this.#readers = await makeReaders(admin, facts.database);
      for (const schema of schemaNames) await (await this.connectReader(schema)).close();
    });
  }

  /**
   * Removes everything that sandboxes created in this database.
   * @throws ServerError with a plain-language message.
   */
  async remove(): Promise<void> {
    await this.#inPlainWords(async () => {
      const admin = await this.admin();
      const [row] = await admin.rows<{ database: string }>('SELECT current_database() AS database');
      const database = row?.database ?? '';
      await checkOwnership(
        admin,
        schemaNames.map((schema) => readerName(schema, database)),
      );
      await removeAll(admin, database);
    });
  }

  /** Returns the connection for the sandbox's own tasks, on the first writable host. It holds the lock. */
  async admin(): Promise<ServerConnection> {
    const current = await this.#admin?.catch(() => undefined);
    if (current?.isBroken === false) return current;
    this.#admin = this.#connectAdmin();
    this.#admin.catch(() => undefined); // handled by callers that await it
    return await this.#admin;
  }

  /** Opens a connection to the current host as the role that reads `schema`. */
  async connectReader(schema: string): Promise<ServerConnection> {
    const reader = this.#readers.get(schema);
    if (reader === undefined) throw new Error(`No role reads ${schema}.`);
    const connection = await ServerConnection.open(asUser(this.url, reader.name, reader.password));
    // Where supported (PostgreSQL 14 on Linux), the server cancels queries if the sandbox is gone.
    await connection.exec('SET client_connection_check_interval = 1000').catch(() => undefined);
    return connection;
  }

  async close(): Promise<void> {
    const admin = await this.#admin?.catch(() => undefined);
    await admin?.close();
  }

  async #connectAdmin(): Promise<ServerConnection> {
    const failures: string[] = [];
    let last: unknown;
    for (const url of this.#address.urls) {
      let connection: ServerConnection | undefined;
      try {
        connection = await ServerConnection.open(url);
        if (await isReadOnly(connection)) {
          failures.push('it takes no writes (a standby)');
        } else {
          await takeLock(connection);
          if (this.#url !== undefined) this.#log('Connected to PostgreSQL anew');
          this.#url = url;
          return connection;
        }
      } catch (error) {
        connection?.destroy();
        if (error instanceof ForeignObjectsError) throw error;
        last = error;
        failures.push(reasonOf(error));
        continue;
      }
      await connection.close();
    }
    throw new Error([...new Set(failures)].join('; '), { cause: last });
  }

  async #inPlainWords(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const advice =
        code === '42501'
          ? 'The user needs the right to create roles (CREATEROLE) and schemas (CREATE on the database): use another user, or have it granted.'
          : 'Check the address, the user and the password.';
      const reason = reasonOf(error);
      throw new ServerError(
        `The database at ${this.shown} cannot be used: ${reason}.${error instanceof ForeignObjectsError ? '' : ` ${advice}`}`,
        { cause: error },
      );
    }
  }
}

async function isReadOnly(connection: ServerConnection): Promise<boolean> {
  const [row] = await connection.rows<{ value: string }>(
    "SELECT current_setting('transaction_read_only') AS value",
  );
  return row?.value === 'on';
}

async function takeLock(connection: ServerConnection): Promise<void> {
  const [row] = await connection.rows<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    lockKey,
  ]);
  if (row?.taken === true) return;
  throw new ForeignObjectsError('another sandbox is using it. End that one, or use another database');
}
