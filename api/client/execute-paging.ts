/**
 * How a service pages results, which the specification does not describe (assumption `execute`). It is learned, once per
 * client, from a query with two rows of which one is requested; what that does not explain is never called complete.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { flagOf } from '#base/values/flag.ts';
import type { PageToken } from '../contract/lists.ts';
import { pause } from './abort.ts';
import {
  countInHeaders,
  hasHeaderHints,
  hasHints,
  headerPrefix,
  isCutNote,
  isTokenPath,
  lastValueOf,
  leavesOf,
  namesCount,
  placesIn,
  saysCut,
  tellsLongerThan,
  type Others,
  type Path,
} from './answers/more-hints.ts';
import { pageTokenOf } from './answers/page-token.ts';
import { isOuterName, isRecord } from './answers/shape.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import { isFreeMember } from './page-members.ts';
import type { PageHead } from './query-page.ts';

export type ExecutePaging =
  | {
      readonly kind: 'pages';
      /** Member of the request with the maximum number of rows. */
      readonly size: string;
      /** Member of the request that asks for the next page. */
      readonly token: string;
      readonly next: Path;
      readonly end:
        | { readonly kind: 'no-token' }
        /** The token stays on the last page; this member tells that it is the last. */
        | { readonly kind: 'flag'; readonly flag: Path; readonly value: boolean }
        | { readonly kind: 'empty-page' };
    }
  /** Every response contains the whole result. */
  | {
      readonly kind: 'whole';
      readonly size: string | undefined;
      /** The most rows that a response was seen to hold without a limit; undefined if settled by hand. */
      readonly upTo?: number;
    }
  /** There are more rows than a response contains, or that is not known, and no way to request them is. */
  | {
      readonly kind: 'unknown';
      readonly size: string | undefined;
      /** Whether `rowCount` is the number of rows of the whole result rather than of the page. */
      readonly countsAll?: true;
      /** The number of rows at which results were seen to be cut: a shorter one is whole. */
      readonly limit?: number;
    };

/** The paging of docs/assumptions.md. */
export const assumedPaging = {
  kind: 'pages',
  size: 'pageSize',
  token: 'pageToken',
  next: ['nextPageToken'],
  end: { kind: 'no-token' },
} as const satisfies ExecutePaging;

/** A response to a probe: its first cell, and its members without rows and columns. */
export interface ProbeAnswer {
  readonly rows: readonly (readonly unknown[])[];
  readonly others: Others;
}

/** Returns the members of a response, and the headers that can ask for the next page. */
export function withHeaderTokens(others: Others, headers: IncomingHttpHeaders): Others {
  const tokens = headerTokensOf(headers);
  if (tokens.length === 0) return others;
  return new Map([...others, ...tokens.map(([name, value]) => [`${headerPrefix}${name}`, value] as const)]);
}

/** Returns headers that hold a token, such as `x-next-page-token`. */
export function headerTokensOf(headers: IncomingHttpHeaders): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    /(?:^|-)(?:next|continuation)(?:-|$|_?(?:page|token|cursor))/i.test(name) &&
    typeof value === 'string' &&
    !/^(?:|0|true|false|no|yes|null|none)$/i.test(value)
      ? [[name, value] as const]
      : [],
  );
}

/** Sends the members of a request. Undefined if the service refuses them. */
export type AskProbe = (members: Readonly<Record<string, unknown>>) => Promise<ProbeAnswer | undefined>;

/** Asked only if no query of two rows was answered. */
export const oneRowText = 'SELECT 1 AS n';
/** A way to write a query with the rows 1, 2, 3 and so on. */
type TextOf = (count: number) => string;
const valuesText: TextOf = (count) => `SELECT n FROM (VALUES ${valuesTo(count)}) v(n)`;
const unionText: TextOf = (count) => `SELECT 1 AS n${unionTo(count)}`;
const sizeNames = ['pageSize', 'page_size', 'limit', 'max_rows', 'maxResults'] as const;

function valuesTo(count: number): string {
  return Array.from({ length: count }, (_, at) => `(${at + 1})`).join(', ');
}

function unionTo(count: number): string {
  return Array.from({ length: count - 1 }, (_, at) => ` UNION ALL SELECT ${at + 2} AS n`).join('');
}

