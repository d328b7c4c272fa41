/** Requests pages of results, and judges by what was learned of the service whether there are more. */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../contract/endpoints.ts';
import { limits } from '../contract/limits.ts';
import { pageTokenKey } from './answers/page-token.ts';
import { digestOf } from './answers/paging.ts';
import { ErrorPositions } from './error-positions.ts';
import { ApiError, AuthError, RejectedError, ServerFaultError, UnfinishedListError } from './errors.ts';
import {
  assumedPaging,
  endedPage,
  evidentEnd,
  learnPaging,
  oneRowText,
  pagedRequest,
  pageEnd,
  toldRowsOf,
  withHeaderTokens,
  type ExecutePaging,
  type PageEnd,
} from './execute-paging.ts';
import type { ExecuteCalls, ExecuteOptions, RunRequest } from './query-calls.ts';
import { decodeQueryPage, type PageHead } from './query-page.ts';
import type { Requester } from './requests/requester.ts';

export interface ResultPagesOptions {
  /** How the service pages results, settled by hand. */
  readonly executePaging?: ExecutePaging | undefined;
  /** How it paged them when that was last learned; learned again where it no longer fits. */
  readonly keptExecutePaging?: ExecutePaging | undefined;
  /** Called when it has been learned. */
  readonly onExecutePaging?: ((paging: ExecutePaging) => void) | undefined;
}

interface Asked {
  readonly request: RunRequest;
  readonly options: ExecuteOptions;
}

