/** Tools that list the models, tables and columns that agents can query. */
import { Type } from 'typebox';
import { defaultModel } from '#server/language/checks/analysis.ts';
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import { sensitivityBy } from '../../policy/masking/sensitive-columns.ts';
import { fitName, fitText, textLengths } from '../answers/fit-values.ts';
import { answerFields, ModelName } from './schemas.ts';
import { agentTool, refused } from './tool.ts';

const tablesMax = 300;

const Search = Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name.' }));

const named = (search: string) => {
  const wanted = search.toLowerCase();
  return ({ name }: { readonly name: string }): boolean => name.toLowerCase().includes(wanted);
};

const described = (text: string | undefined): { readonly description?: string } =>
  text === undefined || text === '' ? {} : { description: fitText(text, textLengths.description) };

export const listModels = agentTool({
  name: 'list_models',
  title: 'List Models',
  description:
    "Lists the connection's models with their tables; with `search`, only the tables with it in their name.",
  level: 'schema',
  isRun: false,
  input: Type.Object({ search: Search }, { additionalProperties: false }),
  output: Type.Object({
    ...answerFields,
    models: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.Optional(Type.String()),
          tables: Type.Array(Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) })),
        }),
      ),
    ),
  }),
  async run({ search = '' }, { connection }) {
    const listed = (await connection.catalogue()).models;
    const models = listed.map((model) => ({ ...model, tables: (model.tables ?? []).filter(named(search)) }));
    let left = tablesMax;
    const told = models.map((model) => {
      const tables = model.tables.slice(0, left);
      left -= tables.length;
      return {
        name: fitName(model.name),
        ...described(model.description),
        tables: tables.map((table) => ({ name: fitName(table.name), ...described(table.description) })),
      };
    });
    const all = models.reduce((sum, { tables }) => sum + tables.length, 0);
    return {
      answer:
        all > tablesMax
          ? {
              status: 'truncated',
              reason: `There are ${all} tables. These are the first ${tablesMax}: narrow them with \`search\`.`,
              models: told,
            }
          : { status: 'complete', models: told },
    };
  },
});

export const describeTable = agentTool({
  name: 'describe_table',
  title: 'Describe Table',
  description:
    'Returns the columns of a table, and which of them contain sensitive values, which are masked; with `search`, only the columns with it in their name.',
  level: 'schema',
  isRun: false,
  input: Type.Object(
    { table: Type.String({ minLength: 1, maxLength: 200 }), model: ModelName, search: Search },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...answerFields,
    table: Type.Optional(Type.String()),
    columns: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.String(),
          description: Type.Optional(Type.String()),
          sensitive: Type.Optional(Type.String({ description: 'The prefix of its tokens.' })),
        }),
      ),
    ),
  }),
  async run({ table: name, model = defaultModel, search = '' }, { connection }) {
    const owner = findModel(await connection.catalogue(), model);
    const table = owner && findTable(owner, name);
    if (table === undefined)
      return {
        ...refused(
          'unknown-table',
          'The model has no such table.',
          'Call list_models for the available tables.',
        ),
        audit: { subject: name },
      };
    const sensitivityOf = sensitivityBy(connection.sensitivePatterns);
    const columns = (table.columns ?? [])
      .filter(named(search))
      .map(({ name: column, type, description, class: given }) => {
        const origin = sensitivityOf({
          model: owner?.name ?? model,
          table: table.name,
          column,
          type,
          class: given,
        });
        return {
          name: fitName(column),
          type: fitName(type),
          ...described(description),
          ...(origin === undefined ? {} : { sensitive: origin.kind }),
        };
      });
    return {
      answer: { status: 'complete', table: fitName(table.name), columns },
      audit: { subject: name },
    };
  },
});
