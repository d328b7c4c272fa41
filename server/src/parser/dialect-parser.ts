/**
 * Parses other dialects. Since their grammars can take exponential time, the parser runs in a worker, which is
 * terminated after a timeout and replaced before the next request.
 */
import path from 'node:path';
import type { DialectOutcome, DialectParser } from '../language/dialects/outcome.ts';
import type { Dialect } from '../language/text/dialects.ts';
import { AskedWorker, within } from './asked-worker.ts';

export interface WorkerDialectParserOptions {
  /** Timeout for a statement. */
  readonly timeLimitMs?: number;
}

const timeLimitDefaultMs = 250;
/** Timeout for starting the thread and loading a grammar, which can be slow on a busy machine. */
const startLimitMs = 10_000;

type DialectWorker = AskedWorker<'ready' | DialectOutcome, DialectOutcome>;

export class WorkerDialectParser implements DialectParser {
  readonly #timeLimitMs: number;
  #thread: { readonly dialect: Dialect; readonly worker: DialectWorker } | undefined;
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
      const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 8 };
      const worker: DialectWorker = new AskedWorker(
        script(),
        { workerData: dialect, resourceLimits },
        (message) => message,
      );
      this.#thread = { dialect, worker };
    }
    const { worker } = this.#thread;
    const isReady = await within(worker.ready, startLimitMs);
    const outcome = isReady === true ? await worker.ask(text, this.#timeLimitMs) : undefined;
    if (outcome === undefined) {
      await this.#end();
      return { kind: 'gave-up', reason: 'time' };
    }
    return outcome;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.end();
  }
}

function script(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? 'dialect-worker.cjs' : 'dialect-worker.ts');
}
