/** The collection endpoints over the identity model. All pages of a list come from one run, like those of a query. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import type { ListParameters } from '#api/contract/lists.ts';
import type { ModelTable } from '#api/contract/model-tables.ts';
import { identityModel } from '#api/contract/tables.ts';
import { quoteName } from '#base/sql-names.ts';
import { collections, type Collection } from '../../data/collections.ts';
import { columnsOf } from '../../data/tables/columns.ts';
import { ServiceError } from '../../errors.ts';
import type { QueryEngine } from '../../query/engine.ts';
import type { RunRows } from '../../query/growing-result.ts';
import { goneSignal, PagedRuns } from '../../query/paged-runs.ts';
import { fingerprintOf, rowText } from '../../query/results.ts';
import { defineRoute, JsonText } from '../../route.ts';
import { activityWindow } from '../../routes/activity-window.ts';
import { callerOf, type PageTokens } from '../../tokens.ts';
import { failureOf } from './failure-of.ts';

export interface IdentityRoutes {
  readonly engine: QueryEngine;
  /** The tables of the identity model at the moment. */
  readonly tables: () => readonly ModelTable[];
  readonly tokens: PageTokens;
}

const mostBytes = 1024 ** 3;
const words = {
  gone: 'The service no longer has this list. Start again without a token.',
  isOther: 'belongs to another list; start again without it',
};

