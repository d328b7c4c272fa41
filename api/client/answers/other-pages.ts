/**
 * Pages of the lists that the specification does not describe: the next one may be told under other names than
 * `nextPageToken`, by a link or by counts. What is not understood makes the list a part, never the whole.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Page, PageToken } from '#api/contract/lists.ts';
import { flagOf } from '#base/values/flag.ts';
import { RejectedError } from '../errors.ts';
import { headerTokensOf, namesOfHeader, requestNamesOf, tokensIn } from '../execute-paging.ts';
import { jsonText, type JsonValue } from '../json.ts';
import type { ParsedAnswer } from '../requests/requester.ts';
import { decodePage } from './decode.ts';
import {
  hasHints,
  isNextLink,
  isTruth,
  leavesOf,
  linkInHeader,
  placesIn,
  saysCut,
  tellsLongerThan,
  type Others,
} from './more-hints.ts';
import { pageTokenText } from './page-token.ts';
import { isRecord, unwrapped, type DecodeContext } from './shape.ts';

type Parameters = Readonly<Record<string, string>>;

/** Asks for the next page in place of a `pageToken`. As JSON, since pages are kept with it. */
interface OtherToken {
  /** Parameters for one place, of which the service knows one; or those of a link. */
  readonly otherPage: { readonly oneOf: Parameters } | { readonly link: Parameters };
  /** Digest of the items before: a service that does not know the name sends them again. */
  readonly after: string;
  /** Number of items up to here. */
  readonly count: number;
  /** Number of pages up to here. */
  readonly pages: number;
  /** The number of the first page or item, if they are numbered. */
  readonly first?: number | undefined;
}

interface Told {
  readonly value: JsonValue;
  readonly headers: IncomingHttpHeaders;
}

/** What was learned of one list. */
export class OtherPages {
  #takesSize = true;
  #name: string | undefined;

  /** Asks for a page, and reads it with what tells the next one. */
  async page<Item>(
    asked: { readonly pageSize: number; readonly pageToken: PageToken | undefined },
    send: (query: Readonly<Record<string, string | number>>) => Promise<ParsedAnswer>,
    read: (item: JsonValue, context: DecodeContext) => Item,
  ): Promise<Page<Item>> {
    const { value, context, headers } = await this.#ask(asked, send);
    const isWalk = asked.pageToken !== undefined || hasHints(new Map(), headers);
    const named = withItems(value, isWalk);
    const page = decodePage(named, (item) => read(item, context), context);
    return otherPage(page, { value: named, headers }, asked.pageToken);
  }

  /** Sends the request, again with fewer parameters if the service refuses those that it does not know. */
  async #ask<Answer>(
    { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: PageToken | undefined },
    send: (query: Readonly<Record<string, string | number>>) => Promise<Answer>,
  ): Promise<Answer> {
    const sizes: readonly Readonly<Record<string, number>>[] = this.#takesSize ? [{ pageSize }, {}] : [{}];
    const attempts = sizes.flatMap((size) =>
      this.#waysToAsk(pageToken).map((parameters) => ({ size, parameters })),
    );
    for (const [at, { size, parameters }] of attempts.entries()) {
      try {
        const answer = await send({ ...size, ...parameters });
        this.#takesSize = size === sizes[0] && this.#takesSize;
        const [name, ...others] = Object.keys(parameters);
        if (isOther(pageToken) && 'oneOf' in pageToken.otherPage && others.length === 0) this.#name = name;
        return answer;
      } catch (error) {
        const isAboutNames = error instanceof RejectedError && (error.status === 400 || error.status === 422);
        if (!isAboutNames || at === attempts.length - 1) throw error;
      }
    }
    throw new RangeError('no way to ask');
  }

  #waysToAsk(pageToken: PageToken | undefined): readonly Parameters[] {
    if (pageToken === undefined) return [{}];
    if (!isOther(pageToken)) return [{ pageToken: pageTokenText(pageToken) }];
    const { otherPage } = pageToken;
    if ('link' in otherPage) return [otherPage.link];
    const { oneOf } = otherPage;
    const ways = Object.entries(oneOf).map(([name, value]) => ({ [name]: value }));
    const known = ways.find((way) => this.#name !== undefined && this.#name in way);
    if (known !== undefined) return [known];
    return ways.length === 1 ? ways : [oneOf, ...ways];
  }
}

