/**
 * Runs several queries concurrently on connections to a PostgreSQL server. A query ends at the time limit or when its
 * caller disconnects. Knows nothing of what the server holds.
 */
import { ServiceError, unavailable } from '../errors.ts';
import { nobodyWaits, refuse, stopped, type QueryToRun, type RunLimits } from '../query/engine.ts';
import { GrowingResult, type ChunkStore, type RunEnd, type RunRows } from '../query/growing-result.ts';
import type { DatabaseFailure } from '../query/messages.ts';
import { finishSql, runQuery, type TypeNames } from '../query/session.ts';
import type { Wire } from '../query/wire.ts';
import { asSentence, reasonOf, WireLimitError, type ServerConnection } from './connection.ts';

export interface Lease {
  readonly connection: ServerConnection;
  readonly types: TypeNames;
}

export interface PoolLimits extends RunLimits {
  /** Queries that run at once. */
  readonly mostRunning?: number | undefined;
  /** Of those, how many one client may have. */
  readonly mostOfClient?: number | undefined;
}

export interface RunPoolOptions extends PoolLimits {
  /** Opens a connection for queries of a schema. */
  readonly connect: (schema: string) => Promise<Lease>;
  /** Whether a connection serves the queries of every schema; by default of its own alone. */
  readonly isForAllSchemas?: boolean;
  /** Returns SQL that starts the read-only transaction. */
  readonly begin: (query: QueryToRun) => string;
  /** Where a result keeps its rows; by default in memory. */
  readonly store?: () => ChunkStore;
}

interface Job {
  readonly query: QueryToRun;
  readonly signal: AbortSignal;
  readonly result: GrowingResult;
}

const runningByDefault = 4;
const mostWaiting = 100;
/** Grace period for a cancelled query before its connection is closed. */
const cancelGraceMs = 2_000;

export class RunPool {
  readonly #options: RunPoolOptions;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<Lease>();
  /** Numbers of running queries by client. */
  readonly #ofClient = new Map<string | undefined, number>();
  /** By what they serve, the longest idle first. With the running ones, at most as many as may run. */
  #idle: { readonly serves: string; readonly lease: Lease }[] = [];
  #runningCount = 0;
  #isOpen = false;
  #refusal: string | undefined;

  constructor(options: RunPoolOptions) {
    this.#options = options;
  }

  /** Until then, queries wait. */
  open(): void {
    this.#isOpen = true;
    this.#next();
  }

