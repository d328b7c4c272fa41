/**
 * The parser of other dialects for the rest of the server. Its grammars have exponential cases, so it runs in a
 * worker that is ended at a time limit and replaced for the next text.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Dialect } from '../language/text/dialects.ts';
import type { DialectOutcome, DialectParser } from '../language/dialects/outcome.ts';

export interface WorkerDialectParserOptions {
  /** Time limit of one statement. */
  readonly timeLimitMs?: number;
}

const timeLimitDefaultMs = 250;
/** Time limit for starting the thread and loading a grammar on a busy machine. */
const startLimitMs = 10_000;

export class WorkerDialectParser implements DialectParser {
  readonly #timeLimitMs: number;
  #thread: DialectThread | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor({ timeLimitMs = timeLimitDefaultMs }: WorkerDialectParserOptions = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /** One text at a time. */
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

/** One worker per dialect. It keeps the process alive only during a request. */
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

  /** Undefined if there was no response in time or the worker died. */
  async parse(text: string, limitMs: number): Promise<DialectOutcome | undefined> {
    this.#worker.ref();
    const isReady = await within(this.#ready, startLimitMs);
    if (isReady !== true) {
      return undefined;
    }
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
