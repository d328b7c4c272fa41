/** State in a PostgreSQL database: for several processes of the service. Only the primary server is used. */
import pg from 'pg';
import type { Target } from '#base/postgres-address.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { unavailable } from '../errors.ts';
import { OwnDatabase, OwnDatabaseError } from '../own-data/database.ts';
import type { ServerConnection } from '../postgres/connection.ts';
import { migrate, requireVersion, versionOf } from './migrate.ts';
import {
  StateError,
  stateIsAway,
  stateIsFull,
  stateIsUncertain,
  textOf,
  UniqueViolation,
  writtenIn,
  type RunSql,
  type StateDatabase,
  type StateRow,
} from './state-database.ts';

const schema = 'identity_queries_state';
const written = writtenIn({
  prefix: `${schema}.`,
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  text: 'TEXT COLLATE "C"',
  integer: 'BIGINT',
  held: 'FOR SHARE',
});

/** A statement of the state is small. Beyond this time, the server hangs or cannot be reached. */
const silentMs = 20_000;

/** Connections of one process. */
const mostConnections = 8;
/** Whatever the login's own default is: of two saves at once, one waits for the other and then sees it. */
const beginSql = 'BEGIN ISOLATION LEVEL READ COMMITTED';
/** Migrations of several processes wait for each other. */
const migrationLock = 7_411_902_350;

/** @throws StateError if the state cannot be used by this program. */
export async function openPostgresState(
  target: Target,
  password: () => Promise<string>,
): Promise<StateDatabase> {
  const state = new PostgresState(target, password, silentMs);
  try {
    await state.open();
  } catch (error) {
    await state.close();
    throw error;
  }
  return state;
}

/**
 * Makes or changes the tables, while no other process does.
 * @returns what was done, as a sentence
 * @throws StateError, or OwnDatabaseError if the database cannot be used
 */
export async function migratePostgres(target: Target, password: () => Promise<string>): Promise<string> {
  const state = new PostgresState(target, password);
  try {
    await state.reach();
    return await state.write(async (run) => {
      await run(`SELECT pg_advisory_xact_lock(${migrationLock})`);
      const [encoding] = await run("SELECT current_setting('server_encoding') AS encoding");
      if (textOf(encoding, 'encoding') !== 'UTF8')
        throw new StateError(`The database of the state ${state.shown} must have the encoding UTF8.`);
      const isThere = await hasTables(run);
      if (!isThere) await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await requireOwnSchema(run, state.shown);
      return await migrate(run, isThere ? await versionOf(run) : undefined, state.shown);
    });
  } finally {
    await state.close();
  }
}

/** @throws StateError if the schema belongs to another role, which could drop the tables. */
async function requireOwnSchema(run: RunSql, shown: string): Promise<void> {
  const [row] = await run(
    `SELECT pg_get_userbyid(nspowner)::text AS owner, session_user::text AS self FROM pg_namespace WHERE nspname = '${schema}'`,
  );
  const [owner, self] = [textOf(row, 'owner'), textOf(row, 'self')];
  if (owner !== self)
    throw new StateError(
      `The schema ${schema} of the state ${shown} belongs to ${owner}, who could drop its tables. Make it the login's own: ALTER SCHEMA ${schema} OWNER TO ${quoteIdentifier(self)};`,
    );
}

async function hasTables(run: RunSql): Promise<boolean> {
  const [row] = await run(`SELECT to_regclass('${schema}.settings')::text AS name`);
  return row?.['name'] !== null;
}

class PostgresState implements StateDatabase {
  readonly shown: string;
  readonly isShared = true;
  readonly #database: OwnDatabase;
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #silentMs: number | undefined;
  #used = 0;
  #isOpen = false;
  #isClosed = false;

  /** @param silentMs how long an answer may take; a change of the tables takes as long as it takes */
  constructor(target: Target, password: () => Promise<string>, silentMs?: number) {
    this.shown = target.shown;
    this.#silentMs = silentMs;
    this.#database = new OwnDatabase(target, password);
  }

  /**
   * Looks nothing up: what a connection found missing, it may still miss after it has waited for the migration's lock.
   * @throws OwnDatabaseError with words for an operator, where those of a write are for a caller of the service.
   */
  async reach(): Promise<void> {
    await this.#on(() => Promise.resolve());
  }

  /** @throws StateError if this program cannot use the tables. */
  async open(): Promise<void> {
    await this.#on((connection) => this.#requireVersion(connection));
    this.#isOpen = true;
  }

  async #requireVersion(connection: ServerConnection): Promise<void> {
    const run = statementsOn(connection, this.#silentMs);
    requireVersion((await hasTables(run)) ? await versionOf(run) : undefined, this.shown);
  }

  readonly read: RunSql = async (text, values) => {
    const once = (): ReturnType<RunSql> =>
      this.#on((connection) => statementsOn(connection, this.#silentMs)(text, values));
    // The server may have ended an idle connection, for example by a restart.
    return await onceMore(once).catch((error: unknown) => {
      throw answerFor(error);
    });
  };

