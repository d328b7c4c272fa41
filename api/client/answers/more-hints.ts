/**
 * What in a response can mean that there are more rows or items than it contains: flags, tokens, links, counts and
 * words, beside the rows or in headers. How a service tells it is not described, so many ways are known here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { flagOf } from '#base/values/flag.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import type { JsonValue } from '../json.ts';
import { isSaid } from './outcome.ts';
import { pageTokenOf } from './page-token.ts';
import { isRecord } from './shape.ts';

/** The path of a member in a response, such as `page`, `next`. */
export type Path = readonly string[];

/** The members of a response besides its columns and rows. */
export type Others = ReadonlyMap<string, JsonValue>;

/** A header with a token is judged like a member of this name and the header's. */
export const headerPrefix = 'header:';

const tokenWords =
  /token|cursor|next|continu|after|offset|scroll|bookmark|marker|resume|page_?state|evaluated_?key/i;
const countWords = /count|total|size|elapsed|took|_?ms$/i;
/** Members whose truth means that rows are missing, and those whose truth means that none is. */
const moreWords =
  /more|next|partial|incomplete|exceeded|remain|overflow|clipped|cut_?off|sampled|(?<!un)(?:trunc|limited|capped)|(?:limit|max(?:imum)?|cap)[a-z_]{0,12}(?:reached|hit|applied)$|(?:reached|hit|over)[a-z_]{0,12}(?:limit|max(?:imum)?|cap)$|^(?:is_?)?(?:preview|interim|provisional)$/i;
const lastWords =
  /last|final|complete|exhausted|exhaustive|done|^eof$|^(?:(?:is|at|reached)_?)?end(?:ed|_?reached|_?of[a-z_]*)?$|^(?:is_?)?(?:finished|whole|entire)$|^(?:is_?|has_?)?(?:all|whole|entire)_?(?:rows|results|records|data|fetched|sent|returned)$|^(?:fetched|sent|returned)_?all$/i;
/** Members that can only be flags, so that a number or a word such as `no` is one, too. */
const flagNames =
  /^(?:(?:has|is|are|was)_?[a-z_]+|[a-z_]{0,12}(?:limit|max(?:imum)?|cap)[a-z_]{0,12}(?:reached|hit|exceeded)|(?:more|truncated|partial|incomplete|limited|capped)(?:_?(?:pages?|rows|items|results|records))?|(?:(?:results?|rows|data|response)_?)?(?:last|final|complete|exhausted|done|eof))$/i;
/** Members that count rows or pages that are perhaps not in this response. */
const totalWords =
  /total|(?<!ac|dis|(?:^|[^a-z])(?:re|en))count(?!er|r?y)|matched|available|before_?limit|^last_?page$|^(?:num|nb|number_?of)?_?(?:found|hits|matches|results|records|entries|rows|items|pages)$/i;
/** Those among them that surely count the whole, so that they weigh more than that a page says that it is the last. */
const wholeWords =
  /^(?:(?:total|matched)(?:_?(?:count|(?:page|row|result|record|item|element|hit|entr(?:y|ie))s?(?:_?count)?))?|(?:(?:page|row|result|record|item|element|hit|entr(?:y|ie))s?_?)?count|pages?_?total|last_?page|(?:num|nb|number_?of)?_?(?:found|hits|matches|results|records|entries|rows|items|pages)|(?=[a-z_]+$)[a-z_]*before_?limit.*)$/i;
const totalHeaders =
  /^(?:x-)?(?:(?:list|collection|query|wp|result|record|row|item)s?-)?(?:(?:total|matched)(?:-?(?:count|rows|results|records|items|entries|elements|hits|pages))?|(?:row|result|record|item|entry)s?-?count)$|^(?:x-)?count$/i;
const restWords = /remain|omitted|dropped|rows_?left|skipped|truncated_?(?:rows|results|records|items)/i;
/** Members whose text says why or how far rows were sent, and words of it that mean: not all. */
const reasonNames =
  /completeness|coverage|^(?:trunc|partial|incomplete)|^(?:(?:results?|rows?|query|early|page)_?)?(?:(?:end(?:ed|ing)?|stop(?:ped)?|finish(?:ed)?|exit|halt|abort|terminat|complet|trunc|partial|incomplete|limit|cut|done|cap(?:ped)?|status|state|response|sample)[a-z]*_?)?reason$|^(?:results?|rows?)_?truncation$/i;
