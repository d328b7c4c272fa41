/** Assumptions about running SQL: the response, its errors, and column metadata. */
import { identityModel } from '../../contract/tables.ts';
import { isRecord } from '../answers/shape.ts';
import { assumedPaging, learnPaging, oneRowText, withHeaderTokens } from '../execute-paging.ts';
import type { JsonValue } from '../json.ts';
import { decodeQueryPage, rowsListOf } from '../query-page.ts';
import { memberOf, nobody, type Told } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found, type Seen } from './finding.ts';
import { isUntold, notOffered, statusSeen } from './told.ts';

const noModel: Found = unknown({ kind: 'nothing-there', request: 'GET /v1/schema/models' });

export async function queryAnswer({ ask, model }: ProbeContext): Promise<Found> {
  const plain = await ask.execute({ query_string: 'SELECT 1 AS one', ...named(model) });
  if (plain.isMissing()) return differs(notOffered(plain));
  const mistake = mistakeOf(plain, [['1']]);
  if (mistake !== undefined) return mistake;
  const bound = await ask.execute({
    query_string: 'SELECT CAST(:value AS text) AS value',
    parameters: { value: 'a' },
    ...named(model),
  });
  return mistakeOf(bound, [['a']]) ?? holds;
}

/** A service that was seen to send this many rows at once is said to have no pages. */
const wholeMin = 1_000;

/** Reads results in any shape that the client reads. */
export async function pagesOfResults({ ask, model }: ProbeContext): Promise<Found> {
  const answers: Told[] = [];
  const answeredTexts = new Set<unknown>();
  const paging = await learnPaging(async (members) => {
    const told = await ask.execute({ ...members, ...named(model) });
    answers.push(told);
    if (told.status !== 200) return undefined;
    answeredTexts.add(members['query_string']);
    const { rows, others = new Map() } = decodeQueryPage(told.body as JsonValue, {
      status: 200,
      requestId: undefined,
      request: told.request,
    }); // parsed from JSON
    return { rows, others: withHeaderTokens(others, told.headers) };
  });
  const last = answers.at(-1);
  if (last === undefined) return noModel;
  const { request } = last;
  if (!answers.some(({ status }) => status === 200)) return unknown(statusSeen(last));
  if (paging.kind === 'pages') {
    const [found, assumed] = [paging, assumedPaging].map(({ size, token, next, end }) =>
      JSON.stringify([size, token, next, end.kind]),
    );
    const { size, token, next } = paging;
    return found === assumed
      ? holds
      : differs({ kind: 'paging', request, next: next.join('.'), token, size });
  }
  answeredTexts.delete(oneRowText);
  if (answeredTexts.size === 0) return unknown({ kind: 'paging-untested', request });
  const isWhole = paging.kind === 'whole' && (paging.upTo ?? wholeMin) >= wholeMin;
  return differs({ kind: isWhole ? 'unpaged' : 'paging-unknown', request });
}

/** The probes have a token with the read scope alone. */
export async function runsWithRead({ ask, model }: ProbeContext): Promise<Found> {
  const told = await ask.execute({ query_string: 'SELECT 1 AS one', ...named(model) });
  if (told.status === 200) return holds;
  const isScope = told.status === 403 && told.code === 'FORBIDDEN';
  return isScope ? differs(statusSeen(told)) : unknown(statusSeen(told));
}

export async function identityTable({ ask }: ProbeContext): Promise<Found> {
  const told = await ask.execute({
    query_string: 'SELECT global_id FROM accounts WHERE global_id = :id',
    parameters: { id: nobody },
    model: identityModel,
  });
  if (told.status === 200) return holds;
  return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
}

