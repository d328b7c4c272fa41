/** Requests pages of results, and judges by what was learned of the service whether there are more. */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../contract/endpoints.ts';
import { pageTokenKey } from './answers/page-token.ts';
import { digestOf } from './answers/paging.ts';
import { BoundValues } from './bound-values.ts';
import { ErrorPositions } from './error-positions.ts';
import { ApiError, AuthError, RejectedError, ServerFaultError, UnfinishedListError } from './errors.ts';
import {
  assumedPaging,
  endedPage,
  evidentEnd,
  learnPaging,
  pagedRequest,
  pageEnd,
  toldRowsOf,
  withHeaderTokens,
  type ExecutePaging,
  type PageEnd,
} from './execute-paging.ts';
import { PageSizes } from './page-sizes.ts';
import type { ExecuteCalls, ExecuteOptions, RunRequest } from './query-calls.ts';
import { decodeQueryPage, type PageHead } from './query-page.ts';
import type { ParsedAnswer, Requester } from './requests/requester.ts';

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

/** Sends a query of our own, with these members. */
type Ask = (members: Readonly<Record<string, unknown>>) => Promise<ParsedAnswer>;

export function createResultPages(
  requester: Requester,
  { executePaging, keptExecutePaging, onExecutePaging }: ResultPagesOptions,
): ExecuteCalls {
  let known = executePaging;
  /** The paging that pages followed so far, although it was not learned what the last one looks like. */
  let presumed: ExecutePaging | undefined;
  let learning: Promise<ExecutePaging> | undefined;

  const askFor =
    ({ model }: RunRequest, { signal, timeoutMs }: ExecuteOptions): Ask =>
    async (members) => {
      const body = { ...members, ...(model === undefined ? {} : { model }) };
      return await requester.send(endpoints.executeQuery, { body, signal, timeoutMs });
    };

  /** Only for a query that the service has just answered or refused, so that the endpoint is there. */
  const learn = async (ask: Ask) => {
    if (known !== undefined) return known;
    learning ??= learnPaging(async (members) => {
      const probe = async () => {
        const { value, context, headers } = await ask(members);
        const { rows, others = new Map() } = decodeQueryPage(value, context);
        return { rows, others: withHeaderTokens(others, headers) };
      };
      try {
        // A passing fault must not leave the paging unknown.
        return await probe().catch((error: unknown) => {
          if (error instanceof ServerFaultError) return probe();
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
    const paging = await learn(askFor(request, options)).catch((error: unknown): ExecutePaging => {
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
    const paging = await learn(askFor(request, options));
    // Rows may be the same on each page.
    if (paging.kind === 'pages') return paging.token !== assumedPaging.token;
    throw new UnfinishedListError(
      'repeated',
      'The service sent the same page of this result again, so its other rows cannot be read.',
    );
  };

  const values = new BoundValues();
  /** Few rows are what a query finds whose values are NULL. */
  const requireValues = async (rowCount: number, { request, options }: Asked): Promise<void> => {
    if (rowCount > 1 || request.pageToken !== undefined) return;
    if (Object.keys(request.parameters ?? {}).length === 0) return;
    await values.require(async (query) => {
      const { value, context } = await askFor(request, options)(query);
      return decodeQueryPage(value, context);
    });
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
    await requireValues(countOf(told.page), asked);
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
  const locate = async (error: RejectedError, ask: Ask) =>
    await positions.settle(error, (text) =>
      ask({ query_string: text }).then(
        () => undefined,
        (refusal: unknown) => {
          if (refusal instanceof RejectedError) return refusal;
          throw refusal;
        },
      ),
    );

  const sizes = new PageSizes();

  /** Sends a request, once more under other names or with fewer rows if the service refuses those of the assumption. */
  async function sent<Taken>(
    request: RunRequest,
    options: ExecuteOptions,
    send: (body: Readonly<Record<string, unknown>>) => Promise<Taken>,
  ): Promise<Taken> {
    const paging = known ?? keptExecutePaging ?? presumed;
    const body = pagedRequest(sizes.capped(request), paging);
    const ask = askFor(request, options);
    try {
      return await send(body);
    } catch (error) {
      if (error instanceof RejectedError) await locate(error, ask);
      // What was learned while the request waited is not what it was sent with.
      const isAsLearned = paging !== undefined && paging === known;
      if (!mayBeAboutNames(error)) throw error;
      const learned = isAsLearned ? paging : await learn(ask).catch(() => undefined);
      await sizes.examine(request, learned ?? paging, ask).catch(() => undefined);
      const again = pagedRequest(sizes.capped(request), learned ?? paging);
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
