/** Running SQL, which the specification only names: every part of the answer is drawn. */
import type { Asked, Reply } from '../exchange.ts';
import type { Records } from '../records.ts';
import { select } from '../sql/select.ts';
import { columnsTable, tableOf, type Table } from '../sql/tables.ts';
import { SqlMistake } from '../sql/words.ts';
import { jsonReply, Refused } from './answers.ts';
import type { Service } from './space.ts';

/** Names in the request: of the page's size, and of what asks for the next page. */
const requestNames: Readonly<Record<Service['paging'], readonly [size: string, token: string | undefined]>> =
  {
    camel: ['pageSize', 'pageToken'],
    snake: ['page_size', 'page_token'],
    'next-token': ['pageSize', 'nextToken'],
    'cursor-always': ['pageSize', 'cursor'],
    offset: ['limit', 'offset'],
    nested: ['page_size', 'page_token'],
    truncated: ['pageSize', undefined],
    silent: ['pageSize', undefined],
    whole: ['pageSize', undefined],
    'link-header': ['pageSize', undefined],
    'prev-and-next': ['limit', 'cursor'],
    relay: ['limit', 'cursor'],
    renamed: ['pageSize', 'page_token'],
    'till-empty': ['pageSize', 'pageToken'],
  };
const queryMembers = ['query_string', 'model', 'parameters'];

export class Execute {
  readonly #service: Service;
  readonly #records: Records;
  readonly #models: readonly string[];

  constructor(service: Service, records: Records, models: readonly string[]) {
    this.#service = service;
    this.#records = records;
    this.#models = models;
  }