const reasonCodes =
  /trunc|partial|incomplete|capped|sampl|preview|interim|limit|max|length|size|quota|budget|time ?out|^(?:rows?|records?|results?|bytes?)(?: count)?$/i;
/** Members whose text says what the answer is, and words of it that mean: not all. */
const kindNames = /^(?:results?|response|answer)_?(?:type|kind|mode)$/i;
const kindCodes =
  /sampl|partial|preview|interim|trunc|incomplete|capped|limit|\bmax\b|quota|budget|time ?out/i;
/** Members whose text is the address or the key of the last page or row. */
const endNames = /^(?:(?:results?|rows|data|response)_?)?(?:last|final)$/i;
/** What denies such a word: that there is none, or that the rows stayed within it. */
const reasonDenials =
  /\bun(?:limited|capped|sampled|truncated)\b|\b(?:no|not|none|without)(?: (?:any|an?|rows?|results?|size|time))* (?:trunc|partial|incomplete|capped|sampl|limit|max|quota|time ?out)\w*|(?<!\b(?:be|stay|stayed|keep|kept|remain|fit)\b[^.;,:]{0,40})\b(?:within|below|under|small(?:er)?) [^.;,:]*/gi;
/** Members that name or count what did not answer. */
const lostNames =
  /^(?:missing|unavailable|failed|unreachable|incomplete|timed_?out)_?(?:shards?|partitions?|sources?|segments?|nodes?|splits?|chunks?|reasons?)$|^(?:shards?|partitions?|sources?|segments?|nodes?|splits?|chunks?)_?(?:missing|unavailable|failed|unreachable|timed_?out)$|^(?:skipped|omitted)_?sources?$/i;
/** Members about what is done before rows are found. */
const asideNames = /queue|trac(?:e|ing)|telemetry|engine|schedul|plan(?:ner)?$/i;
/** Members whose number is a share of the whole: 1, or 100 percent. */
const shareNames =
  /^(?:completeness|coverage|progress|(?:progress_?)?percent(?:age)?(?:_?(?:complete|done))?|(?:completed?|done|progress)_?percent(?:age)?)$/i;
const otherCounts =
  /column|field|param|byte|time|elapsed|took|duration|_?ms$|attempt|retr(?:y|ies)|warning|request|rate|(?<!before_?)limit|quota|version/i;
/** Members about the work behind the result, whose counts are not of its rows. */
const workNames = /cache|scan|metric|profil/i;
const statisticsNames = /stats|statistic/i;
/** Members whose text may be a range and the number of all, such as 0-49/120. */
const rangeNames = /range|show|display|^pag(?:e|es|ing|ination)$/i;
/** Members with words for people. */
const noteNames = /^(?:status_?)?(?:warn(?:ing)?|notice|note|info|message|hint)s?$/i;
const noteHeaders = /^(?:x-)?(?:warning|notice|message)s?$/;
/** Members with the query. */
const queryNames = /^(?:sql|query|statement)(?:_?(?:text|string))?$/i;
const cutWords =
  /\b(?:truncated|incomplete|capped|(?:limited|cut|reduced) (?:to|at|after)|only (?:the )?first|first (\d+)\b(?! (?:\w{1,9} )?(?:of|\/) \1\b)|not all|there (?:are|is) more|more (?:rows|results|entries|items|records|pages)|(?:row|record|result|size)s? ?limit\b(?:[^.;:,]|[.,](?=\d)){0,30}?\b(?:reached|hit|applied)|(?:row|record|result|size|limit)s?\b(?:[^.;:,]|[.,](?=\d)){0,30}?\bexceed(?:s|ed)|exceed(?:s|ed)\b(?:[^.;:,]|[.,](?=\d)){0,30}?\b(?:row|record|result|size|limit)s?|(?:reached|hit)\b(?:[^.;:,]|[.,](?=\d)){0,30}?\b(?:limit|maximum)|max(?:imum)? (?:row|record|result|size)s?\b(?:[^.;:,]|[.,](?=\d)){0,30}?\b(?:reached|hit)|(?<!\b(?:cache|index|header) )(?:rows?|records?|results|entry|entries|items?) (?:(?:(?:\w|[.,](?=\d))+ ){0,3}(?:omitted|dropped|discarded|left out|skipped)|(?:(?:of|from|on|in|after|behind|beyond) (?:\w+ ){1,3})?(?:(?:is|are|was|were|has|have|had|been|may|might|could|can|be|now|also|still|possibly|probably|perhaps) ){0,3}missing)|missing (?:rows|records|results|entries|items)[:= ]+[1-9]\d*|(?:omitted|dropped|discarded|left out) (?:(?:the|some|other|last|about|\d[\d,.]*) ){1,3}(?:rows?|records?|results?|entry|entries|items?)|cut (?:off|short)|partial (?:results?|answers?|lists?|data))\b/i;
