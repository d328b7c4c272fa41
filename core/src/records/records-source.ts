/** Reads the pages of a collection and converts their items to rows, for the result panel and for files. */
import { pageTokenOf } from '#api/client/answers/page-token.ts';
import { PageWalk, type WalkOptions } from '#api/client/answers/paging.ts';
import { isRecord } from '#api/client/answers/shape.ts';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError, NotOfferedError, RateLimitError } from '#api/client/errors.ts';
import { limits } from '#api/contract/limits.ts';
import type { Page, PageToken } from '#api/contract/lists.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { waitingOutRateLimits } from '../failures/rate-limit.ts';
import type { RowsPage } from '../rows/rows-page.ts';
import { requestWindows, rfc3339 } from './activity-window.ts';
import type { KeptPages } from './kept-pages.ts';
import type { RecordField } from './record-fields.ts';
import type { RecordsFilter } from './records-filter.ts';

export interface ItemsPage {
  readonly items: readonly unknown[];
  readonly isLast: boolean;
}

export interface PagesOptions {
  readonly filter: RecordsFilter;
  readonly signal: AbortSignal;
  /** Called with the reason for a delay. */
  readonly say: (note: string) => void;
  readonly words: PagesWords;
  /** Stores pages as they are read; pages that are already stored are returned first. */
  readonly kept?: KeptPages | undefined;
  /** Replaced in tests. */
  readonly pacing?: Pick<WalkOptions, 'emptyPageDelayMs' | 'emptyPagesMax'>;
}

export interface PagesWords {
  readonly preparing: string;
  readonly pausedFor: (delayMs: number) => string;
}

/**
 * Iterates over the pages of a collection; each page has items or is the last. Waits out rate limits, and the empty
 * pages that the service sends while it prepares the data. If `next` throws, calling it again retries the failed page.
 */
export function pagesOf(
  client: ServiceClient,
  collection: CollectionId,
  options: PagesOptions,
): AsyncIterableIterator<ItemsPage, undefined> {
  let isLeft = false;
  const reader = client[collection] as { list(query: object): Promise<Page<unknown>> }; // each list accepts the members of `query` below
  const { filter, signal, say, words } = options;
  const onPause = (delayMs: number) => say(words.pausedFor(delayMs));
  const windows = filter.window === undefined ? [undefined] : requestWindows(filter.window);
  const ask = async (place: PageToken | undefined) => {
    const { at, pageToken } = placeIn(place);
    const window = windows[at];
    const page = await waitingOutRateLimits(
      () =>
        reader.list({
          applicationInstanceId: filter.applicationInstanceId,
          ...(window === undefined ? {} : { from: rfc3339(window.from), to: rfc3339(window.to) }),
          pageSize: limits.pageSizeMax,
          ...(pageToken === undefined ? {} : { pageToken }),
          signal,
          onWait: (delayMs: number, error: unknown) => {
            if (error instanceof RateLimitError) onPause(delayMs);
          },
        }),
      { signal, onPause },
    );
    return windows.length === 1 ? page : pageInWindows(page, at, windows.length);
  };
  const { kept } = options;
  const read = kept === undefined ? ask : (pageToken: PageToken | undefined) => kept.read(pageToken, ask);
  const walk = new PageWalk(
    { read, isEmpty: ({ items }) => items.length === 0 },
    { ...options.pacing, signal, onWaiting: () => say(words.preparing) },
  );
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (!isLeft) {
        const page = await walk.next();
        if (page === undefined) break;
        if (page.items.length === 0 && walk.hasMore) continue;
        return { done: false, value: { items: page.items, isLast: !walk.hasMore } };
      }
      return { done: true, value: undefined };
    },
    return() {
      isLeft = true;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/** A page token together with the window that it belongs to, as JSON: pages are kept with it. */
interface Place {
  readonly at: number;
  /** Undefined for the first page of the window. */
  readonly pageToken: PageToken | undefined;
}

function placeIn(place: PageToken | undefined): Place {
  if (!isRecord(place)) return { at: 0, pageToken: place };
  const { window, token = null } = place;
  return typeof window === 'number'
    ? { at: window, pageToken: pageTokenOf(token) }
    : { at: 0, pageToken: place };
}

/** Continues with the next window where one ends. */
function pageInWindows(page: Page<unknown>, at: number, count: number): Page<unknown> {
  const { nextPageToken: token, ...rest } = page;
  if (token !== undefined) return { ...page, nextPageToken: { window: at, token } };
  return at + 1 < count ? { ...rest, nextPageToken: { window: at + 1 } } : page;
}

/** Converts items to rows with one column per field. Fields that are not in the specification come last. */
export class RowShape {
  readonly #names: readonly string[];
  readonly columns: RowsPage['columns'];

  /** @param fields undefined if the items are strings. */
  constructor(fields: readonly RecordField[] | undefined, items: readonly unknown[]) {
    if (fields === undefined) {
      this.#names = [];
      this.columns = [{ name: 'relationship', type: 'text' }];
      return;
    }
    const unreadable = items.every(isRecord) ? [] : [{ name: 'unreadable record', type: 'jsonb' }];
    const known = new Set(fields.map(({ name }) => name));
    const others = new Set<string>();
    for (const item of items) {
      if (!isRecord(item)) continue;
      for (const name of Object.keys(item)) if (!known.has(name)) others.add(name);
    }
    this.#names = [...known, ...others];
    this.columns = [
      ...fields.map(({ name, type }) => ({ name, type })),
      ...[...others].map((name) => ({ name, type: 'jsonb' })),
      ...unreadable,
    ];
  }

  rowOf(item: unknown): readonly unknown[] {
    if (this.#names.length === 0) return [item];
    if (!isRecord(item)) return [...this.#names.map(() => null), item === null ? 'null' : item];
    return this.#names.map(
      (name) => (Object.hasOwn(item, name) ? (item[name] ?? null) : null), // a missing member becomes NULL
    );
  }
}

/** Returns whether the error means that the service lacks this list (assumption: every collection has a list). */
export function isMissingList(error: unknown): boolean {
  if (error instanceof NotOfferedError) return true;
  const status = error instanceof ApiError || error instanceof ContractError ? error.status : undefined;
  return status === 404 || status === 405 || status === 501;
}
