/**
 * Runs a query: checks its text, requires permission, binds its parameters, and writes its rows to a target page by
 * page.
 */
import { ApiError, ContractError } from '#api/client/errors.ts';
import { limits } from '#api/contract/limits.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
import { permit, sendQueryPacked, type Permit } from '#core/policy/send-query.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { QueryRun, type QueryRunOptions } from '#core/runs/query-run.ts';
import { buildRequest, type RunRequest } from '#core/runs/run-request.ts';
import type { ParameterInfo, StatementInfo } from '#server/protocol.ts';
import { CliError, type CliContext } from '../context.ts';
import type { Service } from '../service.ts';
import { requireAllowed, type Allowance } from './allow.ts';
import { failureLines, failureOfRun } from './failure-text.ts';
import { bindParameters } from './parameters.ts';
import type { FinishingTarget } from './rows-target.ts';
import { checkQuery, type CheckedQuery, type QueryText } from './statement.ts';
import { writeRows, type RunResult } from './write-rows.ts';

export interface PreparedQuery {
  readonly title: string;
  readonly request: QueryRunOptions['request'];
  readonly permit: Permit;
  readonly statement: StatementInfo;
  readonly model: string;
  /** The parameters, with the values as entered. */
  readonly fields: readonly ParameterField[];
  readonly locate: RunRequest['locate'];
}

/** @throws CliError if the query may not be sent, or parameters are missing. */
export async function prepareQuery(
  query: QueryText,
  given: {
    readonly entries: readonly (string | EnteredValue)[];
    readonly nulls: readonly string[];
    readonly allowed: readonly Allowance[];
    /** The checked text, if it was checked before. */
    readonly checked?: CheckedQuery;
  },
  service: Pick<Service, 'client'>,
  signal: AbortSignal,
): Promise<PreparedQuery> {
  const checked = given.checked ?? (await checkQuery(query, undefined));
  const { statement, model } = await withColumnTypes(query, { checked, service, signal });
  const permission = requireAllowed(query.title, statement, given.allowed);
  const bound = bindParameters(statement, query.text, { ...given, now: new Date() });
  const { request, locate } = buildRequest(statement, { ...bound, sentAs: service.client.queries.values });
  return {
    title: query.title,
    request: { ...request, model },
    permit: permit(permission, 'confirmed'),
    statement,
    model,
    fields: bound.fields,
    locate,
  };
}

/** The type of an undeclared parameter is that of the column beside it, as in the editor, so the columns are read. */
async function withColumnTypes(
  query: QueryText,
  {
    checked,
    service: { client },
    signal,
  }: {
    readonly checked: CheckedQuery;
    readonly service: Pick<Service, 'client'>;
    readonly signal: AbortSignal;
  },
): Promise<CheckedQuery> {
  const declared = parameterDeclarations(query.text);
  const isOpen = ({ name, type, comparedWith }: ParameterInfo) =>
    !declared.has(name) && (type === undefined || comparedWith !== undefined);
  if (!checked.statement.parameters.some(isOpen)) return checked;
  try {
    return await checkQuery(query, await readCatalogue(client, { signal, only: checked.model }));
  } catch (error) {
    if (error instanceof ApiError || error instanceof ContractError) return checked; // the columns stay unknown
    throw error;
  }
}

export interface ExecuteOptions {
  readonly prepared: Pick<PreparedQuery, 'title' | 'request' | 'permit' | 'locate'>;
  readonly target: FinishingTarget;
  /** Whether to omit progress. */
  readonly isSilent: boolean;
  readonly limit: number | undefined;
}

/** @throws CliError if rows are missing; AbortError if the user interrupts the run. */
export async function executeQuery(
  context: CliContext,
  { client }: Service,
  { prepared, target, isSilent, limit = Number.MAX_SAFE_INTEGER }: ExecuteOptions,
): Promise<RunResult> {
  // Only comparisons sort or sum numbers; otherwise, they are kept as text.
  const scanner = new PageScanner(target.keepsRows === true ? 'doubles' : 'texts');
  return await writeRows(context, {
    ...{ target, isSilent },
    open: (writer) =>
      new QueryRun({
        signal: context.signal,
        deadline: limitedByCaller(),
        execute: (request, options) =>
          sendQueryPacked(client, prepared.permit, { request, scanner, options }),
        request: prepared.request,
        writer,
        pageSize: Math.min(limits.executePageSizeMax, limit),
        rowLimit: limit,
      }),
    inWords: (error) => {
      const [message = '', ...help] = failureLines(prepared.title, failureOfRun(error, prepared.locate));
      return new CliError(message, help);
    },
  });
}
