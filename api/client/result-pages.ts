/** Requests pages of results, and judges by what was learned of the service whether there are more. */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../contract/endpoints.ts';
import type { PageToken } from '../contract/lists.ts';
import { LostPages } from './answers/lost-pages.ts';
import { hasHints } from './answers/more-hints.ts';
import { pageTokenKey, pageTokenOf } from './answers/page-token.ts';
import { digestOf, type PagePart } from './answers/paging.ts';
import { BoundValues, type Use } from './bound-values.ts';
import { ErrorPositions } from './error-positions.ts';
import { ApiError, AuthError, RejectedError, ServerFaultError, UnfinishedListError } from './errors.ts';
import {
  askingPrepared,
  assumedPaging,
  endedPage,
  evidentEnd,
  learnPaging,
  pagedRequest,
  pageEnd,
  tokensIn,
  toldRowsOf,
  withHeaderTokens,
  type ExecutePaging,
  type PageEnd,
} from './execute-paging.ts';
import { jsonText } from './json.ts';
import { PageSizes } from './page-sizes.ts';
import type { ExecuteCalls, ExecuteOptions, RunRequest, SentValues } from './query-calls.ts';
import { decodeQueryPage, type PageHead } from './query-page.ts';
import type { ParsedAnswer, Requester } from './requests/requester.ts';
import { SharedWork } from './shared-work.ts';

export interface ResultPagesOptions {
  /** How the service pages results, settled by hand. */
  readonly executePaging?: ExecutePaging | undefined;
  /** How it paged them when that was last learned; learned again where it no longer fits. */
  readonly keptExecutePaging?: ExecutePaging | undefined;
  /** Called when it has been learned. */
  readonly onExecutePaging?: ((paging: ExecutePaging) => void) | undefined;
  /** How values of parameters reach the service; `queries.values` says it to who builds requests. Default: `parameters`. */
  readonly executeValues?: SentValues | undefined;
}

interface Asked {
  readonly request: RunRequest;
  readonly options: ExecuteOptions;
}

/** A page, and the paging by whose names it was asked for. */
interface Sent<Page> {
  readonly page: Page;
  readonly headers: IncomingHttpHeaders;
  readonly paging: ExecutePaging | undefined;
  readonly isAfterLoss: boolean;
}

/** Sends a query of our own, with these members. */
type Ask = (members: Readonly<Record<string, unknown>>) => Promise<ParsedAnswer>;

