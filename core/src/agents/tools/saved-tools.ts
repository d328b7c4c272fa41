/** Tools for saved queries: find, read and run them, or propose a new one that only a person can save. */
import { Type } from 'typebox';
import { limits } from '#api/contract/limits.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { listSavedQueries as listQueries } from '#core/saved-queries/list-saved-queries.ts';
import { fitName, fitText, textLengths } from '../answers/fit-values.ts';
import type { CheckedForAgent } from '../query-checks.ts';
import { runChecked } from './run-checked.ts';
import { answerFields, MaxRows, ModelName, Parameters, QueryId, rowsFields, SqlText } from './schemas.ts';
import { agentTool, refused, type ToolContext } from './tool.ts';

const queriesMax = 100;
/** Maximum number of SQL characters in a response. */
const sqlMax = 20_000;

export const listSavedQueries = agentTool({
  name: 'list_saved_queries',
  title: 'List Saved Queries',
  description: 'Lists queries that people saved on the service, by name.',
  level: 'saved',
  isRun: false,
  input: Type.Object(
    {
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'A part of the name or description.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...answerFields,
    queries: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          model: Type.String(),
          version: Type.Integer(),
          description: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
  async run({ search = '' }, { connection, signal }) {
    const wanted = search.toLowerCase();
    const knownIds = () => connection.knownQueryIds?.() ?? Promise.resolve([]);
    const listing = await listQueries(await connection.service(), { signal, knownIds });
    if (!listing.isListed && listing.queries.length === 0)
      return {
        ...refused(
          'not-offered',
          'This service does not list saved queries.',
          'Ask a person for the ID of a query, and call get_saved_query.',
        ),
        audit: { subject: search },
      };
    const queries: unknown[] = [];
    let isMore = false;
    for (const query of listing.queries) {
      const text = `${query.name}\n${query.description ?? ''}`.toLowerCase();
      if (!text.includes(wanted)) continue;
      isMore = queries.length >= queriesMax;
      if (isMore) break;
      queries.push(summaryOf(query));
    }
    const { leftOut, isListed, isPart } = listing;
    const missing = !isListed
      ? 'This service does not list saved queries: these are the ones seen on this machine.'
      : isPart
        ? 'There are more, but the service does not say how to ask for them.'
        : leftOut.length > 0
          ? `${leftOut.length} more could not be read and are left out.`
          : undefined;
    return {
      answer:
        missing !== undefined && !isMore
          ? { status: 'truncated', reason: missing, queries }
          : isMore
            ? {
                status: 'truncated',
                reason: `There are more. A response contains at most ${queriesMax}: narrow it with \`search\`.`,
                queries,
              }
            : { status: 'complete', queries },
      audit: { subject: search },
    };
  },
});

function summaryOf({ query_id, name, model, version, description }: Omit<SavedQuery, 'query_string'>) {
  return {
    id: query_id,
    name: fitName(name),
    model: fitName(model),
    version,
    ...(description ? { description: fitText(description, textLengths.description) } : {}),
  };
}

export const getSavedQuery = agentTool({
  name: 'get_saved_query',
  title: 'Get Saved Query',
  description: 'Returns the SQL of a saved query, its parameters, and whether run_saved_query would run it.',
  level: 'saved',
  isRun: false,
  input: Type.Object({ id: QueryId }, { additionalProperties: false }),
  output: Type.Object({
    ...answerFields,
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    description: Type.Optional(Type.String()),
    sql: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Array(Type.String())),
    wouldRun: Type.Optional(Type.Boolean()),
  }),
  async run({ id }, context) {
    const { query, checked } = await readSaved(id, context);
    const text = query.query_string;
    const told = {
      ...summaryOf(query),
      sql: fitText(text, sqlMax),
      parameters: checked.parameters.map(fitName),
      wouldRun: checked.permission.kind === 'go',
    };
    return {
      answer:
        text.length > sqlMax
          ? { status: 'truncated', reason: `The text has ${text.length} characters.`, ...told }
          : { status: 'complete', ...told },
      audit: { subject: id },
    };
  },
});

export const runSavedQuery = agentTool({
  name: 'run_saved_query',
  title: 'Saved Query',
  description:
    'Runs a saved query as it is and returns its rows, with sensitive values masked. A query that tests sensitive columns runs only if it takes no parameters.',
  level: 'saved',
  isRun: true,
  input: Type.Object(
    { id: QueryId, parameters: Parameters, max_rows: MaxRows },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...rowsFields,
    name: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
  }),
  async run({ id, parameters, max_rows: maxRows }, context) {
    const { query, checked } = await readSaved(id, context);
    const { answer, audit } = await runChecked(checked, { parameters, maxRows }, context);
    return {
      answer: { ...answer, ...{ name: fitName(query.name), version: query.version } },
      audit: { ...audit, subject: `${id}@${query.version}` },
    };
  },
});

async function readSaved(
  id: string,
  { connection, checks, signal }: ToolContext,
): Promise<{ readonly query: SavedQuery; readonly checked: CheckedForAgent }> {
  const { savedQueries } = await connection.service();
  const query = await savedQueries.get(id, { signal });
  const { query_string: text, model } = query;
  const checked = await checks.checkOn(connection, { text, model, writer: 'person' });
  return { query, checked };
}

export const proposeSavedQuery = agentTool({
  name: 'propose_saved_query',
  title: 'Propose Saved Query',
  description: 'Proposes a query to a person. It saves nothing: only the person can.',
  level: 'schema',
  isRun: false,
  input: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: limits.savedQueryNameMax }),
      sql: SqlText,
      model: ModelName,
      description: Type.Optional(Type.String({ maxLength: 1_000 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...answerFields, next: Type.Optional(Type.String()) }),
  async run({ name, sql, model, description }, { connection, checks, host }) {
    const checked = await checks.checkOn(connection, { text: sql, model, writer: 'agent' });
    const next = await host.propose({ name, sql, model: checked.model, description });
    return { answer: { status: 'complete', next }, audit: { sql, subject: name } };
  },
});
