/**
 * Runs several queries concurrently on a PostgreSQL server. A query ends at the time limit or when its caller
 * disconnects.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Changes } from '../data/changes/changes.ts';
import { reloadRecords } from '../data/tables/load.ts';
import { World } from '../data/company/world.ts';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  nobodyWaits,
  refuse,
  stopped,
  unavailable,
  type QueryEngine,
  type QueryToRun,
} from '../query/engine.ts';
import { GrowingResult, type RunEnd, type RunRows } from '../query/growing-result.ts';
import type { DataSettings, TouchedRecord } from '../query/messages.ts';
import { runQuery, typeNamesSql, type TypeNames } from '../query/session.ts';
import { reasonOf, type ServerConnection } from './connection.ts';
import type { FromLoader, LoaderSettings } from './loader.ts';
import { contentOf, markSql } from './schemas.ts';
import type { Server } from './server.ts';
import type { Wire } from '../query/wire.ts';

export interface PostgresOptions {
  /** An open server. The engine closes it. */
  readonly server: Server;
  /** URL of the module loader.ts. */
  readonly loader: URL;
  readonly data: DataSettings;
  readonly changes: Changes;
  readonly timeoutMs: number;
  readonly rowLimit: number;
  readonly byteLimit: number;
  readonly log: Log;
}

interface Job {
  readonly query: QueryToRun;
  readonly signal: AbortSignal;
  readonly result: GrowingResult;
}

interface Lease {
  readonly connection: ServerConnection;
  /** The session's process ID on the server. */
  readonly pid: number;
  readonly types: TypeNames;
}

const mostRunning = 4;
const mostWaiting = 100;
/** Grace period for a cancelled query before its connection is closed. */
const cancelGraceMs = 2_000;
/**
 * The server's own time limit ends the query if the sandbox dies. It is slightly longer, so that ours applies first.
 */
const serverLimitExtraMs = 5_000;
const mostRetryPauseMs = 10_000;

export function createPostgresEngine(options: PostgresOptions): QueryEngine {
  return new PostgresEngine(options);
}

