/** Reads the pages of a collection and converts their items to rows, for the result panel and for files. */
import { pageTokenOf } from '#api/client/answers/page-token.ts';
import type { WalkOptions } from '#api/client/answers/paging.ts';
import { isRecord } from '#api/client/answers/shape.ts';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError, NotOfferedError, RateLimitError } from '#api/client/errors.ts';
import { limits } from '#api/contract/limits.ts';
import type { Page, PageToken } from '#api/contract/lists.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { waitingOutRateLimits } from '../failures/rate-limit.ts';
import { walkFeed } from '../reading/feeds.ts';
import type { PageFeed } from '../reading/page-reader.ts';
import type { RowsPage } from '../rows/rows-page.ts';
import { requestWindows, rfc3339 } from './activity-window.ts';
import type { KeptPages } from './kept-pages.ts';
import { preparingWords } from './page-messages.ts';
import type { RecordField } from './record-fields.ts';
import type { RecordsFilter } from './records-filter.ts';

export interface RecordsOptions {
  readonly filter: RecordsFilter;
  /** Called with the reason for a delay. */
  readonly say: (note: string) => void;
  /** Stores pages as they are read; pages that are already stored are returned first. */
  readonly kept?: KeptPages | undefined;
  /** Replaced in tests. */
  readonly pacing?: Pick<WalkOptions, 'emptyPageDelayMs' | 'emptyPagesMax'>;
}

/**
 * Reads the rows of a collection. Waits out rate limits, and the empty pages that the service sends while it prepares the
 * data. Columns may differ between pages, so the reader matches them by name.
 */
export function recordsFeed(
  client: ServiceClient,
  collection: CollectionId,
  { filter, say, kept, pacing }: RecordsOptions,
): PageFeed {
  const reader = client[collection] as { list(query: object): Promise<Page<unknown>> }; // each list accepts the members of `query` below
  const onPause = (delayMs: number) => say(pauseWords(delayMs));
  const windows = filter.window === undefined ? [undefined] : requestWindows(filter.window);
  const ask = async (place: PageToken | undefined, signal: AbortSignal | undefined) => {
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
  let rowCount = 0;
  const pages = walkFeed(
    {
      read: async (place, signal) => {
        const page = await (kept === undefined
          ? ask(place, signal)
          : kept.read(place, (from) => ask(from, signal)));
        return { ...page, shape: await shapeOf(collection, page.items) };
      },
      isEmpty: ({ items }) => items.length === 0,
      toPage: ({ items, nextPageToken, isPart = false, shape }) => {
        rowCount += items.length;
        return {
          columns: shape.columns,
          rows: items.map((item) => shape.rowOf(item)),
          totalRows: nextPageToken === undefined && !isPart ? rowCount : undefined,
          end: isPart ? 'perhaps-short' : undefined,
        };
      },
    },
    { ...pacing, onWaiting: () => say(preparingWords()) },
  );
  return kept === undefined ? pages : afterColumns(storedColumns(kept, collection), pages);
}

async function shapeOf(collection: CollectionId, items: readonly unknown[]): Promise<RowShape> {
  const { fieldsOf } = await import('./record-fields.ts');
  return new RowShape(collection === 'enrollmentViaAuthenticator' ? undefined : fieldsOf(collection), items);
}

/** Yields the columns of each stored page: a file that cannot grow starts with all of them. */
async function* storedColumns(
  kept: KeptPages,
  collection: CollectionId,
): AsyncGenerator<RowsPage['columns'], void, undefined> {
  for await (const items of kept.storedItems()) yield (await shapeOf(collection, items)).columns;
}

function afterColumns(columns: AsyncIterator<RowsPage['columns'], void>, pages: PageFeed): PageFeed {
  return {
    get hasMore() {
      return pages.hasMore;
    },
    async next(signal) {
      const stored = await columns.next();
      if (stored.done === true) return await pages.next(signal);
      return { columns: stored.value, rows: [], isPreparing: true };
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
