/** Runs queries on a person's own database. Only the reading login's rights decide what a query sees. */
import { identityModel } from '#api/contract/tables.ts';
import type { ServiceError } from '../errors.ts';
import { beginSql } from '../postgres/begin.ts';
import { RunPool, type Lease, type PoolLimits } from '../postgres/run-pool.ts';
import type { QueryEngine, QueryToRun } from '../query/engine.ts';
import { GrowingResult, type RunRows } from '../query/growing-result.ts';
import { changedSchema, typeNamesOf, typeNamesSql, type TypeName } from '../query/session.ts';
import { asServiceError, serviceErrorOf } from './current-database.ts';
import { inspectOn, UntrustedLoginError, type OwnDatabase, type Told } from './database.ts';
import { beginIdentitySql, withSchemaOfViews } from './identity/tables.ts';
import { testRole } from './reading-role.ts';
import { refusedCall } from './refused-functions.ts';
import { refusal, type Served } from './served.ts';
import { SpoolFile } from './spool.ts';

export interface OwnEngineOptions extends PoolLimits {
  readonly database: OwnDatabase;
  readonly served: () => Served;
  readonly allowsWritesByRole: boolean;
  /** Folder for results that do not fit in memory. */
  readonly spoolFolder: string;
  readonly timeZone: string;
  /** Called when a query named something that is not there. */
  readonly onChangedSchema: () => void;
  readonly told: Told;
}

const hourMs = 3_600_000;
/** A login that was tested this recently is not tested again for a new connection. */
const freshMs = 30_000;

export class OwnEngine implements QueryEngine {
  readonly #options: OwnEngineOptions;
  readonly #pool: RunPool;
  readonly #hourly: NodeJS.Timeout;
  #testedAt = Date.now();
  /** Why the login is no longer trusted, as the engine's own test found. */
  #distrust: string | undefined;
  /** The same, as the last look at the database found. */
  #distrustOfLook: string | undefined;

  /** The login was just tested. */
  constructor(options: OwnEngineOptions) {
    this.#options = options;
    const { timeoutMs, timeZone, served } = options;
    this.#pool = new RunPool({
      ...options,
      connect: () => this.#connect(),
      isForAllSchemas: true,
      begin: ({ schema, sql }) => {
        const { identity, extensionSchemas } = served();
        if (identity !== undefined && schema === identityModel)
          return beginIdentitySql(sql, { ...identity, extensionSchemas, timeoutMs, timeZone });
        const searchPath = [schema, ...extensionSchemas.filter((name) => name !== schema)];
        return beginSql({ searchPath, timeoutMs, timeZone });
      },
      store: () => new SpoolFile(options.spoolFolder),
    });
    this.#pool.open();
    this.#hourly = setInterval(() => void this.#testAgain(), hourMs);
    this.#hourly.unref();
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  run(query: QueryToRun, signal: AbortSignal): RunRows {
    const failure = refusedCall(query.sql);
    const distrust = this.#distrust ?? this.#distrustOfLook;
    if (failure === undefined && distrust === undefined)
      return this.#watched(this.#pool.run(this.#located(query), signal));
    // Its rights may have been put right since.
    if (failure === undefined && Date.now() - this.#testedAt > freshMs) {
      if (this.#distrustOfLook !== undefined) this.#options.onChangedSchema();
      void this.#testAgain();
    }
    const result = new GrowingResult();
    result.finish(
      failure === undefined
        ? { kind: 'error', error: this.#untrusted(distrust ?? '') }
        : { kind: 'failed', failure },
    );
    return result;
  }

  /** @param distrust why a look at the database found the login untrusted; undefined if it is trusted */
  looked(distrust: string | undefined): void {
    this.#distrustOfLook = distrust;
  }

  #located(query: QueryToRun): QueryToRun {
    const { identity } = this.#options.served();
    if (identity === undefined || query.schema !== identityModel) return query;
    return { ...query, sql: withSchemaOfViews(query.sql, identity.isInstalled) };
  }

  /** A name that is not there may mean that the database changed. */
  #watched(result: RunRows): RunRows {
    void result
      .until(() => false, new AbortController().signal)
      .then(() => {
        if (result.end?.kind === 'failed' && changedSchema.has(result.end.failure.sqlState))
          this.#options.onChangedSchema();
      });
    return result;
  }

  change(): Promise<void> {
    return Promise.resolve();
  }

  get load(): RunPool['load'] {
    return this.#pool.load;
  }

  async close(): Promise<void> {
    clearInterval(this.#hourly);
    await this.#pool.close();
  }

  async #connect(): Promise<Lease> {
    const connection = await this.#options.database.connect().catch((error: unknown) => {
      throw asServiceError(error, this.#options.told);
    });
    try {
      const types = await inspectOn(connection, async (rows) => {
        if (Date.now() - this.#testedAt > freshMs) await this.#test(rows);
        return await rows<TypeName>(typeNamesSql);
      });
      return { connection, types: typeNamesOf(types) };
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async #test(rows: Parameters<typeof testRole>[0]): Promise<void> {
    const { served, allowsWritesByRole, database } = this.#options;
    const role = await testRole(
      rows,
      served().schemas.map(({ name }) => name),
    );
    this.#testedAt = Date.now();
    const isTrusted = role.blocking.length === 0 || allowsWritesByRole;
    this.#distrust = isTrusted ? undefined : refusal(database.target.user, role);
    if (this.#distrust !== undefined) throw this.#untrusted(this.#distrust);
  }

  #untrusted(why: string): ServiceError {
    return serviceErrorOf(new UntrustedLoginError(why), this.#options.told);
  }

  async #testAgain(): Promise<void> {
    try {
      await this.#options.database.inspect(async (rows) => await this.#test(rows));
    } catch (error) {
      this.#options.log(
        `The login could not be tested again or is not trusted any more: ${error instanceof Error ? error.message : ''}`,
      );
    }
  }
}