  /** Refuses all queries, now waiting and later ones. */
  refuseAll(message: string): void {
    this.#refusal = message;
    for (const job of this.#waiting.splice(0)) refuse(job.result, message);
  }

  run(query: QueryToRun, signal: AbortSignal): RunRows {
    const result = new GrowingResult(this.#options.store?.());
    if (this.#refusal !== undefined) refuse(result, this.#refusal);
    else if (this.#waiting.length >= mostWaiting || this.#waitsTooOften(query.client))
      refuse(result, 'Too many queries are waiting.');
    else this.#waiting.push({ query, signal, result });
    this.#next();
    return result;
  }

  /** Ends the idle connections, so that the next queries open new ones. */
  async renew(): Promise<void> {
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all(idle.map(({ lease }) => lease.connection.close()));
  }

  async close(): Promise<void> {
    this.refuseAll('The service is stopping.');
    await Promise.all([...this.#running].map((lease) => this.#cancel(lease)));
    await this.renew();
  }

  /** How many run and wait, for the operator. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runningCount, waiting: this.#waiting.length };
  }

  /** One client cannot fill the queue for the others. */
  #waitsTooOften(client: string | undefined): boolean {
    if (this.#options.mostOfClient === undefined) return false;
    return this.#waiting.filter((job) => job.query.client === client).length >= mostWaiting / 2;
  }

  /** Takes the job of the client that has the fewest running, of several the one that waits longest. */
  #take(): Job | undefined {
    const { mostOfClient = Infinity } = this.#options;
    let best: Job | undefined;
    let fewest = mostOfClient;
    for (const job of this.#waiting) {
      const running = this.#ofClient.get(job.query.client) ?? 0;
      if (running >= fewest && !job.signal.aborted) continue;
      best = job;
      fewest = running;
      if (job.signal.aborted || running === 0) break;
    }
    if (best !== undefined) this.#waiting.splice(this.#waiting.indexOf(best), 1);
    return best;
  }

  #next(): void {
    const { mostRunning = runningByDefault } = this.#options;
    while (this.#isOpen && this.#refusal === undefined && this.#runningCount < mostRunning) {
      const job = this.#take();
      if (job === undefined) return;
      if (job.signal.aborted) {
        refuse(job.result, nobodyWaits);
        continue;
      }
      const { client } = job.query;
      this.#runningCount += 1;
      this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1);
      this.#execute(job)
        .then(
          (end) => job.result.finish(end),
          (error: unknown) => job.result.finish(endOf(error)),
        )
        .finally(() => {
          this.#runningCount -= 1;
          const left = (this.#ofClient.get(client) ?? 1) - 1;
          if (left === 0) this.#ofClient.delete(client);
          else this.#ofClient.set(client, left);
          this.#next();
        });
    }
  }

  /**
   * A query that was cut off before its first row runs once more: queries only read. Once rows were sent, it does not,
   * since the rows of a second run may differ.
   */
  async #execute(job: Job): Promise<RunEnd> {
    const { schema } = job.query;
    const kept = this.#takeIdle(schema);
    const isFinal = (): boolean => job.signal.aborted || this.#refusal !== undefined;
    const open = async (): Promise<Lease> => {
      const lease = await this.#connect(schema);
      if (!isFinal()) return lease;
      // Its caller left while it opened.
      lease.connection.destroy();
      throw unavailable(this.#refusal ?? nobodyWaits);
    };
    try {
      const end = await this.#executeOn(kept ?? (await open()), job);
      if (end.kind !== 'cut-off') return end;
      if (isFinal()) return { kind: 'failed', failure: end.failure };
      if (job.result.rowCount > 0) throw interrupted(end.failure.message);
    } catch (error) {
      if (error instanceof ServiceError || error instanceof WireLimitError || isFinal()) throw error;
      if (job.result.rowCount > 0) throw interrupted('The connection to the database ended.', error);
    }
    const end = await this.#executeOn(await open(), job);
    if (end.kind !== 'cut-off') return end;
    const { message } = end.failure;
    throw job.result.rowCount > 0
      ? interrupted(message)
      : unavailable(`The database ended the query before its first row: ${asSentence(message)} Try again.`);
  }

  #servedFor(schema: string): string {
    return this.#options.isForAllSchemas === true ? '' : schema;
  }

  #takeIdle(schema: string): Lease | undefined {
    const serves = this.#servedFor(schema);
    const at = this.#idle.findLastIndex((each) => each.serves === serves);
    return at === -1 ? undefined : this.#idle.splice(at, 1)[0]?.lease;
  }

  /** The login may have few connections, so one that serves nothing here makes room. */
  async #connect(schema: string): Promise<Lease> {
    const { mostRunning = runningByDefault, connect } = this.#options;
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length + this.#runningCount - mostRunning));
    await Promise.all(
      surplus.map(({ lease: { connection } }) => connection.close().catch(() => connection.destroy())),
    );
    return await connect(schema);
  }

  async #executeOn(
    lease: Lease,
    job: Job,
  ): Promise<RunEnd | { readonly kind: 'cut-off'; readonly failure: DatabaseFailure }> {
    const { timeoutMs, rowLimit, byteLimit, begin } = this.#options;
    const { schema } = job.query;
    this.#running.add(lease);
    let ended: 'timeout' | 'abandoned' | undefined;
    let cut: NodeJS.Timeout | undefined;
    const end = (why: 'timeout' | 'abandoned'): void => {
      if (ended !== undefined) return;
      ended = why;
      cut = setTimeout(() => lease.connection.destroy(), cancelGraceMs);
      void this.#cancel(lease);
    };
    const abandon = (): void => end('abandoned');
    const limit = setTimeout(() => end('timeout'), timeoutMs);
    job.signal.addEventListener('abort', abandon, { once: true });
    try {
      const { connection } = lease;
      connection.countFromHere();
      // Between two steps there is nothing to cancel, so this prevents the next step.
      const check = (): void => {
        if (ended !== undefined) throw new Error('ended');
      };
      const wire: Wire = {
        exchange: async (...steps) => {
          check();
          return await connection.exchange(...steps);
        },
        stream: async (steps, take) => {
          check();
          await connection.stream(steps, take);
        },
      };
      const session = { wire, types: lease.types, begin: () => begin(job.query), finish: finishSql };
      const failed = await runQuery(session, { ...job.query, rowLimit, byteLimit }, job.result);
      if (failed === undefined) return { kind: 'complete' };
      const { failure } = failed;
      if (failure.sqlState !== canceled)
        return { kind: isCutOff(failure, connection.isBroken) ? 'cut-off' : 'failed', failure };
      if (ended === undefined) throw interrupted('It was cancelled on the server.');
      return this.#outcomeOfCancel(ended);
    } catch (error) {
      if (ended === undefined) throw error;
      return this.#outcomeOfCancel(ended);
    } finally {
      clearTimeout(limit);
      clearTimeout(cut);
      job.signal.removeEventListener('abort', abandon);
      this.#running.delete(lease);
      // A late cancellation must not hit the connection's next query.
      if (ended !== undefined || this.#refusal !== undefined) lease.connection.destroy();
      else if (!lease.connection.isBroken) this.#idle.push({ serves: this.#servedFor(schema), lease });
    }
  }

  #outcomeOfCancel(ended: 'timeout' | 'abandoned'): RunEnd {
    if (this.#refusal !== undefined) throw unavailable('The service is stopping.');
    if (ended === 'abandoned') throw unavailable(nobodyWaits);
    return { kind: 'timeout', limitMs: this.#options.timeoutMs };
  }

  async #cancel({ connection }: Lease): Promise<void> {
    try {
      await connection.cancel();
    } catch (error) {
      this.#options.log(`A query could not be cancelled and is cut off: ${reasonOf(error)}`);
      connection.destroy();
    }
  }
}

/** SQLSTATE query_canceled, caused by a cancel request or statement_timeout. */
const canceled = '57014';

/**
 * A transaction that the server rolled back, such as for a conflict with recovery on a standby or for a deadlock, or a
 * server that ends its connections. A connection that another server lost, which a foreign table is on, is a failure of
 * the query.
 */
function isCutOff({ sqlState }: DatabaseFailure, isBroken: boolean): boolean {
  return /^(?:40|57P0)/.test(sqlState) || (isBroken && sqlState.startsWith('08'));
}

function interrupted(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('RUN_INTERRUPTED', `The run was interrupted: ${asSentence(reason)} Run it again.`, {
    cause,
  });
}

function endOf(error: unknown): RunEnd {
  if (error instanceof ServiceError) return { kind: 'error', error };
  if (error instanceof WireLimitError) {
    const what = error.limit === 'messageBytes' ? 'A row of the result is' : 'The result is';
    const message = `${what} larger than this service reads.`;
    const hint = 'Choose fewer columns, or shorten long values with left().';
    return {
      kind: 'failed',
      failure: { phase: 'limit', sqlState: '54000', message, hint, position: undefined },
    };
  }
  return stopped('The database cannot be reached at the moment.');
}
