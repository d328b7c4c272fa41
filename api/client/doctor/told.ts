/** Helpers for examining responses. */
import { memberOf, type Asking, type Told } from './asking.ts';
import type { Seen } from './finding.ts';

export function statusSeen({ request, status, code }: Told): Seen {
  return { kind: 'status', request, status, code };
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

/** Maximum number of pages requested: a page may be empty while results are prepared. */
const pagesMax = 5;

/** Returns the first item of a list, starting from a page already read; undefined if there is none. */
export async function firstItem(ask: Asking, path: string, first: Told): Promise<unknown> {
  let told = first;
  for (let page = 1; page <= pagesMax; page += 1) {
    const [item] = itemsOf(told) ?? [];
    if (item !== undefined) return item;
    const pageToken = memberOf(told.body, 'nextPageToken');
    if (typeof pageToken !== 'string') return undefined;
    told = await ask.get(path, { pageSize: 1, pageToken });
  }
  return undefined;
}
