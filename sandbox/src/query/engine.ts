/** Runs queries one after another on a worker thread, ends the thread when one takes too long, and starts the next. */
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Changes } from '../data/changes.ts';
import type {
  Column,
  DatabaseFailure,
  FromWorker,
  RunRequest,
  TouchedRecord,
  ToWorker,
  WorkerSettings,
} from './messages.ts';
import type { RowSink } from './session.ts';

export interface QueryResult {
  readonly columns: readonly Column[];
  readonly chunks: readonly RowChunk[];
  readonly rowCount: number;
  readonly sizeBytes: number;
}

/** Rows as JSON arrays joined by commas, with the byte where each row ends. */
export interface RowChunk {
  readonly json: Uint8Array;
  readonly ends: Uint32Array;
}

export type QueryOutcome =
  | { readonly kind: 'result'; readonly result: QueryResult }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure }
  | { readonly kind: 'timeout'; readonly limitMs: number };

export interface QueryEngine {
  /** Starts it, unless a query has. Resolves once the data can be queried; rejects if it never will. */
  ready(): Promise<void>;
  /** `signal` says that nobody waits for the answer any more. Rejects with a `ServiceError` when it cannot be run. */
  run(query: QueryToRun, signal: AbortSignal): Promise<QueryOutcome>;
  /** Makes the rows of changed records anew, before any query that waits. Also counts for every later start. */
  change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void>;
  close(): Promise<void>;
}

export type QueryToRun = Pick<RunRequest, 'schema' | 'sql' | 'values' | 'fallbackTypes'>;

export interface EngineOptions {
  readonly worker: URL;
  readonly settings: WorkerSettings;
  readonly timeoutMs: number;
  readonly rowLimit: number;
  readonly byteLimit: number;
  readonly log: Log;
}

interface Job {
  readonly id: number;
  readonly request: ToWorker;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: QueryOutcome) => void;
  readonly reject: (error: ServiceError) => void;
  readonly chunks: RowChunk[];
}

const mostWaiting = 100;
/** Starting the worker anew takes about two seconds, so an abandoned query may first end by itself. */
const abandonedGraceMs = 1_000;

export function createWorkerEngine(options: EngineOptions): QueryEngine {
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

  run(query: QueryToRun, signal: AbortSignal): Promise<QueryOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.length >= mostWaiting) {
        reject(unavailable(this.#isClosed ? 'The service is stopping.' : 'Too many queries are waiting.'));
        return;
      }
      this.#startOnce();
      const id = this.#nextId++;
      const { rowLimit, byteLimit } = this.#options;
      const request: ToWorker = { kind: 'run', id, ...query, rowLimit, byteLimit };
      this.#waiting.push({ id, request, signal, resolve, reject, chunks: [] });
      this.#next();
    });
  }

  async change(changes: Changes, touched: readonly TouchedRecord[]): Promise<void> {
    this.#changes = changes;
    // One that starts later has them in its data.
    if (this.#isClosed || !this.#isStarted) return;
    const id = this.#nextId++;
    const request: ToWorker = { kind: 'change', id, changes, touched };
    const { signal } = new AbortController();
    await new Promise<void>((resolve) => {
      // A worker that ends over it starts again with the changes in its data.
      const done = (): void => resolve();
      this.#waiting.unshift({ id, request, signal, resolve: done, reject: done, chunks: [] });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#finish((job) => job.reject(unavailable('The service is stopping.')));
    for (const job of this.#waiting.splice(0)) job.reject(unavailable('The service is stopping.'));
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
      // PostgreSQL in WebAssembly recurses on the thread's own stack; deep queries need room.
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
      case 'rows':
        if (job?.id === message.id) job.chunks.push({ json: message.json, ends: message.ends });
        return;
      case 'done':
        if (job?.id !== message.id) return;
        this.#finish(() => job.resolve({ kind: 'result', result: resultOf(job.chunks, message.columns) }));
        this.#next();
        return;
      case 'changed':
        if (job?.id !== message.id) return;
        this.#finish(() => job.resolve({ kind: 'result', result: resultOf([], []) }));
        this.#next();
        return;
      case 'failed':
        if (job?.id !== message.id) return;
        this.#finish(() => job.resolve({ kind: 'failed', failure: message.failure }));
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
      job.reject(unavailable('Nobody waits for this query any more.'));
      job = this.#waiting.shift();
    }
    if (job === undefined) return;
    this.#watch(job);
    this.#worker?.postMessage(job.request);
  }

  #watch(job: Job): void {
    const { timeoutMs } = this.#options;
    const stop = (outcome: (job: Job) => void): void => {
      this.#finish(outcome);
      this.#restart(`query ${job.id} was ended`);
    };
    const limit = setTimeout(
      () => stop(() => job.resolve({ kind: 'timeout', limitMs: timeoutMs })),
      timeoutMs,
    );
    let grace: NodeJS.Timeout | undefined;
    const abandoned = (): void => {
      const end = (): void => stop(() => job.reject(unavailable('Nobody waits for this query any more.')));
      grace = setTimeout(end, abandonedGraceMs);
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

  #finish(outcome: (job: Job) => void): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.stopWatching();
    outcome(running.job);
  }

  #broken(reason: string): void {
    this.#finish((job) =>
      job.reject(new ServiceError('INTERNAL_ERROR', 'The database failed at this query.')),
    );
    if (!this.#isReady) this.#failedStarts += 1;
    if (this.#failedStarts >= 3) {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
      this.#options.log(`The database does not start: ${reason}`);
      this.#ready.reject(new Error(`The database does not start: ${reason}`));
      for (const job of this.#waiting.splice(0)) job.reject(unavailable('The database does not start.'));
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

function resultOf(chunks: readonly RowChunk[], columns: readonly Column[]): QueryResult {
  return {
    columns,
    chunks,
    rowCount: chunks.reduce((sum, chunk) => sum + chunk.ends.length, 0),
    sizeBytes: chunks.reduce((sum, chunk) => sum + chunk.json.byteLength + chunk.ends.byteLength, 0),
  };
}

/** Where rows go as they come, and the result of them all. */
export function collect(): {
  readonly sink: RowSink;
  readonly result: (columns: readonly Column[]) => QueryResult;
} {
  const chunks: RowChunk[] = [];
  return {
    sink: { rows: (json, ends) => chunks.push({ json, ends }) },
    result: (columns) => resultOf(chunks, columns),
  };
}

export function unavailable(message: string): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', message, { headers: { 'retry-after': '2' } });
}

/** A promise whose rejection nobody need wait for. */
function unhandledSafe(): PromiseWithResolvers<undefined> {
  const pending = Promise.withResolvers<undefined>();
  pending.promise.catch(() => undefined);
  return pending;
}
