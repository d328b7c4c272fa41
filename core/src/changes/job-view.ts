/**
 * Reads the record of a job, whose shape is not specified (assumption `action-job`). Recognized parts are used, and an
 * unrecognized record is kept as a whole for display.
 */
import { isObject } from '#base/values/is-object.ts';
import type { JobView, TargetOutcome } from './change.ts';

/** Includes COMPLETED_WITH_ERRORS and similar statuses. */
const ended =
  /^(?:completed?|succeeded|success(?:ful)?|done|finished|failed|failure|error|cancell?ed|aborted|expired|rejected|partial(?:ly)?|applied|timed[_ -]?out|skipped|resolved|closed|denied|refused|changed|unchanged|not[_ -]?possible|no[_ -]?change|not[_ -]?needed|already)(?:[_ -].*)?$/i;
const going = /^(?:pending|running|accepted|queued|started|active|in[_ -]?progress|processing)$/i;
const changed = /^(?:changed|completed?|succeeded|success|successful|done|applied|ok)$/i;
const unchanged = /^(?:unchanged|no[_ -]?change|not[_ -]?needed|already[_ -].*)$/i;

const statusNames = ['status', 'state', 'jobStatus'] as const;
const endNames = ['completedAt', 'finishedAt', 'endedAt'] as const;
const idNames = ['globalId', 'targetId', 'id', 'entityId'] as const;
const outcomeNames = ['outcome', 'status', 'state', 'result'] as const;
const reasonNames = ['reason', 'error', 'message'] as const;
/** Whether the service's own data shows the change. */
const reflectedNames = [
  'reflected',
  'isReflected',
  'reflectedInGraph',
  'reflected_in_graph',
  'visible',
] as const;
/** Whether the target could be changed at all. */
const changeableNames = ['canBeChanged', 'can_be_changed', 'changeable', 'isChangeable'] as const;
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
  const isKnown = status !== undefined && isAll && listed.every(isUnderstood);
  const areTargetsOver =
    isAll && understood.length > 0 && understood.every(({ outcome }) => ended.test(outcome));
  return {
    status: status ?? '?',
    isOver:
      textOf(record, endNames) !== undefined ||
      (status !== undefined && ended.test(status)) ||
      areTargetsOver,
    targets: understood,
    ...(isKnown ? {} : { unknown: value }),
  };
}

/** Returns whether no member of a target is dropped. */
function isUnderstood(value: unknown): boolean {
  const target = membersOf(value) ?? {};
  return Object.keys(target).every((name) => targetNames.has(name));
}

/** Reads a fact, which some services write as a word. */
function factOf(members: Members, names: readonly string[]): boolean | undefined {
  for (const name of names) {
    const member = members[name];
    if (typeof member === 'boolean') return member;
    if (typeof member === 'string' && /^(?:yes|true)$/i.test(member)) return true;
    if (typeof member === 'string' && /^(?:no|false)$/i.test(member)) return false;
  }
  return undefined;
}

/** Reads the outcome of a target; undefined if the value contains none. */
function outcomeOf(value: unknown): TargetOutcome | undefined {
  const target = membersOf(value);
  const outcome = target === undefined ? undefined : textOf(target, outcomeNames);
  if (target === undefined || outcome === undefined) return undefined;
  const reflected = factOf(target, reflectedNames);
  const isChangeable = factOf(target, changeableNames);
  const reason = reasonNames
    .map((name) => target[name])
    .map((each) => (typeof each === 'string' ? each : textOf(membersOf(each) ?? {}, ['message', 'code'])))
    .find((each) => each !== undefined && each !== '');
  return {
    globalId: textOf(target, idNames) ?? '',
    outcome: isChangeable === false && !changed.test(outcome) ? 'not_possible' : knownOutcome(outcome),
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

function textOf(members: Members, names: readonly string[]): string | undefined {
  for (const name of names) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof member === 'string' && member !== '') return member;
  }
  return undefined;
}

function membersOf(value: unknown): Members | undefined {
  return isObject(value) ? value : undefined;
}
