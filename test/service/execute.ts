/** Runs SQL, which the specification mentions but does not describe. */
import { json, objectOf, Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import { models } from './models.ts';
import { tokenText, type Paging } from './paging.ts';
import type { Records } from './records.ts';
import { select } from './sql/select.ts';
import { columnsTable, tableOf, type Table } from './sql/tables.ts';
import { SqlMistake } from './sql/words.ts';
import type { StreamedResult } from './streamed-result.ts';
import type { SwitchBoard } from './switches.ts';

export interface ExecuteParts {
  readonly switches: SwitchBoard;
  readonly paging: Paging;
  readonly records: Records;
  /** If set, this is the result of every query. */
  readonly streamed: StreamedResult | undefined;
}

export function executeRoutes(parts: ExecuteParts): readonly Route[] {
  return [
    { method: 'POST', path: '/v1/query/execute', scope: 'read', answer: (asked) => execute(asked, parts) },
  ];
}

function execute(asked: Asked, { switches, paging, records, streamed }: ExecuteParts): Reply {
  const body = objectOf(asked);
  const { query_string: sql, parameters = {}, model = models[0].name, pageSize = 1_000, pageToken } = body;
  if (typeof sql !== 'string' || typeof pageSize !== 'number' || typeof parameters !== 'object')
    throw new Refusal(400, 'BAD_REQUEST', 'query_string, pageSize or parameters is of the wrong kind.');
  requireModel(model, switches);
  if (streamed !== undefined) return streamed.page({ pageSize, pageToken: tokenText(pageToken) });
  const found = run(
    {
      sql,
      parameters: parameters as Readonly<Record<string, unknown>>, // any object has string keys
      table: (schema, name) => {
        if (schema !== 'information_schema') return tableOf(name, records);
        if (switches.is('model-columns', 'refused'))
          throw new Refusal(403, 'FORBIDDEN', 'This schema may not be read.');
        const all = columnsTable(records);
        return switches.is('model-columns', 'empty') ? { ...all, rows: [] } : all;
      },
    },
    switches,
  );
  const slice = paging.slice(found.rows, { pageSize, pageToken: tokenText(pageToken) }, 0);
  return json(
    200,
    told(
      { ...found, rows: slice.items },
      {
        switches,
        isFirst: pageToken === undefined,
        more: { nextPageToken: slice.nextPageToken, rowCount: found.rows.length },
      },
    ),
  );
}

function requireModel(model: unknown, switches: SwitchBoard): void {
  const available = models.map(({ name }) => name);
  if (available.some((name) => name === model)) return;
  if (switches.is('unknown-model', 'not-found'))
    throw new Refusal(404, 'MODEL_NOT_FOUND', 'There is no such model.');
  throw new Refusal(400, 'BAD_REQUEST', 'There is no such model.', { details: { model, available } });
}

function run(asking: Parameters<typeof select>[0], switches: SwitchBoard): Table {
  try {
    return select(asking);
  } catch (error) {
    throw error instanceof SqlMistake ? refusalOf(error, asking.sql, switches) : error;
  }
}

function refusalOf(mistake: SqlMistake, sql: string, switches: SwitchBoard): Refusal {
  const before = sql.slice(0, mistake.at).split('\n');
  const base = switches.is('parse-error', 'from-zero') ? 0 : 1;
  const place = { line: before.length - 1 + base, column: [...(before.at(-1) ?? '')].length + base };
  if (mistake.code === 'QUERY_FAILED') {
    if (switches.is('query-failed', 'other-code'))
      return new Refusal(422, 'EXECUTION_ERROR', mistake.message);
    return new Refusal(400, 'QUERY_FAILED', mistake.message, {
      details: { sqlState: mistake.sqlState, ...place },
    });
  }
  const isMutation = mistake.message.startsWith('Only SELECT');
  return new Refusal(
    switches.is('parse-error', 'status-422') ? 422 : 400,
    'QUERY_PARSE_ERROR',
    mistake.message,
    {
      ...(switches.is('parse-error', 'without-place')
        ? {}
        : { details: { ...place, hint: 'Look at this place.' } }),
      ...(isMutation ? { reasons: [{ code: 'MUTATION_NOT_ALLOWED', message: mistake.message }] } : {}),
    },
  );
}

/** Converts a result page to this service's format. */
function told(
  { columns, rows }: Table,
  {
    switches,
    isFirst,
    more,
  }: { readonly switches: SwitchBoard; readonly isFirst: boolean; readonly more: object },
): object {
  const asObject = (row: readonly unknown[]) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]));
  if (switches.has('late-column'))
    return {
      ...more,
      rows: rows.map((row) => (isFirst ? asObject(row) : { ...asObject(row), late: 'seen' })),
    };
  if (switches.is('execute', 'rows-as-objects')) return { ...more, items: rows.map(asObject) };
  if (switches.is('execute', 'no-types')) return { ...more, columns: columns.map(({ name }) => name), rows };
  if (switches.is('execute', 'data')) return { ...more, columns, data: rows };
  if (!isFirst && switches.has('swapped-columns'))
    return { ...more, columns: columns.toReversed(), rows: rows.map((row) => row.toReversed()) };
  return { ...more, columns, rows };
}