/** Queries with more rows than a service that ignores the page size is likely to send at once, and their number. */
const manyRows: ReadonlyMap<TextOf, readonly { readonly text: string; readonly rows: number }[]> = new Map([
  [
    valuesText,
    [
      {
        text: `SELECT v.n FROM (VALUES ${valuesTo(101)}) v(n), (VALUES ${valuesTo(100)}) w(n)`,
        rows: 10_100,
      },
      { text: valuesText(1_001), rows: 1_001 },
    ],
  ],
  [unionText, [{ text: unionText(101), rows: 101 }]],
]);

/** @throws errors of `ask` that are not refusals. */
export async function learnPaging(askOnce: AskProbe, signal?: AbortSignal): Promise<ExecutePaging> {
  const ask = askingPrepared(askOnce, { signal });
  for (const textOf of [valuesText, unionText]) {
    let taken: string | undefined;
    let isAnswered = false;
    for (const size of sizeNames) {
      const first = await ask({ query_string: textOf(2), [size]: 1 });
      if (first === undefined) continue;
      isAnswered = true;
      if (first.rows.length === 1) return await learnNext({ first, textOf, size, ask });
      taken ??= size;
    }
    if (isAnswered) return await learnLimit(textOf, taken, ask);
    const plain = await ask({ query_string: textOf(2) });
    if (plain?.rows.length === 2) return await learnLimit(textOf, undefined, ask);
    if (plain !== undefined) return { kind: 'unknown', size: undefined };
  }
  return { kind: 'unknown', size: await acceptedSize(ask) };
}

/** Follows pages without rows, which a service may send while it prepares a result, under the names of the paging. */
export function askingPrepared<
  Answer extends Pick<ProbeAnswer, 'rows'> & { readonly others?: Others | undefined },
>(
  ask: (members: Readonly<Record<string, unknown>>) => Promise<Answer | undefined>,
  { paging, signal }: PreparedOptions = {},
): typeof ask {
  const { next: path, token } = paging?.kind === 'pages' ? paging : assumedPaging;
  let looksLeft = 10;
  return async (members) => {
    let answer = await ask(members);
    for (; answer?.rows.length === 0 && looksLeft > 0; looksLeft -= 1) {
      const next = pageTokenOf(valueAt(answer.others ?? new Map(), path));
      if (next === undefined || token in members) break;
      await pause(preparingMs, signal);
      answer = await ask({ ...members, [token]: next });
    }
    return answer;
  };
}

interface PreparedOptions {
  /** What was learned of the service; the assumption by default. */
  readonly paging?: ExecutePaging | undefined;
  readonly signal?: AbortSignal | undefined;
}

const preparingMs = 100;

/** Returns the size's name that a service takes which runs no query with two rows; undefined if it takes none. */
async function acceptedSize(ask: AskProbe): Promise<string | undefined> {
  const request = { query_string: oneRowText };
  for (const size of sizeNames) if ((await ask({ ...request, [size]: 1 })) !== undefined) return size;
  return (await ask(request)) === undefined ? assumedPaging.size : undefined;
}

/** Learns whether a service that sends two rows where one is requested cuts larger results. */
async function learnLimit(textOf: TextOf, size: string | undefined, ask: AskProbe): Promise<ExecutePaging> {
  const sized = size === undefined ? {} : { [size]: 1 };
  for (const { text, rows } of manyRows.get(textOf) ?? []) {
    const answer = await ask({ query_string: text, ...sized });
    if (answer === undefined) continue;
    const limit = answer.rows.length;
    // What has more rows than the result, such as one with the names of the columns, is not understood.
    if (limit > rows) return { kind: 'unknown', size };
    // A result with exactly as many rows may have been cut just there.
    if (limit === rows) return { kind: 'whole', size, upTo: rows - 1 };
    const unknown = { kind: 'unknown', size, limit } as const;
    if (size === undefined || limit === 0 || limit > limitMax) return unknown;
    const first = await ask({ query_string: textOf(2 * limit), ...sized });
    if (first?.rows.length !== limit) return unknown;
    const paging = await learnNext({ first, textOf, size, ask });
    return paging.kind === 'unknown' ? { ...paging, limit } : paging;
  }
  return { kind: 'whole', size, upTo: 1 };
}

/** The largest page whose paging is learned: the query for it has twice as many values. */
const limitMax = 1_000;

interface FirstPage {
  /** The first of two full pages. */
  readonly first: ProbeAnswer;
  readonly textOf: TextOf;
  readonly size: string;
  readonly ask: AskProbe;
}

