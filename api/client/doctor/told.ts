/** What the probes ask of answers. */
import { memberOf, type Asking, type Told } from './asking.ts';
import type { Seen } from './finding.ts';

export function statusSeen({ request, status, code }: Told): Seen {
  return { kind: 'status', request, status, code };
}

/** An answer that is about this client or this moment and not about the assumption. */
export function isUntold({ status }: Told): boolean {
  return [401, 403, 408, 429].includes(status) || (status >= 500 && status !== 501);
}

/** The items of a list; undefined where the answer is none. */
export function itemsOf({ status, body }: Told): readonly unknown[] | undefined {
  const items = memberOf(body, 'items');
  return status === 200 && Array.isArray(items) ? items : undefined;
}

/** A page may be empty while results are prepared: so many are asked for. */
const pagesMax = 5;

/** The first item of a list whose first page is known; undefined where none came. */
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
