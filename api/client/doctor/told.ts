/** Helpers for examining responses. */
import type { Page, PageToken } from '../../contract/lists.ts';
import { withItems } from '../answers/other-pages.ts';
import { pageTokenOf, pageTokenText } from '../answers/page-token.ts';
import { walkPages, type PageSource } from '../answers/paging.ts';
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
  try {
    const read = async (token: PageToken | undefined) =>
      pageOf(token === undefined ? first : await pageAfter(ask, path, { pageSize: 1, token }));
    for await (const { items } of walkPages(sourceOf(read), { pagesMax, signal: ask.signal }))
      if (items.length > 0) return items[0];
  } catch (error) {
    if (!(error instanceof UnfinishedListError)) throw error;
  }
  return undefined;
}

/**
 * Returns the items of all pages, or the first answer that was no page: what was read before it is not the list.
 * @throws UnfinishedListError if the list does not end.
 */
export async function allItems(
  ask: Asking,
  path: string,
  pageSize: number,
): Promise<readonly unknown[] | Told> {
  const all: unknown[] = [];
  let broken: Told | undefined;
  const read = async (token: PageToken | undefined) => {
    const told = await pageAfter(ask, path, { pageSize, token });
    if (itemsOf(told) === undefined) broken = told;
    return pageOf(told);
  };
  for await (const { items } of walkPages(sourceOf(read), { pagesMax: allPagesMax, signal: ask.signal }))
    for (const item of items) all.push(item);
  return broken ?? all;
}

async function pageAfter(
  ask: Asking,
  path: string,
  { pageSize, token }: { readonly pageSize: number; readonly token: PageToken | undefined },
): Promise<Told> {
  return await ask.get(path, {
    pageSize,
    ...(token === undefined ? {} : { pageToken: pageTokenText(token) }),
  });
}

function sourceOf(read: (token: PageToken | undefined) => Promise<Page<unknown>>): PageSource<Page<unknown>> {
  return { read, isEmpty: ({ items }) => items.length === 0 };
}

/** What is not a list ends it. */
function pageOf(told: Told): Page<unknown> {
  const items = itemsOf(told);
  const token = items === undefined ? undefined : memberOf(told.body, 'nextPageToken');
  return { items: items ?? [], nextPageToken: typeof token === 'string' ? pageTokenOf(token) : undefined };
}
