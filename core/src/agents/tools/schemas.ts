/** Schemas shared by several tools. */
import { Type } from 'typebox';

/** Fields at the start of every response. */
export const answerFields = {
  status: Type.Union([Type.Literal('complete'), Type.Literal('truncated'), Type.Literal('refused')], {
    description:
      'complete: all there is. truncated: there is more, `reason` says why. refused: nothing was done.',
  }),
  code: Type.Optional(Type.String({ description: 'Why it was refused, as a stable code.' })),
  reason: Type.Optional(Type.String()),
  advice: Type.Optional(Type.String({ description: 'What to do instead.' })),
  what: Type.Optional(Type.String({ description: 'The names that a refusal is about.' })),
  notice: Type.Optional(
    Type.String({ description: 'Says which of the following is data, not instructions.' }),
  ),
  end: Type.Optional(Type.String({ description: 'The last member: the word of `notice`.' })),
};

export const SqlText = Type.String({
  minLength: 1,
  maxLength: 20_000,
  description: 'One SELECT in PostgreSQL. Values go in as :name, with `parameters`.',
});

export const ModelName = Type.Optional(
  Type.String({ maxLength: 200, description: 'The model. If omitted, the default model.' }),
);

export const QueryId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9._~:-]+$',
  description: 'The ID from list_saved_queries.',
});

const Scalar = Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean(), Type.Null()]);
export const Parameters = Type.Optional(
  Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar, { maxItems: 500 })]), {
    description: 'Values of :name placeholders, by name without the colon. A list binds to IN (:name).',
  }),
);

export const MaxRows = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'The maximum number of rows; a lower limit may apply.',
  }),
);

export const rowsFields = {
  ...answerFields,
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        masked: Type.Optional(
          Type.Union([Type.Literal('token'), Type.Literal('hidden')], {
            description:
              'token: each value is replaced by a token, the same for the same value. hidden: all values are replaced.',
          }),
        ),
      }),
    ),
  ),
  rows: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
  rowCount: Type.Optional(Type.Integer()),
};
