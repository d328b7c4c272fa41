/**
 * Parses other dialects. Since their grammars can take exponential time, the parser runs in a worker, which is
 * terminated after a timeout and replaced before the next request.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DialectOutcome, DialectParser } from '../language/dialects/outcome.ts';
import type { Dialect } from '../language/text/dialects.ts';

export interface WorkerDialectParserOptions {
  /** Timeout for a statement. */
  readonly timeLimitMs?: number;
}

const timeLimitDefaultMs = 250;
/** Timeout for starting the thread and loading a grammar, which can be slow on a busy machine. */
const startLimitMs = 10_000;

export class WorkerDialectParser implements DialectParser {
  readonly #timeLimitMs: number;
  #thread: DialectThread | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor({ timeLimitMs = timeLimitDefaultMs }: WorkerDialectParserOptions = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /** Handles one request at a time, in order. */
  parse(
    dialect: Dialect,
    text: string,
    isCancelled: () => boolean = () => false,
  ): Promise<DialectOutcome | undefined> {
    const turn = this.#previous.then(() => (isCancelled() ? undefined : this.#run(dialect, text)));
    this.#previous = turn;
    return turn;
  }

  async dispose(): Promise<void> {
    await this.#end();
  }

  async #run(dialect: Dialect, text: string): Promise<DialectOutcome> {
    if (this.#thread?.dialect !== dialect) {
      await this.#end();
      this.#thread = new DialectThread(dialect);
    }
    const outcome = await this.#thread.parse(text, this.#timeLimitMs);
    if (outcome === undefined) {
      await this.#end();
      return { kind: 'gave-up', reason: 'time' };
    }
    return outcome;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

/** A worker for one dialect. It keeps the process alive only during a request. */
class DialectThread {
  readonly dialect: Dialect;
  readonly #worker: Worker;
  readonly #ready: Promise<boolean>;
  #settle: ((outcome: DialectOutcome | undefined) => void) | undefined;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.#worker = new Worker(script(), {
      workerData: dialect,
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 8 },
      execArgv: [],
    });
    this.#ready = new Promise((resolve) => {
      this.#worker.on('message', (message: 'ready' | DialectOutcome) => {
        if (message === 'ready') {
          resolve(true);
        } else {
          this.#settle?.(message);
        }
      });
      const failed = (): void => {
        resolve(false);
        this.#settle?.(undefined);
      };
      this.#worker.on('error', failed);
      this.#worker.on('exit', failed);
    });
    this.#worker.unref();
  }

  /** Returns undefined if the worker does not respond in time or dies. */
  async parse(text: string, limitMs: number): Promise<DialectOutcome | undefined> {
    this.#worker.ref();
    const isReady = await within(this.#ready, startLimitMs);
    if (isReady !== true) return undefined;
    const answer = new Promise<DialectOutcome | undefined>((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(text);
    });
    const outcome = await within(answer, limitMs);
    this.#settle = undefined;
    this.#worker.unref();
    return outcome;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function script(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? 'dialect-worker.cjs' : 'dialect-worker.ts');
}
