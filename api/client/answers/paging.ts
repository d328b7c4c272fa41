/**
 * Iterates over the pages of a list, a result or a schema. A page may be empty while results are prepared; only a
 * missing token marks the end. A list that never ends raises an error, so that it is not mistaken for a complete one.
 */
import { createHash } from 'node:crypto';
import type { Page, PageToken } from '#api/contract/lists.ts';
import { pause, throwIfAborted } from '../abort.ts';
import { ContractError, UnfinishedListError } from '../errors.ts';
import { pageTokenKey } from './page-token.ts';

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after every empty page except the last, with the delay before the next request. */
  readonly onWaiting?: ((delayMs: number) => void) | undefined;
  /** Delay after the first empty page in milliseconds; grows by half each time, up to two seconds. Default: 200. */
  readonly emptyPageDelayMs?: number | undefined;
  /** Maximum number of consecutive empty pages. The default, 450, allows about 15 minutes. */
  readonly emptyPagesMax?: number | undefined;
  /** Maximum number of pages. Default: 100,000. */
  readonly pagesMax?: number | undefined;
}

export interface PageOptions extends WalkOptions {
  readonly pageSize?: number | undefined;
  /**
   * Called with the reason for each unreadable item; the other items are kept. Without it, an unreadable item is an
   * error.
   */
  readonly onLeftOut?: ((problems: readonly string[]) => void) | undefined;
  /** Called if the service tells of more entries, but not how to ask for them. Default: `onLeftOut`. */
  readonly onPart?: (() => void) | undefined;
}

const maxEmptyPageDelayMs = 2_000;
const defaultEmptyPagesMax = 450;
const defaultPagesMax = 100_000;

/** What a page says about the next one. */
export interface PagePart {
  readonly nextPageToken?: PageToken | undefined;
}

export interface PageSource<Read extends PagePart> {
  readonly read: (pageToken: PageToken | undefined, signal: AbortSignal | undefined) => Promise<Read>;
  readonly isEmpty: (page: Read) => boolean;
}

/** Walks through the pages. If `next` throws, calling it again retries the failed page. */
export class PageWalk<Read extends PagePart> {
  readonly #source: PageSource<Read>;
  readonly #options: Omit<WalkOptions, 'signal'>;
  readonly #firstDelayMs: number;
  /** Keys of the tokens already used. Long keys are hashed, since tokens can be long and numerous. */
  readonly #answered = new Set<string>();
  /**
   * Digests of the pages of tokens that are used more than once. A token may stay for a whole walk, so only a page that comes
   * again under the same token shows that the walk never ends.
   */
  readonly #repeated = new Set<string>();
  #token: PageToken | undefined;
  #hasMore = true;
  #pages = 0;
  #empties = 0;
  #delayMs: number;
  #isWaiting = false;
  #repeats = false;

  constructor(source: PageSource<Read>, options: Omit<WalkOptions, 'signal'> = {}) {
    this.#source = source;
    this.#options = options;
    this.#firstDelayMs = options.emptyPageDelayMs ?? 200;
    this.#delayMs = this.#firstDelayMs;
  }

