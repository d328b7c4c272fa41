/**
 * How a service pages results, which the specification does not describe (assumption `execute`). It is learned, once per
 * client, from a query with two rows of which one is requested; what that does not explain is never called complete.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { PageToken } from '../contract/lists.ts';
import { pageTokenOf } from './answers/page-token.ts';
import { isRecord } from './answers/shape.ts';
import type { JsonValue } from './json.ts';
import { isFreeMember } from './page-members.ts';
import type { PageHead } from './query-page.ts';

/** The path of a member in a response, such as `page`, `next`. */
type Path = readonly string[];

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
  | { readonly kind: 'whole'; readonly size: string | undefined }
  /** There are more rows than a response contains, or that is not known, and no way to request them is. */
  | {
      readonly kind: 'unknown';
      readonly size: string | undefined;
      /** Whether `rowCount` is the number of rows of the whole result rather than of the page. */
      readonly countsAll?: true;
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

export type Others = ReadonlyMap<string, JsonValue>;

/** Sends the members of a request. Undefined if the service refuses them. */
export type AskProbe = (members: Readonly<Record<string, unknown>>) => Promise<ProbeAnswer | undefined>;

/** Asked only if no query of two rows was answered. */
export const oneRowText = 'SELECT 1 AS n';
const probeTexts = ['SELECT n FROM (VALUES (1), (2)) v(n)', 'SELECT 1 AS n UNION ALL SELECT 2 AS n'] as const;
const sizeNames = ['pageSize', 'page_size', 'limit', 'max_rows', 'maxResults'] as const;

/** @throws errors of `ask` that are not refusals. */
export async function learnPaging(ask: AskProbe): Promise<ExecutePaging> {
  for (const text of probeTexts) {
    let whole: string | undefined;
    let isAnswered = false;
    for (const size of sizeNames) {
      const first = await ask({ query_string: text, [size]: 1 });
      if (first === undefined) continue;
      isAnswered = true;
      if (first.rows.length === 1)
        return await learnNext(first, size, (more) => ask({ query_string: text, [size]: 1, ...more }));
      whole ??= size;
    }
    if (isAnswered) return { kind: 'whole', size: whole };
    const plain = await ask({ query_string: text });
    if (plain !== undefined) return { kind: plain.rows.length === 2 ? 'whole' : 'unknown', size: undefined };
  }
  return { kind: 'unknown', size: await acceptedSize(ask) };
}

/** Returns the size's name that a service takes which runs no query with two rows; undefined if it takes none. */
async function acceptedSize(ask: AskProbe): Promise<string | undefined> {
  const request = { query_string: oneRowText };
  for (const size of sizeNames) if ((await ask({ ...request, [size]: 1 })) !== undefined) return size;
  return (await ask(request)) === undefined ? assumedPaging.size : undefined;
}

async function learnNext(first: ProbeAnswer, size: string, ask: AskProbe): Promise<ExecutePaging> {
  const countsAll = first.others.get('rowCount') === 2;
  const unknown: ExecutePaging = { kind: 'unknown', size, ...(countsAll ? { countsAll } : {}) };
  for (const { path, value } of tokensIn(first.others))
    for (const token of requestNamesOf(path)) {
      const second = await ask({ [token]: value });
      if (second?.rows.length !== 1 || String(second.rows[0]?.[0]) !== '2') continue;
      const end = await endOf({ first, second, path }, (next) => ask({ [token]: next }));
      return end === undefined ? unknown : { kind: 'pages', size, token, next: path, end };
    }
  return unknown;
}

/** Returns what the last page looks like, given two pages of one row each. */
async function endOf(
  { first, second, path }: { readonly first: ProbeAnswer; readonly second: ProbeAnswer; readonly path: Path },
  ask: (token: PageToken) => Promise<ProbeAnswer | undefined>,
): Promise<Extract<ExecutePaging, { kind: 'pages' }>['end'] | undefined> {
  const left = pageTokenOf(valueAt(second.others, path));
  if (left === undefined) return { kind: 'no-token' };
  for (const { path: flag, value } of leavesOf(first.others)) {
    const then = valueAt(second.others, flag);
    if (typeof value === 'boolean' && typeof then === 'boolean' && then !== value)
      return { kind: 'flag', flag, value: then };
  }
  const third = await ask(left);
  return third?.rows.length === 0 ? { kind: 'empty-page' } : undefined;
}

const tokenWords = /token|cursor|next|continu|after|offset|scroll|bookmark/i;
const countWords = /count|total|size|elapsed|took|_?ms$/i;
/** Members whose truth means that rows are missing. */
const moreWords = /more|trunc|partial|incomplete|limited|exceeded/i;

/** Returns the members that could ask for the next page, the likeliest first. */
function tokensIn(others: Others): readonly { readonly path: Path; readonly value: PageToken }[] {
  return leavesOf(others)
    .flatMap(({ path, value }) => {
      const token = pageTokenOf(value);
      const name = path.at(-1) ?? '';
      if (token === undefined || typeof token === 'boolean' || countWords.test(name)) return [];
      return tokenWords.test(path.join('.')) ? [{ path, value: token }] : [];
    })
    .slice(0, 4);
}

/** Returns the names under which a request may send the token back. */
function requestNamesOf(path: Path): readonly string[] {
  const name = path.at(-1) ?? '';
  const bare = name.replace(/^next_?/i, '');
  const lower = bare.charAt(0).toLowerCase() + bare.slice(1);
  const isSnake = path.some((each) => each.includes('_'));
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

/** Judges a page by what was learned. */
export function pageEnd(
  { others, rowCount }: { readonly others: Others; readonly rowCount: number },
  headers: IncomingHttpHeaders,
  paging: ExecutePaging,
): PageEnd {
  // What cannot be learned, or was not met in the probe, may still be as assumed.
  const assumedToken = pageTokenOf(others.get('nextPageToken'));
  if (paging.kind !== 'pages' && assumedToken !== undefined)
    return { kind: 'more', nextPageToken: assumedToken };
  if (paging.kind === 'unknown' && paging.countsAll === true && others.get('rowCount') === rowCount)
    return { kind: 'last' };
  if (paging.kind === 'unknown')
    return rowCount === 0 && !hasHints(others, headers) ? { kind: 'last' } : { kind: 'perhaps' };
  if (paging.kind === 'pages') {
    const nextPageToken = pageTokenOf(valueAt(others, paging.next));
    const { end } = paging;
    const isLast =
      nextPageToken === undefined ||
      (end.kind === 'flag' && valueAt(others, end.flag) === end.value) ||
      (end.kind === 'empty-page' && rowCount === 0);
    if (!isLast) return { kind: 'more', nextPageToken };
    const known = new Set([paging.next.join('.'), ...(end.kind === 'flag' ? [end.flag.join('.')] : [])]);
    return hasHints(others, headers, known) ? { kind: 'perhaps' } : { kind: 'last' };
  }
  return mayBeCutAt(rowCount) || hasHints(others, headers) ? { kind: 'perhaps' } : { kind: 'last' };
}

/** A service that pays no heed to the page size may still have a limit of its own, which is a round number. */
function mayBeCutAt(rowCount: number): boolean {
  return rowCount >= 100 && (rowCount % 100 === 0 || Number.isInteger(Math.log2(rowCount)));
}

/**
 * Returns the end of a page that follows the assumption evidently; undefined if it must be learned. A page without a
 * token proves nothing: a service may cut results without a word, and count only the rows that it sends.
 */
export function evidentEnd(
  page: { readonly others: Others; readonly rowCount: number; readonly asked: number | undefined },
  headers: IncomingHttpHeaders,
): PageEnd | undefined {
  const { others, rowCount, asked } = page;
  const told = others.get('nextPageToken');
  const nextPageToken = pageTokenOf(told);
  const isPlain = [...others.keys()].every((name) => name === 'nextPageToken' || name === 'rowCount');
  if (!isPlain || headers.link !== undefined) return undefined;
  if (nextPageToken !== undefined) return { kind: 'more', nextPageToken };
  // A single row, such as a count, is no cut result unless only one was requested.
  return told === null || rowCount === 0 || (rowCount === 1 && asked !== 1) ? { kind: 'last' } : undefined;
}

/** Returns whether a member that is not explained, or a link, tells of more rows. */
function hasHints(
  others: Others,
  { link }: IncomingHttpHeaders,
  known: ReadonlySet<string> = new Set(),
): boolean {
  if (link !== undefined && /rel="?next\b/i.test([link].flat().join())) return true;
  return leavesOf(others).some(({ path, value }) => {
    if (known.has(path.join('.'))) return false;
    const name = path.at(-1) ?? '';
    if (typeof value === 'boolean') return value && moreWords.test(name);
    return tokenWords.test(name) && !countWords.test(name) && pageTokenOf(value) !== undefined;
  });
}

/** Maximum depth of members that describe the page. */
const depthMax = 3;

function leavesOf(members: Others): readonly { readonly path: Path; readonly value: JsonValue }[] {
  const leaves: { path: Path; value: JsonValue }[] = [];
  const visit = (path: Path, value: JsonValue): void => {
    if (isRecord(value) && path.length < depthMax)
      for (const [name, member] of Object.entries(value)) visit([...path, name], member);
    else leaves.push({ path, value });
  };
  for (const [name, value] of members) visit([name], value);
  return leaves;
}

function valueAt(members: Others, [first = '', ...rest]: Path): JsonValue | undefined {
  return rest.reduce<JsonValue | undefined>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    members.get(first),
  );
}

/** Returns the page's own members, without what the client read from it to judge its end. */
export function endedPage<Page extends object>(page: Page & Partial<PageHead>, end: PageEnd): Page {
  const { nextPageToken: _token, others: _others, isPerhapsPartial: _partial, ...rest } = page;
  return {
    ...rest,
    ...(end.kind === 'more' ? { nextPageToken: end.nextPageToken } : {}),
    ...(end.kind === 'perhaps' ? { isPerhapsPartial: true } : {}),
  } as object as Page; // the same members with another end
}
