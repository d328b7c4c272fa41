/** Runs queries one at a time on a worker thread. A timeout terminates the thread, and a new one starts. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Changes } from '../data/changes/changes.ts';
import { ServiceError, unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import { GrowingResult, type RunEnd, type RunRows } from './growing-result.ts';
import type { FromWorker, RunRequest, TouchedRecord, ToWorker, WorkerSettings } from './messages.ts';

export interface QueryEngine {
  /** Starts the engine if no query has started it. Resolves once data can be queried; rejects if that is impossible. */
  ready(): Promise<void>;
  /**
   * Streams the rows of a run. The run continues until it completes, the time limit passes, or `signal` reports that
   * the caller disconnected.
   */
  run(query: QueryToRun, signal: AbortSignal): RunRows;
  /** Rewrites the rows of changed records before any waiting query runs. Later workers start with the changes too. */
  change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void>;
  close(): Promise<void>;
}

export type QueryToRun = Pick<RunRequest, 'schema' | 'sql' | 'values' | 'fallbackTypes'> & {
  /** Who runs it, where clients take turns. */
  readonly client?: string | undefined;
};

export interface RunLimits {
  readonly timeoutMs: number;
  readonly rowLimit: number;
  readonly byteLimit: number;
  readonly log: Log;
}

export interface EngineOptions extends RunLimits {
  readonly worker: URL;
  readonly settings: WorkerSettings;
}

interface Job {
  readonly id: number;
  readonly request: ToWorker;
  readonly signal: AbortSignal;
  readonly result: GrowingResult;
}

const mostWaiting = 100;
/** Restarting the worker takes about two seconds, so an abandoned query first gets this long to finish. */
const abandonedGraceMs = 1_000;

/**
 * V8 optimizes a WebAssembly function after 13 million bytes of it ran. A start of PostgreSQL passes that in many
 * functions, and optimizing them took a third of its processor time. Functions of long queries still get there.
 */
const optimizeAfterBytes = 1_300_000_000;

export function createWorkerEngine(options: EngineOptions): QueryEngine {
  setFlagsFromString(`--wasm-tiering-budget=${optimizeAfterBytes}`);
  return new WorkerEngine(options);
}