async function learnNext({ first, textOf, size, ask }: FirstPage): Promise<ExecutePaging> {
  const limit = first.rows.length;
  const countsAll = first.others.get('rowCount') === 2 * limit;
  const unknown: ExecutePaging = { kind: 'unknown', size, ...(countsAll ? { countsAll } : {}) };
  for (const { path, value } of tokensIn(first.others))
    for (const token of requestNamesOf(path)) {
      const asked = { query_string: textOf(2 * limit), [size]: 1 };
      const second = await ask({ ...asked, [token]: value });
      if (second?.rows.length !== limit || String(second.rows[0]?.[0]) !== String(limit + 1)) continue;
      const left = pageTokenOf(valueAt(second.others, path));
      const end =
        left === undefined
          ? ({ kind: 'no-token' } as const)
          : await endOf(path, (next) =>
              ask({
                ...asked,
                query_string: textOf(2 * limit + 1),
                ...(next === undefined ? {} : { [token]: next }),
              }),
            );
      return end === undefined ? unknown : { kind: 'pages', size, token, next: path, end };
    }
  return unknown;
}

/** Returns what the last page looks like where its token stays, given a query with three pages. */
async function endOf(
  path: Path,
  ask: (token?: PageToken) => Promise<ProbeAnswer | undefined>,
): Promise<Extract<ExecutePaging, { kind: 'pages' }>['end'] | undefined> {
  const pages: ProbeAnswer[] = [];
  let token: PageToken | undefined;
  for (let count = 0; count < 3; count += 1) {
    const page = await ask(token);
    if (page === undefined || page.rows.length === 0) return undefined;
    pages.push(page);
    token = pageTokenOf(valueAt(page.others, path));
    // Only a full last page has a token that leads to an empty one, or there are fewer rows than were requested.
    if (token === undefined) return count === 2 ? { kind: 'no-token' } : undefined;
  }
  for (const { path: flag } of leavesOf(pages[0]?.others ?? new Map<string, JsonValue>())) {
    const [first, second, third] = pages.map(({ others }) => flagOf(valueAt(others, flag)));
    // Other flags change too, such as one for a page before this one.
    const isLast = lastValueOf(flag);
    if (isLast !== undefined && first === !isLast && second === !isLast && third === isLast)
      return { kind: 'flag', flag, value: isLast };
  }
  const behind = token === undefined ? undefined : await ask(token);
  return behind?.rows.length === 0 ? { kind: 'empty-page' } : undefined;
}

/** Returns the members that could ask for the next page, the likeliest first. */
export function tokensIn(others: Others): readonly { readonly path: Path; readonly value: PageToken }[] {
  return leavesOf(others)
    .flatMap(({ path, value }) => {
      const token = pageTokenOf(value);
      if (token === undefined || typeof token === 'boolean') return [];
      return isTokenPath(path) ? [{ path, value: token }] : [];
    })
    .slice(0, 4);
}

/** Returns the names under which a request may send the token back. */
export function requestNamesOf(path: Path): readonly string[] {
  const name = path.at(-1) ?? '';
  return name.startsWith(headerPrefix)
    ? namesOfHeader(name.slice(headerPrefix.length))
    : namesOf(
        name,
        path.some((each) => each.includes('_')),
      );
}

/** A header has hyphens, where a member has low lines or capitals. */
export function namesOfHeader(header: string): readonly string[] {
  const snake = header.replace(/^x-(?:ms-)?/i, '').replaceAll('-', '_');
  const camel = snake.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set([...namesOf(snake, true), ...namesOf(camel, false)])];
}

function namesOf(name: string, isSnake: boolean): readonly string[] {
  const bare = name.replace(/^next_?/i, '');
  const lower = bare.charAt(0).toLowerCase() + bare.slice(1);
  const usual = isSnake
    ? ['page_token', 'cursor', 'pageToken']
    : ['pageToken', 'page_token', 'cursor', 'nextToken'];
  return [...new Set([lower, name, ...usual].filter((each) => each !== '' && isFreeMember(each)))].slice(
    0,
    6,
  );
}

/** Returns the request's members for the page, under the names of the service. */
export function pagedRequest(
  {
    pageSize,
    pageToken,
    ...request
  }: { readonly pageSize?: number | undefined; readonly pageToken?: unknown },
  paging: ExecutePaging = assumedPaging,
): Readonly<Record<string, unknown>> {
  return {
    ...request,
    ...(pageSize === undefined || paging.size === undefined ? {} : { [paging.size]: pageSize }),
    ...(pageToken === undefined
      ? {}
      : { [paging.kind === 'pages' ? paging.token : assumedPaging.token]: pageToken }),
  };
}

