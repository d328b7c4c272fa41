/** Helpers for examining responses. */
import type { Page, PageToken } from '../../contract/lists.ts';
import { withItems } from '../answers/other-pages.ts';
import { pageTokenOf, pageTokenText } from '../answers/page-token.ts';
import { walkPages } from '../answers/paging.ts';
import { UnfinishedListError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { memberOf, type Asking, type Told } from './asking.ts';
import type { Seen } from './finding.ts';

export function statusSeen({ request, status, code }: Told): Seen {
  return { kind: 'status', request, status, code };
}

export function notOffered({ request, status }: Told): Seen {
  return { kind: 'not-offered', request, status };
}

/** Returns whether the response depends on this client or the time, and so reveals nothing about the assumption. */
export function isUntold({ status }: Told): boolean {
  return [401, 403, 408, 429].includes(status) || (status >= 500 && status !== 501);
}

/** Returns the items of a list; undefined if the response is not a list. */
export function itemsOf({ status, body }: Told): readonly unknown[] | undefined {
  const items = memberOf(body, 'items');
  return status === 200 && Array.isArray(items) ? items : undefined;
}

/**
 * Asks a list that the specification does not describe, as the client does: its size may have another name, and its items
 * may be elsewhere.
 */
export async function otherListOf(ask: Asking, path: string): Promise<Told> {
  const sized = await ask.get(path, { pageSize: 1 });
  const told = sized.status === 400 || sized.status === 422 ? await ask.get(path) : sized;
  return told.status === 200 ? { ...told, body: withItems(told.body as JsonValue, true) } : told; // a parsed body
}

/** Maximum number of pages requested for one item: a page may be empty while results are prepared. */
const pagesMax = 5;
/** Maximum number of pages requested for all items. */
const allPagesMax = 50;

/** Returns the first item of a list, starting from a page already read; undefined if there is none. */
export async function firstItem(ask: Asking, path: string, first: Told): Promise<unknown> {
  const items = itemsFrom(ask, path, { first, pageSize: 1, pagesMax });
  const { value } = await items.next();
  await items.return();
  return value;
}

/** Yields the items of a list, starting from a page already read. */
export async function* allItems(
  ask: Asking,
  path: string,
  start: { readonly first: Told; readonly pageSize: number },
): AsyncGenerator<unknown, void, undefined> {
  yield* itemsFrom(ask, path, { ...start, pagesMax: allPagesMax });
}

async function* itemsFrom(
  ask: Asking,
  path: string,
  start: { readonly first: Told; readonly pageSize: number; readonly pagesMax: number },
): AsyncGenerator<unknown, void, undefined> {
  const { first, pageSize } = start;
  const source = {
    read: async (token: PageToken | undefined) => {
      if (token === undefined) return pageOf(first);
      return pageOf(await ask.get(path, { pageSize, pageToken: pageTokenText(token) }));
    },
    isEmpty: ({ items }: Page<unknown>) => items.length === 0,
  };
  try {
    for await (const { items } of walkPages(source, { pagesMax: start.pagesMax, signal: ask.signal }))
      yield* items;
  } catch (error) {
    if (!(error instanceof UnfinishedListError)) throw error;
  }
}

/** What is not a list ends it. */
function pageOf(told: Told): Page<unknown> {
  const token = memberOf(told.body, 'nextPageToken');
  return {
    items: itemsOf(told) ?? [],
    nextPageToken: typeof token === 'string' ? pageTokenOf(token) : undefined,
  };
}
