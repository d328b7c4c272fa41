/**
 * The language server's parser. Small inputs are parsed in the server's own thread, which takes a fraction of a
 * millisecond, less than a round trip to a worker.
 *
 * All others, and those that break this parser, go to a worker, which has a large stack, can be terminated, and starts
 * on demand. A larger text never waits here for the worker to start: nobody could end it.
 */
import type { ParseOutcome, SqlParser, TypeRequest } from '../language/checks/parser.ts';
import type { GrammarProbe } from '../language/editing/allowed-suggestions.ts';
import { createParserInstance, loadGrammar, type ParserInstance } from './instance.ts';
import type { NamesOutcome, TypesOutcome } from './messages.ts';
import type { CompiledModule } from './web-assembly.ts';
import { WorkerParser } from './worker-parser.ts';

/** Maximum total length, in characters, of a request handled in this thread. */
const smallSizeMax = 4_096;

/** Maximum number of characters that are read for a completion: about 5 ms. */
const probedMax = 200_000;

export class ServerParser implements SqlParser {
  readonly #worker = new WorkerParser({ grammar: () => this.#grammar });
  #grammar: CompiledModule | undefined;
  #instance: Promise<ParserInstance | undefined> | undefined;
  /** The same once it is loaded, for what cannot wait. */
  #loaded: ParserInstance | undefined;

  /** Loads the parser ahead of the first small request. */
  warmUp(): void {
    // If loading fails, requests go to the worker, which then reports that it gave up.
    this.#instance ??= this.#load().catch(() => undefined);
  }

  async #load(): Promise<ParserInstance> {
    this.#grammar ??= await loadGrammar();
    this.#loaded = await createParserInstance(this.#grammar);
    return this.#loaded;
  }

  /** Answers a completion (see `GrammarProbe`). */
  readonly probe: GrammarProbe = (beginning, texts) => {
    const parser = this.#loaded;
    const isLong = beginning.length > smallSizeMax || beginning.length * texts.length > probedMax;
    if (parser === undefined || isLong || beginning.includes('\0')) return undefined;
    /** @returns whether the parser reads all of the text */
    const isRead = (text: string): boolean => (parser.errorAt(text) ?? text.length) >= text.length;
    try {
      if (!isRead(beginning)) return undefined;
      return texts.map((text) => isRead(`${beginning} ${text}`));
    } catch {
      this.#discard();
      return undefined;
    }
  };

  #discard(): void {
    this.#instance = undefined;
    this.#loaded = undefined;
  }

  async parse(
    texts: readonly string[],
    isCancelled?: () => boolean,
  ): Promise<readonly ParseOutcome[] | undefined> {
    const outcomes =
      isCancelled?.() === true ? undefined : await this.#here(texts, (own, text) => own.parse(text));
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

  /** Returns undefined if the worker must handle the request. */
  async #here<T>(
    texts: readonly string[],
    use: (own: ParserInstance, text: string, index: number) => T,
  ): Promise<readonly T[] | undefined> {
    if (sizeOf(texts) > smallSizeMax) return undefined;
    this.warmUp();
    const own = await this.#instance;
    if (own === undefined) return undefined;
    try {
      return texts.map((text, index) => use(own, text, index));
    } catch {
      // The instance's memory is no longer reliable. The worker has a larger stack, and reports if even that is too
      // small.
      this.#discard();
      return undefined;
    }
  }
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((size, text) => size + text.length, 0);
