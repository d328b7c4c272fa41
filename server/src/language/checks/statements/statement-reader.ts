/** Parses statements, and caches the results by statement text. */
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import {
  replacePlaceholders,
  withoutComments,
  type StatementSpan,
} from '#server/language/text/statements.ts';
import { TextCache } from '#server/language/text/text-cache.ts';
import type { StatementTypes, TypeContext, TypedTable } from '#server/language/types/type-statement.ts';
import type { Meaning, ParseOutcome, SqlParser } from '../parser.ts';

/** Maximum total length of the statements whose parse results are cached, in characters. */
const cacheSizeMax = 4_000_000;
/**
 * Maximum total length of the statements whose meaning is cached, in characters. A meaning takes many times the memory
 * of its text.
 */
const meaningCacheSizeMax = 400_000;

export class StatementReader {
  readonly #parser: SqlParser;
  /** Outcomes of the strings that are being parsed. */
  readonly #running = new Map<string, Promise<ParseOutcome | undefined>>();
  readonly #outcomes = new TextCache<ParseOutcome>(cacheSizeMax);
  /** The value is wrapped, since a missing meaning is cached too. */
  readonly #meanings = new TextCache<{ readonly meaning: Meaning | undefined }>(meaningCacheSizeMax);
  readonly #types = new TextCache<{ readonly types: StatementTypes | undefined }>(meaningCacheSizeMax);
  readonly #tableNumbers = new WeakMap<TypedTable, number>();
  #tableCount = 0;

  constructor(parser: SqlParser) {
    this.#parser = parser;
  }

  hasMeaning(text: string): boolean {
    return this.#meanings.has(text);
  }

