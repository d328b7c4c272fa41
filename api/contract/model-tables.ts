/**
 * The tables of a model: GET /v1/schema/models/{name}/tables. The specification does not have it (assumption
 * `model-columns`): a service that does says so in its list of models, and others are asked with a query.
 */
import { Type, type Static } from 'typebox';

const ModelColumn = Type.Object({
  name: Type.String(),
  type: Type.String({
    description: "PostgreSQL's name of the type with its length, for example `varchar(20)`.",
  }),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.String()),
  generated: Type.Optional(Type.Boolean({ description: 'Whether the server computes the value.' })),
  values: Type.Optional(Type.Array(Type.String(), { description: 'The values of an enum, in their order.' })),
  class: Type.Optional(
    Type.String({
      description:
        'What the values say of a person: `identifier`, `harmless`, `personal`, `free text` or `secret`. Agents see values of the first two only.',
    }),
  ),
});

const ModelKey = Type.Object({
  kind: Type.String({ description: '`primary` or `unique`.' }),
  columns: Type.Array(Type.String(), { description: 'In the order of the key.' }),
});

const ModelReference = Type.Object({
  columns: Type.Array(Type.String()),
  model: Type.String({ description: 'The model of the other table.' }),
  table: Type.String(),
  tableColumns: Type.Array(Type.String(), {
    description: 'The columns referred to, in the order of `columns`.',
  }),
});

export const ModelTable = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: '`table`, `view`, `materialized view` or `foreign table`.' }),
  description: Type.Optional(Type.String()),
  columns: Type.Array(ModelColumn),
  keys: Type.Array(ModelKey),
  references: Type.Array(ModelReference),
});
export type ModelTable = Static<typeof ModelTable>;
