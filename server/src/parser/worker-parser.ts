/**
 * Runs the parser in a worker with a large stack, which is replaced if it does not respond in time. Sends one batch of
 * strings at a time, so that after a cancellation only the current batch is wasted.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { currentTranslations } from '#base/texts.ts';
import type { ParseOutcome, SqlParser, TypeRequest } from '../language/checks/parser.ts';
import type { TypeContext } from '../language/types/type-statement.ts';
import type {
  NamesOutcome,
  ParseRequest,
  TreeOutcome,
  TypesOutcome,
  WorkerMessage,
  WorkerStart,
} from './messages.ts';
import type { CompiledModule } from './web-assembly.ts';

export interface WorkerParserOptions {
  /**
   * Timeouts for a batch, and for retrying each of its statements. The second one is longer, so that a briefly busy
   * machine does not leave a statement unverified.
   */
  readonly timeLimitsMs?: readonly [number, number];
  /** The path of the worker's script; by default, the bundled one. */
  readonly script?: string;
  /** Returns the compiled grammar if this thread has it, which spares the worker to compile its own. */
  readonly grammar?: () => CompiledModule | undefined;
}

/**
 * Maximum length of a batch, in characters, unless a single string is longer. Meanings are read while the user types,
 * and the next check waits for the current batch: 4 KB take about 5 ms.
 */
const batchSizes = { parse: 65_536, names: 4_096, trees: 65_536, types: 4_096 } as const;
// 100 KB of chained operators need about 12 MB (measured 2026-11-21).
const stackSizeMb = 16;

type Outcome = ParseOutcome | NamesOutcome | TreeOutcome | TypesOutcome;

interface Job {
  readonly kind: ParseRequest['kind'];
  readonly texts: readonly string[];
  /** For kind `types`: the context for each string. */
  readonly contexts?: readonly TypeContext[] | undefined;
  readonly outcomes: Outcome[];
  /** The outcome used if there is no response. */
  readonly missing: Outcome;
  readonly isCancelled: () => boolean;
  /** Called with each outcome as soon as the worker responds. */
  readonly onOutcome: (text: string, outcome: Outcome) => void;
  readonly resolve: (outcomes: readonly Outcome[] | undefined) => void;
}

export class WorkerParser implements SqlParser {
  readonly #timeLimitsMs: readonly [number, number];
  readonly #script: string;
  readonly #grammar: () => CompiledModule | undefined;
  readonly #jobs: Job[] = [];
  #thread: ParserThread | undefined;
  #isPumping = false;
  #isDisposed = false;

  constructor(options: WorkerParserOptions = {}) {
    this.#timeLimitsMs = options.timeLimitsMs ?? [500, 2_000];
    this.#script = options.script ?? defaultScript();
    this.#grammar = options.grammar ?? (() => undefined);
  }

