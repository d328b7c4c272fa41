/** Sources of pages for the reader: lists and results that are walked by their tokens, and iterations. */
import { reasonOf, unlessAborted } from '#api/client/abort.ts';
import { PageWalk, type PagePart, type PageSource, type WalkOptions } from '#api/client/answers/paging.ts';
import type { PageHead } from '#api/client/query-page.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf } from '../rows/page-rows.ts';
import type { RowsPage } from '../rows/rows-page.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { PageFeed, ReadPage } from './page-reader.ts';

/** Walks by tokens. A page that failed is requested again by the next call. */
export function walkFeed<Read extends PagePart, Column extends StoreColumn>(
  source: PageSource<Read> & { readonly toPage: (page: Read) => ReadPage<Column> },
  options: WalkOptions,
): PageFeed<Column> {
  const walk = new PageWalk(source, options);
  return {
    get hasMore() {
      return walk.hasMore;
    },
    async next(signal) {
      const page = await walk.next(signal);
      if (page === undefined) return undefined;
      const isPreparing = source.isEmpty(page) && walk.hasMore;
      return { ...source.toPage(page), isPreparing };
    },
  };
}

/** A page of a query's result, with its rows as values or packed. */
export interface ResultPage extends PageHead {
  readonly rows: PageRows;
}

/** The pages of a query's result as a feed. Runs and the records view send the requests differently. */
export function resultPages(
  read: PageSource<ResultPage>['read'],
  options: WalkOptions,
): PageFeed<PageHead['columns'][number]> {
  let [sent, told] = [0, 0];
  let areValues = false;
  return walkFeed(
    {
      read,
      isEmpty: ({ rows }) => countOf(rows) === 0,
      toPage: ({ columns, rows, rowCount, isPerhapsPartial, areValuesUnknown, toldRows = 0 }) => {
        sent += countOf(rows);
        told = Math.max(told, toldRows);
        const isShort = isPerhapsPartial === true || told > sent;
        // What the pages themselves leave open is the reason that comes first.
        areValues = areValuesUnknown === true || (areValues && isPerhapsPartial !== true);
        const end = isShort ? 'perhaps-short' : undefined;
        return { columns, rows, totalRows: rowCount, end, ...(areValues && { areValuesUnknown: true }) };
      },
    },
    options,
  );
}

/** A page of an iteration, which says itself whether it is the last one. */
export type IteratedPage = Pick<RowsPage, 'isLast'> & ReadPage;

/**
 * Takes the pages of an iteration one by one. A page that was requested when the waiting ended is returned by the next
 * call.
 */
export class IterationFeed implements PageFeed {
  readonly #pages: AsyncIterator<IteratedPage>;
  #coming: Promise<IteratorResult<IteratedPage>> | undefined;
  #failed: { readonly error: unknown } | undefined;
  #rowCount = 0;
  hasMore = true;
  /** Whether the iteration ended with a failure, so that the rows after it are not to be had from it. */
  isLost = false;

  constructor(pages: AsyncIterable<IteratedPage>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  async next(signal: AbortSignal): Promise<ReadPage | undefined> {
    this.#coming ??= this.#pages.next();
    try {
      const next = await unlessAborted(this.#coming, signal, reasonOf);
      this.#coming = undefined;
      return this.#take(next);
    } catch (error) {
      if (!signal.aborted) {
        this.#coming = undefined;
        this.#failed = { error };
      }
      throw error;
    }
  }

  /** Errors are ignored. */
  end(): void {
    this.#pages.return?.().then(undefined, () => undefined);
  }

  #take(next: IteratorResult<IteratedPage>): ReadPage {
    if (next.done === true && this.#failed !== undefined) {
      // A generator is also done after it has thrown; that does not mean that the rows are complete.
      this.isLost = true;
      throw this.#failed.error;
    }
    this.#failed = undefined;
    const page: IteratedPage = next.done === true ? { columns: [], rows: [], isLast: true } : next.value;
    this.hasMore = !page.isLast;
    this.#rowCount += countOf(page.rows);
    return { ...page, totalRows: page.isLast ? this.#rowCount : page.totalRows };
  }
}
