/**
 * The file of one run in a history of outcomes: JSON lines. The first line describes the run; each further line is the
 * outcome of a control that changed since the run before, or of every control in a whole run. Contains no row value:
 * rows are digests of their keys.
 */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { outcomes, type Outcome } from '../control-result.ts';

export const historyVersion = 1;

/** The first line of a file. */
export interface RunHead {
  readonly version: typeof historyVersion;
  /** The time and a random part; also the name of the file. */
  readonly id: string;
  readonly startedAt: string;
  readonly ms: number;
  /** The run whose state this one continues; undefined for the first. */
  readonly base?: string;
  /** Whether the file has every outcome. */
  readonly isWhole: boolean;
  /** Number of files that must be read for this state, besides this one. */
  readonly depth: number;
  /** Number of runs that this one knew. If more have a lesser ID, some came later. */
  readonly known?: number;
  /** The controls and connections that were chosen. A control that is missing from the same choice is gone. */
  readonly scope: string;
  readonly connections: readonly string[];
  readonly commit?: string;
  /** Identifies the digest key, whose digests are compared only with each other. */
  readonly keyId?: string;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  /** Number of controls that began or ceased to fail or to be in error, and of bad ones that are no longer there. */
  readonly news: { readonly bad: number; readonly good: number; readonly gone: number };
  /** Unreadable files, whose controls did not run. */
  readonly problems: number;
  /** Number of lines that follow. */
  readonly records: number;
}

export interface OutcomeRecord {
  readonly control: string;
  readonly connection: string;
  /** Undefined if the control is no longer there. */
  readonly outcome?: Outcome;
  /** The outcome is as before, but another choice of controls saw it. Nothing else is said then. */
  readonly isSeen?: true;
  readonly title?: string;
  readonly severity?: string;
  readonly owner?: string;
  readonly code?: string;
  readonly message?: string;
  /** Digest of the control's text. */
  readonly text?: string;
  /** Digest of the choice of controls that it was last seen in, unless it is that of the run. */
  readonly scope?: string;
  /** Rows found, without the waived ones. */
  readonly rows?: number;
  readonly waived?: number;
  readonly population?: string;
  /** When the outcome became what it is; undefined for a pass. */
  readonly since?: string;
  /** The digests of all rows, in a whole run or if they are not known as a difference. */
  readonly keys?: readonly string[];
  /** The digests that came and went since the run before. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

export interface HistoryProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedRun {
  readonly head: RunHead;
  readonly records: readonly OutcomeRecord[];
  /** Damaged lines, whose outcomes are unknown. */
  readonly problems: readonly HistoryProblem[];
}

export const historyEnding = '.jsonl';
const idPattern = /^\d{8}T\d{9}Z-[0-9a-f]{12}$/;

/** An ID that is less than that of any run. */
export const beforeAllRuns = '00000000T000000000Z-000000000000';

export function isRunId(text: string): boolean {
  return idPattern.test(text);
}

/** Returns the time in an ID, in milliseconds since 1970; NaN if it is none. */
export function momentOfRun(id: string): number {
  return Date.parse(
    id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'),
  );
}

/** A clock may be wrong by years, but no run could follow one of the end of time, so nothing would be new again. */
const aheadMaxMs = 100 * 365 * 86_400_000;

/** @param random 6 bytes. */
export function runIdOf(startedAt: Date, random: Uint8Array): string {
  return `${startedAt.toISOString().replaceAll(/[-:.]/g, '')}-${Buffer.from(random).toString('hex')}`;
}

export function recordKey({ control, connection }: Pick<OutcomeRecord, 'control' | 'connection'>): string {
  return JSON.stringify([connection, control]);
}

