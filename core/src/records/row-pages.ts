/** Reads a collection as rows, page by page. */
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { pauseWords } from '#base/words/pause-words.ts';
import type { RowsPage } from '../rows/rows-page.ts';
import type { KeptPages } from './kept-pages.ts';
import { preparingWords } from './page-words.ts';
import { pagesOf, RowShape, type PagesOptions } from './records-source.ts';

/** Returns the columns of each stored page: a file that cannot grow starts with all of them. */
export async function* storedColumns(
  kept: KeptPages,
  collection: CollectionId,
): AsyncGenerator<RowsPage['columns'], void, undefined> {
  for await (const items of kept.storedItems()) yield (await shapeOf(collection, items)).columns;
}

async function shapeOf(collection: CollectionId, items: readonly unknown[]): Promise<RowShape> {
  const { fieldsOf } = await import('./record-fields.ts');
  return new RowShape(collection === 'enrollmentViaAuthenticator' ? undefined : fieldsOf(collection), items);
}

/** Iterates over the rows of a collection. Columns may differ between pages, so callers match them by name. */
export function rowPages(
  client: ServiceClient,
  collection: CollectionId,
  options: Omit<PagesOptions, 'words'>,
): AsyncIterable<RowsPage> {
  const pages = pagesOf(client, collection, {
    ...options,
    words: {
      preparing: preparingWords(),
      pausedFor: pauseWords,
    },
  });
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const page = await pages.next();
        if (page.done === true) return { done: true, value: undefined };
        const { items, isLast } = page.value;
        const rows = await shapeOf(collection, items);
        return {
          done: false,
          value: { columns: rows.columns, rows: items.map((item) => rows.rowOf(item)), isLast },
        };
      },
      async return() {
        await pages.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
