/** Assumptions about running SQL: the response, its errors, and column metadata. */
import { assumedPaging, learnPaging } from '../execute-paging.ts';
import { memberOf, type Told } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found, type Seen } from './finding.ts';
import { isUntold, statusSeen } from './told.ts';

const noModel: Found = unknown({ kind: 'nothing-there', request: 'GET /v1/schema/models' });

export async function queryAnswer({ ask, model }: ProbeContext): Promise<Found> {
  const plain = await ask.execute({ query_string: 'SELECT 1 AS one', ...named(model) });
  const mistake = mistakeOf(plain, [['1']]);
  if (mistake !== undefined) return mistake;
  const bound = await ask.execute({
    query_string: 'SELECT CAST(:value AS text) AS value',
    parameters: { value: 'a' },
    ...named(model),
  });
  return mistakeOf(bound, [['a']]) ?? (await pagingMistake(ask, model)) ?? holds;
}

/** Returns how the service pages results, if not as assumed. */
async function pagingMistake(
  ask: ProbeContext['ask'],
  model: string | undefined,
): Promise<Found | undefined> {
  let request = '';
  const paging = await learnPaging(async (members) => {
    const told = await ask.execute({ ...members, ...named(model) });
    ({ request } = told);
    const rows = memberOf(told.body, 'rows');
    if (told.status !== 200 || !Array.isArray(rows)) return undefined;
    const others = Object.entries(told.body as object).filter(
      ([name]) => name !== 'rows' && name !== 'columns',
    ); // has rows
    return { rows: rows.filter((row) => Array.isArray(row)), others: new Map(others) };
  });
  if (paging.kind === 'pages') {
    const [found, assumed] = [paging, assumedPaging].map(({ size, token, next, end }) =>
      JSON.stringify([size, token, next, end.kind]),
    );
    return found === assumed
      ? undefined
      : differs({
          kind: 'paging',
          request,
          next: paging.next.join('.'),
          token: paging.token,
          size: paging.size,
        });
  }
  return differs({ kind: paging.kind === 'whole' ? 'unpaged' : 'paging-unknown', request });
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
export async function unparsedQuery({ ask, model }: ProbeContext): Promise<Found> {
  const told = await ask.execute({ query_string: "SELECT '\n💥', )", ...named(model) });
  return (
    errorMistake(told, { status: 400, code: 'QUERY_PARSE_ERROR' }) ??
    memberMistake(told, { 'details.line': 2, 'details.column': 5 }) ??
    holds
  );
}

export async function failedQuery({ ask, model }: ProbeContext): Promise<Found> {
  const told = await ask.execute({ query_string: 'SELECT 1 / 0 AS failed', ...named(model) });
  return (
    errorMistake(told, { status: 400, code: 'QUERY_FAILED' }) ??
    memberMistake(told, { 'details.sqlState': '22012' }) ??
    holds
  );
}

export async function unknownModel({ ask }: ProbeContext): Promise<Found> {
  const model = 'identity_queries_doctor';
  const told = await ask.execute({ query_string: 'SELECT 1 AS one', model });
  const mistake =
    errorMistake(told, { status: 400, code: 'BAD_REQUEST' }) ??
    memberMistake(told, { 'details.model': model });
  if (mistake !== undefined) return mistake;
  return Array.isArray(memberOf(told.body, 'details', 'available'))
    ? holds
    : differs({ kind: 'member', request: told.request, member: 'details.available' });
}

export async function schemaColumns({ ask, model }: ProbeContext): Promise<Found> {
  if (model === undefined) return noModel;
  const told = await ask.execute({
    query_string:
      'SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = :model',
    parameters: { model },
    model,
    pageSize: 1,
  });
  const { request, status, body } = told;
  // A client that may run queries but not this one gets no columns, so a 403 counts as a response here.
  if (status !== 200)
    return isUntold(told) && status !== 403 ? unknown(statusSeen(told)) : differs(statusSeen(told));
  const rows = memberOf(body, 'rows') ?? memberOf(body, 'items') ?? memberOf(body, 'data');
  return Array.isArray(rows) && rows.length > 0
    ? holds
    : differs({ kind: 'member', request, member: 'rows' });
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
  return member === undefined ? undefined : differs({ kind: 'member', request, member });
}
