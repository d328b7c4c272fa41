/**
 * Runs several queries concurrently on a PostgreSQL server that the sandbox fills. A query ends at the time limit or
 * when its caller disconnects.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Changes } from '../data/changes/changes.ts';
import { World } from '../data/company/world.ts';
import { reloadRecords } from '../data/tables/load.ts';
import { unavailable } from '../errors.ts';
import type { QueryEngine, QueryToRun, RunLimits } from '../query/engine.ts';
import type { RunRows } from '../query/growing-result.ts';
import type { DataSettings, TouchedRecord } from '../query/messages.ts';
import { typeNamesOf, typeNamesSql, type TypeName, type TypeNames } from '../query/session.ts';
import { beginSql } from './begin.ts';
import { reasonOf } from './connection.ts';
import type { FromLoader, LoaderSettings } from './loader.ts';
import { RunPool, type Lease } from './run-pool.ts';
import { contentOf, markSql } from './schemas.ts';
import type { Server } from './server.ts';

export interface PostgresOptions extends RunLimits {
  /** An open server. The engine closes it. */
  readonly server: Server;
  readonly loader: URL;
  readonly data: DataSettings;
  readonly changes: Changes;
}

const mostRetryPauseMs = 10_000;

export function createPostgresEngine(options: PostgresOptions): QueryEngine {
  return new PostgresEngine(options);
}

class PostgresEngine implements QueryEngine {
  readonly #options: PostgresOptions;
  readonly #pool: RunPool;
  readonly #loader: Worker;
  readonly #loaded = Promise.withResolvers<undefined>();
  readonly #world: World;
  #types: TypeNames | undefined;
  #changing: Promise<void>;
  #state: 'loading' | 'ready' | 'failed' | 'closed' = 'loading';

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#pool = new RunPool({
      ...options,
      connect: (schema) => this.#connect(schema),
      begin: ({ schema }) => beginSql({ searchPath: [schema], timeoutMs: options.timeoutMs }),
    });
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
    return this.#pool.run(query, signal);
  }

  change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void> {
    this.#changing = this.#changing.then(() => this.#apply(changes, touched));
    return this.#changing;
  }

  async close(): Promise<void> {
    if (this.#state === 'loading') this.#loaded.reject(unavailable('The service is stopping.'));
    this.#state = 'closed';
    await this.#loader.terminate();
    await this.#pool.close();
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
      this.#pool.refuseAll('The database could not be filled.');
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
      this.#pool.open();
    });
    return worker;
  }

  async #connect(schema: string): Promise<Lease> {
    const { server } = this.#options;
    const connection = await server.connectReader(schema).catch(async () => {
      // The cluster's primary may now be a different host.
      await server.admin();
      return await server.connectReader(schema);
    });
    this.#types ??= typeNamesOf(await connection.rows<TypeName>(typeNamesSql));
    return { connection, types: this.#types };
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
