/** Running SQL: POST /v1/query/execute. The specification gives only the path; the rest is assumption `execute`. */
import { Type, type Static } from 'typebox';
import { limits } from './limits.ts';

/** A value bound to a `:name` placeholder. A list binds to `IN (:list)` and `= ANY(:list)`. */
const ParameterScalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
export const ParameterValue = Type.Union([ParameterScalar, Type.Array(ParameterScalar)]);
export type ParameterValue = Static<typeof ParameterValue>;

export const ExecuteRequest = Type.Object(
  {
    query_string: Type.String({ minLength: limits.queryStringMin, maxLength: limits.queryStringMax }),
    model: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Record(Type.String(), ParameterValue)),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.executePageSizeMax,
        default: limits.executePageSizeDefault,
        description: 'Maximum number of rows per page.',
      }),
    ),
    pageToken: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ExecuteRequest = Static<typeof ExecuteRequest>;

export const ResultColumn = Type.Object({
  name: Type.String(),
  type: Type.String({
    description: "PostgreSQL's name of the type, for example `text`, `int8`, `timestamptz`, `text[]`.",
  }),
});
export type ResultColumn = Static<typeof ResultColumn>;

/**
 * One result page. A row is an array with one value per column: null, boolean, string, exact number, or JSON for
 * `json`, `jsonb` and array types. Numbers may exceed 2^53, so parse them losslessly. Other values (timestamps, uuid,
 * inet, NaN, infinities) are in PostgreSQL's text format.
 */
export const ExecuteResponse = Type.Object({
  columns: Type.Array(ResultColumn),
  rows: Type.Array(Type.Array(Type.Unknown())),
  nextPageToken: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Requests the next page. Null on the last one.',
    }),
  ),
  rowCount: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of rows in the result, if known.' }),
  ),
});
export type ExecuteResponse = Static<typeof ExecuteResponse>;