/**
 * Returns a list whose items are under another name, or are the whole answer, as one with `items`.
 * @param isWalk whether the answer is surely a page: another one came before it, or is told to follow.
 */
export function withItems(value: JsonValue, isWalk: boolean): JsonValue {
  // A list of nothing may be the answer of something else, and would make all queries look deleted.
  if (Array.isArray(value)) return value.length === 0 && !isWalk ? value : { items: value };
  if (!isRecord(value) || 'items' in value) return value;
  if (listsIn(value).length > 0) return renamed(value);
  return unwrapped(value, (inner, name) => innerItems(inner, name, isWalk), besideItems);
}

function listsIn(value: Readonly<Record<string, JsonValue>>): readonly string[] {
  return Object.keys(value).filter((name) => Array.isArray(value[name]) && !besideItems.test(name));
}

/** Returns an answer whose only list has another name with this list as `items`. */
function renamed(value: Readonly<Record<string, JsonValue>>): JsonValue {
  const [name, ...others] = listsIn(value);
  if (name === undefined || others.length > 0) return value;
  const { [name]: items = null, ...rest } = value;
  return { ...rest, items };
}

/** Another list than `items` is taken from a usual wrapper, and one of nothing only if both have usual names. */
function innerItems(inner: JsonValue, name: string, isWalk: boolean): JsonValue {
  if (!isRecord(inner)) return null;
  const isWrapper = wrapperNames.test(name);
  const named = isWrapper && !('items' in inner) ? renamed(inner) : inner;
  const { items } = isRecord(named) ? named : {};
  const isEmpty = Array.isArray(items) && items.length === 0;
  return isEmpty && !isWalk && !(isWrapper && named === inner) ? null : named;
}

const besideItems = /link|error|warning|message|notice/i;
const wrapperNames = /^(?:_?embedded|data|d|results?|response|payload|body|content|list)$/i;

/** Returns the page with what tells the next one. */
function otherPage<Item>(
  page: Page<Item>,
  { value, headers }: Told,
  asked: PageToken | undefined,
): Page<Item> {
  const { nextPageToken, isPart: _isPart, ...whole } = page;
  if (nextPageToken !== undefined || !isRecord(value)) return page;
  const { items, ...members } = value;
  const list = Array.isArray(items) ? items : [];
  const before = isOther(asked) ? asked : undefined;
  const digest = list.length === 0 ? (before?.after ?? '') : digestOf(list);
  if (list.length > 0 && digest === before?.after) return { items: [], isPart: true };
  const others: Others = new Map(Object.entries(members));
  const count = (before?.count ?? 0) + list.length;
  const pages = (before?.pages ?? 0) + 1;
  // A list that is paged as described counts all of its items on every page.
  const isCounted = asked === undefined || before !== undefined;
  const flags = lastFlagsOf(others);
  const isCut = flags.includes(false) || saysCut(others, headers);
  const ended = (isLast: boolean): Page<Item> =>
    isCut || (isCounted && tellsLongerThan({ rows: count, pages, isLast }, others, headers))
      ? { ...whole, isPart: true }
      : whole;
  if (flags.includes(true) && !flags.includes(false)) return ended(true);
  const next =
    linkIn(others, headers) ??
    tokenIn(others) ??
    countedIn(others, { count, before }) ??
    tokenInHeader(headers);
  if (next === 'last') return ended(true);
  if (next !== undefined) {
    const token: OtherToken = { after: digest, count, pages, ...next };
    return { ...whole, nextPageToken: token };
  }
  // A page behind the first one starts at its place.
  const places = new Set(asked === undefined ? [] : placesIn(others));
  return hasHints(others, headers, places) ? { ...whole, isPart: true } : ended(false);
}

function isOther(token: PageToken | undefined): token is OtherToken {
  return isRecord(token) && 'otherPage' in token && 'after' in token;
}

function digestOf(items: readonly JsonValue[]): string {
  return createHash('sha256').update(jsonText(items)).digest('base64');
}

type Next = Pick<OtherToken, 'otherPage' | 'first'>;

