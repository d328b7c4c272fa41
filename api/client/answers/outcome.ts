/**
 * Judges whether an answer says, beside its rows, that something went wrong. How services say so is not known, so only
 * what is known to be good passes: a state, a code or a success that is not known is an error.
 */
import { flagOf } from '#base/values/flag.ts';
import type { JsonValue } from '../json.ts';
import { isRecord } from './shape.ts';

/** Whether an answer says that it failed, or has not ended: its rows are then not those of the query. */
export function saysError(members: Iterable<readonly [string, JsonValue]>): boolean {
  return saysErrorIn([...members], 'answer', depthMax);
}

/** Where members are: beside the rows, in a member that is about the outcome, among messages, or in another one. */
type Place = 'answer' | 'outcome' | 'messages' | 'other';

/** An answer may be nested without end. */
const depthMax = 8;

function saysErrorIn(
  members: readonly (readonly [string, JsonValue])[],
  place: Place,
  depth: number,
): boolean {
  const values = new Map(members.map(([written, value]) => [plain(written), value]));
  return members.some(([written, value]) => {
    const name = plain(written);
    if (silentNames.has(name)) return false;
    if (isErrorName(name)) return isSaid(value);
    if (successNames.has(name)) return value !== null && !isSuccess(value, place, values);
    if (endNames.has(name)) return value === true;
    const isCode = /^(?:sql|result|return)?(?:code|state)$/.test(name) && !stateNames.test(name);
    // A code says how it ended beside the rows, and elsewhere only together with a message.
    if (isCode && (place === 'answer' || place === 'outcome' || values.has('message')))
      return isBad(value, depth);
    if (stateNames.test(name)) return isBad(value, depth);
    if (kindNames.test(name) && typeof value === 'string')
      return errorKinds.test(plain(value)) && (place !== 'other' || isMessage(values));
    if (messageNames.has(name) && textsOf(value).some((text) => failureWords.test(withoutDenials(text))))
      return true;
    return saysErrorInside(value, /^(?:messages?|logs?)$/.test(name) ? 'messages' : 'other', depth);
  });
}

/** Whether members are those of a message, rather than of a risk or of things that are counted. */
function isMessage(values: ReadonlyMap<string, JsonValue>): boolean {
  if (['message', 'msg', 'text'].some((name) => values.has(name))) return true;
  const isCounted = [...values].some(
    ([name, value]) => typeof value === 'number' && /count|total|^n$|num|open|sum$|occurrences/.test(name),
  );
  const texts = ['title', 'detail', 'details', 'description', 'summary', 'reason', 'code'];
  return !isCounted && texts.some((name) => values.has(name));
}

/** Whether a state or a code is not known to be good. */
function isBad(value: JsonValue, depth: number): boolean {
  return isRecord(value) || Array.isArray(value)
    ? saysErrorInside(value, 'outcome', depth)
    : value !== null && value !== '' && !isGood(value);
}

function saysErrorInside(value: JsonValue, place: Place, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.some((item) => saysErrorInside(item, place, depth - 1));
  return isRecord(value) && saysErrorIn(Object.entries(value), place, depth - 1);
}

/** Elsewhere than beside the rows, a number counts successes: none is good where there was nothing to do. */
function isSuccess(value: JsonValue, place: Place, beside: ReadonlyMap<string, JsonValue>): boolean {
  if (typeof value === 'number' && value === 0 && place !== 'answer') {
    const all = beside.get('total');
    return all === undefined
      ? ['failed', 'failures', 'errors'].some((name) => beside.get(name) === 0)
      : all === 0;
  }
  const flag = flagOf(value);
  if (flag !== undefined) return flag;
  return typeof value === 'number' && place !== 'answer' ? value > 0 : isGood(value);
}

function textsOf(value: JsonValue): readonly string[] {
  const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}

function isGood(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return goodNumbers.has(value);
  // SQLSTATE 00000 means success.
  return typeof value === 'string' && (/^0+$/.test(value.trim()) || goodWords.test(plain(value)));
}

/** Whether the value of a member that tells errors tells one. */
export function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string')
    return !/^(?:0*|false|no|none|null|nil|na|ok|success|noerrors?)$/.test(plain(value));
  return (
    !(Array.isArray(value) && value.length === 0) && !(isRecord(value) && Object.keys(value).length === 0)
  );
}

/** A name or word without case, blanks and separators. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** @param name plain, in lower case. */
export function isErrorName(name: string): boolean {
  if (/^(?:no|on|ignore)|free$|handling$|policy$/.test(name)) return false;
  return (
    /error|exception|failure|(?<!de)fault/.test(name) ||
    /^(?:is|has|had|query|sql)?(?:err|errs|errno|errnum|errcode|errmsg|fail|fails|failed|reasons)$/.test(name)
  );
}

const successNames: ReadonlySet<string> = new Set([
  ...['success', 'successful', 'succeeded', 'issuccess', 'issuccessful', 'wassuccessful', 'ok', 'isok'],
  ...['jobcomplete', 'querycomplete', 'noerror', 'noerrors', 'errorfree', 'valid', 'isvalid'],
]);

/** Members that say what the answer or a message is. */
const kindNames = /^(?:answer|response|result|message|log|event)?(?:level|severity|type|kind|category)$/;
const errorKinds = /^(?:error|fatal|critical|severe|emergency|panic|failure|exception|fault)s?$/;

/** Members that, if true, say how a query ended before its end. */
const endNames: ReadonlySet<string> = new Set(
  ['timedout', 'timeout', 'cancelled', 'canceled', 'aborted', 'terminated', 'killed', 'interrupted'].flatMap(
    (name) => [name, `is${name}`, `was${name}`],
  ),
);

const stateNames =
  /^(?:(?:http|query|sql|execution|exec|statement|job|run|request|response|result|operation|task|process|processing|completion|final|overall)*(?:status|statuscode|statustext|state|outcome|phase)|result)$/;

/** 202 and 206 are not among them: such an answer is not the whole. */
const goodNumbers: ReadonlySet<number> = new Set([0, 200, 201, 203, 204]);
const goodWords =
  /^(?:(?:query|execution|job|statement|request)?(?:ok|okay|true|yes|good|pass|passed|success|successful|successfully|succeeded|complete|completed|finished|done|ended|closed)(?:successfully|ok)?|successfullycompleted|20[0134](?:ok)?)$/;

const messageNames: ReadonlySet<string> = new Set([
  'message',
  'msg',
  'messages',
  'statusmessage',
  'detail',
  'reason',
]);

/** A message is free text, so that it says an error only by its words. */
const failureWords =
  /fail|\berr|error|exception|den(?:y|ied)|abort|cancel|time[ds]?[ -]*out|terminat|killed|reject|interrupt|unable|cannot|could not|not (?:allowed|permitted|available|complete)|incomplete|partial|still (?:running|executing)|unavailable|forbidden|unauthori[sz]ed|exceeded/i;

function withoutDenials(message: string): string {
  return message.replaceAll(/\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b/gi, '');
}

/**
 * Members that say nothing of the outcome: what was asked, what rows look like, and notes, which may have codes and
 * messages. Names of rows are among them, since values of rows are data.
 */
const silentNames: ReadonlySet<string> = new Set([
  ...['columns', 'schema', 'fields', 'rows', 'items', 'data', 'results'],
  ...['request', 'query', 'sql', 'parameters', 'params', 'variables', 'filters', 'model'],
  ...['warning', 'warnings', 'notice', 'notices', 'notes', 'hints', 'links'],
]);
