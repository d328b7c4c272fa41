/** Walks a list to its end. A page may be empty while results are prepared; only a missing token is the end. */
import type { Page } from '../contract/lists.ts';
import { pause, throwIfAborted } from './abort.ts';
import { ContractError } from './errors.ts';

export interface PageOptions {
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after every empty page that is not the last, with the pause before the next request. */
  readonly onWaiting?: ((delayMs: number) => void) | undefined;
  /** The first pause after an empty page; grows by half each time up to ten seconds. Default: 200. */
  readonly emptyPageDelayMs?: number | undefined;
}

const maxEmptyPageDelayMs = 10_000;

/** @throws ContractError when the service hands out a token that it gave before, which would never end. */
export async function* pages<Item>(
  list: (options: {
    readonly pageSize?: number | undefined;
    readonly pageToken?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<Page<Item>>,
  options: PageOptions,
): AsyncGenerator<Item, void, undefined> {
  const { pageSize, signal } = options;
  const walk = walkPages(
    (pageToken) => list({ pageSize, pageToken, signal }),
    ({ items }) => items.length === 0,
    options,
  );
  for await (const page of walk) yield* page.items;
}

/** The pages themselves, of lists and of results. @throws as `pages` */
export async function* walkPages<Part extends { readonly nextPageToken?: string | undefined }>(
  read: (pageToken: string | undefined) => Promise<Part>,
  isEmpty: (page: Part) => boolean,
  options: Omit<PageOptions, 'pageSize'>,
): AsyncGenerator<Part, void, undefined> {
  const seen = new Set<string>();
  const firstDelayMs = options.emptyPageDelayMs ?? 200;
  let delayMs = firstDelayMs;
  let pageToken: string | undefined;
  do {
    throwIfAborted(options.signal);
    const page = await read(pageToken);
    yield page;
    const asked = pageToken;
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return;
    if (isEmpty(page)) {
      options.onWaiting?.(delayMs);
      await pause(delayMs, options.signal);
      delayMs = Math.min(maxEmptyPageDelayMs, delayMs * 1.5);
      continue;
    }
    // What was asked for has had its page now, even if it came from an empty one before.
    if (asked !== undefined) seen.add(asked);
    if (seen.has(pageToken)) {
      throw new ContractError(
        'The service repeats a page of this list, so it would never end. Reading stopped.',
        { status: 200 },
      );
    }
    seen.add(pageToken);
    delayMs = firstDelayMs;
  } while (true);
}