/** What members say of whether this page is the last one, although its token may stay. */
function lastFlagsOf(others: Others): readonly boolean[] {
  return leavesOf(others).flatMap(({ path, value }) => {
    const name = path.at(-1) ?? '';
    // Under another name, a number or a letter can be a page or its token.
    const isFlag = /^(?:has|is)_?/i.test(name) || isTruth(value);
    const isTrue = isFlag ? flagOf(value) : undefined;
    if (isTrue === undefined) return [];
    if (/^(?:has_?)?(?:more|next)(?:_?(?:pages?|items|results|records))?$/i.test(name)) return [!isTrue];
    return /^(?:is_?)?(?:last|final)(?:_?page)?$/i.test(name) ? [isTrue] : [];
  });
}

function tokenIn(others: Others): Next | undefined {
  const [first] = tokensIn(others).filter(
    ({ path, value }) => !offsetName.test(path.at(-1) ?? '') && typeof value !== 'object',
  );
  return first === undefined
    ? undefined
    : { otherPage: { oneOf: parametersOf(requestNamesOf(first.path), pageTokenText(first.value)) } };
}

/** A header that holds the token, such as `x-next-page-token`. */
function tokenInHeader(headers: IncomingHttpHeaders): Next | undefined {
  const [found] = headerTokensOf(headers);
  if (found === undefined) return undefined;
  const [header, value] = found;
  return { otherPage: { oneOf: parametersOf(namesOfHeader(header), value) } };
}

function parametersOf(names: readonly string[], value: string): Parameters {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** Only the parameters of a link are used, so that no token is sent elsewhere. */
function linkIn(others: Others, headers: IncomingHttpHeaders): Next | undefined {
  const inMembers = leavesOf(others).flatMap(({ path, value }) => {
    if (typeof value === 'string')
      return /next/i.test(path.join('.')) && /^(?:https?:\/\/|[/?])/.test(value) ? [value] : [];
    if (!Array.isArray(value)) return [];
    return value.flatMap((link) =>
      isRecord(link) && isNextLink(link) && typeof link['href'] === 'string' ? [link['href']] : [],
    );
  });
  const address = linkInHeader(headers.link) ?? inMembers[0];
  const base = 'http://service';
  if (address === undefined || !URL.canParse(address, base)) return undefined;
  const link = Object.fromEntries(new URL(address, base).searchParams);
  return Object.keys(link).length === 0 ? undefined : { otherPage: { link } };
}

const offsetName = /^(?:offset|skip|start|start_?(?:index|at)|from)$/i;
const pageName = /^(?:page|page_?(?:number|no|index)|current_?page)$/i;
const pagesName = /^(?:pages|(?:total_?|last_?)pages?|(?:page_?|pages_?)(?:count|total))$/i;
const totalName = /^total(?:_?(?:count|items|results|elements|records|rows|hits|size|entries))?$/i;

/** Pages by their number or by the place of their first item, where their end is told too. */
function countedIn(
  others: Others,
  { count, before }: { readonly count: number; readonly before: OtherToken | undefined },
): Next | 'last' | undefined {
  const numberOf = (names: RegExp) => {
    const found = leavesOf(others).find(
      ({ path, value }) => typeof value === 'number' && names.test(path.at(-1) ?? ''),
    );
    return found === undefined ? undefined : { name: found.path.at(-1) ?? '', value: Number(found.value) };
  };
  const [offset, page, pages, total] = [offsetName, pageName, pagesName, totalName].map(numberOf);
  if (page !== undefined && pages !== undefined) {
    const first = before?.first ?? page.value;
    if (page.value - first + 1 >= pages.value) return 'last';
    return {
      otherPage: { oneOf: parametersOf(['page', page.name], String(page.value + 1)) },
      first,
    };
  }
  if (offset === undefined || total === undefined) return undefined;
  if (count >= total.value) return 'last';
  const start = before?.count ?? 0;
  const first = before?.first ?? firstPlace(offset.value, count);
  // A page without items would be asked for without end, and one from another place has left some out.
  if (first === undefined || (before !== undefined && count === start)) return undefined;
  // A service may tell the place of the first page on all of them: this one has other items than the one before.
  const places = [first + start, first + count, ...(before === undefined ? [] : [first])];
  if (!places.includes(offset.value)) return undefined;
  // An offset counts from 0 also where the place that is told counts from 1.
  const oneOf = { offset: String(count), [offset.name]: String(first + count) };
  return { otherPage: { oneOf }, first };
}

/** Items are counted from 0 or from 1, and the first page tells where it starts or where the next one does. */
function firstPlace(told: number, count: number): number | undefined {
  if (told === 0 || told === count) return 0;
  return told === 1 || told === count + 1 ? 1 : undefined;
}