  /** False once a page arrives without a token. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /**
   * Returns the next page, empty or not; undefined after the last.
   * @param signal must be named, so that no loop asks for pages after a cancel because it was forgotten.
   * @throws UnfinishedListError if the list never ends; errors from `read`; UserAbort.
   */
  async next(signal: AbortSignal | undefined): Promise<Read | undefined> {
    if (!this.#hasMore) return undefined;
    throwIfAborted(signal);
    this.#stopWhereEndless();
    if (this.#isWaiting) await this.#wait(signal);
    const page = await this.#source.read(this.#token, signal);
    // After an abort, the next call requests the same page again.
    throwIfAborted(signal);
    this.#take(page);
    return page;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const delayMs = this.#delayMs;
    this.#options.onWaiting?.(delayMs);
    await pause(delayMs, signal);
    this.#delayMs = Math.min(maxEmptyPageDelayMs, delayMs * 1.5);
  }

  #take(page: Read): void {
    const asked = this.#token;
    this.#pages += 1;
    this.#token = page.nextPageToken;
    this.#hasMore = page.nextPageToken !== undefined;
    this.#isWaiting = this.#source.isEmpty(page);
    if (this.#isWaiting) {
      this.#empties += 1;
    } else {
      this.#empties = 0;
      this.#delayMs = this.#firstDelayMs;
      if (asked !== undefined) this.#noteAnswered(keyOf(asked), page);
    }
  }

  #noteAnswered(key: string, page: Read): void {
    const next = page.nextPageToken;
    if (next === undefined) return;
    const isUsedAgain = this.#answered.has(key);
    this.#answered.add(key);
    if (!isUsedAgain && !this.#answered.has(keyOf(next))) return;
    const seen = `${key} ${digestOf(page)}`;
    this.#repeats = this.#repeated.has(seen);
    this.#repeated.add(seen);
  }

  #stopWhereEndless(): void {
    const emptyPagesMax = this.#options.emptyPagesMax ?? defaultEmptyPagesMax;
    const pagesMax = this.#options.pagesMax ?? defaultPagesMax;
    if (this.#repeats) {
      throw new UnfinishedListError(
        'repeated',
        'The service repeats a page of this list, so it would never end. Reading stopped.',
      );
    }
    if (this.#pages >= pagesMax) {
      throw new UnfinishedListError(
        'limit',
        `This list has more than ${pagesMax.toLocaleString('en')} pages. Reading stopped: these are not all.`,
      );
    }
    if (this.#empties >= emptyPagesMax) {
      this.#empties = 0; // a later call starts with the full allowance
      throw new UnfinishedListError(
        'empty',
        `The service is still preparing this list: ${emptyPagesMax} pages in a row were empty. Reading stopped. Try again later.`,
      );
    }
  }
}

function keyOf(token: PageToken): string {
  const key = pageTokenKey(token);
  return key.length <= 64 ? key : createHash('sha256').update(key).digest('base64');
}

/** Digests the content of a page, whether its rows are values or packed. */
export function digestOf(page: object): string {
  const hash = createHash('sha256');
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value))
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (Array.isArray(value)) {
      hash.update('[');
      for (const each of value) add(each);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        hash.update(name);
        add(member);
      }
    } else if (typeof value !== 'function') hash.update(`${typeof value} ${String(value)};`);
  };
  add(page);
  return hash.digest('base64');
}

/**
 * Yields the pages of a list or result.
 * @throws the same errors as `PageWalk.next`
 */
export async function* walkPages<Read extends PagePart>(
  source: PageSource<Read>,
  options: WalkOptions,
): AsyncGenerator<Read, void, undefined> {
  const { signal, ...pacing } = options;
  const walk = new PageWalk(source, pacing);
  for (let page = await walk.next(signal); page !== undefined; page = await walk.next(signal)) yield page;
}

/**
 * Yields the items of every page.
 * @throws the same errors as `PageWalk.next`; ContractError for unreadable items if `onLeftOut` is not set.
 */
export async function* pages<Item>(
  list: (options: {
    readonly pageSize?: number | undefined;
    readonly pageToken?: PageToken | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<Page<Item>>,
  options: PageOptions,
): AsyncGenerator<Item, void, undefined> {
  const { pageSize } = options;
  const source: PageSource<Page<Item>> = {
    read: (pageToken, signal) => list({ pageSize, pageToken, signal }),
    isEmpty: ({ items, leftOut }) => items.length === 0 && leftOut === undefined,
  };
  for await (const { items, leftOut = [], isPart = false } of walkPages(source, options)) {
    yield* items;
    if (isPart) options.onPart?.();
    const problems = isPart && options.onPart === undefined ? [...leftOut, partWords] : leftOut;
    if (problems.length === 0) continue;
    if (options.onLeftOut === undefined) throw new ContractError(problems[0] ?? '', { status: 200 });
    options.onLeftOut(problems);
  }
}

/** Said of a list whose further pages cannot be asked for. */
const partWords =
  'The list has more entries, but the service does not tell how to ask for them: those are missing.';
