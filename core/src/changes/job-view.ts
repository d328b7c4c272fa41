/**
 * Reads the record of a job, whose shape is not specified (assumption `action-job`). Recognized parts are used, and an
 * unrecognized record is kept as a whole for display.
 */
import { hasHints, leavesOf, tellsLongerThan } from '#api/client/answers/more-hints.ts';
import { isErrorName, isSaid } from '#api/client/answers/outcome.ts';
import { isRecord } from '#api/client/answers/shape.ts';
import { flagOf } from '#base/values/flag.ts';
import { isObject } from '#base/values/is-object.ts';
import type { JobView, TargetOutcome } from './change.ts';

/** Includes COMPLETED_WITH_ERRORS and similar statuses. */
const ended =
  /^(?:completed?|succeeded|success(?:ful)?|ok|done|ended|finished|fulfilled|executed|failed|failure|error(?:ed)?|cancell?ed|aborted|terminated|stopped|expired|rejected|partial(?:ly)?|applied|timed[_ -]?out|skipped|ignored|resolved|reverted|rolled[_ -]?back|superseded|closed|denied|refused|forbidden|invalid|conflict|processed|changed|unchanged|added|removed|granted|revoked|updated|deleted|disabled|crashed|killed|dead|lost|gone|obsolete|unsupported|no[_ -]?op|not[_ -]?(?:possible|applied|allowed|found|needed|supported)|no[_ -]?change|already)(?:[_ -].*)?$/i;
const going =
  /^(?:failed[_ -]?(?:retrying|will[_ -]?retry)|retrying|pending|running|accepted|queued|started|active|in[_ -]?progress|processing)$/i;
const changed = /^(?:changed|completed?|succeeded|success|successful|done|applied|ok)$/i;
const unchanged = /^(?:unchanged|no[_ -]?change|not[_ -]?needed|already[_ -].*)$/i;

/** Names of members are plain: see `membersOf`. */
const statusNames = ['status', 'state', 'jobstatus', 'jobstate', 'phase'] as const;
const endNames = [
  ...['completedat', 'finishedat', 'endedat', 'completedon', 'finishedon', 'endedon'],
  ...['completedtime', 'finishedtime'],
] as const;
/** Times of an end, which may be planned. */
const plannedNames = ['completiontime', 'finishtime', 'endtime'] as const;
/** Members that, if true, say that the job has ended. */
const overNames = [
  'done',
  'isdone',
  'finished',
  'isfinished',
  'completed',
  'iscompleted',
  'iscomplete',
] as const;
const idNames = ['globalid', 'targetid', 'id', 'entityid'] as const;
const outcomeNames = ['outcome', 'status', 'state', 'result'] as const;
const reasonNames = ['reason', 'error', 'message'] as const;
/** Whether the service's own data shows the change. */
const reflectedNames = ['reflected', 'isreflected', 'reflectedingraph', 'visible'] as const;
/** Whether the target could be changed at all. */
const changeableNames = [
  ...['canbechanged', 'couldbechanged', 'canchange', 'changeable', 'ischangeable', 'changepossible'],
] as const;
/** Members that, if false, say that nothing was changed. */
const deniedNames =
  /^(?:is|was|has)?(?:been)?(?:changed|applied|done|success(?:ful)?|succeeded|executed|effective|ok)$/;
/** Names that tell errors elsewhere, but not of a target. */
const otherNames = /^reasons$|(?:url|uri|link|href)s?$/;
/** Words of a member about errors that say that there is none. */
const fineWords =
  /^(?:(?:(?:no|without) errors?(?: (?:has|have|was|were|been|occurred|found|reported|detected|raised))*|completed?|succeeded|success(?:ful|fully)?|done|ok(?:ay)?|applied|finished)\b\W*)+$/i;
/** Members that tell how far a job is, which say nothing of other targets. */
const courseNames = /progress|percent|done|complet(?:ed|ion)?$|finish|poll|retry|retries|attempt/i;
const timeNames = /(?:At|On|Time|Seconds|Minutes|Ms|_(?:at|on|time|seconds|minutes|ms))$/;
const factNames: ReadonlySet<string> = new Set([...reflectedNames, ...changeableNames]);
const targetNames: ReadonlySet<string> = new Set([
  ...idNames,
  ...outcomeNames,
  ...reasonNames,
  ...reflectedNames,
  ...changeableNames,
]);

type Members = Readonly<Record<string, unknown>>;

export function jobView(value: unknown): JobView {
  const record = membersOf(value) ?? {};
  const status = textOf(record, statusNames);
  const listed = record['targets'];
  const targets = Array.isArray(listed) ? listed.map(outcomeOf) : [];
  const understood = targets.filter((target) => target !== undefined);
  const isAll = Array.isArray(listed) && understood.length === targets.length;
  // A fact beside the targets is about all of them, and is not shown otherwise.
  const isOnlyOfTargets = Object.keys(record).every((name) => !factNames.has(name));
  const isKnown =
    status !== undefined &&
    isAll &&
    isOnlyOfTargets &&
    listed.every(isUnderstood) &&
    !tellsOfMore(value, targets.length);
  const areTargetsOver = isAll && understood.length > 0 && understood.every(({ outcome }) => isEnd(outcome));
  return {
    status: status ?? '?',
    isOver:
      endNames.some((name) => isTime(record[name])) ||
      (!isGoing(status ?? '') && plannedNames.some((name) => isTime(record[name]))) ||
      overNames.some((name) => record[name] === true) ||
      (status !== undefined && isEnd(status)) ||
      areTargetsOver,
    targets: understood,
    ...(isKnown ? {} : { unknown: value }),
  };
}