/** Returns how the page differs from the assumption, given the expected rows; undefined if it does not. */
function mistakeOf(told: Told, rows: readonly (readonly string[])[]): Found | undefined {
  const { request, status, body } = told;
  if (status !== 200) return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
  const found = memberOf(body, 'rows');
  const isRows =
    Array.isArray(found) &&
    found.length === rows.length &&
    found.every((row, index) => Array.isArray(row) && row.map(String).join() === rows[index]?.join());
  if (!isRows) return differs({ kind: 'member', request, member: 'rows' });
  const columns = memberOf(body, 'columns');
  const isColumns =
    Array.isArray(columns) &&
    columns.length === 1 &&
    columns.every((column) => typeof memberOf(column, 'name') === 'string');
  if (!isColumns) return differs({ kind: 'member', request, member: 'columns' });
  return columns.every((column) => typeof memberOf(column, 'type') === 'string')
    ? undefined
    : differs({ kind: 'member', request, member: 'columns.type' });
}

/** The mistake is at line 2, column 5, after a character of two UTF-16 units. */
export async function unparsedQuery(context: ProbeContext): Promise<Found> {
  const { ask, model } = context;
  const told = await ask.execute({ query_string: "SELECT '\n💥', )", ...named(model) });
  return await ofQueries(
    context,
    errorMistake(told, { status: 400, code: 'QUERY_PARSE_ERROR' }) ??
      memberMistake(told, { 'details.line': 2, 'details.column': 5 }) ??
      holds,
  );
}

export async function failedQuery(context: ProbeContext): Promise<Found> {
  const { ask, model } = context;
  const told = await ask.execute({ query_string: 'SELECT 1 / 0 AS failed', ...named(model) });
  return await ofQueries(
    context,
    errorMistake(told, { status: 400, code: 'QUERY_FAILED' }) ??
      memberMistake(told, { 'details.sqlState': '22012' }) ??
      holds,
  );
}

export async function unknownModel(context: ProbeContext): Promise<Found> {
  const model = 'identity_queries_doctor';
  const told = await context.ask.execute({ query_string: 'SELECT 1 AS one', model });
  const isListed = Array.isArray(memberOf(told.body, 'details', 'available'));
  return await ofQueries(
    context,
    errorMistake(told, { status: 400, code: 'BAD_REQUEST' }) ??
      memberMistake(told, { 'details.model': model }) ??
      (isListed ? holds : differs({ kind: 'member', request: told.request, member: 'details.available' })),
  );
}

/** A service that runs no queries tells nothing about their errors. */
async function ofQueries({ ask, model }: ProbeContext, found: Found): Promise<Found> {
  if (found.verdict === 'holds') return found;
  const plain = await ask.execute({ query_string: 'SELECT 1 AS one', ...named(model) });
  return plain.isMissing() ? unknown(notOffered(plain)) : found;
}

export async function schemaColumns(context: ProbeContext): Promise<Found> {
  const { ask, model } = context;
  if (model === undefined) return noModel;
  const told = await ask.execute({
    // Not all services know a page size by the same name.
    query_string:
      'SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = :model LIMIT 1',
    parameters: { model },
    model,
  });
  const { request, status, body } = told;
  // A client that may run queries but not this one gets no columns, so a 403 counts as a response here.
  if (status === 403 && (await runsWithRead(context)).verdict !== 'holds') return unknown(statusSeen(told));
  if (status !== 200)
    return isUntold(told) && status !== 403 ? unknown(statusSeen(told)) : differs(statusSeen(told));
  const rows = isRecord(body) ? rowsListOf(body) : undefined;
  return rows !== undefined && rows.length > 0 ? holds : differs({ kind: 'member', request, member: 'rows' });
}

function named(model: string | undefined): { readonly model?: string } {
  return model === undefined ? {} : { model };
}

function errorMistake(
  told: Told,
  expected: { readonly status: number; readonly code: string },
): Found | undefined {
  if (told.status === expected.status && told.code === expected.code) return undefined;
  const seen: Seen = statusSeen(told);
  return isUntold(told) && told.code !== expected.code ? unknown(seen) : differs(seen);
}

function memberMistake(
  { request, body }: Told,
  expected: Readonly<Record<string, unknown>>,
): Found | undefined {
  const member = Object.keys(expected).find((path) => memberOf(body, ...path.split('.')) !== expected[path]);
  if (member === undefined) return undefined;
  const isOfType = typeof memberOf(body, ...member.split('.')) === typeof expected[member];
  return differs({ kind: isOfType ? 'value' : 'member', request, member });
}