/** Whether a page is surely not, surely or perhaps the last one. */
export type PageEnd =
  | { readonly kind: 'more'; readonly nextPageToken: PageToken }
  | { readonly kind: 'last' }
  | { readonly kind: 'perhaps' };

/** A page of which is judged whether there are more. */
export interface ToldPage {
  readonly others: Others;
  readonly rowCount: number;
  /** Only the first page has as many rows as are counted, if it is the last. */
  readonly isFirst: boolean;
}

/** Judges a page by what was learned. */
export function pageEnd(
  { others, rowCount, isFirst }: ToldPage,
  headers: IncomingHttpHeaders,
  paging: ExecutePaging,
): PageEnd {
  // What cannot be learned, or was not met in the probe, may still be as assumed.
  const assumedToken = pageTokenOf(others.get('nextPageToken'));
  if (paging.kind !== 'pages' && assumedToken !== undefined)
    return { kind: 'more', nextPageToken: assumedToken };
  const isNoted = saysCut(others, headers, (note) => !isOfFullPage(note, rowCount));
  if (
    paging.kind === 'unknown' &&
    paging.countsAll === true &&
    others.get('rowCount') === rowCount &&
    !isNoted
  )
    return { kind: 'last' };
  const read = { rows: rowCount, pages: 1 };
  const isLong = tellsLongerThan(read, others, headers);
  // A page behind the first one starts at its place.
  const places = isFirst ? [] : placesIn(others);
  const isCut = (...known: readonly string[]) =>
    isNoted || hasHints(others, headers, new Set([...places, ...known]));
  if (paging.kind === 'unknown')
    return (rowCount === 0 || rowCount < (paging.limit ?? 0)) && !isLong && !isCut()
      ? { kind: 'last' }
      : { kind: 'perhaps' };
  if (paging.kind === 'pages') {
    const nextPageToken = pageTokenOf(valueAt(others, paging.next));
    const { end } = paging;
    const isLast =
      nextPageToken === undefined ||
      (end.kind === 'flag' && flagOf(valueAt(others, end.flag)) === end.value) ||
      (end.kind === 'empty-page' && rowCount === 0);
    if (!isLast) return { kind: 'more', nextPageToken };
    const known = [paging.next.join('.'), ...(end.kind === 'flag' ? [end.flag.join('.')] : [])];
    return isCut(...known) || (isFirst && tellsLongerThan(read, countsOfAll(others), headers))
      ? { kind: 'perhaps' }
      : { kind: 'last' };
  }
  // A service that pays no heed to the page size may still have a limit of its own.
  const isProven = paging.upTo === undefined || rowCount <= paging.upTo;
  return !isProven || isLong || isCut() ? { kind: 'perhaps' } : { kind: 'last' };
}

/**
 * Returns the end of a page that follows the assumption evidently; undefined if it must be learned. A page without a
 * token proves nothing: a service may cut results without a word, and count only the rows that it sends.
 */
export function evidentEnd(
  page: ToldPage & { readonly asked: number | undefined },
  headers: IncomingHttpHeaders,
): PageEnd | undefined {
  const { others, rowCount, isFirst, asked } = page;
  const told = others.get('nextPageToken');
  const nextPageToken = pageTokenOf(told);
  const isPlain = [...others.keys()].every((name) => name === 'nextPageToken' || name === 'rowCount');
  if (!isPlain || hasHeaderHints(headers)) return undefined;
  // Pages without rows may be those of a service whose last page has a token, too.
  if (nextPageToken !== undefined) return rowCount === 0 ? undefined : { kind: 'more', nextPageToken };
  const isLong = isFirst && tellsLongerThan({ rows: rowCount, pages: 1 }, countsOfAll(others), headers);
  if (isLong || hasHints(new Map(), headers) || saysCut(new Map(), headers)) return undefined;
  // A single row, such as a count, is no cut result unless only one was requested.
  return told === null || rowCount === 0 || (rowCount === 1 && asked !== 1) ? { kind: 'last' } : undefined;
}

/** Returns members that surely count the rows of the whole result, which weigh more than that there is no token. */
function countsOfAll(others: Others): Others {
  const names = /^(?:row_?count|total(?:_?(?:count|rows|results|items|records))?)$/i;
  const countsOf = (members: Iterable<readonly [string, JsonValue]>) =>
    [...members].filter(([name]) => names.test(name));
  const outer = [...others].flatMap(([name, value]) =>
    isOuterName(name) && isRecord(value)
      ? [[name, Object.fromEntries(countsOf(Object.entries(value)))] as const]
      : [],
  );
  return new Map<string, JsonValue>([...countsOf(others), ...outer]);
}