/** Whether a job says that it has more targets than it tells. */
function tellsOfMore(value: unknown, count: number): boolean {
  if (!isRecord(value)) return false;
  const others = new Map(
    Object.entries(value).filter(([name]) => !/^targets$/i.test(name) && !timeNames.test(name)),
  );
  const ofCourse = leavesOf(others).flatMap(({ path }) =>
    path.some((name) => courseNames.test(name) || timeNames.test(name)) ? [path.join('.')] : [],
  );
  return hasHints(others, {}, new Set(ofCourse)) || tellsLongerThan({ rows: count, pages: 1 }, others, {});
}

/** Times are texts with a year, or seconds or milliseconds since 1970: others are durations, or stand for no time. */
function isTime(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number' && value > 1e9;
  return Number.isNaN(Number(value)) ? /20\d\d/.test(value) : isTime(Number(value));
}

/** A word such as failed_retrying or not_applied_yet tells that it goes on. */
function isEnd(word: string): boolean {
  return ended.test(word.trim()) && !isGoing(word);
}

function isGoing(word: string): boolean {
  return (
    going.test(word.trim()) ||
    /retry|pending|progress|(?:\b|_)yet(?:\b|_)|queue|batch|waiting|scheduled/i.test(word)
  );
}

/** Returns whether no member of a target is dropped, and none contradicts another. */
function isUnderstood(value: unknown): boolean {
  const target = membersOf(value) ?? {};
  const isRead = Object.entries(target).every(([name, member]) => {
    if (factNames.has(name)) return flagOf(member) !== undefined || member === null;
    if (reasonNames.some((each) => each === name)) return !isSaid(member) || reasonOf(member) !== undefined;
    return targetNames.has(name) && (typeof member === 'string' || member === null);
  });
  return isRead && !isContradictory(target);
}

/** Whether the members of a target do not tell one and the same outcome, so that none of them counts as done. */
function isContradictory(target: Members): boolean {
  const told = outcomeNames
    .map((name) => target[name])
    .filter((each) => !isEmpty(each))
    .map((each) => (typeof each === 'string' ? knownOutcome(each) : undefined));
  const isDone = told.includes('changed');
  return (
    isDone &&
    (new Set(told).size > 1 ||
      changeableNames.some((name) => flagOf(target[name]) === false) ||
      Object.entries(target).some(
        ([name, member]) =>
          (deniedNames.test(name) && flagOf(member) === false) ||
          (isErrorName(name) && !otherNames.test(name) && tellsError(member)),
      ))
  );
}

function tellsError(value: unknown): boolean {
  const parts = isObject(value) ? Object.values(value) : [value];
  return parts.some((part) => isSaid(part) && !(typeof part === 'string' && fineWords.test(part.trim())));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function anyFact(members: Members, names: readonly string[]): boolean | undefined {
  return names.map((name) => flagOf(members[name])).find((fact) => fact !== undefined);
}

function reasonOf(value: unknown): string | undefined {
  if (!isSaid(value)) return undefined;
  const reason = typeof value === 'string' ? value : textOf(membersOf(value) ?? {}, ['message', 'code']);
  return reason === '' ? undefined : reason;
}

/** Reads the outcome of a target; undefined if the value contains none. */
function outcomeOf(value: unknown): TargetOutcome | undefined {
  const target = membersOf(value);
  const outcome = target === undefined ? undefined : textOf(target, outcomeNames);
  if (target === undefined || outcome === undefined) return undefined;
  const reflected = anyFact(target, reflectedNames);
  const isChangeable = anyFact(target, changeableNames);
  const reason = reasonNames.map((name) => reasonOf(target[name])).find((each) => each !== undefined);
  return {
    globalId: textOf(target, idNames) ?? '',
    outcome:
      isChangeable === false
        ? 'not_possible'
        : isContradictory(target)
          ? contradictedOutcome(target)
          : knownOutcome(outcome),
    ...(reason === undefined ? {} : { reason }),
    ...(reflected === undefined ? {} : { reflected }),
  };
}

/**
 * Maps an outcome to a known term if the meaning is the same. Other outcomes stay unchanged and never count as done.
 */
function knownOutcome(outcome: string): string {
  if (changed.test(outcome)) return 'changed';
  if (unchanged.test(outcome)) return 'unchanged';
  return going.test(outcome) ? 'pending' : outcome;
}

/** Returns the word of a target that does not say that it was changed. */
function contradictedOutcome(target: Members): string {
  const words = outcomeNames.map((name) => target[name]);
  const other = words.find((word) => typeof word === 'string' && word !== '' && !changed.test(word));
  return typeof other === 'string' ? knownOutcome(other) : 'failed';
}

function textOf(members: Members, names: readonly string[]): string | undefined {
  for (const name of names) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof member === 'string' && member !== '') return member;
  }
  return undefined;
}

/**
 * Returns the members by their names without case and separators, since services spell them differently. If two names
 * differ only in spelling and have different values, none of them can be trusted, so all names stay as they are.
 */
function membersOf(value: unknown): Members | undefined {
  if (!isObject(value)) return undefined;
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase();
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    if (members.has(plain(name)) && members.get(plain(name)) !== member) return value;
    members.set(plain(name), member);
  }
  return Object.fromEntries(members);
}