export function registerIdentityRoutes(
  app: FastifyInstance,
  { engine, tables, tokens }: IdentityRoutes,
): void {
  const runs = new PagedRuns(app, { tokens, mostBytes, words });

  /** Returns whether the collection's table has a column. @throws ServiceError if there is no such table. */
  const columnsIn = ({ table }: Collection): ((column: string) => boolean) => {
    const found = tables().find(({ name }) => name === table);
    if (found === undefined)
      throw new ServiceError('NOT_FOUND', `This service has no ${table}: its database has nothing for them.`);
    return (column) => found.columns.some(({ name }) => name === column);
  };
  const read = (
    sql: string,
    values: readonly string[],
    { signal, client }: { readonly signal: AbortSignal; readonly client: string | undefined },
  ): RunRows =>
    engine.run(
      { schema: identityModel, sql, values, fallbackTypes: values.map(() => textType), client },
      signal,
    );

  const list = async (
    collection: Collection,
    { query, request, reply }: ListRequest,
    conditions: readonly Condition[] = [],
  ) => {
    const has = columnsIn(collection);
    const { table } = collection;
    // UUIDs are case-insensitive.
    const instance = query.applicationInstanceId?.toLowerCase();
    const all = [
      ...conditions,
      ...(instance === undefined ? [] : [ofInstance(instance, has('object_metadata'))]),
    ];
    const start = (signal: AbortSignal): RunRows => {
      const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
      let number = 0;
      const where = all.map(({ sql, value }) =>
        value === undefined ? sql : sql.replace('?', `$${(number += 1)}`),
      );
      return read(
        `SELECT to_jsonb(item) FROM ${quoteName(table)} item${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`}`,
        values,
        { signal, client: request.grant?.clientId },
      );
    };
    const { pageToken, pageSize = limits.pageSizeDefault } = query;
    // As the caller wrote the window: without one, its ends move with the time.
    const fingerprint = fingerprintOf(callerOf(request.grant), table, instance, query.from, query.to);
    return await runs.page(
      { list: table, pageToken, location: 'query', fingerprint, reply, start },
      async ({ result, from, signal, tokenOf }) => {
        const to = from + pageSize;
        await result.until(() => result.rowCount > to, signal);
        const isLast = result.rowCount <= to;
        if (isLast && result.end?.kind !== 'complete') throw failureOf(result, `The table ${table}`);
        const items = await itemsOf(collection, result, from, Math.min(to, result.rowCount));
        return isLast ? { items } : { items, nextPageToken: tokenOf(to) };
      },
    );
  };

  const one = async (
    collection: Collection,
    globalId: string,
    { request, reply }: Pick<ListRequest, 'request' | 'reply'>,
  ) => {
    columnsIn(collection);
    if (globalId.includes('\0')) throw noRecord();
    const { table } = collection;
    const signal = goneSignal(reply);
    const result = read(
      `SELECT to_jsonb(item) FROM ${quoteName(table)} item WHERE global_id = $1 LIMIT 1`,
      [globalId],
      { signal, client: request.grant?.clientId },
    );
    try {
      await result.until(() => false, signal);
      if (result.end?.kind !== 'complete') throw failureOf(result, `The table ${table}`);
      const [item] = await itemsOf(collection, result, 0, result.rowCount);
      if (item === undefined) throw noRecord();
      return item;
    } finally {
      result.discard();
    }
  };

  for (const [endpoint, collection] of [
    [endpoints.listAccounts, collections.accounts],
    [endpoints.listRoles, collections.roles],
    [endpoints.listAccountRoles, collections.accountRoles],
    [endpoints.listAuthenticators, collections.authenticators],
    [endpoints.listAuthenticatorEnrollments, collections.enrollments],
    [endpoints.listEntityAssignedAccessToObject, collections.access],
    [endpoints.listPersonIsEmployee, collections.personLinks],
  ] as const)
    defineRoute(app, endpoint, async (request) => asBody(await list(collection, request)));
  defineRoute(app, endpoints.listEnrollmentViaAuthenticator, async (request) => {
    const { items, ...rest } = await list(collections.enrollmentLinks, request);
    return { items: items.map((item) => String(item['relationship'])), ...rest };
  });
  defineRoute(app, endpoints.listActivities, async (request) => {
    columnsIn(collections.activities);
    const { query } = request;
    const { from, to } = activityWindow(query.from, query.to, Date.now());
    const iso = (time: number): string => new Date(time).toISOString();
    return asBody(
      await list(collections.activities, request, [
        { sql: 'item."timestamp" >= ?::timestamptz', value: iso(from) },
        ...(to === Infinity ? [] : [{ sql: 'item."timestamp" < ?::timestamptz', value: iso(to) }]),
      ]),
    );
  });
  for (const [endpoint, collection] of [
    [endpoints.getRole, collections.roles],
    [endpoints.getAccountRole, collections.accountRoles],
    [endpoints.getActivity, collections.activities],
    [endpoints.getAuthenticatorEnrollment, collections.enrollments],
  ] as const)
    defineRoute(app, endpoint, async (request) => asBody(await one(collection, request.path.id, request)));
}

const textType = 25;

interface ListRequest {
  readonly query: ListParameters & { readonly from?: string; readonly to?: string };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Condition {
  /** With a question mark for the value. */
  readonly sql: string;
  readonly value: string | undefined;
}

function ofInstance(instance: string, hasMetadata: boolean): Condition {
  return hasMetadata
    ? { sql: `lower(item.object_metadata ->> 'ApplicationInstanceId') = ?`, value: instance }
    : { sql: 'false', value: undefined };
}

type Item = Readonly<Record<string, unknown>>;

/** A database has only some of a record's members, so the body is not typed; clients read what there is. */
function asBody(body: Item | { readonly items: readonly Item[] }): JsonText {
  return new JsonText([Buffer.from(JSON.stringify(body))]);
}

async function itemsOf(
  { schema }: Collection,
  result: RunRows,
  from: number,
  to: number,
): Promise<readonly Item[]> {
  const members = new Map(columnsOf(schema).map(({ name, member }) => [name, member]));
  const rows = JSON.parse(`[${await rowText(result, from, to)}]`) as readonly (readonly [
    Record<string, unknown>,
  ])[]; // rows of one jsonb object
  return rows.map(([row]) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) => {
        const member = members.get(column);
        return member === undefined || value === null ? [] : [[member, value]];
      }),
    ),
  );
}

function noRecord(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No record has this global id.');
}