export function createResultPages(
  requester: Requester,
  { executePaging, keptExecutePaging, onExecutePaging, executeValues }: ResultPagesOptions,
): ExecuteCalls {
  let known = executePaging;
  /** The paging that pages followed so far, although it was not learned what the last one looks like. */
  let presumed: ExecutePaging | undefined;
  const learning = new SharedWork<ExecutePaging>();

  const askFor =
    ({ model }: RunRequest, { signal, timeoutMs }: ExecuteOptions): Ask =>
    async (members) => {
      const body = { ...members, ...(model === undefined ? {} : { model }) };
      return await requester.send(endpoints.executeQuery, { body, signal, timeoutMs });
    };

  /** Only for a query that the service has just answered or refused, so that the endpoint is there. */
  const learn = async ({ request, options }: Asked) => {
    const ask = askFor(request, options);
    const learnNow = async () => {
      const paging = await learnPaging(async (members) => {
        try {
          const { value, context, headers } = await askedTwice(() => ask(members));
          const { rows, others = new Map() } = decodeQueryPage(value, context);
          return { rows, others: withHeaderTokens(others, headers) };
        } catch (error) {
          if (error instanceof RejectedError) return undefined;
          throw error;
        }
      }, options.signal);
      known = paging;
      onExecutePaging?.(paging);
      return paging;
    };
    return known ?? (await learning.done(learnNow, options.signal));
  };

  async function judged<Page extends object>(
    { page, headers }: Sent<Page & Pick<PageHead, 'others'>>,
    rowCount: number,
    { request, options }: Asked,
  ): Promise<Page> {
    const { others = new Map() } = page;
    const isFirst = request.pageToken === undefined;
    const told = { others: withHeaderTokens(others, headers), rowCount, isFirst };
    const ended = (end: PageEnd) => endedPage(page, end, toldRowsOf(told, headers, end));
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
    const paging = await learn({ request, options }).catch(unknownUnlessAborted(options));
    return ended(pageEnd(told, headers, paging));
  }

  /** Digests of the rows of first pages, and the size that was asked for, by the request for the page behind each. */
  const first = new Map<string, { readonly digest: string; readonly pageSize: number | undefined }>();

  /** How a page that equals the first one is taken: it need not be the first one again. */
  type Taking = 'page' | 'ask again' | 'perhaps part';

  /** Judges whether the service sent the first page again, since it takes its token under another name. */
  const takingOf = async (
    { page, paging = assumedPaging }: Sent<object & Partial<PageHead>>,
    { request, options }: Asked,
  ): Promise<Taking> => {
    // It stays for others with this request, also after a stop.
    const before = first.get(pageKeyOf(request));
    // Others may have learned the names while this request was on its way.
    if (before === undefined || (paging === known && known.kind === 'pages')) return 'page';
    if (before.digest !== digestOfRows(page)) return 'page';
    const learned = await learn({ request, options }).catch(unknownUnlessAborted(options));
    const isSameName = paging.kind === 'pages' && learned.kind === 'pages' && learned.token === paging.token;
    if (isSameName) return 'page';
    // What may change data is not sent again.
    if (learned.kind === 'pages' && options.isRepeatable !== false) return 'ask again';
    const next = pageTokenOf(page.others?.get('nextPageToken'));
    const isSame =
      next !== undefined &&
      request.pageToken !== undefined &&
      pageTokenKey(next) === pageTokenKey(request.pageToken);
    const isAgain = isSame || learned.kind === 'pages';
    if (!isAgain && !(await isVaried(page, { request, options }))) return 'perhaps part';
    throw new UnfinishedListError(
      'repeated',
      'The service sent the same page of this result again, so its other rows cannot be read.',
    );
  };

  /** Whether not all rows of a page are the same, so that a second such page is no chance. */
  const isVaried = async (page: object, { request, options }: Asked): Promise<boolean> => {
    let rows: unknown = Reflect.get(page, 'rows');
    if (!Array.isArray(rows)) {
      if (options.isRepeatable === false) return false;
      // Packed rows are not compared here, and this hardly ever happens.
      const { value, context } = await sent(request, options, (body) =>
        requester.send(endpoints.executeQuery, { body, ...options }),
      ).then(({ taken }) => taken);
      ({ rows } = decodeQueryPage(value, context));
    }
    const [one, ...others] = Array.isArray(rows) ? rows.map((row: unknown) => digestOf({ row })) : [];
    return others.some((other) => other !== one);
  };

  /** The page behind the first one has its size until it is surely another one: it is compared with the first. */
  const sizedAsFirst = (request: RunRequest): RunRequest => {
    if (request.pageToken === undefined || known?.kind === 'pages') return request;
    const pageSize = first.get(pageKeyOf(request))?.pageSize;
    return pageSize === undefined ? request : { ...request, pageSize };
  };

  const values = new BoundValues(executeValues);
  const requireValues = async ({ request, options }: Asked): Promise<Use> => {
    if (request.pageToken !== undefined) return 'used';
    const ask = askFor(request, options);
    const asking = askingPrepared(
      async (members) => {
        const { value, context, headers } = await askedTwice(() => ask(members));
        const page = decodeQueryPage(value, context);
        return { ...page, others: withHeaderTokens(page.others ?? new Map(), headers) };
      },
      { paging: known ?? keptExecutePaging ?? presumed, signal: options.signal },
    );
    return await values.require(request, asking, options.signal);
  };

  const lost = new LostPages();

  async function turned<Page extends object>(
    ask: () => Promise<Sent<Page & Pick<PageHead, 'others'>>>,
    asked: Asked,
  ): Promise<Page> {
    const { request, options } = asked;
    // What may change data is not sent again.
    if (options.isRepeatable === false) return await turnedBy(ask, asked);
    const { query_string: text, model, parameters, pageToken } = request;
    return await lost.read(
      { walk: [text, model ?? null, parameters ?? null], pageToken, signal: options.signal },
      async (askSurely) =>
        await turnedBy(
          () => askSurely({ ask, contentOf: (answer) => rowContentOf(answer, pageToken) }),
          asked,
        ),
    );
  }

  /** Takes a page, a second time under the names that were learned if need be, and judges whether there are more. */
  async function turnedBy<Page extends object>(
    ask: () => Promise<Sent<Page & Pick<PageHead, 'others'>>>,
    asked: Asked,
  ): Promise<Page & PagePart> {
    // What may change data must not be sent with values that are ignored.
    const before = asked.options.isRepeatable === false ? await requireValues(asked) : undefined;
    const taken = await ask();
    const taking = await takingOf(taken, asked);
    const told = taking === 'ask again' ? await ask() : taken;
    const page = await judged(told, countOf(told.page), asked);
    const used = before ?? (await requireValues(asked));
    const { nextPageToken } = page as Partial<PageHead>; // the judged end
    // Pages without rows are those of a result that is being prepared.
    const isBegin = asked.request.pageToken === undefined && countOf(page) > 0;
    if (isBegin && nextPageToken !== undefined && known?.kind !== 'pages') {
      const [oldest] = first.keys();
      if (first.size >= 100 && oldest !== undefined) first.delete(oldest);
      const { pageSize } = asked.request;
      first.set(pageKeyOf({ ...asked.request, pageToken: nextPageToken }), {
        digest: digestOfRows(page),
        pageSize,
      });
    }
    // No later page shows whether rows came twice, or were looked for with other values, and others are missing.
    if (taking !== 'perhaps part' && used === 'used') return page;
    const { isPerhapsPartial, toldRows } = page as Partial<PageHead>; // the judged end
    const isOfValues = taking !== 'perhaps part' && isPerhapsPartial !== true && toldRows !== Infinity;
    return {
      ...page,
      toldRows: Infinity,
      ...(nextPageToken === undefined && { isPerhapsPartial: true }),
      ...(isOfValues && { areValuesUnknown: true }),
    };
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
  ): Promise<{ readonly taken: Taken; readonly paging: ExecutePaging | undefined }> {
    const paging = known ?? keptExecutePaging ?? presumed;
    const body = pagedRequest(sizes.capped(request), paging);
    const ask = askFor(request, options);
    try {
      return { taken: await send(body), paging };
    } catch (error) {
      if (error instanceof RejectedError) await locate(error, ask);
      // What was learned while the request waited is not what it was sent with.
      const isAsLearned = paging !== undefined && paging === known;
      if (!mayBeAboutNames(error)) throw error;
      const learned = isAsLearned ? paging : await learn({ request, options }).catch(() => undefined);
      await sizes.examine(request, learned ?? paging, ask).catch(() => undefined);
      const again = pagedRequest(sizes.capped(request), learned ?? paging);
      if (isDeepStrictEqual(again, body)) throw error;
      return { taken: await send(again), paging: learned ?? paging };
    }
  }

  return {
    async execute(wanted, options = {}) {
      const request = sizedAsFirst(wanted);
      const ask = async () => {
        const { taken, paging } = await sent(request, options, (body) =>
          requester.send(endpoints.executeQuery, { body, ...options }),
        );
        const { value, context, headers, isAfterLoss } = taken;
        return { page: decodeQueryPage(value, context), headers, paging, isAfterLoss };
      };
      return await turned(ask, { request, options });
    },
    async executeBytes(wanted, reader, options = {}) {
      const request = sizedAsFirst(wanted);
      const ask = async () => {
        const { taken: answer, paging } = await sent(request, options, (body) =>
          requester.sendForBytes(endpoints.executeQuery, { body, ...options }, reader),
        );
        const page = 'read' in answer ? answer.read : decodeQueryPage(answer.value, answer.context);
        return { page, headers: answer.headers, paging, isAfterLoss: answer.isAfterLoss };
      };
      return await turned(ask, { request, options });
    },
  };
}

