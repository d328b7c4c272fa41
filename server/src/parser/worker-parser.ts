/**
 * Runs the parser in workers with a large stack, which are replaced if they do not respond in time. Sends one batch of
 * strings at a time, so that after a cancellation only the current batch is wasted, and requests take turns.
 */
import path from 'node:path';
import { currentTranslations } from '#base/texts.ts';
import type { ParseOutcome, SqlParser, TypeRequest } from '../language/checks/parser.ts';
import type { TypeContext } from '../language/types/type-statement.ts';
import { AskedWorker } from './asked-worker.ts';
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

/**
 * Number of workers. One is enough, unless a text keeps it busy: then the next one starts. Only one of them retries
 * what was not answered in time, with the longer timeout, so that others remain whatever the texts are.
 */
const threadsMax = 3;
/** How long a request waits for a busy worker before another one starts. More than most batches take. */
const patienceMs = 100;

type Outcome = ParseOutcome | NamesOutcome | TreeOutcome | TypesOutcome;

interface Job {
  readonly kind: ParseRequest['kind'];
  readonly texts: readonly string[];
  /** For kind `types`: the context for each string. */
  readonly contexts?: readonly TypeContext[] | undefined;
  /** The outcome used if there is no response. */
  readonly missing: Outcome;
  readonly isCancelled?: (() => boolean) | undefined;
  /** Called with each outcome as soon as the worker responds. */
  readonly onOutcome?: ((text: string, outcome: Outcome) => void) | undefined;
}

export class WorkerParser implements SqlParser {
  readonly #timeLimitsMs: readonly [number, number];
  readonly #threads: ThreadPool;
  /** Resolves when the last retry that was asked for has ended. */
  #retried: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerParserOptions = {}) {
    this.#timeLimitsMs = options.timeLimitsMs ?? [500, 2_000];
    const { script = defaultScript(), grammar = () => undefined } = options;
    const answerOf = (message: WorkerMessage): readonly Outcome[] | 'ready' =>
      message.kind === 'ready' ? 'ready' : message.outcomes;
    this.#threads = new ThreadPool(() => {
      const workerData: WorkerStart = { translations: currentTranslations(), grammar: grammar() };
      return new AskedWorker(script, { workerData, resourceLimits: { stackSizeMb } }, answerOf);
    });
  }

  /** Starts the worker ahead of the first request. Resolves when it has started or failed. */
  async warmUp(): Promise<void> {
    const thread = await this.#threads.take();
    if (thread === undefined) return;
    await thread.ready;
    this.#threads.giveBack(thread);
  }

  async parse(
    texts: readonly string[],
    isCancelled?: () => boolean,
  ): Promise<readonly ParseOutcome[] | undefined> {
    const missing: ParseOutcome = { kind: 'gave-up', reason: 'time' };
    // The worker responds with the request's kind.
    return (await this.#run({ kind: 'parse', texts, missing, isCancelled })) as
      | readonly ParseOutcome[]
      | undefined;
  }

  async readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, outcome: NamesOutcome) => void,
  ): Promise<readonly NamesOutcome[] | undefined> {
    const onOutcome = onRead as Job['onOutcome'] | undefined; // of the request's kind
    return (await this.#run({ kind: 'names', texts, missing: undefined, isCancelled, onOutcome })) as
      | readonly NamesOutcome[]
      | undefined;
  }

  /** Returns a statement's whole tree, or undefined if it cannot be parsed. */
  async readTree(text: string): Promise<TreeOutcome> {
    const outcomes = await this.#run({ kind: 'trees', texts: [text], missing: undefined });
    return outcomes?.[0] as TreeOutcome; // of the request's kind
  }

  async readTypes(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly TypesOutcome[] | undefined> {
    const texts = requests.map(({ text }) => text);
    const contexts = requests.map(({ context }) => context);
    return (await this.#run({ kind: 'types', texts, contexts, missing: undefined, isCancelled })) as
      | readonly TypesOutcome[]
      | undefined; // of the request's kind
  }

  async dispose(): Promise<void> {
    await this.#threads.dispose();
  }

  /** Returns undefined if the job was cancelled. */
  async #run(job: Job): Promise<readonly Outcome[] | undefined> {
    const { kind, texts, isCancelled = () => false, onOutcome } = job;
    const isOver = () => isCancelled() || this.#threads.isDisposed;
    const outcomes: Outcome[] = [];
    while (outcomes.length < texts.length) {
      if (isOver()) return undefined;
      const from = outcomes.length;
      const batch = nextBatch(texts, from, batchSizes[kind]);
      const contexts = job.contexts?.slice(from, from + batch.length);
      const read = await this.#request(requestOf(kind, batch, contexts), this.#timeLimitsMs[0], isOver);
      read?.forEach((outcome, index) => onOutcome?.(batch[index] ?? '', outcome));
      for (const outcome of read ?? (await this.#oneByOne(job, batch, contexts, isOver)))
        outcomes.push(outcome);
    }
    // The outcomes of a cancelled job are incomplete.
    return isOver() ? undefined : outcomes;
  }

  /** Retries an unanswered batch one string at a time, so that only the offending statement remains unverified. */
  async #oneByOne(
    { kind, missing }: Job,
    batch: readonly string[],
    contexts: readonly TypeContext[] | undefined,
    isOver: () => boolean,
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [index, text] of batch.entries()) {
      const own = contexts?.slice(index, index + 1);
      const retry = async () =>
        await this.#request(requestOf(kind, [text], own), this.#timeLimitsMs[1], isOver);
      const answer = this.#retried.then(retry);
      this.#retried = answer;
      outcomes.push((await answer)?.[0] ?? missing);
    }
    return outcomes;
  }

  /**
   * Returns undefined if the worker does not respond in time or dies, or if the request is over before a worker is
   * free.
   */
  async #request(
    request: ParseRequest,
    limitMs: number,
    isOver: () => boolean,
  ): Promise<readonly Outcome[] | undefined> {
    const thread = isOver() ? undefined : await this.#threads.take();
    if (thread === undefined) return undefined;
    const outcomes = isOver() ? [] : await thread.ask(request, limitMs);
    if (outcomes === undefined) await this.#threads.end(thread);
    else this.#threads.giveBack(thread);
    return outcomes;
  }
}