class PostgresEngine implements QueryEngine {
  readonly #options: PostgresOptions;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<{ readonly lease: Lease; readonly schema: string }>();
  readonly #idle = new Map<string, Lease[]>();
  readonly #loader: Worker;
  readonly #loaded = Promise.withResolvers<undefined>();
  readonly #world: World;
  #types: TypeNames | undefined;
  #changing: Promise<void>;
  #runningCount = 0;
  #state: 'loading' | 'ready' | 'failed' | 'closed' = 'loading';

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#world = new World(options.data);
    this.#loaded.promise.catch(() => undefined); // handled by callers of `ready`
    this.#changing = this.#loaded.promise.then(
      () => undefined,
      () => undefined,
    );
    this.#loader = this.#load();
  }

  async ready(): Promise<void> {
    await this.#loaded.promise;
  }

  run(query: QueryToRun, signal: AbortSignal): RunRows {
    const result = new GrowingResult();
    if (this.#state === 'closed') refuse(result, 'The service is stopping.');
    else if (this.#state === 'failed') refuse(result, 'The database could not be filled.');
    else if (this.#waiting.length >= mostWaiting) refuse(result, 'Too many queries are waiting.');
    else this.#waiting.push({ query, signal, result });
    this.#next();
    return result;
  }

  change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void> {
    this.#changing = this.#changing.then(() => this.#apply(changes, touched));
    return this.#changing;
  }

  async close(): Promise<void> {
    if (this.#state === 'loading') this.#loaded.reject(unavailable('The service is stopping.'));
    this.#state = 'closed';
    for (const job of this.#waiting.splice(0)) refuse(job.result, 'The service is stopping.');
    await this.#loader.terminate();
    await Promise.all([...this.#running].map(({ lease, schema }) => this.#cancel(lease, schema)));
    await Promise.all([...this.#idle.values()].flat().map(({ connection }) => connection.close()));
    await this.#options.server.close();
  }

  #load(): Worker {
    const { server, data, changes, log } = this.#options;
    const readers = {
      platform_identity: server.readerOf('platform_identity'),
      platform_governance: server.readerOf('platform_governance'),
    };
    const workerData: LoaderSettings = { url: server.url, data, changes, readers };
    const worker = new Worker(this.#options.loader, { workerData });
    const failed = (reason: string): void => {
      if (this.#state !== 'loading') return;
      this.#state = 'failed';
      this.#loaded.reject(new Error(`The database at ${server.shown} could not be filled: ${reason}.`));
      for (const job of this.#waiting.splice(0)) refuse(job.result, 'The database could not be filled.');
    };
    worker.on('error', (error) => failed(reasonOf(error)));
    worker.on('message', (message: FromLoader) => {
      if (message.kind === 'failed') {
        failed(message.message);
        return;
      }
      if (this.#state !== 'loading') return;
      log(message.isReused ? 'The data of an earlier start is used' : 'The data was loaded');
      this.#state = 'ready';
      this.#loaded.resolve(undefined);
      this.#next();
    });
    return worker;
  }

  #next(): void {
    while (this.#state === 'ready' && this.#runningCount < mostRunning) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      if (job.signal.aborted) {
        refuse(job.result, nobodyWaits);
        continue;
      }
      this.#runningCount += 1;
      this.#execute(job)
        .then(
          (end) => job.result.finish(end),
          (error: unknown) =>
            job.result.finish(
              error instanceof ServiceError
                ? { kind: 'error', error }
                : stopped('The database cannot be reached at the moment.'),
            ),
        )
        .finally(() => {
          this.#runningCount -= 1;
          this.#next();
        });
    }
  }

  async #execute(job: Job): Promise<RunEnd> {
    const { schema } = job.query;
    const kept = this.#idle.get(schema)?.pop();
    if (kept !== undefined) {
      try {
        return await this.#executeOn(kept, job);
      } catch (error) {
        // An idle connection may have dropped unnoticed. Queries only read, so a retry is safe unless rows were already
        // sent: the rows of a second run may differ.
        if (error instanceof ServiceError || job.signal.aborted || job.result.rowCount > 0) throw error;
      }
    }
    return await this.#executeOn(await this.#connect(schema), job);
  }

  async #executeOn(lease: Lease, job: Job): Promise<RunEnd> {
    const { timeoutMs, rowLimit, byteLimit } = this.#options;
    const { schema } = job.query;
    const running = { lease, schema };
    this.#running.add(running);
    let ended: 'timeout' | 'abandoned' | undefined;
    let cut: NodeJS.Timeout | undefined;
    const end = (why: 'timeout' | 'abandoned'): void => {
      if (ended !== undefined) return;
      ended = why;
      cut = setTimeout(() => lease.connection.destroy(), cancelGraceMs);
      void this.#cancel(lease, schema);
    };
    const abandon = (): void => end('abandoned');
    const limit = setTimeout(() => end('timeout'), timeoutMs);
    job.signal.addEventListener('abort', abandon, { once: true });
    try {
      const wire: Wire = {
        // Between two steps there is nothing to cancel, so this prevents the next step.
        exchange: async (...steps) => {
          if (ended !== undefined) throw new Error('ended');
          return await lease.connection.exchange(...steps);
        },
      };
      const begin = (of: string): string => beginSql(of, timeoutMs);
      const session = { wire, types: lease.types, begin };
      const failed = await runQuery(session, { ...job.query, rowLimit, byteLimit }, job.result);
      if (failed === undefined) return { kind: 'complete' };
      if (failed.failure.sqlState !== canceled) return { kind: 'failed', failure: failed.failure };
      return this.#outcomeOfCancel(ended);
    } catch (error) {
      if (ended === undefined) throw error;
      return this.#outcomeOfCancel(ended);
    } finally {
      clearTimeout(limit);
      clearTimeout(cut);
      job.signal.removeEventListener('abort', abandon);
      this.#running.delete(running);
      // A late cancellation must not hit the connection's next query.
      if (ended !== undefined || this.#state === 'closed') lease.connection.destroy();
      else if (!lease.connection.isBroken) this.#idle.set(schema, [...(this.#idle.get(schema) ?? []), lease]);
    }
  }

  #outcomeOfCancel(ended: 'timeout' | 'abandoned' | undefined): RunEnd {
    if (this.#state === 'closed') throw unavailable('The service is stopping.');
    if (ended === 'abandoned') throw unavailable(nobodyWaits);
    return { kind: 'timeout', limitMs: this.#options.timeoutMs };
  }

  /**
   * Cancels over a separate, equally encrypted connection. It uses the same role, so it does not need further rights.
   */
  async #cancel(lease: Lease, schema: string): Promise<void> {
    try {
      const connection = await this.#options.server.connectReader(schema);
      await connection.rows('SELECT pg_cancel_backend($1)', [lease.pid]);
      await connection.close();
    } catch (error) {
      this.#options.log(`A query could not be cancelled and is cut off: ${reasonOf(error)}`);
      lease.connection.destroy();
    }
  }

  async #connect(schema: string): Promise<Lease> {
    const { server } = this.#options;
    const connection = await server.connectReader(schema).catch(async () => {
      // The cluster's primary may now be a different host.
      await server.admin();
      return await server.connectReader(schema);
    });
    const [row] = await connection.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    this.#types ??= new Map(
      (await connection.rows<{ oid: number; name: string }>(typeNamesSql)).map(({ oid, name }) => [
        oid,
        name,
      ]),
    );
    return { connection, pid: row?.pid ?? 0, types: this.#types };
  }

  /** Retries until it succeeds, since REST and SQL must not diverge permanently. */
  async #apply(changes: Changes, touched: readonly TouchedRecord[]): Promise<void> {
    const { server, data, log } = this.#options;
    for (let pauseMs = 500; this.#state === 'ready'; pauseMs = Math.min(pauseMs * 2, mostRetryPauseMs)) {
      try {
        const admin = await server.admin();
        this.#world.changes = changes;
        await admin.exec('BEGIN');
        try {
          await reloadRecords(admin, this.#world, touched);
          await admin.exec(markSql(contentOf(data, changes)));
          await admin.exec('COMMIT');
          return;
        } catch (error) {
          await admin.exec('ROLLBACK').catch(() => admin.destroy());
          throw error;
        }
      } catch (error) {
        log(`A change has not reached the database yet: ${reasonOf(error)}`);
        await wait(pauseMs, undefined, { ref: false });
      }
    }
  }
}

/** SQLSTATE query_canceled, caused by pg_cancel_backend or statement_timeout. */
const canceled = '57014';

function beginSql(schema: string, timeoutMs: number): string {
  const limitMs = timeoutMs + serverLimitExtraMs;
  const settings = {
    search_path: `"${schema}"`,
    statement_timeout: limitMs,
    idle_in_transaction_session_timeout: limitMs,
    timezone: "'UTC'",
    datestyle: "'ISO, MDY'",
    intervalstyle: "'postgres'",
    bytea_output: "'hex'",
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
  };
  const each = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  return ['BEGIN READ ONLY', ...each].join('; ');
}