class WorkerEngine implements QueryEngine {
  readonly #options: EngineOptions;
  readonly #waiting: Job[] = [];
  #wasm: WebAssembly.Module | undefined;
  #changes: Changes;
  #worker: Worker | undefined;
  #ready: PromiseWithResolvers<undefined>;
  #isStarted = false;
  #isReady = false;
  #running: { job: Job; stopWatching: () => void } | undefined;
  #nextId = 1;
  #failedStarts = 0;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#wasm = options.settings.wasm;
    this.#changes = options.settings.changes;
    this.#ready = unhandledSafe();
  }

  async ready(): Promise<void> {
    this.#startOnce();
    await this.#ready.promise;
  }

  run(query: QueryToRun, signal: AbortSignal): RunRows {
    const result = new GrowingResult();
    if (this.#isClosed || this.#waiting.length >= mostWaiting) {
      refuse(result, this.#isClosed ? 'The service is stopping.' : 'Too many queries are waiting.');
      return result;
    }
    this.#startOnce();
    const id = this.#nextId++;
    const { rowLimit, byteLimit } = this.#options;
    const request: ToWorker = { kind: 'run', id, ...query, rowLimit, byteLimit };
    this.#waiting.push({ id, request, signal, result });
    this.#next();
    return result;
  }

  async change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void> {
    this.#changes = changes;
    // A worker that starts later loads data that includes the changes.
    if (this.#isClosed || !this.#isStarted) return;
    const id = this.#nextId++;
    const request: ToWorker = { kind: 'change', id, changes, touched };
    const { signal } = new AbortController();
    const result = new GrowingResult();
    this.#waiting.unshift({ id, request, signal, result });
    this.#next();
    // If the worker dies here, the next one loads data that includes the changes.
    await result.until(() => false, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#finish(stopped('The service is stopping.'));
    for (const job of this.#waiting.splice(0)) refuse(job.result, 'The service is stopping.');
    this.#ready.reject(unavailable('The service is stopping.'));
    await worker?.terminate();
  }

  #startOnce(): void {
    if (this.#isStarted || this.#isClosed) return;
    this.#isStarted = true;
    this.#start();
  }

  #start(): void {
    const settings: WorkerSettings = { ...this.#options.settings, wasm: this.#wasm, changes: this.#changes };
    const worker = new Worker(this.#options.worker, {
      workerData: settings,
      // PostgreSQL in WebAssembly recurses on the thread's stack, and deeply nested queries need space.
      resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 2_048 },
    });
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => {
      if (worker === this.#worker) this.#take(message);
    });
    worker.on('error', (error: unknown) => {
      if (worker === this.#worker) this.#broken(error instanceof Error ? error.message : String(error));
    });
  }

  #take(message: FromWorker): void {
    const job = this.#running?.job;
    switch (message.kind) {
      case 'ready':
        this.#wasm = message.wasm;
        this.#isReady = true;
        this.#failedStarts = 0;
        this.#ready.resolve(undefined);
        this.#next();
        return;
      case 'broken':
        this.#broken(message.message);
        return;
      case 'begun':
        if (job?.id === message.id) job.result.begin(message.columns);
        return;
      case 'rows':
        if (job?.id === message.id) job.result.rows(message.json, message.ends);
        return;
      case 'done':
      case 'failed':
        if (job?.id !== message.id) return;
        this.#finish(
          message.kind === 'done' ? { kind: 'complete' } : { kind: 'failed', failure: message.failure },
        );
        this.#next();
        return;
      default:
        message satisfies never;
    }
  }

  #next(): void {
    if (!this.#isReady || this.#running !== undefined || this.#isClosed) return;
    let job = this.#waiting.shift();
    while (job?.signal.aborted === true) {
      refuse(job.result, nobodyWaits);
      job = this.#waiting.shift();
    }
    if (job === undefined) return;
    this.#watch(job);
    this.#worker?.postMessage(job.request);
  }

  #watch(job: Job): void {
    const { timeoutMs } = this.#options;
    const stop = (end: RunEnd): void => {
      this.#finish(end);
      this.#restart(`query ${job.id} was ended`);
    };
    const limit = setTimeout(() => stop({ kind: 'timeout', limitMs: timeoutMs }), timeoutMs);
    let grace: NodeJS.Timeout | undefined;
    const abandoned = (): void => {
      grace = setTimeout(() => stop(stopped(nobodyWaits)), abandonedGraceMs);
    };
    job.signal.addEventListener('abort', abandoned, { once: true });
    this.#running = {
      job,
      stopWatching: () => {
        clearTimeout(limit);
        clearTimeout(grace);
        job.signal.removeEventListener('abort', abandoned);
      },
    };
  }

  #finish(end: RunEnd): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.stopWatching();
    running.job.result.finish(end);
  }

  #broken(reason: string): void {
    const error = new ServiceError('INTERNAL_ERROR', 'The database failed at this query.');
    this.#finish({ kind: 'error', error });
    if (!this.#isReady) this.#failedStarts += 1;
    if (this.#failedStarts >= 3) {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
      this.#options.log(`The database does not start: ${reason}`);
      this.#ready.reject(new Error(`The database does not start: ${reason}`));
      for (const job of this.#waiting.splice(0)) refuse(job.result, 'The database does not start.');
      this.#isClosed = true;
      return;
    }
    this.#restart(`the database broke: ${reason}`);
  }

  #restart(why: string): void {
    this.#options.log(`Starting the database anew: ${why}`);
    const worker = this.#worker;
    if (this.#isReady) this.#ready = unhandledSafe();
    this.#isReady = false;
    void worker?.terminate();
    if (!this.#isClosed) this.#start();
  }
}

export const nobodyWaits = 'The caller no longer waits for this query.';

/** Returns the result of a query that cannot run right now. */
export function stopped(message: string): RunEnd {
  return { kind: 'error', error: unavailable(message) };
}

export function refuse(result: GrowingResult, message: string): void {
  result.finish(stopped(message));
}

/** Creates a promise that may reject without a handler. */
function unhandledSafe(): PromiseWithResolvers<undefined> {
  const pending = Promise.withResolvers<undefined>();
  pending.promise.catch(() => undefined);
  return pending;
}
