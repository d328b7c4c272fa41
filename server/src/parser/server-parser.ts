/**
 * The language server's parser. Small inputs are parsed in the server's own thread, which takes a fraction of a
 * millisecond, less than a round trip to a worker.
 *
 * All others, and those that break this parser, go to a worker, which has a large stack, can be terminated, and starts
 * on demand. While it starts, this thread also parses larger inputs, which takes less time than the start.
 */
import type { ParseOutcome, SqlParser, TypeRequest } from '../language/checks/parser.ts';
import { createParserInstance, loadGrammar, type ParserInstance } from './instance.ts';
import type { NamesOutcome, TypesOutcome } from './messages.ts';
import type { CompiledModule } from './web-assembly.ts';
import { WorkerParser } from './worker-parser.ts';

/** Maximum total length, in characters, of a request handled in this thread. */
const smallSizeMax = 4_096;
/** The same for syntax while the worker has not started yet. More than the service accepts as one query. */
const startSizeMax = 131_072;

export class ServerParser implements SqlParser {
  readonly #worker = new WorkerParser({ grammar: () => this.#grammar });
  #grammar: CompiledModule | undefined;
  #instance: Promise<ParserInstance | undefined> | undefined;
  /** The worker's first start. A worker that ended is not waited for: a text may have blocked it. */
  #start: 'pending' | 'wanted' | 'running' | 'over' = 'pending';

  /** Loads the parser ahead of the first small request. */
  warmUp(): void {
    // If loading fails, requests go to the worker, which then reports that it gave up.
    this.#instance ??= this.#load().catch(() => undefined);
  }

  async #load(): Promise<ParserInstance> {
    this.#grammar ??= await loadGrammar();
    return createParserInstance(this.#grammar);
  }

  async parse(
    texts: readonly string[],
    isCancelled?: () => boolean,
  ): Promise<readonly ParseOutcome[] | undefined> {
    if (sizeOf(texts) > smallSizeMax) {
      // A start takes processor time, so it must not delay the first answer.
      if (this.#start === 'pending') this.#start = 'wanted';
      else this.#startWorker();
    }
    const sizeMax = this.#start === 'over' ? smallSizeMax : startSizeMax;
    const outcomes =
      isCancelled?.() === true ? undefined : await this.#here(texts, (own, text) => own.parse(text), sizeMax);
    return outcomes ?? this.#worker.parse(texts, isCancelled);
  }

  async readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, outcome: NamesOutcome) => void,
  ): Promise<readonly NamesOutcome[] | undefined> {
    return (
      (await this.#here(texts, (own, text) => own.readNames(text))) ??
      this.#worker.readNames(texts, isCancelled, onRead)
    );
  }

  async readTypes(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly TypesOutcome[] | undefined> {
    const texts = requests.map(({ text }) => text);
    return (
      (await this.#here(texts, (own, text, index) => {
        const context = requests[index]?.context;
        return context && own.readTypes(text, context);
      })) ?? this.#worker.readTypes(requests, isCancelled)
    );
  }

  dispose(): Promise<void> {
    return this.#worker.dispose();
  }

  #startWorker(): void {
    if (this.#start === 'running' || this.#start === 'over') return;
    this.#start = 'running';
    // A worker that does not start is reported by the first request to it.
    const end = (): void => {
      this.#start = 'over';
    };
    void this.#worker.warmUp().then(end, end);
  }

  /** Returns undefined if the worker must handle the request. */
  async #here<T>(
    texts: readonly string[],
    use: (own: ParserInstance, text: string, index: number) => T,
    sizeMax = smallSizeMax,
  ): Promise<readonly T[] | undefined> {
    if (sizeOf(texts) > sizeMax) {
      this.#startWorker();
      return undefined;
    }
    this.warmUp();
    const own = await this.#instance;
    if (own === undefined) {
      return undefined;
    }
    try {
      return texts.map((text, index) => use(own, text, index));
    } catch {
      // The instance's memory is no longer reliable. The worker has a larger stack, and reports if even that is too
      // small, and gets all further large texts.
      this.#instance = undefined;
      if (sizeOf(texts) > smallSizeMax) this.#start = 'over';
      return undefined;
    }
  }
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((size, text) => size + text.length, 0);
