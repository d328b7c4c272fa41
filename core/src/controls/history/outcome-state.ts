/** The outcomes of all controls after a run, and what changed between two runs. Has no side effects. */
import { createHash } from 'node:crypto';
import { controlSeverities } from '#server/language/text/control-directives.ts';
import { isBad } from '../control-result.ts';
import type { ControlResult, Outcome } from '../control-result.ts';
import { recordKey, type OutcomeRecord, type ParsedRun } from './history-format.ts';

/** A control's outcome on a connection, as it is known after a run. */
export interface KnownOutcome extends Omit<OutcomeRecord, 'added' | 'removed' | 'outcome' | 'isSeen'> {
  readonly outcome: Outcome;
}

/** The control's ID in a history: that of its text, or the name of its file. */
export function historyIdOf({ control, place }: Pick<ControlResult, 'control' | 'place'>): string {
  return control.id === '' ? place.name : control.id;
}

export type OutcomeState = ReadonlyMap<string, KnownOutcome>;

/** Most rows of a control whose digests are kept. */
const keysMax = 10_000;
/** Digits of a digest that are kept: enough to tell rows apart. */
const digestDigits = 32;

/** Returns what a history keeps of a result. */
export function knownOutcomeOf(
  result: ControlResult,
  { connection, text }: { readonly connection: string; readonly text: string },
): KnownOutcome {
  const { control, outcome, message, code, rows, population, keys } = result;
  return {
    control: historyIdOf(result),
    connection: result.connection ?? connection,
    outcome,
    title: control.title,
    severity: control.severity,
    ...(control.owner === undefined ? {} : { owner: control.owner }),
    ...(code === undefined ? {} : { code }),
    // A pass needs no words, and most controls pass.
    ...(outcome === 'pass' ? {} : { message }),
    text: createHash('sha256').update(text).digest('hex').slice(0, 12),
    ...(rows === undefined ? {} : { rows: rows.read - rows.waived }),
    ...(rows === undefined || rows.waived === 0 ? {} : { waived: rows.waived }),
    ...(population === undefined ? {} : { population: population.count }),
    ...(keys === undefined || keys.length > keysMax
      ? {}
      : { keys: keys.map((key) => key.slice(0, digestDigits)).sort() }),
  };
}

export function scopeDigest(scope: string): string {
  return createHash('sha256').update(scope).digest('hex').slice(0, 8);
}

/** Applies the records of a run to the state before it. */
export function stateAfter(
  before: OutcomeState,
  { head, records }: Pick<ParsedRun, 'head' | 'records'>,
): OutcomeState {
  const state = new Map(head.isWhole ? [] : before);
  const scope = scopeDigest(head.scope);
  for (const record of records) {
    const key = recordKey(record);
    const { added, removed, outcome, isSeen, ...rest } = record;
    const known = state.get(key);
    if (isSeen === true) {
      if (known !== undefined) state.set(key, { ...known, scope });
      continue;
    }
    if (outcome === undefined) {
      state.delete(key);
      continue;
    }
    const earlier = known?.keys;
    const keys =
      rest.keys ??
      (added === undefined && removed === undefined ? undefined : changed(earlier, { added, removed }));
    state.set(key, { scope, ...rest, outcome, ...(keys === undefined ? {} : { keys }) });
  }
  return state;
}

function changed(
  before: readonly string[] | undefined,
  { added = [], removed = [] }: Pick<OutcomeRecord, 'added' | 'removed'>,
): readonly string[] | undefined {
  if (before === undefined) return undefined;
  const keys = new Set(before);
  for (const key of removed) keys.delete(key);
  for (const key of added) keys.add(key);
  return [...keys].sort();
}

/** A control whose outcome is news: what it was, and what it is now. */
export interface OutcomeChange {
  readonly kind: 'failed' | 'more-rows' | 'passed' | 'gone';
  readonly before: KnownOutcome | undefined;
  readonly after: KnownOutcome | undefined;
  /** Rows that came and went; undefined if that is not known. */
  readonly added?: number;
  readonly removed?: number;
}