const cutDenials =
  /\b(?:(?:no|not|without|never|nothing|none|isn't|wasn't|weren't|0|zero)(?: (?:any|longer|is|are|was|were|has|have|been|be|a|an|single|of|the|these|further|other|duplicates?|rows?|records?|results?|entry|entries|items?|size|(?<=of )\d+)){0,5} (?:more|truncated|limit|limited|incomplete|cut|capped|reached|hit|applied|exceeded|partial|omitted|dropped|discarded|left out|skipped|missing)|(?:dropped|discarded|omitted|left out) (?:no|0|zero)(?: \w+)? (?:rows|records|results|entries|items)|(?:more(?: (?:rows|results|entries|items|records|pages))?|truncated|incomplete|capped|partial|reached|hit|applied|exceeded|omitted|dropped|discarded|skipped|missing|left out) ?[:=] ?(?:false|(?:no|0|none)(?=\s*(?:$|[.,](?!\d)|[;)\]}])))|(?:no|none of|0|zero)(?: \w+){0,3} (?:rows?|records?|results?|entry|entries|items?)(?: (?:was|were|is|are|had|has|have|been|to|be)){0,3} (?:truncated|omitted|dropped|discarded|left out|skipped|missing|cut)|(?:omitted|dropped|discarded|skipped|missing|left out) ?[:=] ?0(?= of \d| ?\w+(?: \w+)? ?[:=]))\b/gi;

/** Names of tokens for this page or one before it. */
const backNames =
  /^(?:(?:prev(?:ious)?|before|first|start|self|current|this)_?(?:page)?_?(?:token|cursor|key|marker|offset)?|(?:page_?)?before)$/i;
const placeNames = /^(?:offset|skip|start|from)_?(?:index|at|row)?$/i;

/** Whether a name is that of a token for the next page. */
export function isTokenPath(path: Path): boolean {
  const name = path.at(-1) ?? '';
  return tokenWords.test(path.join('.')) && !countWords.test(name) && !backNames.test(name);
}

/** Returns the value of a flag on the last page; undefined if its name does not tell. */
export function lastValueOf(flag: Path): boolean | undefined {
  const name = flag.at(-1) ?? '';
  if (/prev(?!iew)/i.test(name)) return undefined;
  // A trace may be one of a few that are taken.
  if (/sampled/i.test(name) && flag.some((each) => asideNames.test(each))) return undefined;
  if (moreWords.test(name)) return false;
  return lastWords.test(name) ? true : undefined;
}

/**
 * Whether a response counts more rows, or more pages, than were read up to here.
 * @param read `isLast`: whether the response says that nothing follows.
 */
export function tellsLongerThan(
  read: { readonly rows: number; readonly pages: number; readonly isLast?: boolean },
  others: Others,
  headers: IncomingHttpHeaders,
): boolean {
  const { rows, pages, isLast = false } = read;
  const isCount = (name: string) => totalHeaders.test(name) || (isLast ? wholeWords : totalWords).test(name);
  const leaves = [...leavesOf(others), ...leavesOf(describedInHeader(headers))];
  const counts = [
    ...leaves,
    ...Object.entries(headers).flatMap(([name, value]) =>
      totalHeaders.test(name) && typeof value === 'string' ? [{ path: [name], value }] : [],
    ),
  ];
  const range = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1];
  if (range !== undefined && Number(range) > rows) return true;
  return counts.some(({ path, value }) => {
    const name = path.at(-1) ?? '';
    const all = typeof value === 'string' ? allOfRange(value, path) : undefined;
    if (all !== undefined) return all > rows;
    if (!isNumeric(value) || otherCounts.test(name) || isOfWork(path)) return false;
    if (restWords.test(name)) return Number(value) > 0;
    return isCount(name) && Number(value) > (/page/i.test(name) && !/row|size/i.test(name) ? pages : rows);
  });
}

/** Whether a member inside of a count of all is one of rows, rather than of bytes or seconds. */
export function namesCount(name: string): boolean {
  return (
    /^n$|total|count|value|num|all|exact|estimate|row|result|record|item|entr|element|hit|match|found/i.test(
      name,
    ) &&
    !otherCounts.test(name) &&
    !/page|cost|cache|scan/i.test(name)
  );
}

/** Returns the largest of the counts of rows in headers. */
export function countInHeaders(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce((most, [name, value]) => {
    const isCount = totalHeaders.test(name) && !/page/.test(name) && typeof value === 'string';
    return isCount ? Math.max(most, Number(value) || 0) : most;
  }, 0);
}

/** Returns the last number of a range such as 0-49/120 or 1 to 50 of 120; other members have such texts for other ends. */
function allOfRange(text: string, path: Path): number | undefined {
  if (![rangeNames, noteNames].some((names) => path.some((name) => names.test(name)))) return undefined;
  const [, all] = /\d\s*(?:-|–|to)\s*\d+\s*(?:\/|of)\s*(\d+)\D*$/.exec(text) ?? [];
  return all === undefined ? undefined : Number(all);
}

function isOfWork(path: Path): boolean {
  if (path.some((name) => workNames.test(name))) return true;
  return (
    path.some((name) => statisticsNames.test(name)) && !/row|record|result|item/i.test(path.at(-1) ?? '')
  );
}

/** Whether a text says that rows are missing. A code such as ROW_LIMIT_REACHED consists of words. */
export function isCutNote(text: string): boolean {
  return cutWords.test(text.replaceAll('_', ' ').replaceAll(cutDenials, ''));
}

/**
 * Whether a note for people says that rows are missing.
 * @param isMeant whether such a note is about more than the page.
 */
export function saysCut(
  others: Others,
  headers: IncomingHttpHeaders = {},
  isMeant: (note: string) => boolean = () => true,
): boolean {
  const isCut = (text: string) => isCutNote(text) && isMeant(text);
  if (Object.entries(headers).some(([name, value]) => noteHeaders.test(name) && isCut([value].flat().join())))
    return true;
  const isSaid = (value: JsonValue): boolean => {
    if (typeof value === 'string') return isCut(value);
    if (Array.isArray(value)) return value.some((each: JsonValue) => isSaid(each));
    if (!isRecord(value)) return false;
    return Object.entries(value).some(
      ([name, each]) => typeof each === 'string' && !queryNames.test(name) && isCut(each),
    );
  };
  return leavesOf(others).some(
    ({ path, value }) =>
      path.some((name) => noteNames.test(name)) && !queryNames.test(path.at(-1) ?? '') && isSaid(value),
  );
}

/** Returns whether a member that is not explained, or a header, tells of more rows. */
export function hasHints(
  others: Others,
  headers: IncomingHttpHeaders = {},
  known: ReadonlySet<string> = new Set(),
): boolean {
  if (hasHeaderHints(headers, known)) return true;
  return [...leavesOf(others), ...leavesOf(describedInHeader(headers))].some(({ path, value }) => {
    if (known.has(path.join('.'))) return false;
    const isLast = lastValueOf(path);
    const isFlag = isTruth(value) || flagNames.test(path.at(-1) ?? '');
    const flag = isFlag && isLast !== undefined ? flagOf(value) : undefined;
    if (flag !== undefined) return flag !== isLast;
    if (isShort(path, value) || (lostNames.test(path.at(-1) ?? '') && isSaid(value))) return true;
    if (Array.isArray(value)) return value.some(isNextLink);
    // The place of the first row is where this page starts.
    if (placeOf(path, value) === 0) return false;
    return isTokenPath(path) && typeof value !== 'boolean' && pageTokenOf(value) !== undefined;
  });
}

/** Whether a value is a number, or a text of digits. */
function isNumeric(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

/** Returns the place of a row in the whole, if a member tells one. */
function placeOf(path: Path, value: JsonValue): number | undefined {
  return isNumeric(value) && placeNames.test(path.at(-1) ?? '') ? Number(value) : undefined;
}

/** Returns the members with a place, joined: that of a page behind the first one is where it starts. */
export function placesIn(others: Others): readonly string[] {
  return leavesOf(others).flatMap(({ path, value }) =>
    placeOf(path, value) === undefined ? [] : [path.join('.')],
  );
}

/** Whether a member says, by a reason or by a share, that not all was sent. */
function isShort(path: Path, value: JsonValue): boolean {
  const name = path.at(-1) ?? '';
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const share = shareNames.test(name) ? Number(String(value).replace(/%$/, '')) : NaN;
  if (!Number.isNaN(share)) return share !== 1 && share !== 100;
  const isFlag = flagNames.test(name) && lastValueOf(path) !== undefined && !endNames.test(name);
  const isKind = kindNames.test(name);
  if (typeof value !== 'string' || !(isFlag || isKind || reasonNames.test(name))) return false;
  const isOfOther = isOfWork(path) || path.some((each) => asideNames.test(each));
  if (isOfOther && /^reason$/i.test(name)) return false;
  const codes = isKind ? kindCodes : reasonCodes;
  return codes.test(value.replaceAll(/[_-]/g, ' ').replaceAll(reasonDenials, ''));
}

/** Whether a value is a flag whatever its name is. */
export function isTruth(value: JsonValue): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value));
}

