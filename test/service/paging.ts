/** Pages of a list (specification, "Pagination and filters"), and the oddities of page tokens. */
import { Refusal } from './exchange.ts';
import type { SwitchBoard } from './switches.ts';

export interface Slice<Item> {
  readonly items: readonly Item[];
  /** A string, unless a switch changes its type. */
  readonly nextPageToken?: unknown;
}

export interface PageRequest {
  readonly pageSize: number;
  /** Undefined for the first page. */
  readonly pageToken: string | undefined;
}

/** @throws Refusal if the size is out of range. */
export function pageRequestOf(query: URLSearchParams, { defaultSize = 50, maxSize = 200 } = {}): PageRequest {
  const given = query.get('pageSize');
  const pageSize = given === null ? defaultSize : Number(given);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > maxSize)
    throw new Refusal(400, 'BAD_REQUEST', `pageSize must be from 1 to ${maxSize}.`);
  return { pageSize, pageToken: query.get('pageToken') ?? undefined };
}

/** Returns a token as it appears in a URL, whatever its type in the response. */
export function tokenText(token: unknown): string | undefined {
  if (token === undefined || typeof token === 'string') return token;
  if (typeof token === 'number') return `at-${token}`;
  const { kind, count } = Object(token) as { readonly kind?: unknown; readonly count?: unknown }; // may have any fields
  return `${String(kind)}-${String(count)}`;
}

export class Paging {
  readonly #switches: SwitchBoard;
  /** Number of empty pages at the start of every list ("results are still being prepared"). */
  readonly #preparing: number;

  constructor(switches: SwitchBoard, preparing: number) {
    this.#switches = switches;
    this.#preparing = preparing;
  }

  /** @throws Refusal if the token is unknown. */
  slice<Item>(
    items: readonly Item[],
    { pageSize, pageToken }: PageRequest,
    preparing = this.#preparing,
  ): Slice<Item> {
    const [, kind = 'at', count = '0'] = /^(?:(wait|at)-)?(\d+)$/.exec(
      pageToken ?? firstToken(preparing),
    ) ?? ['', 'none'];
    if (kind === 'none') throw new Refusal(400, 'BAD_REQUEST', 'pageToken is not one of this list.');
    if (this.#switches.has('endless-empty-pages'))
      return { items: [], nextPageToken: this.#token('wait', Number(count) + 1) };
    if (kind === 'wait') {
      const left = Number(count) - 1;
      return { items: [], nextPageToken: left > 0 ? this.#token('wait', left) : this.#token('at', 0) };
    }
    const start = Number(count);
    const end = start + pageSize;
    const taken = items.slice(start, end);
    if (this.#switches.has('repeated-page-token'))
      return { items: taken, nextPageToken: this.#token('at', start) };
    return end < items.length ? { items: taken, nextPageToken: this.#token('at', end) } : { items: taken };
  }

  #token(kind: 'at' | 'wait', count: number): unknown {
    if (this.#switches.has('number-page-token')) return count;
    if (this.#switches.has('object-page-token')) return { kind, count };
    return `${kind}-${count}`;
  }
}

function firstToken(preparing: number): string {
  return preparing > 0 ? `wait-${preparing}` : 'at-0';
}
