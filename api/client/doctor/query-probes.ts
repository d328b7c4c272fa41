/** Assumptions about running SQL: the response, its errors, and column metadata. */
import { quoteIdentifier } from '#base/sql-names.ts';
import { limits } from '../../contract/limits.ts';
import { collectionTables, identityModel, recordCollectionIds } from '../../contract/tables.ts';
import { isRecord } from '../answers/shape.ts';
import { boundQuery } from '../bound-values.ts';
import { isMissingScopeCode } from '../errors.ts';
import { assumedPaging, learnPaging, oneRowText, withHeaderTokens } from '../execute-paging.ts';
import type { JsonValue } from '../json.ts';
import { decodeQueryPage, rowsListOf } from '../query-page.ts';
import { memberOf, nobody, type Asking, type Told } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found, type Seen } from './finding.ts';
import { allItems, isUntold, notOffered, statusSeen } from './told.ts';

const noModel: Found = unknown({ kind: 'nothing-there', request: 'GET /v1/schema/models' });

export async function queryAnswer({ ask, model }: ProbeContext): Promise<Found> {
  const plain = await ask.execute({ query_string: 'SELECT 1 AS one', ...named(model) });
  if (plain.isMissing()) return differs(notOffered(plain));
  const mistake = mistakeOf(plain, [['1']]);
  if (mistake !== undefined) return mistake;
  const bound = await ask.execute({ ...boundQuery, ...named(model) });
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
  const isScope = told.status === 403 && isMissingScopeCode(told.code ?? '');
  return isScope ? differs(statusSeen(told)) : unknown(statusSeen(told));
}

/** Asks the tables that are asked for a record's ID: all at once, or else each alone. */
export async function identityTables({ ask, listingModels }: ProbeContext): Promise<Found> {
  const all = recordCollectionIds.map((id) => collectionTables[id]);
  const listed = listingModels.includes(identityModel) ? await listedTables(ask, identityModel) : undefined;
  const tables = listed !== undefined && isList(listed) ? all.filter((name) => listed.includes(name)) : all;
  const lookup = (names: readonly string[]) =>
    names.map((name) => `SELECT global_id FROM ${name} WHERE global_id = :id`).join('\nUNION ALL\n');
  return await askTables(ask, tables.length === 0 ? all : tables, {
    model: identityModel,
    parameters: { id: nobody },
    sqlOf: lookup,
  });
}

interface TableQuery {
  readonly model: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly sqlOf: (tables: readonly string[]) => string;
}

async function askTables(
  ask: Asking,
  tables: readonly string[],
  { model, parameters, sqlOf }: TableQuery,
): Promise<Found> {
  const told = async (names: readonly string[]) =>
    await ask.execute({ query_string: sqlOf(names), parameters, model });
  const together = await told(tables);
  if (together.status === 200) return holds;
  if (isUntold(together)) return unknown(statusSeen(together));
  if (together.isMissing()) return differs(statusSeen(together));
  const refused: string[] = [];
  for (const table of tables) {
    const alone = await told([table]);
    if (alone.status === 200) continue;
    if (isUntold(alone)) return unknown(statusSeen(alone));
    refused.push(table);
  }
  if (refused.length === 0) return holds;
  return differs({ kind: 'tables', request: together.request, tables: refused });
}

/** Returns the names of the tables that a model lists, or the answer that was no list of them. */
async function listedTables(ask: Asking, model: string): Promise<readonly string[] | Told> {
  const path = `/v1/schema/models/${encodeURIComponent(model)}/tables`;
  const items = await allItems(ask, path, limits.pageSizeMax);
  if (!isList(items)) return items;
  return items.map((item) => memberOf(item, 'name')).filter((name) => typeof name === 'string');
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
  const { ask, model, listingModels } = context;
  if (model === undefined) return noModel;
  for (const each of listingModels) {
    const found = await listedAreRead(ask, each);
    if (found.verdict !== 'holds') return found;
  }
  if (listingModels.includes(model)) return holds;
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

/** What a model lists is offered, so its tables are asked for no rows. */
async function listedAreRead(ask: Asking, model: string): Promise<Found> {
  const tables = await listedTables(ask, model);
  if (!isList(tables)) {
    if (tables.status === 200) return differs({ kind: 'member', request: tables.request, member: 'items' });
    return isUntold(tables) ? unknown(statusSeen(tables)) : differs(statusSeen(tables));
  }
  for (let from = 0; from < tables.length; from += limits.pageSizeMax) {
    const found = await askTables(ask, tables.slice(from, from + limits.pageSizeMax), {
      model,
      parameters: {},
      sqlOf: (names) =>
        names
          .map((name) => `SELECT 1 AS one FROM ${quoteIdentifier(name)} WHERE false`)
          .join('\nUNION ALL\n'),
    });
    if (found.verdict !== 'holds') return found;
  }
  return holds;
}

function isList<Item>(value: readonly Item[] | Told): value is readonly Item[] {
  return Array.isArray(value);
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