/** Leaves the paging of one page unknown, since the rows were answered, whatever hinders that it is learned. */
function unknownUnlessAborted({ signal }: ExecuteOptions): (error: unknown) => ExecutePaging {
  return (error) => {
    if (signal?.aborted === true) throw error;
    return { kind: 'unknown', size: undefined };
  };
}

/** A passing fault must not decide what is learned. */
async function askedTwice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return await ask().catch((error: unknown) => {
    if (error instanceof ServerFaultError) return ask();
    throw error;
  });
}

/** Tokens of other queries may be the same. The last page before a limit of rows is asked for with another size. */
function pageKeyOf({ query_string: text, model, parameters, pageToken }: RunRequest): string {
  return jsonText([text, model ?? null, parameters ?? null, pageToken ?? null]);
}

/** As in lost-pages.ts. A number that grows by the rows of a page tells the place of the page, whose rows may differ each time. */
function rowContentOf(
  { page, headers }: Sent<object & Pick<PageHead, 'others'>>,
  asked: PageToken | undefined,
): string | undefined {
  const others = page.others ?? new Map();
  if (countOf(page) === 0) return hasHints(others, headers) ? undefined : '';
  const [next] = tokensIn(withHeaderTokens(others, headers)).map(({ value }) => pageTokenKey(value));
  const before = pageTokenKey(asked ?? '');
  const isPlace = [before, next].every((token) => /^\d{1,9}$/.test(token ?? ''));
  return isPlace && Number(next) - Number(before) === countOf(page) ? `before ${next}` : digestOfRows(page);
}

function digestOfRows(page: object): string {
  return digestOf({ rows: Reflect.get(page, 'rows') as unknown });
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
