/** Sends a query that passed the checks, and returns its rows. */
import type { ParameterValue } from '#api/contract/execute.ts';
import { Deadline } from '#base/async/deadline.ts';
import { sendQuery, type Permit } from '#core/policy/send-query.ts';
import { timeLimitMsDefault } from '#core/reading/time-limit.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { answerRows, shownMax, type OpenReader, type RowsAnswer } from '../answers/rows-answer.ts';
import { answerFailure } from '../failure-answer.ts';
import type { CheckedForAgent } from '../query-checks.ts';
import { refusedFor, type Outcome, type TextRefusal, type ToolContext } from './tool.ts';

export interface RunWanted {
  readonly parameters: Readonly<Record<string, ParameterValue>> | undefined;
  readonly maxRows: number | undefined;
}

export async function runChecked(
  checked: CheckedForAgent,
  { parameters = {}, maxRows }: RunWanted,
  context: ToolContext,
): Promise<Outcome> {
  const { connection, masker } = context;
  const { permission } = checked;
  const { limits } = connection;
  // One extra row shows whether there are more.
  const pageSize = shownMax({ limits, maxRows }) + 1;
  const sql = limitedText(checked, pageSize);
  if (permission.kind === 'refused') return { ...refusedFor(permission.what, permission), audit: { sql } };
  const wrong = parametersRefused(checked.parameters, Object.keys(parameters));
  if (wrong !== undefined) return { ...wrong, audit: { sql } };
  try {
    const open = await readerOf({ ...checked, sql }, permission.permit, context, { parameters, pageSize });
    const answer: RowsAnswer = await answerRows(open, {
      expected: permission.columns,
      isWhole: permission.limit !== undefined,
      masker,
      limits,
      maxRows,
    });
    return { answer, audit: auditOf(sql, answer) };
  } catch (error) {
    // The query may have run, so the log contains the SQL that was sent.
    return { ...answerFailure(error), audit: { sql } };
  }
}

/** Returns the SQL to send, with a LIMIT if its result must have one. */
export function limitedText({ permission, sql }: CheckedForAgent, rows: number): string {
  const isMissing = permission.kind === 'go' && permission.limit === 'missing';
  // On a line of its own, since the text may end with a comment.
  return isMissing ? `${sql}\nLIMIT ${rows}` : sql;
}

/** Maximum number of pages, including empty ones that a service sends while it prepares the rows. */
const pagesMax = 1_000;

export interface PagesWanted {
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly pageSize: number;
}

/** Connects, and returns what sends the query and reads its pages. */
export async function readerOf(
  { sql, model, parameters: names }: CheckedForAgent,
  permit: Permit,
  { connection, signal }: ToolContext,
  { parameters, pageSize }: PagesWanted,
): Promise<OpenReader> {
  const { queries } = await connection.service();
  return (writer, rowLimit) =>
    new QueryRun({
      ...{ writer, rowLimit, signal, pageSize, pacing: { pagesMax } },
      deadline: new Deadline(timeLimitMsDefault),
      request: { query_string: sql, model, ...(names.length === 0 ? {} : { parameters }) },
      execute: (request, { signal: within }) =>
        sendQuery({ queries }, permit, { ...request, pageSize }, { signal: within }),
    });
}

/** Returns the fields for the log: names and numbers, never values. */
export function auditOf(
  sql: string,
  { rowCount, columns }: Pick<RowsAnswer, 'rowCount' | 'columns'>,
): Outcome['audit'] {
  const masked = columns.filter((column) => column.masked !== undefined).map(({ name }) => name);
  return { sql, rows: rowCount, masked };
}

/** @returns a refusal, or undefined if there is exactly one value for each parameter of the query. */
export function parametersRefused(wanted: readonly string[], given: readonly string[]): Outcome | undefined {
  const missing = wanted.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !wanted.includes(name));
  const code: TextRefusal = 'parameters';
  const told = { code, advice: 'Name each :name once, without the colon.' };
  if (missing.length > 0)
    return refusedFor(missing.join(', '), { ...told, reason: 'Some parameters have no value.' });
  return unknown.length > 0
    ? refusedFor(undefined, {
        ...told,
        reason: 'There are values for parameters that the query does not have.',
      })
    : undefined;
}