/** Workers that requests take in turn. */
class ThreadPool {
  readonly #create: () => ParserThread;
  readonly #threads = new Set<ParserThread>();
  readonly #idle: ParserThread[] = [];
  readonly #waiting: ((thread: ParserThread | undefined) => void)[] = [];
  #isDisposed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(create: () => ParserThread) {
    this.#create = create;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Resolves when a worker is free; with undefined when the pool is disposed. */
  async take(): Promise<ParserThread | undefined> {
    if (this.#isDisposed) return undefined;
    const free = this.#idle.pop() ?? (this.#threads.size === 0 ? this.#add() : undefined);
    if (free !== undefined) return free;
    return await new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#watch();
    });
  }

  /** Only one worker is kept while nobody waits. */
  giveBack(thread: ParserThread): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next(thread);
    else if (this.#idle.length === 0 && !this.#isDisposed) this.#idle.push(thread);
    else void this.end(thread);
  }

  /** Ends a worker that is not free. */
  async end(thread: ParserThread): Promise<void> {
    this.#threads.delete(thread);
    if (!this.#isDisposed) this.#waiting.shift()?.(this.#add());
    await thread.end();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #add(): ParserThread {
    const thread = this.#create();
    this.#threads.add(thread);
    return thread;
  }

  /** Starts another worker if the busy ones are busy for long. */
  #watch(): void {
    if (this.#timer !== undefined || this.#threads.size >= threadsMax) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#waiting.shift()?.(this.#add());
      if (this.#waiting.length > 0) this.#watch();
    }, patienceMs);
    this.#timer.unref();
  }
}

type ParserThread = AskedWorker<WorkerMessage, readonly Outcome[]>;

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
