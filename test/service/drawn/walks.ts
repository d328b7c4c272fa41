/** Pages of lists: tokens, empty pages, the order of the items, and names of the lists that are not described. */
import { randomFrom } from '#test/helpers/random.ts';
import type { Asked, Reply } from '../exchange.ts';
import { jsonReply, Refused } from './answers.ts';
import type { Service } from './space.ts';

/** Query parameters of a list that is not described: of the page's size, and of what asks for the next page. */
const otherNames: Readonly<Record<Service['otherPaging'], readonly [size: string, next: string]>> = {
  camel: ['pageSize', 'pageToken'],
  snake: ['page_size', 'page_token'],
  'next-token': ['maxResults', 'nextToken'],
  'cursor-always': ['limit', 'cursor'],
  offset: ['limit', 'offset'],
  'page-number': ['per_page', 'page'],
  'start-index': ['count', 'start_index'],
  nested: ['page_size', 'page_token'],
  'link-header': ['limit', 'after'],
  'link-member': ['limit', 'after'],
  'total-alone': ['limit', 'from'],
  'token-header': ['limit', 'page_token'],
  'prev-and-next': ['limit', 'cursor'],
  relay: ['limit', 'cursor'],
};

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

  /** A page of a list that the specification does not describe. */
  other(items: readonly unknown[], asked: Pick<Asked, 'path' | 'query'>): Reply {
    const reply = this.#otherPage(items, asked);
    const { items: shown, ...rest } = JSON.parse(reply.bytes.toString()) as Readonly<Record<string, unknown>>; // just made
    const { otherItems } = this.#service;
    // Without an object, only a header can tell of more.
    const isWhole = otherItems === 'whole' && Object.keys(rest).length === 0;
    if (otherItems === 'items' || (otherItems === 'whole' && !isWhole)) return reply;
    if (otherItems === 'in-member') return jsonReply(200, { ...rest, data: { items: shown } }, reply.headers);
    return jsonReply(200, isWhole ? shown : { ...rest, results: shown }, reply.headers);
  }

  #otherPage(items: readonly unknown[], { path, query }: Pick<Asked, 'path' | 'query'>): Reply {
    const { otherPaging, strictList } = this.#service;
    const [size, next] = otherNames[otherPaging];
    const odd = [...query.keys()].find((name) => name !== size && name !== next);
    if (strictList === 'strict' && odd !== undefined)
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: `There is no parameter ${odd}.` });
    const asked = new URLSearchParams();
    if (query.has(size)) asked.set('pageSize', query.get(size) ?? '');
    if (otherPaging === 'camel') {
      if (query.has(next)) asked.set('pageToken', query.get(next) ?? '');
      return jsonReply(200, this.page(items, asked));
    }
    const count = Math.min(7, Number(query.get(size) ?? 50));
    if (['offset', 'page-number', 'start-index', 'total-alone'].includes(otherPaging)) {
      const isFromOne = otherPaging === 'page-number' || otherPaging === 'start-index';
      const given = Number(query.get(next) ?? (isFromOne ? 1 : 0));
      const start = otherPaging === 'page-number' ? (given - 1) * count : given - (isFromOne ? 1 : 0);
      const total = items.length;
      return jsonReply(200, {
        items: items.slice(start, start + count),
        ...(otherPaging === 'offset'
          ? { offset: start, limit: count, total }
          : otherPaging === 'page-number'
            ? { page: given, total_pages: Math.ceil(total / count) }
            : otherPaging === 'start-index'
              ? { start_index: given, total }
              : { total_count: total }),
      });
    }
    // A cursor that stays has a last page whose flag says so.
    const isStaying = otherPaging === 'cursor-always';
    if (query.has(next)) asked.set('pageToken', query.get(next) ?? '');
    const { items: shown, nextPageToken: token } = this.page(items, asked);
    const link = `${path}?${new URLSearchParams({ [next]: token ?? '', [size]: String(count) }).toString()}`;
    switch (otherPaging) {
      case 'snake':
        return jsonReply(200, { items: shown, next_page_token: token });
      case 'next-token':
        return jsonReply(200, { items: shown, nextToken: token ?? null });
      case 'nested':
        return jsonReply(200, { items: shown, page: { next: token ?? null } });
      case 'link-member':
        return jsonReply(200, {
          items: shown,
          links: { self: path, next: token === undefined ? null : link },
        });
      case 'prev-and-next':
        return jsonReply(200, { items: shown, prev_cursor: query.get(next), next_cursor: token ?? null });
      case 'relay':
        return jsonReply(200, {
          items: shown,
          pageInfo: {
            startCursor: query.get(next) ?? 'begin',
            endCursor: token ?? 'the-end',
            hasPreviousPage: query.has(next),
            hasNextPage: token !== undefined,
          },
        });
      case 'token-header':
        return jsonReply(200, { items: shown }, { 'x-next-page-token': token ?? '' });
      case 'link-header':
        return jsonReply(
          200,
          { items: shown },
          token === undefined ? {} : { link: `<${path}>; rel="first", <${link}>; rel="next"` },
        );
      default:
        return jsonReply(200, {
          items: shown,
          cursor: token ?? (isStaying ? 'the-end' : null),
          has_more: token !== undefined,
        });
    }
  }

  /** A page of a list that the specification describes. */
  listed(items: readonly unknown[], query: URLSearchParams): Reply {
    const page = this.page(items, query);
    const isNull = this.#service.listExtras === 'null-token' && page.nextPageToken === undefined;
    return jsonReply(200, isNull ? { ...page, nextPageToken: null } : page);
  }

  page(
    items: readonly unknown[],
    query: URLSearchParams,
  ): { readonly items: readonly unknown[]; readonly nextPageToken: string | undefined } {
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
    const isMore = walk.at < walk.items.length || (emptyPages === 'last' && shown.length > 0);
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
    const empties = { none: 0, first: 1, between: 1, three: 3, last: 0 }[emptyPages];
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
