/**
 * The file of one run in a history of outcomes: JSON lines. The first line describes the run; each further line is the
 * outcome of a control that changed since the run before, or of every control in a whole run. Contains no row value:
 * rows are digests of their keys.
 */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import {
  isFlag,
  isNumber,
  isText,
  listOf,
  oneOf,
  optional,
  shapeOf,
  type Check,
} from '#base/values/shapes.ts';
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

/** As it was written: a date that is only understood may be any text, such as `<!-- 1 Jan 2026`. */
const isMoment: Check = (value) =>
  isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
const isOutcome = oneOf(outcomes);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

const headMembers: Readonly<Record<keyof RunHead, Check>> = {
  version: oneOf([historyVersion]),
  id: (id) => isText(id) && isRunId(id) && momentOfRun(id) <= Date.now() + aheadMaxMs,
  startedAt: isMoment,
  ms: isNumber,
  base: optional(isText),
  isWhole: isFlag,
  depth: isCount,
  known: optional(isCount),
  scope: isText,
  connections: listOf(isText),
  commit: optional(isText),
  keyId: optional(isText),
  counts: (counts) =>
    isObject(counts) && Object.entries(counts).every(([name, count]) => isOutcome(name) && isCount(count)),
  news: shapeOf<RunHead['news']>({ bad: isCount, good: isCount, gone: isCount }),
  problems: isCount,
  records: isCount,
};
const isHead = shapeOf<RunHead>(headMembers);

/** Parses the head of a file; a problem if it is not one. */
function parseHead(line: string, file: string): RunHead | HistoryProblem {
  const wrong = (message: string): HistoryProblem => ({ file, line: 1, message });
  const value = parsedJson(line);
  if (!isObject(value)) return wrong(t('This is not the head of a run.'));
  if (value['version'] !== historyVersion)
    return wrong(t('"version" must be 1: another program wrote this file.'));
  // Older files count what is gone as good.
  const news = isObject(value['news']) ? { gone: 0, ...value['news'] } : undefined;
  const head = membersOf({ ...value, news }, Object.keys(headMembers));
  return isHead(head) && file.endsWith(`${head.id}${historyEnding}`)
    ? head
    : wrong(t('The head of this run is damaged.'));
}

/** Leaves out the members that only a later version knows. */
const membersOf = (value: Readonly<Record<string, unknown>>, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));

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

const recordMembers: Readonly<Record<keyof OutcomeRecord, Check>> = {
  control: isText,
  connection: isText,
  outcome: optional(isOutcome),
  isSeen: () => true,
  title: optional(isText),
  severity: optional(isText),
  owner: optional(isText),
  code: optional(isText),
  message: optional(isText),
  text: optional(isText),
  scope: optional(isText),
  population: optional(isText),
  since: optional(isMoment),
  keys: optional(listOf(isText)),
  added: optional(listOf(isText)),
  removed: optional(listOf(isText)),
  rows: optional(Number.isSafeInteger),
  waived: optional(Number.isSafeInteger),
};
const isRecord = shapeOf<OutcomeRecord>(recordMembers);

function parseRecord(line: string): OutcomeRecord | undefined {
  const value = parsedJson(line);
  if (!isObject(value)) return undefined;
  const isSeen = value['isSeen'] === true ? true : undefined;
  const record = membersOf({ ...value, isSeen }, Object.keys(recordMembers));
  return isRecord(record) ? record : undefined;
}