function valueAt(members: Others, [first = '', ...rest]: Path): JsonValue | undefined {
  return rest.reduce<JsonValue | undefined>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    members.get(first),
  );
}

/**
 * Returns the number of rows of the whole result as far as one of its pages tells it: Infinity if a note says that the
 * result was cut. A note with the number of rows of this page, or with the way to the next one, can be about this page.
 */
export function toldRowsOf(
  { others, rowCount }: ToldPage,
  headers: IncomingHttpHeaders,
  { kind }: PageEnd,
): number {
  const isOfResult = (note: string) =>
    /trunc|incomplete|partial|capped|limit|max|exceed|cut|omit|drop|discard|left out|skip|missing/i.test(
      note,
    ) &&
    !numbersIn(note).includes(rowCount) &&
    !isOfFullPage(note, rowCount) &&
    !(kind === 'more' && isOfNextPage(note, rowCount));
  if (saysCut(others, headers, isOfResult)) return Infinity;
  return leavesOf(countsOfAll(others)).reduce((most, { path, value }) => {
    // Its reader weighs `rowCount` itself.
    const isRows = path.join('.') !== 'rowCount' && (path.length === 1 || namesCount(path.at(-1) ?? ''));
    const isNumber = typeof value === 'number' || typeof value === 'string' || value instanceof ExactNumber;
    return isRows && isNumber ? Math.max(most, Number(value) || 0) : most;
  }, countInHeaders(headers));
}

/** Returns the numbers of a note without sizes in bytes, times, shares and the code of a `Warning` header. */
function numbersIn(note: string): readonly number[] {
  const text = note.replace(/^\d{3} \S+ (?=")/, '');
  return [...text.matchAll(/(?<![\d,.])(\d[\d,.]*)[ _]?([a-z%]*)/gi)].flatMap(
    ([, digits = '', unit = '']) => {
      if (/^(?:%|[kmgt]?i?b|bytes?|[km]?s|sec\w*|min\w*)$/i.test(unit)) return [];
      const number = Number.parseFloat(digits.replaceAll(/[,.](?=\d{3}(?!\d))/g, ''));
      return [/^(?:k|thousand|million|billion)$/i.test(unit) ? Infinity : number];
    },
  );
}

const pageSizeClauses =
  /\bpage[ _]?size\b[^.;,)]*|(?:\b(?:limited|reduced|cut|capped) (?:to|at) )?(?:(?:at most|the first|max(?:imum)?) )?\b[\d,.]+ (?:\w+ )?per page\b/gi;

/** Whether a note is about nothing but the size of a page, which this page does not reach. */
function isOfFullPage(note: string, rowCount: number): boolean {
  const rest = note.replaceAll(pageSizeClauses, '');
  const numbers = numbersIn(note);
  return (
    rest !== note && numbers.length > 0 && numbers.every((number) => rowCount < number) && !isCutNote(rest)
  );
}

/** Whether a note names the way to the next page, and no number of rows that more than this page can have. */
function isOfNextPage(note: string, rowCount: number): boolean {
  // What was lost is on no page.
  if (/skip|omit|drop|discard|missing|left out|fail|not (?:answer|respond)/i.test(note)) return false;
  if (
    !/\b(?:pages?|pag(?:ed|ing|inat\w+)|next\w*|\w*token|cursor|continue|continuation\w*|offset)\b/i.test(
      note,
    )
  )
    return false;
  return (
    /\bpage[ _]?size\b|\bper page\b/i.test(note) || numbersIn(note).every((number) => number <= rowCount)
  );
}

/** Returns the page's own members, without what the client read from it to judge its end. */
export function endedPage<Page extends object>(
  page: Page & Partial<PageHead>,
  end: PageEnd,
  toldRows: number,
): Page {
  const { nextPageToken: _token, others: _others, isPerhapsPartial: _partial, ...rest } = page;
  return {
    ...rest,
    ...(end.kind === 'more' ? { nextPageToken: end.nextPageToken } : {}),
    ...(end.kind === 'perhaps' ? { isPerhapsPartial: true } : {}),
    ...(toldRows > 0 ? { toldRows } : {}),
  } as object as Page; // the same members with another end
}