  /** Starts the worker ahead of the first request. Resolves when it has started or failed. */
  async warmUp(): Promise<void> {
    if (this.#isDisposed) return;
    this.#thread ??= this.#newThread();
    await this.#thread.ready;
  }

  async parse(
    texts: readonly string[],
    isCancelled?: () => boolean,
  ): Promise<readonly ParseOutcome[] | undefined> {
    const missing: ParseOutcome = { kind: 'gave-up', reason: 'time' };
    // The worker responds with the request's kind.
    return (await this.#enqueue({ kind: 'parse', texts, missing, isCancelled })) as
      | readonly ParseOutcome[]
      | undefined;
  }

  async readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, outcome: NamesOutcome) => void,
  ): Promise<readonly NamesOutcome[] | undefined> {
    const onOutcome = onRead as Job['onOutcome'] | undefined; // of the request's kind
    return (await this.#enqueue({ kind: 'names', texts, missing: undefined, isCancelled, onOutcome })) as
      | readonly NamesOutcome[]
      | undefined;
  }

  /** Returns a statement's whole tree, or undefined if it cannot be parsed. */
  async readTree(text: string): Promise<TreeOutcome> {
    const outcomes = await this.#enqueue({ kind: 'trees', texts: [text], missing: undefined });
    return outcomes?.[0] as TreeOutcome; // of the request's kind
  }

  async readTypes(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly TypesOutcome[] | undefined> {
    const texts = requests.map(({ text }) => text);
    const contexts = requests.map(({ context }) => context);
    return (await this.#enqueue({ kind: 'types', texts, contexts, missing: undefined, isCancelled })) as
      | readonly TypesOutcome[]
      | undefined; // of the request's kind
  }

  #enqueue({
    isCancelled = () => false,
    onOutcome = () => undefined,
    ...asked
  }: Pick<Job, 'kind' | 'texts' | 'contexts' | 'missing'> & {
    readonly isCancelled?: Job['isCancelled'] | undefined;
    readonly onOutcome?: Job['onOutcome'] | undefined;
  }): Promise<readonly Outcome[] | undefined> {
    return new Promise((resolve) => {
      this.#jobs.push({ ...asked, outcomes: [], isCancelled, onOutcome, resolve });
      void this.#pump();
    });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const job of this.#jobs.splice(0)) {
      job.resolve(undefined);
    }
    await this.#endThread();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) {
      return;
    }
    this.#isPumping = true;
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      await this.#run(job);
    }
    this.#isPumping = false;
  }

  async #run(job: Job): Promise<void> {
    while (job.outcomes.length < job.texts.length) {
      if (job.isCancelled() || this.#isDisposed) {
        job.resolve(undefined);
        return;
      }
      const batch = nextBatch(job.texts, job.outcomes.length, batchSizes[job.kind]);
      const from = job.outcomes.length;
      const contexts = job.contexts?.slice(from, from + batch.length);
      const outcomes = await this.#request(requestOf(job.kind, batch, contexts), this.#timeLimitsMs[0]);
      outcomes?.forEach((outcome, index) => job.onOutcome(batch[index] ?? '', outcome));
      (outcomes ?? (await this.#oneByOne(job, batch, contexts))).forEach((outcome) =>
        job.outcomes.push(outcome),
      );
    }
    // The outcomes of a cancelled job are incomplete.
    job.resolve(job.isCancelled() ? undefined : job.outcomes);
  }

  /** Retries an unanswered batch one string at a time, so that only the offending statement remains unverified. */
  async #oneByOne(
    { kind, missing, isCancelled }: Job,
    batch: readonly string[],
    contexts: readonly TypeContext[] | undefined,
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [index, text] of batch.entries()) {
      const own = contexts?.slice(index, index + 1);
      const answer = isCancelled()
        ? undefined
        : await this.#request(requestOf(kind, [text], own), this.#timeLimitsMs[1]);
      outcomes.push(answer === undefined ? missing : answer[0]);
    }
    return outcomes;
  }

  /** Returns undefined if the worker does not respond in time or dies. The next request starts a new worker. */
  async #request(request: ParseRequest, limitMs: number): Promise<readonly Outcome[] | undefined> {
    this.#thread ??= this.#newThread();
    const outcomes = await this.#thread.request(request, limitMs);
    if (outcomes === undefined) {
      await this.#endThread();
    }
    return outcomes;
  }

  #newThread(): ParserThread {
    return new ParserThread(this.#script, { translations: currentTranslations(), grammar: this.#grammar() });
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

/** A worker and its lifetime, with at most one pending request. */
class ParserThread {
  /** Whether the worker has started; false if it failed. Never rejects. */
  readonly ready: Promise<boolean>;
  readonly #worker: Worker;
  #settle: ((outcomes: readonly Outcome[] | undefined) => void) | undefined;

  constructor(script: string, workerData: WorkerStart) {
    this.#worker = new Worker(script, {
      workerData,
      resourceLimits: { stackSizeMb },
      // The host's flags (inspector, loaders) must not apply to this thread.
      execArgv: [],
    });
    this.#worker.unref();
    this.ready = new Promise((resolve) => {
      this.#worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'ready') {
          resolve(true);
        } else {
          this.#settle?.(message.outcomes);
        }
      });
      // A failure resolves the request ("gave up"); the next request replaces the worker.
      const failed = (): void => {
        resolve(false);
        this.#settle?.(undefined);
      };
      this.#worker.on('error', failed);
      this.#worker.on('exit', failed);
      // Treated as a failure, since waiting for another response would block all later checks.
      this.#worker.on('messageerror', failed);
    });
  }

  async request(request: ParseRequest, limitMs: number): Promise<readonly Outcome[] | undefined> {
    this.#worker.ref();
    if (!(await this.ready)) {
      return undefined;
    }
    // Promise.withResolvers is not available: the command line also runs on Node.js 20.
    let timer: NodeJS.Timeout | undefined;
    const outcomes = await new Promise<readonly Outcome[] | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), limitMs);
      this.#settle = resolve;
      this.#worker.postMessage(request);
    });
    clearTimeout(timer);
    this.#settle = undefined;
    this.#worker.unref();
    return outcomes;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

const requestOf = (
  kind: ParseRequest['kind'],
  texts: readonly string[],
  contexts: readonly TypeContext[] | undefined,
): ParseRequest => ({ kind, texts, ...(contexts === undefined ? {} : { contexts }) });

function nextBatch(texts: readonly string[], from: number, sizeMax: number): readonly string[] {
  let size = 0;
  let to = from;
  do {
    size += texts[to]?.length ?? 0;
    to++;
  } while (to < texts.length && size + (texts[to]?.length ?? 0) <= sizeMax);
  return texts.slice(from, to);
}

function defaultScript(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? 'parser-worker.cjs' : 'worker.ts');
}