  /** Returns the outcome of each statement with the text that was parsed; undefined if cancelled. */
  async parse(
    lexed: LexedText,
    spans: readonly StatementSpan[],
    isCancelled: () => boolean,
    textOf: (span: StatementSpan) => string = (span) => replacePlaceholders(lexed, span),
  ): Promise<
    | { readonly texts: readonly string[]; readonly outcomes: readonly (ParseOutcome | undefined)[] }
    | undefined
  > {
    const texts = spans.map(textOf);
    const isTooDeep = deepComments(lexed);
    const outcomes = await this.#outcomesOf(
      texts.filter((_, index) => !isTooDeep(spans[index])),
      isCancelled,
    ).then((read) => read && withGaveUp(read, spans, isTooDeep));
    // Retry without comments, since a comment may be the only cause of a syntax error.
    const retries = spans.flatMap((span, index) => {
      const isError = outcomes?.[index]?.kind === 'syntax-error';
      const text = isError ? withoutComments(lexed, span, texts[index] ?? '') : undefined;
      return text === undefined ? [] : { index, text };
    });
    if (outcomes === undefined || retries.length === 0) return outcomes && { texts, outcomes };
    const others = await this.#outcomesOf(
      retries.map(({ text }) => text),
      isCancelled,
    );
    const byIndex = new Map(retries.map(({ index, text }, nth) => [index, { text, outcome: others?.[nth] }]));
    return (
      others && {
        texts: texts.map((text, index) => byIndex.get(index)?.text ?? text),
        outcomes: outcomes.map((outcome, index) => byIndex.get(index)?.outcome ?? outcome),
      }
    );
  }

  /** Returns one meaning per statement, or undefined where there is none. Returns undefined if cancelled. */
  async meanings(
    texts: readonly (string | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly (Meaning | undefined)[] | undefined> {
    const missing = texts.flatMap((text) => (text === undefined || this.#meanings.has(text) ? [] : [text]));
    // Typing repeatedly cancels reads. Finished parts are cached so that reads eventually finish.
    const keep = (text: string, meaning: Meaning | undefined) => this.#meanings.set(text, { meaning });
    const read = missing.length === 0 ? [] : await this.#parser.readNames(missing, isCancelled, keep);
    if (read === undefined || isCancelled()) return undefined;
    const fresh = new Map(missing.map((text, index) => [text, { meaning: read[index] }]));
    for (const [text, entry] of fresh) this.#meanings.set(text, entry);
    return texts.map((text) =>
      text === undefined ? undefined : (fresh.get(text) ?? this.#meanings.get(text))?.meaning,
    );
  }

  /** Returns the types for each request, or undefined where there are none. Returns undefined if cancelled. */
  async types(
    requests: readonly ({ readonly text: string; readonly context: TypeContext } | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly (StatementTypes | undefined)[] | undefined> {
    if (this.#parser.readTypes === undefined) return requests.map(() => undefined);
    const keys = requests.map((request) => request && `${request.text}\0${this.#keyOf(request.context)}`);
    const missing = requests.flatMap((request, index) => {
      const key = keys[index];
      return request === undefined || key === undefined || this.#types.has(key) ? [] : [{ ...request, key }];
    });
    const read = missing.length === 0 ? [] : await this.#parser.readTypes(missing, isCancelled);
    if (read === undefined || isCancelled()) return undefined;
    const fresh = new Map(missing.map(({ key }, index) => [key, { types: read[index] }]));
    for (const [key, entry] of fresh) this.#types.set(key, entry);
    return keys.map((key) =>
      key === undefined ? undefined : (fresh.get(key) ?? this.#types.get(key))?.types,
    );
  }

  /** Returns a short key with tables as numbers: column lists are long and seldom change. */
  #keyOf({ tables, ...rest }: TypeContext): string {
    const numbers = tables.map((table) => {
      const number = this.#tableNumbers.get(table) ?? this.#tableCount++;
      this.#tableNumbers.set(table, number);
      return number;
    });
    return JSON.stringify([numbers, rest]);
  }

  /**
   * Returns one outcome per string. Strings that are being parsed for another caller are not parsed again, so that a
   * check and an inlay hint for the same text share a single parse. Nobody waits for the strings of another document.
   */
  async #outcomesOf(
    texts: readonly string[],
    isCancelled: () => boolean,
  ): Promise<readonly (ParseOutcome | undefined)[] | undefined> {
    const known = new Map<string, ParseOutcome>();
    for (;;) {
      for (const text of texts) {
        const outcome = known.has(text) ? undefined : this.#outcomes.get(text);
        if (outcome !== undefined) known.set(text, outcome);
      }
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      if (missing.length === 0) return texts.map((text) => known.get(text));
      const own = missing.filter((text) => !this.#running.has(text));
      const ownTexts = new Set(own);
      if (own.length > 0) this.#start(own, isCancelled);
      const running = missing.map((text) => this.#running.get(text) ?? Promise.resolve(undefined));
      for (const [index, outcome] of (await Promise.all(running)).entries()) {
        const text = missing[index] ?? '';
        if (outcome !== undefined) known.set(text, outcome);
        else if (ownTexts.has(text)) return undefined; // cancelled, unlike that of another caller
      }
    }
  }

  #start(texts: readonly string[], isCancelled: () => boolean): void {
    const batch = this.#parser.parse(texts, isCancelled);
    for (const [index, text] of texts.entries()) {
      const outcome = batch.then((outcomes) => outcomes?.[index]);
      this.#running.set(text, outcome);
      const end = (parsed: ParseOutcome | undefined) => {
        this.#running.delete(text);
        // Timeouts are not cached, since the machine may have been overloaded.
        if (parsed !== undefined && !(parsed.kind === 'gave-up' && parsed.reason === 'time'))
          this.#outcomes.set(text, parsed);
      };
      outcome.then(end, () => end(undefined)); // the caller gets the error
    }
  }
}

/** PostgreSQL's lexer takes time with the square of the depth of comments. */
const commentDepthMax = 100;

type IsTooDeep = (span: StatementSpan | undefined) => boolean;

/** Returns whether a statement contains comments that are nested too deeply to be parsed. */
function deepComments({ text, all }: LexedText): IsTooDeep {
  const deep: number[] = [];
  for (let index = 0; index < all.length; index++) {
    const start = all.start(index);
    if (text.startsWith('/*', start) && depthOf(text, start, all.end(index)) > commentDepthMax)
      deep.push(start);
  }
  return (span) =>
    span !== undefined &&
    deep.some((start) => start >= span.start && start <= Math.max(span.end, span.start));
}

/** Returns the depth of a comment that may not be closed. */
function depthOf(text: string, start: number, end: number): number {
  let [depth, deepest] = [0, 0];
  for (let at = start; at < end - 1; at++) {
    const isStart = text.startsWith('/*', at);
    if (!isStart && !text.startsWith('*/', at)) continue;
    depth += isStart ? 1 : -1;
    deepest = Math.max(deepest, depth);
    at++;
  }
  return deepest;
}

/** Puts the outcomes of the statements that were parsed beside those that were not. */
function withGaveUp(
  read: readonly (ParseOutcome | undefined)[],
  spans: readonly StatementSpan[],
  isTooDeep: IsTooDeep,
): readonly (ParseOutcome | undefined)[] {
  let next = 0;
  return spans.map((span) => (isTooDeep(span) ? { kind: 'gave-up', reason: 'time' } : read[next++]));
}