export function createResultPages(
  requester: Requester,
  { executePaging, keptExecutePaging, onExecutePaging }: ResultPagesOptions,
): ExecuteCalls {
  let known = executePaging;
  /** The paging that pages followed so far, although it was not learned what the last one looks like. */
  let presumed: ExecutePaging | undefined;
  let learning: Promise<ExecutePaging> | undefined;

  /** Only for a query that the service has just answered or refused, so that the endpoint is there. */
  const learn = async (model: string | undefined, { signal, timeoutMs }: ExecuteOptions) => {
    if (known !== undefined) return known;
    const asking = { signal, timeoutMs };
    learning ??= learnPaging(async (members) => {
      const ask = async () => {
        const body = { ...members, ...(model === undefined ? {} : { model }) };
        const answer = await requester.send(endpoints.executeQuery, { body, ...asking });
        const { rows, others = new Map() } = decodeQueryPage(answer.value, answer.context);
        return { rows, others: withHeaderTokens(others, answer.headers) };
      };
      try {
        // A passing fault must not leave the paging unknown.
        return await ask().catch((error: unknown) => {
          if (error instanceof ServerFaultError) return ask();
          throw error;
        });
      } catch (error) {
        if (error instanceof RejectedError) return undefined;
        throw error;
      }
    })
      .then((paging) => {
        known = paging;
        onExecutePaging?.(paging);
        return paging;
      })
      .finally(() => (learning = undefined));
    return await learning;
  };

  async function judged<Page extends object>(
    {
      page,
      headers,
    }: { readonly page: Page & Pick<PageHead, 'others'>; readonly headers: IncomingHttpHeaders },
    rowCount: number,
    { request, options }: Asked,
  ): Promise<Page> {
    const { others = new Map() } = page;
    const isFirst = request.pageToken === undefined;
    const told = { others: withHeaderTokens(others, headers), rowCount, isFirst };
    const ended = (end: PageEnd) => endedPage(page, end, toldRowsOf(told, headers));
    const expected = known ?? keptExecutePaging ?? presumed;
    if (expected !== undefined) {
      const end = pageEnd(told, headers, expected);
      // A token behind no rows may stay for ever.
      const isOpen = expected === presumed && end.kind === 'more' && rowCount === 0;
      if (known !== undefined || (end.kind !== 'perhaps' && !isOpen)) return ended(end);
    }
    const evident = evidentEnd({ ...told, asked: request.pageSize }, headers);
    if (evident !== undefined) {
      if (evident.kind === 'more') presumed = assumedPaging;
      return ended(evident);
    }
    const paging = await learn(request.model, options).catch((error: unknown): ExecutePaging => {
      if (options.signal?.aborted === true) throw error;
      return { kind: 'unknown', size: undefined }; // for this page only
    });
    return ended(pageEnd(told, headers, paging));
  }

  /** Digests of the rows of first pages by the token that they gave, until a token was seen to lead to another page. */
  const first = new Map<string, string>();
  let isTokenTaken = false;

  /** Whether the service sent the first page again, since it takes its token under another name than the assumed one. */
  const isFirstAgain = async (page: object, { request, options }: Asked): Promise<boolean> => {
    const before = request.pageToken === undefined ? undefined : first.get(pageTokenKey(request.pageToken));
    if (before === undefined || isTokenTaken || known?.kind === 'pages') return false;
    if (before !== digestOf({ rows: Reflect.get(page, 'rows') as unknown })) {
      isTokenTaken = true;
      first.clear();
      return false;
    }
    const paging = await learn(request.model, options);
    // Rows may be the same on each page.
    if (paging.kind === 'pages') return paging.token !== assumedPaging.token;
    throw new UnfinishedListError(
      'repeated',
      'The service sent the same page of this result again, so its other rows cannot be read.',
    );
  };

  /** Takes a page, a second time under the names that were learned if need be, and judges whether there are more. */
  async function turned<Page extends object>(
    ask: () => Promise<{
      readonly page: Page & Pick<PageHead, 'others'>;
      readonly headers: IncomingHttpHeaders;
    }>,
    asked: Asked,
  ): Promise<Page> {
    const taken = await ask();
    const told = (await isFirstAgain(taken.page, asked)) ? await ask() : taken;
    const page = await judged(told, countOf(told.page), asked);
    const { nextPageToken } = page as Partial<PageHead>; // the judged end
    // Pages without rows are those of a result that is being prepared.
    const isBegin = asked.request.pageToken === undefined && countOf(page) > 0;
    if (isBegin && nextPageToken !== undefined && !isTokenTaken) {
      if (first.size > 100) first.clear();
      first.set(pageTokenKey(nextPageToken), digestOf({ rows: Reflect.get(page, 'rows') as unknown }));
    }
    return page;
  }

  const positions = new ErrorPositions();
  const locate = async (error: RejectedError, { model }: RunRequest, { signal, timeoutMs }: ExecuteOptions) =>
    await positions.settle(error, async (text) => {
      const body = { query_string: text, ...(model === undefined ? {} : { model }) };
      const asking = requester.send(endpoints.executeQuery, { body, signal, timeoutMs });
      return await asking.then(
        () => undefined,
        (refusal: unknown) => {
          if (refusal instanceof RejectedError) return refusal;
          throw refusal;
        },
      );
    });

  /** The largest page size that the service takes; 0 if it takes a query only without one. */
  let sizeMax = Infinity;
  /** Page sizes up to this one were examined. */
  let sizeExamined: number = limits.pageSizeMax;
  /** Those that were refused as any other was, since the service has no such model. */
  const sizesRefused = new Map<string | undefined, number>();
  const examining = new Map<string | undefined, Promise<void>>();

  const capped = ({ pageSize, ...request }: RunRequest): RunRequest => {
    const size = pageSize === undefined ? 0 : Math.min(pageSize, sizeMax);
    return { ...request, ...(size === 0 ? {} : { pageSize: size }) };
  };

  /** Learns whether the service refuses a page size that it need not take, rather than the query. */
  const examineSize = async (
    { pageSize = 0, model }: RunRequest,
    { signal, timeoutMs }: ExecuteOptions,
    paging: ExecutePaging | undefined,
  ) => {
    if (pageSize <= Math.max(sizeExamined, sizesRefused.get(model) ?? 0)) return;
    // Without a size in the request, it was refused for something else.
    if (paging !== undefined && paging.size === undefined) return;
    const examine = async () => {
      for (const size of [pageSize, limits.pageSizeMax, undefined]) {
        const request = { query_string: oneRowText, ...(model === undefined ? {} : { model }) };
        const body = pagedRequest({ ...request, pageSize: size }, paging);
        try {
          await requester.send(endpoints.executeQuery, { body, signal, timeoutMs });
          if (size !== pageSize) sizeMax = Math.min(sizeMax, size ?? 0);
          sizeExamined = Math.max(sizeExamined, pageSize);
          return;
        } catch (error) {
          if (!(error instanceof RejectedError)) throw error;
        }
      }
      sizesRefused.set(model, pageSize);
    };
    const examined = examining.get(model) ?? examine().finally(() => examining.delete(model));
    examining.set(model, examined);
    await examined;
  };

  /** Sends a request, once more under other names or with fewer rows if the service refuses those of the assumption. */
  async function sent<Taken>(
    request: RunRequest,
    options: ExecuteOptions,
    send: (body: Readonly<Record<string, unknown>>) => Promise<Taken>,
  ): Promise<Taken> {
    const paging = known ?? keptExecutePaging ?? presumed;
    const body = pagedRequest(capped(request), paging);
    try {
      return await send(body);
    } catch (error) {
      if (error instanceof RejectedError) await locate(error, request, options);
      // What was learned while the request waited is not what it was sent with.
      const isAsLearned = paging !== undefined && paging === known;
      if (!mayBeAboutNames(error)) throw error;
      const learned = isAsLearned ? paging : await learn(request.model, options).catch(() => undefined);
      await examineSize(request, options, learned ?? paging).catch(() => undefined);
      const again = pagedRequest(capped(request), learned ?? paging);
      if (isDeepStrictEqual(again, body)) throw error;
      return await send(again);
    }
  }

  return {
    async execute(request, options = {}) {
      const ask = async () => {
        const { value, context, headers } = await sent(request, options, (body) =>
          requester.send(endpoints.executeQuery, { body, ...options }),
        );
        return { page: decodeQueryPage(value, context), headers };
      };
      return await turned(ask, { request, options });
    },
    async executeBytes(request, reader, options = {}) {
      const ask = async () => {
        const answer = await sent(request, options, (body) =>
          requester.sendForBytes(endpoints.executeQuery, { body, ...options }, reader),
        );
        const page = 'read' in answer ? answer.read : decodeQueryPage(answer.value, answer.context);
        return { page, headers: answer.headers };
      };
      return await turned(ask, { request, options });
    },
  };
}

/** Whether a refusal can be about the names of the request's members rather than about the query. */
function mayBeAboutNames(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    !(error instanceof AuthError) &&
    error instanceof RejectedError &&
    !/^(?:QUERY_|MUTATION_)/i.test(error.code) &&
    !error.reasons.some(({ code }) => /^(?:QUERY_|MUTATION_)/i.test(code))
  );
}

/** Rows are a list, or packed with their number. */
function countOf(page: object): number {
  const rows: unknown = Reflect.get(page, 'rows');
  if (Array.isArray(rows)) return rows.length;
  const count: unknown =
    typeof rows === 'object' && rows !== null ? Reflect.get(rows, 'rowCount') : undefined;
  return typeof count === 'number' ? count : 0;
}
