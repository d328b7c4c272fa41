/** Pages of one run each: it starts for the first page, is kept for the next ones, and stops once nobody can read it. */
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { badField, ServiceError } from '../errors.ts';
import type { PageTokens } from '../tokens.ts';
import type { RunRows } from './growing-result.ts';
import { ResultKeeper } from './results.ts';

export interface PagedRunsOptions {
  readonly tokens: PageTokens;
  /** Size of all results that are kept for their next pages. */
  readonly mostBytes: number;
  readonly words: {
    /** A sentence: the result was dropped. */
    readonly gone: string;
    /** What a token of another result is, after its name. */
    readonly isOther: string;
  };
}

export interface PagedRun {
  /** Name of the list that a page token belongs to. */
  readonly list: string;
  readonly pageToken: string | undefined;
  /** Where the request has the page token. */
  readonly location: 'query' | 'body';
  /** Identifies the query and its caller, since a page token is valid only for them. */
  readonly fingerprint: string;
  readonly reply: FastifyReply;
  readonly start: (signal: AbortSignal) => RunRows;
}

/** A page to read. */
export interface PageOfRun {
  readonly result: RunRows;
  /** Its first row. */
  readonly from: number;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Keeps the result, and returns the token of the page that starts at a row. */
  readonly tokenOf: (row: number) => string;
}

const Position = Type.Object({ result: Type.String(), row: Type.Integer() });
const lifetimeMs = 5 * 60_000;
const tidyMs = 60_000;

export class PagedRuns {
  readonly #options: PagedRunsOptions;
  readonly #kept: ResultKeeper;

  constructor(app: FastifyInstance, options: PagedRunsOptions) {
    this.#options = options;
    const kept = new ResultKeeper({ mostBytes: options.mostBytes, lifetimeMs, clock: Date.now });
    this.#kept = kept;
    const tidying = setInterval(() => kept.dropOld(), tidyMs);
    tidying.unref();
    app.addHook('onClose', (_instance, done) => {
      clearInterval(tidying);
      kept.clear();
      done();
    });
  }

  /** @throws ServiceError if the page token is not one of this run. */
  async page<Page>(run: PagedRun, read: (page: PageOfRun) => Promise<Page>): Promise<Page> {
    const { list, pageToken, fingerprint, reply, start } = run;
    const { tokens } = this.#options;
    const signal = goneSignal(reply);
    const seal = (id: string, row: number): string => tokens.seal(list, { result: id, row });
    if (pageToken !== undefined) {
      const { id, result, row } = this.#open(run, pageToken);
      return await this.#read(run, read, { result, from: row, signal, tokenOf: (next) => seal(id, next) });
    }
    const running = new AbortController();
    const stop = (): void => running.abort();
    signal.addEventListener('abort', stop, { once: true });
    const result = start(running.signal);
    let id: string | undefined;
    try {
      const tokenOf = (row: number): string => {
        id ??= this.#kept.keep({ fingerprint, result, abandon: stop }).id;
        return seal(id, row);
      };
      return await this.#read(run, read, { result, from: 0, signal, tokenOf });
    } finally {
      if (id === undefined) {
        stop();
        result.discard();
      }
    }
  }

  /** The rows of a page are read while they are sent, also if the result is dropped meanwhile. */
  async #read<Page>(
    { reply }: PagedRun,
    read: (page: PageOfRun) => Promise<Page>,
    page: PageOfRun,
  ): Promise<Page> {
    finished(reply.raw, page.result.hold());
    return await read(page);
  }

  #open({ list, location, fingerprint }: PagedRun, pageToken: string) {
    const { tokens, words } = this.#options;
    const gone = (): ServiceError => new ServiceError('RESULT_GONE', words.gone);
    if (tokens.isOfEarlierProcess(list, pageToken)) throw gone();
    const { result: id, row } = Value.Parse(Position, tokens.open(list, pageToken, location));
    const entry = this.#kept.find(id);
    if (entry === undefined) throw gone();
    if (entry.fingerprint !== fingerprint) throw badField(location, 'pageToken', words.isOther);
    return { id, result: entry.result, row };
  }
}

/** Returns a signal that aborts if the caller closes the connection before the response is complete. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