  answer(asked: Asked): Reply {
    const service = this.#service;
    const body = bodyOf(asked);
    const [sizeName, tokenName] = requestNames[service.paging];
    const known = [...queryMembers, sizeName, tokenName];
    if (service.strictBody === 'strict') {
      const odd = Object.keys(body).find((name) => !known.includes(name));
      if (odd !== undefined)
        throw new Refused({ status: 400, code: 'BAD_REQUEST', message: `There is no member ${odd}.` });
    }
    const { query_string: sql, model = this.#models[0], parameters = {} } = body;
    if (typeof sql !== 'string' || typeof model !== 'string')
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'query_string is needed.' });
    if (!this.#models.includes(model))
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'There is no such model.' });
    const table = this.#run(sql, model, parameters as Readonly<Record<string, unknown>>); // any object has string keys
    const most = Number(service.pageRows);
    const size = body[sizeName];
    if (service.pageSize === 'refused-above-200' && typeof size === 'number' && size > 200)
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: `${sizeName} is 200 at most.` });
    if (service.pageSize === 'refused-below-5' && typeof size === 'number' && size < 5)
      throw new Refused({ status: 400, code: 'BAD_REQUEST', message: `${sizeName} is 5 at least.` });
    const isHonored = service.pageSize !== 'ignored';
    const pageSize = typeof size === 'number' && isHonored ? Math.min(size, most) : most;
    const given = tokenName === undefined ? undefined : body[tokenName];
    const start = startOf(given);
    const isWhole = service.paging === 'whole';
    // A page without rows is the last one of a service that tells so.
    const isPreparing =
      service.resultPages === 'empty-first' &&
      given === undefined &&
      ['camel', 'snake', 'next-token', 'cursor-always', 'nested'].includes(service.paging);
    const rows = isPreparing ? [] : isWhole ? table.rows : table.rows.slice(start, start + pageSize);
    const end = start + rows.length;
    const isMore = service.paging === 'till-empty' ? rows.length > 0 : isPreparing || end < table.rows.length;
    const headers =
      service.paging === 'link-header' && isMore
        ? { link: `</v1/query/execute?at=${end}>; rel="next"` }
        : undefined;
    const isInMember = service.rowsName === 'in-member';
    const answer = {
      ...this.#columns(table),
      [isInMember || service.rowsName === 'in-list' ? 'rows' : service.rowsName]: this.#rows(table, rows),
      ...this.#more({ start, end, isMore }),
      ...this.#flags({ start, left: table.rows.length - end, all: table.rows.length }),
      ...(service.rowCount === 'absent'
        ? {}
        : { rowCount: service.rowCount === 'whole' ? table.rows.length : rows.length }),
    };
    const isInList = service.rowsName === 'in-list';
    return jsonReply(200, isInMember ? { data: answer } : isInList ? { results: [answer] } : answer, headers);
  }

  #columns({ columns }: Table): object {
    const way = this.#service.columns;
    // Rows that are lists need at least the names.
    if (way === 'absent' && this.#service.rowShape === 'objects') return {};
    return { columns: way === 'typed' ? columns : columns.map(({ name }) => name) };
  }

  #rows({ columns }: Table, rows: Table['rows']): readonly unknown[] {
    if (this.#service.rowShape === 'lists') return rows;
    if (this.#service.rowShape === 'columns')
      return columns.map((_, at) => rows.map((row) => row[at] ?? null));
    return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
  }

  #more({
    start,
    end,
    isMore,
  }: {
    readonly start: number;
    readonly end: number;
    readonly isMore: boolean;
  }): object {
    switch (this.#service.paging) {
      case 'camel':
        return isMore ? { nextPageToken: `row-${end}` } : {};
      case 'snake':
        return isMore ? { next_page_token: `row-${end}` } : {};
      case 'next-token':
        return { nextToken: isMore ? `row-${end}` : null };
      case 'cursor-always':
        return { cursor: `row-${end}`, has_more: isMore };
      case 'offset':
        return { has_more: isMore, next_offset: isMore ? end : null };
      case 'nested':
        return { page: { next: isMore ? `row-${end}` : null } };
      case 'truncated':
        return { truncated: isMore };
      case 'prev-and-next':
        return { prev_cursor: start > 0 ? `row-${start}` : null, next_cursor: isMore ? `row-${end}` : null };
      case 'relay':
        return {
          pageInfo: {
            startCursor: `row-${start}`,
            endCursor: `row-${end}`,
            hasPreviousPage: start > 0,
            hasNextPage: isMore,
          },
        };
      case 'renamed':
      case 'till-empty':
        return isMore ? { nextPageToken: `row-${end}` } : {};
      case 'silent':
      case 'whole':
      case 'link-header':
        return {};
      default:
        return this.#service.paging satisfies never;
    }
  }

  /** What a service may say beside its pages: that the query has ended, that no value is cut, how many rows follow. */
  #flags({
    start,
    left,
    all,
  }: {
    readonly start: number;
    readonly left: number;
    readonly all: number;
  }): object {
    switch (this.#service.flags) {
      case 'complete':
        return { status: 'COMPLETED', complete: true };
      case 'untruncated':
        return { truncated: this.#service.paging === 'truncated' && left > 0 };
      case 'left':
        return { rows_remaining: left };
      case 'no-more':
        // Said of every page, also beside a token: what it means is not told.
        return ['cursor-always', 'offset', 'truncated', 'silent', 'link-header'].includes(
          this.#service.paging,
        )
          ? {}
          : { has_more: false };
      case 'limit-reached':
        return { limit_reached: left > 0, stopReason: left > 0 ? 'MAX_ROWS' : 'end' };
      case 'total':
        return { total: all };
      case 'numbers':
        return { success: 1, shards: { successful: 3, failed: 0 }, progress: 100 };
      case 'place':
        return { offset: start };
      case 'none':
        return {};
      default:
        return this.#service.flags satisfies never;
    }
  }

  #run(sql: string, model: string, parameters: Readonly<Record<string, unknown>>): Table {
    const { schema, values, boundValues } = this.#service;
    // A query of values alone has no table.
    if (boundValues.endsWith('-unseen') && /:value\b/.test(sql))
      throw this.#queryError(new SqlMistake('FROM and a table are needed.', 0), sql);
    if (values === 'not-parsed' && /\bvalues\b/i.test(sql))
      throw this.#queryError(new SqlMistake('VALUES is not known.', 0), sql);
    if (/\b(?:insert|delete|update)\b/i.test(sql))
      throw new Refused({
        status: Number(this.#service.queryError),
        code: 'MUTATION_NOT_ALLOWED',
        message: 'Only SELECT statements are permitted.',
      });
    try {
      return select({
        sql,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([name, value]) => [name, this.#bound(value)]),
        ),
        table: (owner, name) => {
          if (owner !== 'information_schema') return tableOf(name, this.#records);
          const isRefused =
            schema === 'refused' || (schema === 'one-model-refused' && model === this.#models[1]);
          if (isRefused)
            throw new Refused({ status: 403, code: 'SCHEMA_HIDDEN', message: 'Not to be read.' });
          const all = columnsTable(this.#records);
          return schema === 'empty' || model !== 'platform_identity' ? { ...all, rows: [] } : all;
        },
      });
    } catch (error) {
      throw error instanceof SqlMistake ? this.#queryError(error, sql) : error;
    }
  }

  #bound(value: unknown): unknown {
    const { boundValues } = this.#service;
    if (boundValues.startsWith('ignored')) return null;
    return boundValues === 'first-of-list' && Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  }

  #queryError({ code, message, at }: SqlMistake, sql: string): Refused {
    const before = sql.slice(0, at).split('\n');
    const { positions } = this.#service;
    return new Refused({
      status: Number(this.#service.queryError),
      code,
      message,
      details: {
        line: before.length - (positions === 'zeros' ? 1 : 0),
        column: [...(before.at(-1) ?? '')].length + (positions === 'ones' ? 1 : 0),
      },
    });
  }
}

function startOf(token: unknown): number {
  if (token === undefined || token === null) return 0;
  if (typeof token === 'number') return token;
  const [, at] = /^row-(\d+)$/.exec(typeof token === 'string' ? token : '') ?? [];
  if (at === undefined)
    throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'The page token is not known.' });
  return Number(at);
}

function bodyOf({ body }: Asked): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>; // any object has string keys
  } catch {
    // refused below
  }
  throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'The body must be a JSON object.' });
}

export { bodyOf };
