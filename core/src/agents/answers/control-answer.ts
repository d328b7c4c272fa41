/**
 * Turns the rows of a control's query into a response: the outcome, the counts, and the rows that an agent may see.
 */
import {
  ControlRows,
  noFacts,
  rowsInAlarm,
  UnknownOutcome,
  type JudgedRows,
} from '#core/controls/control-rows.ts';
import type { Control } from '#core/controls/control.ts';
import { outcomeMessage } from '#core/controls/outcome-messages.ts';
import { aggregatesOf, rowsThatSettle } from '#core/controls/rules.ts';
import { originsOfResult } from '#core/policy/masking/masker.ts';
import type { OriginColumn, OriginColumns } from '#core/policy/masking/relations.ts';
import type { RowsProgress, RowsWriter, RunState } from '#core/reading/rows-writer.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { fitText, textLengths } from './fit-values.ts';
import {
  AnswerRows,
  readUntil,
  shownMax,
  type OpenReader,
  type RowsAnswer,
  type RowsWanted,
} from './rows-answer.ts';

export interface ControlAnswer extends RowsAnswer {
  readonly outcome: 'pass' | 'warn' | 'fail';
  readonly message: string;
  readonly counts: { readonly read: number; readonly isAll: boolean; readonly total?: number };
}

export interface ControlWanted extends RowsWanted {
  readonly control: Control;
  /** Whether the agent chose the text or one of its values. If so, no rule may test a sensitive column. */
  readonly isFree: boolean;
  /** The LIMIT that its text was given. */
  readonly rowLimit?: number | undefined;
  /** How many the control looks at, if it says how to count them. */
  readonly population?: string | undefined;
}

/** Maximum number of rows to read. If the outcome is still unknown by then, that is an error. */
const rowsReadMax = 100_000;
/** The same for a result that is read as a whole. */
const wholeRowsMax = 10_000;

/** Returns the LIMIT of a control that is read as a whole: rows from there on change nothing, or are too many. */
export const limitOfControl = ({ rules }: Control, shown: number): number =>
  Math.min(wholeRowsMax, Math.max(rowsThatSettle(rules), shown)) + 1;

const cutOff = ({ total: _, ...rows }: JudgedRows['rows']): JudgedRows['rows'] => ({ ...rows, isAll: false });

/** @throws UnknownOutcome, and what the reading failed with. */
export async function answerControl(open: OpenReader, wanted: ControlWanted): Promise<ControlAnswer> {
  const taker = new ControlTaker(wanted);
  const { rows, shown } = taker;
  const { control, isWhole = false, rowLimit = Infinity, population } = wanted;
  await readUntil(open(taker, isWhole ? Infinity : rowsReadMax), () => rows.isDone);
  const isCutOff = rows.read >= rowLimit;
  if (!rows.isDone || (isCutOff && rows.read < rowsThatSettle(control.rules)))
    throw new UnknownOutcome(
      'ROW_LIMIT',
      `The outcome is not known before more than ${isCutOff ? rowLimit : rowsReadMax} rows are read.`,
    );
  const all = rows.outcome();
  const judged = isCutOff ? { ...all, rows: cutOff(all.rows) } : all;
  const { read, isAll, total } = judged.rows;
  const { status, reason, ...answer } = shown.answer();
  const isCut = status === 'truncated' || !isAll;
  return {
    status: isCut ? 'truncated' : 'complete',
    ...(isCut ? { reason: reason ?? 'There are more rows. They do not change the outcome.' } : {}),
    outcome: judged.judged.judgement,
    message: fitText(outcomeMessage(control, { ...judged, population }), textLengths.description),
    counts: { read, isAll, ...(total === undefined ? {} : { total }) },
    ...answer,
  };
}

/** Takes every row for the outcome, and those in alarm for the answer. */
class ControlTaker implements RowsWriter {
  readonly rows: ControlRows;
  readonly shown: AnswerRows;
  readonly #wanted: ControlWanted;
  #columns: readonly StoreColumn[] = [];

  constructor(wanted: ControlWanted) {
    this.#wanted = wanted;
    this.rows = new ControlRows(wanted.control, noFacts, {
      sampleRows: shownMax(wanted) + 1,
      isEveryRow: wanted.isWhole === true,
    });
    this.shown = new AnswerRows(wanted);
  }

  set(state: RunState): void {
    this.rows.set(state);
  }

  open(columns: readonly StoreColumn[]): void {
    this.#columns = columns;
    if (columns.length === 0) return;
    requireOpen(this.#wanted, columns);
    this.rows.open(columns);
    this.shown.open(columns);
  }

  grow(columns: readonly StoreColumn[]): void {
    if (this.#columns.length === 0) this.open(columns);
    else if (columns.length > 0)
      throw new UnknownOutcome('COLUMNS_CHANGED', 'The pages of the response have different columns.');
  }

  async append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    if (isPacked(rows)) throw new TypeError('rows of a control are read as values');
    if (this.#columns.length === 0 && rows.length > 0)
      throw new UnknownOutcome('NO_COLUMNS', 'The rows in the response have no columns.');
    const appended = await this.rows.append(rows);
    await this.shown.append(rowsInAlarm(this.#wanted.control, this.#columns, rows));
    return appended;
  }

  setRows(progress: RowsProgress): void {
    this.rows.setRows(progress);
  }
}

/** Returns the columns that a control's rules test, named as in the response. */
function decidingColumns({ rules }: Control): ReadonlySet<string> {
  const names = aggregatesOf(rules).map(({ column }) => column);
  return new Set(
    [...names, ...(rules.statusColumn === undefined ? [] : [rules.statusColumn])].map((name) =>
      name.toLowerCase(),
    ),
  );
}

/**
 * Returns whether a rule of the control would reveal a sensitive column, judging by the columns expected from the query
 * text.
 */
export function decidesBySensitive(control: Control, { list, others }: OriginColumns): boolean {
  const deciding = decidingColumns(control);
  if (deciding.size === 0) return false;
  return others?.origin !== undefined || hasMasked(list, deciding);
}

const hasMasked = (columns: readonly OriginColumn[], deciding: ReadonlySet<string>): boolean =>
  columns.some(({ name, origin }) => origin !== undefined && deciding.has(name.toLowerCase()));

/**
 * Checks the columns of the response.
 * @throws UnknownOutcome
 */
function requireOpen({ control, isFree, expected }: ControlWanted, columns: readonly StoreColumn[]): void {
  if (!isFree) return;
  const names = columns.map(({ name }) => name);
  const origins = originsOfResult(expected, names);
  const found = names.map((name, at) => ({ name, origin: origins[at] }));
  if (hasMasked(found, decidingColumns(control))) throw new UnknownOutcome('SENSITIVE_COLUMN', sensitiveRule);
}

export const sensitiveRule = 'A rule of the control decides by a column that may hold personal data.';