  async write<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result> {
    const connection = await onceMore(() => this.#begin()).catch((error: unknown) => {
      throw answerFor(error);
    });
    let isEnding = false;
    try {
      const result = await work(statementsOn(connection, this.#silentMs));
      isEnding = true;
      await unlessCut(connection, connection.exec('COMMIT'), this.#silentMs);
      return result;
    } catch (error) {
      if (!connection.isBroken) await connection.exec('ROLLBACK').catch(() => connection.destroy());
      if (isEnding && error instanceof CutOff) throw unavailable(stateIsUncertain, error);
      // What the work itself says of the state is for an operator.
      throw error instanceof StateError ? error : answerFor(error);
    } finally {
      this.#giveBack(connection);
    }
  }

  async #begin(): Promise<ServerConnection> {
    const connection = await this.#take();
    try {
      await unlessCut(connection, connection.exec(beginSql), this.#silentMs);
      return connection;
    } catch (error) {
      connection.destroy();
      this.#giveBack(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #on<Result>(work: (connection: ServerConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  async #take(): Promise<ServerConnection> {
    while (this.#used >= mostConnections) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#used += 1;
    try {
      for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
        kept.countFromHere();
        if (!kept.isBroken) return kept;
      }
      return await this.#connect();
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  async #connect(): Promise<ServerConnection> {
    const connection = await this.#database.connect();
    try {
      const [row] = await unlessCut(
        connection,
        connection.rows<StateRow>(
          "SELECT pg_is_in_recovery() AS standby, current_setting('synchronous_commit') AS commits, current_setting('synchronous_standby_names') AS standbys, current_setting('transaction_read_only') AS locked",
        ),
        this.#silentMs,
      );
      if (row?.['standby'] === true || row?.['locked'] === 'on')
        throw new StateError(
          `The state ${this.shown} is on a server that only reads, such as a standby. Name the primary.`,
        );
      if (row?.['commits'] === 'off')
        throw new StateError(
          `The server of the state ${this.shown} confirms saves before they are on its disk (synchronous_commit is off). Turn it on: ALTER ROLE ${quoteIdentifier(this.#database.target.user)} SET synchronous_commit = on;`,
        );
      if (row?.['commits'] === 'local' && row['standbys'] !== '')
        throw new StateError(
          `The server of the state ${this.shown} confirms saves before its standbys have them (synchronous_commit is local). Change it: ALTER ROLE ${quoteIdentifier(this.#database.target.user)} SET synchronous_commit = on;`,
        );
      // It may have been changed while this process could not reach it.
      if (this.#isOpen) await this.#requireVersion(connection);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  #giveBack(connection: ServerConnection): void {
    if (this.#isClosed) connection.destroy();
    else if (!connection.isBroken) this.#idle.push(connection);
    this.#free();
  }

  #free(): void {
    this.#used -= 1;
    this.#waiting.shift()?.();
  }
}

/** PostgreSQL keeps no NUL in a text, so it is written as two other characters. */
const escaped = (text: string): string =>
  text.replaceAll(/[\0\u0001]/g, (found) => (found === '\0' ? '\u00010' : '\u00011'));
const unescaped = (text: string): string =>
  text.replaceAll(/\u0001[01]/g, (found) => (found === '\u00010' ? '\0' : '\u0001'));

function statementsOn(connection: ServerConnection, silentMs: number | undefined): RunSql {
  return async (text, values = []) => {
    const sent = values.map((value) => (typeof value === 'string' ? escaped(value) : value));
    try {
      const rows = await unlessCut(connection, connection.rows<StateRow>(written(text), sent), silentMs);
      return rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'string' ? unescaped(value) : value,
          ]),
        ),
      );
    } catch (error) {
      if (codeOf(error) === '23505') throw new UniqueViolation('A name is taken.', { cause: error });
      throw error;
    }
  };
}

/** The connection ended, or the server ends its connections. */
class CutOff extends Error {}

/** The server did not answer in time. Asking again would take as long. */
class SilentServer extends CutOff {}

async function unlessCut<Result>(
  connection: ServerConnection,
  answer: Promise<Result>,
  silentMs: number | undefined,
): Promise<Result> {
  const wait = { isOver: false };
  const silence =
    silentMs === undefined
      ? undefined
      : setTimeout(() => {
          wait.isOver = true;
          connection.destroy(new Error('The state does not answer.'));
        }, silentMs);
  try {
    return await answer;
  } catch (error) {
    if (wait.isOver) throw new SilentServer('The state does not answer.', { cause: error });
    if (connection.isBroken || /^(?:57P0|08)/.test(codeOf(error)))
      throw new CutOff('The connection to the state ended.', { cause: error });
    throw error;
  } finally {
    clearTimeout(silence);
  }
}

async function onceMore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CutOff && !(error instanceof SilentServer)) return await work();
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

/** Returns the error for a caller, where the state cannot be used. */
function answerFor(error: unknown): unknown {
  if (error instanceof OwnDatabaseError || error instanceof StateError || error instanceof CutOff)
    return unavailable(stateIsAway, error);
  switch (codeOf(error)) {
    case '53100':
      return unavailable(stateIsFull, error);
    case '53200':
    case '53300':
    case '25006': // the server only reads: it is no longer the primary
      return unavailable(stateIsAway, error);
    default:
      return error;
  }
}
