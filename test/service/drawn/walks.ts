/** Pages of lists: tokens, empty pages, and the order of the items. */
import { randomFrom } from '#test/helpers/random.ts';
import { Refused } from './answers.ts';
import type { Service } from './space.ts';

interface Walk {
  readonly items: readonly unknown[];
  readonly pageSize: number;
  at: number;
  /** Number of empty pages still to send before the next items. */
  empties: number;
}

export class Walks {
  readonly #service: Service;
  readonly #walks = new Map<string, Walk>();
  #made = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  page(items: readonly unknown[], query: URLSearchParams): object {
    const token = query.get('pageToken');
    const pageSize = Math.min(7, Number(query.get('pageSize') ?? 50));
    const walk = token === null ? this.#begin(items, pageSize) : this.#walks.get(token);
    if (walk === undefined)
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'The page token is not known.' });
    const { emptyPages, listExtras } = this.#service;
    const isEmpty = walk.empties > 0;
    if (isEmpty) walk.empties -= 1;
    const shown = isEmpty ? [] : walk.items.slice(walk.at, walk.at + walk.pageSize);
    walk.at += shown.length;
    if (!isEmpty && emptyPages === 'between') walk.empties = 1;
    const isMore = walk.at < walk.items.length;
    const nextPageToken = isMore ? this.#tokenFor(walk, token) : undefined;
    return {
      items: shown,
      nextPageToken,
      ...(listExtras === 'totals' ? { total: walk.items.length, page: { size: walk.pageSize } } : {}),
      ...(listExtras === 'links'
        ? { links: { self: '/v1/list', next: isMore ? '/v1/list?more' : null } }
        : {}),
    };
  }

  #begin(items: readonly unknown[], pageSize: number): Walk {
    const { emptyPages, listOrder } = this.#service;
    this.#made += 1;
    const below = randomFrom(this.#made);
    const mixed =
      listOrder === 'fixed'
        ? items
        : items
            .map((item) => ({ item, at: below(1_000) }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
    const empties = emptyPages === 'three' ? 3 : emptyPages === 'none' ? 0 : 1;
    return { items: mixed, pageSize, at: 0, empties: mixed.length === 0 ? 0 : empties };
  }

  #tokenFor(walk: Walk, before: string | null): string {
    if (this.#service.listToken === 'same-for-a-walk' && before !== null) return before;
    this.#made += 1;
    const token = this.#service.listToken === 'signs' ? `t/${this.#made}+=?&#%20 ü` : `token-${this.#made}`;
    if (before !== null) this.#walks.delete(before);
    this.#walks.set(token, walk);
    return token;
  }
}