/** Whether the news is a failure, an error or more rows of one. */
export const isWorse = ({ kind }: OutcomeChange): boolean => kind === 'failed' || kind === 'more-rows';

/** Counts the news. That a failing control is no longer there is no good news. */
export function newsCounts(changes: readonly OutcomeChange[]): {
  readonly bad: number;
  readonly good: number;
  readonly gone: number;
} {
  const bad = changes.filter(isWorse).length;
  const gone = changes.filter(({ kind }) => kind === 'gone').length;
  return { bad, good: changes.length - bad - gone, gone };
}

/**
 * Returns what is new between two states: failures, errors and more rows of a failure, the most severe first, since who
 * is told may see only the first ones; then back to pass, and what is gone.
 */
export function changesBetween(before: OutcomeState, after: OutcomeState): readonly OutcomeChange[] {
  const changes: OutcomeChange[] = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    const kind = kindOf(then, now);
    if (kind !== undefined) changes.push({ kind, before: then, after: now, ...rowsBetween(then, now) });
  }
  for (const [key, then] of before)
    if (!after.has(key) && isBad(then.outcome))
      changes.push({ kind: 'gone', before: then, after: undefined });
  return changes.sort((a, b) => weightOf(b) - weightOf(a));
}

function weightOf(change: OutcomeChange): number {
  const { kind, after } = change;
  if (isWorse(change)) return 2 + controlSeverities.findIndex((each) => each === after?.severity);
  return kind === 'gone' ? -1 : 0;
}

function kindOf(then: KnownOutcome | undefined, now: KnownOutcome): OutcomeChange['kind'] | undefined {
  if (!isBad(now.outcome)) return isBad(then?.outcome) ? 'passed' : undefined;
  if (now.outcome !== then?.outcome) return 'failed';
  // An error for another reason is another error.
  if (now.outcome === 'error') return now.code === then.code ? undefined : 'failed';
  const { added } = rowsBetween(then, now);
  if (added !== undefined) return added > 0 ? 'more-rows' : undefined;
  return (now.rows ?? 0) > (then.rows ?? 0) ? 'more-rows' : undefined;
}

function rowsBetween(
  then: KnownOutcome | undefined,
  now: KnownOutcome,
): Pick<OutcomeChange, 'added' | 'removed'> {
  if (now.keys === undefined) return {};
  if (then !== undefined && then.keys === undefined) return {};
  const { added, removed } = keysBetween(then?.keys ?? [], now.keys);
  return { added: added.length, removed: removed.length };
}

function keysBetween(
  before: readonly string[],
  after: readonly string[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [then, now] = [new Set(before), new Set(after)];
  return { added: after.filter((key) => !then.has(key)), removed: before.filter((key) => !now.has(key)) };
}

/** Returns the lines of a run that continues a state: what changed. A changed population alone is no change. */
export function recordsBetween(
  before: OutcomeState,
  after: OutcomeState,
  runScope: string,
): readonly OutcomeRecord[] {
  const own = scopeDigest(runScope);
  const records: OutcomeRecord[] = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    if (then !== undefined && isSame(then, now)) {
      // Otherwise this choice would never say that it is gone.
      const isOthers = now.scope === undefined && then.scope !== undefined && then.scope !== own;
      if (isOthers && isBad(now.outcome))
        records.push({ control: now.control, connection: now.connection, isSeen: true });
      continue;
    }
    const { keys, scope, ...known } = now;
    const rest = scope === undefined || scope === own ? known : { ...known, scope };
    if (keys === undefined) records.push(rest);
    else if (then?.keys === undefined) records.push({ ...rest, keys });
    else {
      const { added, removed } = keysBetween(then.keys, keys);
      records.push({ ...rest, added, removed });
    }
  }
  for (const [key, { control, connection }] of before)
    if (!after.has(key)) records.push({ control, connection });
  return records;
}

function isSame(then: KnownOutcome, now: KnownOutcome): boolean {
  const plain = ({ population: _, scope: __, since: ___, keys, ...rest }: KnownOutcome) =>
    JSON.stringify([Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), keys]);
  return plain(then) === plain(now);
}
