/**
 * Turns the pages of a control's query into a response: the outcome, the counts, and the rows that an agent may see.
 */
import type { QueryPage } from '#api/client/query-page.ts';
import { ControlRows, noFacts, rowsInAlarm, UnknownOutcome } from '#core/controls/control-rows.ts';
import type { Control } from '#core/controls/control.ts';
import { outcomeMessage } from '#core/controls/outcome-words.ts';
import { aggregatesOf } from '#core/controls/rules.ts';
import { originsOfResult } from '#core/policy/masking/masker.ts';
import type { OriginColumn, OriginColumns } from '#core/policy/masking/relations.ts';
import { fitText, textLengths } from './fit-values.ts';
import { answerRows, shownMax, type RowsAnswer, type RowsWanted } from './rows-answer.ts';

export interface ControlAnswer extends RowsAnswer {
  readonly outcome: 'pass' | 'warn' | 'fail';
  readonly message: string;
  readonly counts: { readonly read: number; readonly isAll: boolean; readonly total?: number };
}

export interface ControlWanted extends RowsWanted {
  readonly control: Control;
  /** Whether the agent chose the text or one of its values. If so, no rule may test a sensitive column. */
  readonly isFree: boolean;
}

/** Maximum number of rows to read. If the outcome is still unknown by then, that is an error. */
const rowsReadMax = 100_000;

/** @throws UnknownOutcome, and any error from `pages`. */
export async function answerControl(
  pages: AsyncIterable<QueryPage>,
  wanted: ControlWanted,
): Promise<ControlAnswer> {
  const { control } = wanted;
  const most = shownMax(wanted);
  const rows = new ControlRows(control, noFacts, { sampleRows: most + 1 });
  const shown: QueryPage[] = [];
  let kept = 0;
  let names: string | undefined;
  let isComplete = true;
  let totalRows: number | undefined;
  let isPerhapsShort = false;
  for await (const page of pages) {
    totalRows = page.rowCount ?? totalRows;
    isPerhapsShort = page.isPerhapsPartial === true;
    if (page.columns.length > 0) {
      const found = JSON.stringify(page.columns.map(({ name }) => name));
      if (names === undefined) {
        requireOpen(wanted, page);
        rows.open(page.columns);
      } else if (names !== found)
        throw new UnknownOutcome('COLUMNS_CHANGED', 'The pages of the response have different columns.');
      names = found;
    } else if (page.rows.length > 0)
      throw new UnknownOutcome('NO_COLUMNS', 'The rows in the response have no columns.');
    await rows.append(page.rows);
    const told = rowsInAlarm(control, page.columns, page.rows).slice(0, most + 1 - kept);
    kept += told.length;
    shown.push({ columns: page.columns, rows: told });
    if (page.nextPageToken === undefined) break;
    isComplete = false;
    if (rows.isDone) break;
    if (rows.read >= rowsReadMax)
      throw new UnknownOutcome(
        'ROW_LIMIT',
        `The outcome is not known before more than ${rowsReadMax} rows are read.`,
      );
    isComplete = true;
  }
  rows.setRows({
    totalRows,
    isComplete: isComplete && !isPerhapsShort,
    isPerhapsShort,
    isAtLimit: false,
    loading: { kind: 'none' },
    firstRowsMs: 0,
    totalMs: 0,
    finishedAt: 0,
  });
  const judged = rows.outcome();
  const { read, isAll, total } = judged.rows;
  const { status, reason, ...answer } = await answerRows(inTurn(shown), wanted);
  const isCut = status === 'truncated' || !isAll;
  return {
    status: isCut ? 'truncated' : 'complete',
    ...(isCut ? { reason: reason ?? 'There are more rows. They do not change the outcome.' } : {}),
    outcome: judged.judged.judgement,
    message: fitText(outcomeMessage(control, judged), textLengths.description),
    counts: { read, isAll, ...(total === undefined ? {} : { total }) },
    ...answer,
  };
}

async function* inTurn(pages: readonly QueryPage[]): AsyncGenerator<QueryPage> {
  yield* pages;
  await Promise.resolve();
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
function requireOpen({ control, isFree, expected }: ControlWanted, { columns }: QueryPage): void {
  if (!isFree) return;
  const names = columns.map(({ name }) => name);
  const origins = originsOfResult(expected, names);
  const found = names.map((name, at) => ({ name, origin: origins[at] }));
  if (hasMasked(found, decidingColumns(control))) throw new UnknownOutcome('SENSITIVE_COLUMN', sensitiveRule);
}

export const sensitiveRule = 'A rule of the control decides by a column that may hold personal data.';