/** Returns whether a header tells of more rows. */
export function hasHeaderHints(
  { link, ...headers }: IncomingHttpHeaders,
  known: ReadonlySet<string> = new Set(),
): boolean {
  if (linkInHeader(link) !== undefined) return true;
  return Object.entries(headers).some(([name, value]) => {
    if (known.has(`${headerPrefix}${name}`) || value === undefined) return false;
    const isNothing = /^(?:|0|false|no|null|none)$/i.test([value].flat().join());
    return isNothing
      ? /-(?:complete|final)$/i.test(name)
      : /(?:^|-)(?:next|continuation|has-?more|more|truncated|partial|incomplete|preview|cursor)(?:-|$)/i.test(
          name,
        );
  });
}

/** Returns the address of the next page in a Link header (RFC 8288 section 3); undefined if there is none. */
export function linkInHeader(header: string | string[] | undefined): string | undefined {
  const links = [header ?? '']
    .flat()
    .join()
    .replaceAll(otherQuoted, '')
    .split(/,(?=\s*<)/);
  return links.flatMap((link) => {
    const [, address, parameters = ''] = /^\s*<([^<>]*)>(.*)$/s.exec(link) ?? [];
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|'?([^\s;,']+))/i.exec(parameters) ?? [];
    return address !== undefined && isNext(quoted ?? bare) ? [address] : [];
  })[0];
}