export function textOfRun(head: RunHead, records: readonly OutcomeRecord[]): string {
  return [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Parses the head of a file; a problem if it is not one. */
function parseHead(line: string, file: string): RunHead | HistoryProblem {
  const wrong = (message: string): HistoryProblem => ({ file, line: 1, message });
  const value = objectIn(line);
  if (value === undefined) return wrong(t('This is not the head of a run.'));
  if (value['version'] !== historyVersion)
    return wrong(t('"version" must be 1: another program wrote this file.'));
  const { id, startedAt, ms, base, isWhole, depth, known, scope, connections, commit, keyId } = value;
  const { counts, news, problems, records } = value;
  // Older files count what is gone as good.
  const gone = isObject(news) ? (news['gone'] ?? 0) : 0;
  const isCount = (each: unknown): each is number => Number.isSafeInteger(each) && Number(each) >= 0;
  const isText = (each: unknown): each is string => typeof each === 'string';
  const isTextOrNone = (each: unknown): each is string | undefined => each === undefined || isText(each);
  if (
    !isText(id) ||
    !isRunId(id) ||
    !(momentOfRun(id) <= Date.now() + aheadMaxMs) ||
    !file.endsWith(`${id}${historyEnding}`) ||
    !isText(startedAt) ||
    !isMoment(startedAt) ||
    typeof ms !== 'number' ||
    typeof isWhole !== 'boolean' ||
    !isCount(depth) ||
    !(known === undefined || isCount(known)) ||
    !isText(scope) ||
    !Array.isArray(connections) ||
    !connections.every(isText) ||
    !isTextOrNone(base) ||
    !isTextOrNone(commit) ||
    !isTextOrNone(keyId) ||
    !isObject(counts) ||
    !Object.entries(counts).every(([name, count]) => isOutcome(name) && isCount(count)) ||
    !isObject(news) ||
    !isCount(news['bad']) ||
    !isCount(news['good']) ||
    !isCount(gone) ||
    !isCount(problems) ||
    !isCount(records)
  )
    return wrong(t('The head of this run is damaged.'));
  return {
    ...{ version: historyVersion, id, startedAt, ms, isWhole, depth, scope, connections, problems, records },
    ...(base === undefined ? {} : { base }),
    ...(known === undefined ? {} : { known }),
    ...(commit === undefined ? {} : { commit }),
    ...(keyId === undefined ? {} : { keyId }),
    counts,
    news: { bad: news['bad'], good: news['good'], gone },
  };
}

/**
 * Parses a whole file. A damaged line is a problem, and the others count.
 * @param control leaves out the lines of other controls, which are only counted.
 */
export function parseRun(text: string, file: string, control?: string): ParsedRun | HistoryProblem {
  const [first = '', ...lines] = text.split('\n');
  const head = parseHead(first, file);
  if (!('id' in head)) return head;
  const records: OutcomeRecord[] = [];
  const problems: HistoryProblem[] = [];
  let others = 0;
  const wanted = control === undefined ? undefined : JSON.stringify(control);
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) continue;
    // Parsing every line of a year takes seconds.
    if (
      wanted !== undefined &&
      line.startsWith('{"control":"') &&
      line.endsWith('}') &&
      !line.includes(wanted)
    ) {
      others += 1;
      continue;
    }
    const record = parseRecord(line);
    if (record === undefined)
      problems.push({ file, line: index + 2, message: t('This line is damaged: its outcome is unknown.') });
    else records.push(record);
  }
  const found = records.length + problems.length + others;
  if (found !== head.records)
    problems.push({
      file,
      line: lines.length + 1,
      message: t('The number of outcomes in this file is {0} in place of {1}.', found, head.records),
    });
  return { head, records, problems };
}

const texts = [
  'title',
  'severity',
  'owner',
  'code',
  'message',
  'text',
  'scope',
  'population',
  'since',
] as const;
const lists = ['keys', 'added', 'removed'] as const;
const numbers = ['rows', 'waived'] as const;

function parseRecord(line: string): OutcomeRecord | undefined {
  const value = objectIn(line);
  if (value === undefined) return undefined;
  const { control, connection, outcome, since } = value;
  if (typeof control !== 'string' || typeof connection !== 'string') return undefined;
  if (outcome !== undefined && !(typeof outcome === 'string' && isOutcome(outcome))) return undefined;
  const isTexts = (each: unknown) => Array.isArray(each) && each.every((one) => typeof one === 'string');
  const isSound =
    texts.every((name) => value[name] === undefined || typeof value[name] === 'string') &&
    (since === undefined || (typeof since === 'string' && isMoment(since))) &&
    numbers.every((name) => value[name] === undefined || Number.isSafeInteger(value[name])) &&
    lists.every((name) => value[name] === undefined || isTexts(value[name]));
  if (!isSound) return undefined;
  const kept = [...texts, ...lists, ...numbers].flatMap((name) =>
    value[name] === undefined ? [] : [[name, value[name]] as const],
  );
  const known = {
    ...{ control, connection },
    ...(outcome === undefined ? {} : { outcome }),
    ...(value['isSeen'] === true ? { isSeen: true as const } : {}),
  };
  return { ...known, ...Object.fromEntries(kept) };
}

/** As it was written: a date that is only understood may be any text, such as `<!-- 1 Jan 2026`. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isOutcome(text: string): text is Outcome {
  return outcomes.some((outcome) => outcome === text);
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller says so
  }
}