/** Quoted parameters of a link besides its relation, whose text can look like one. */
const otherQuoted = /;\s*(?!rel\s*=)[\w*-]+\s*=\s*"(?:[^"\\]|\\.)*"/gi;

/** Whether a member of a list of links is that of the next page. */
export function isNextLink(link: JsonValue): boolean {
  return isRecord(link) && [link['rel'] ?? link['relation'] ?? []].flat().some(isNext);
}

/** Relations are compared without case, and a link may have several. */
function isNext(relations: unknown): boolean {
  return typeof relations === 'string' && relations.toLowerCase().split(/\s+/).includes('next');
}

/** Returns what a header such as `x-pagination` says in JSON. */
function describedInHeader(headers: IncomingHttpHeaders): Others {
  const described = Object.entries(headers).find(([name]) => /(?:^|-)pag(?:ination|ing)$/i.test(name))?.[1];
  // Another form than JSON is judged by the header's name.
  const value = parsedJson([described ?? ''].flat().join());
  return isRecord(value) ? new Map(Object.entries(value)) : new Map<string, JsonValue>();
}

/** Maximum depth of members that describe the page. */
const depthMax = 5;

export function leavesOf(members: Others): readonly { readonly path: Path; readonly value: JsonValue }[] {
  const leaves: { path: Path; value: JsonValue }[] = [];
  const visit = (path: Path, value: JsonValue): void => {
    if (isRecord(value) && path.length < depthMax)
      for (const [name, member] of Object.entries(value)) visit([...path, name], member);
    else leaves.push({ path, value });
  };
  for (const [name, value] of members) visit([name], value);
  return leaves;
}
